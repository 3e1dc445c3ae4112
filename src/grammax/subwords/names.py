"""`Names`: the tokens of a vocabulary as a trie, each with a text before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple, final

from grammax.subwords.spelling import Spelling
from grammax.subwords.trie import EVERY_KIND, Kinds, Name, Node, trie
from grammax.vocabulary import Permitted, Vocabulary


class Change(NamedTuple):
    """The rows of the old vocabulary that are gone, and those of the new one that are new."""

    old: list[int]
    new: list[int]


@final
class Names:
    """A vocabulary, or some kinds of it, as a trie over the symbols of a spelling."""

    def __init__(
        self,
        spelling: Spelling,
        lead: str,
        vocabulary: Vocabulary,
        kinds: frozenset[int] | None,
        root: Node,
        sets: dict[frozenset[int], Kinds],
        added: tuple[str, ...] = (),
    ) -> None:
        """Use `Names.of` and `renewed`."""
        self.root: Final = root
        self.lead: Final = lead
        self.added: Final = added
        """The names that these have and those did not that they were renewed from."""
        self._spelling = spelling
        self.vocabulary: Final = vocabulary
        self._kinds = kinds
        self._sets = sets
        self._roots: dict[Permitted, tuple[Node, Kinds]] = {}

    @classmethod
    def of(
        cls,
        spelling: Spelling,
        lead: str,
        vocabulary: Vocabulary,
        kinds: frozenset[int] | None = None,
    ) -> Names:
        """The names of these kinds, by default of all, each spelled with `lead` before it."""
        rows = chain.from_iterable(
            range(start, stop)
            for kind in (range(len(vocabulary.kinds)) if kinds is None else kinds)
            for start, stop in vocabulary.spans(kind)
        )
        root = trie(_names(spelling, lead, vocabulary, rows))
        return cls(spelling, lead, vocabulary, kinds, root, {})

    def renewed(
        self, vocabulary: Vocabulary, change: Change, kinds: frozenset[int] | None = None
    ) -> Names:
        """The same for a vocabulary that gained or lost tokens; what is the same is shared."""
        wider = self._kinds is not None and (kinds is None or not self._kinds >= kinds)
        if wider or vocabulary.kinds != self.vocabulary.kinds:
            return Names.of(self._spelling, self.lead, vocabulary, kinds)
        if vocabulary is self.vocabulary:
            return self
        old, new = change
        root = self.root
        for name in self._spelled(self.vocabulary, old):
            root = root.removed(name)
        added = tuple(self._spelled(vocabulary, new))
        for name in added:
            root = root.inserted(name)
        return Names(
            self._spelling,
            self.lead,
            vocabulary,
            self._kinds,
            root,
            self._sets,
            tuple(name.text for name in added),
        )

    def among(self, permitted: Permitted) -> tuple[Node, Kinds]:
        """A node and kinds below it that are the permitted names: the whole trie or one of some."""
        found = self._roots.get(permitted)
        if found is None:
            if len(self._roots) > _REMEMBERED:
                self._roots.clear()
            if permitted.rows is None:
                numbers = permitted.kind_numbers
                bits = sum(1 << kind for kind in numbers)
                found = self.root, self._sets.setdefault(numbers, Kinds(bits))
            else:
                names = _names(self._spelling, self.lead, self.vocabulary, permitted.rows)
                found = trie(names), EVERY_KIND
            found = self._roots.setdefault(permitted, found)
        return found

    def _spelled(self, vocabulary: Vocabulary, rows: Iterable[int]) -> Iterator[Name]:
        kinds, kind_of = self._kinds, vocabulary.kinds_by_id
        wanted = [row for row in rows if kinds is None or kind_of[row] in kinds]
        return _names(self._spelling, self.lead, vocabulary, wanted)


_REMEMBERED = 4096  # permitted sets


def _names(
    spelling: Spelling, lead: str, vocabulary: Vocabulary, rows: Iterable[int]
) -> Iterator[Name]:
    given = list(rows)
    texts = [vocabulary.tokens[row] for row in given]
    kind_of = vocabulary.kinds_by_id
    for row, text, symbols in zip(given, texts, spelling.spell(lead, texts), strict=True):
        yield Name(symbols, kind_of[row], text)


def difference(old: Vocabulary, new: Vocabulary) -> Change:
    """What has to be done to the names of one vocabulary to have those of the other."""
    if old is new:
        return Change([], [])
    common = min(len(old), len(new))
    moved: list[int] = []
    # The texts are the same objects, so comparing tuples of them takes a tenth of a millisecond.
    if (
        old.tokens[:common] != new.tokens[:common]
        or old.kinds_by_id[:common] != new.kinds_by_id[:common]
    ):
        pairs = zip(old.tokens, new.tokens, old.kinds_by_id, new.kinds_by_id, strict=False)
        moved = [row for row, (a, b, k, n) in enumerate(pairs) if a is not b or k != n]
    return Change(
        _lacking(old, [*moved, *range(common, len(old))], new),
        _lacking(new, [*moved, *range(common, len(new))], old),
    )


def _lacking(mine: Vocabulary, rows: Iterable[int], other: Vocabulary) -> list[int]:
    """Those of my rows that have a name which the other does not have in the same kind."""
    found = []
    for row in rows:
        text, kind = mine.tokens[row], mine.kind_of(row)
        if kind is not None and (text not in other or other.kind_of(text) != kind):
            found.append(row)
    return found
