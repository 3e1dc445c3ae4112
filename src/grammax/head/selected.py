"""`Selected`: of a large kind only the rows that the words of the query select.

Vocabulary selection (L'Hostis, Grangier and Auli 2016). In training pairs, words are counted beside
the rows of their sentences; a word selects the rows that it predicts best, and with `names` the
rows whose name it is in, as a dictionary of word alignments does. Each kind has a few common rows
that every query selects.

A selection may miss the row that is right: then the sentence cannot be found. `recall` measures how
often that is. Where it selects nothing of what is permitted, all of it is. What a grammar
itself permits for a query (`grammax.automaton.grounded`) misses nothing that the query names.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, final

from torch import Tensor

from grammax.head.layer import OutputLayer
from grammax.head.protocol import HeadError, Options
from grammax.head.row_scores import RowGroup, RowScores, negative_log_likelihood
from grammax.head.spans import Spans
from grammax.vocabulary import Permitted, Vocabulary

LARGE: Final = 1_000  # rows of a kind above which they are selected
PER_WORD: Final = 20  # rows that a word selects by what training pairs say
PER_NAME: Final = 100  # rows whose name a word is in; a word in more names selects none by them
COMMON: Final = 20  # rows of a kind that every query selects
_DOUBT: Final = 1.0  # added to a row's count: one pair is not certain evidence


@final
class Selection:
    """The rows of large kinds that a word selects, and those that every query does.

    >>> vocabulary = Vocabulary({"FILM": ["Alien", "Brazil", "Casino"], "IS": ["is"]})
    >>> pairs = [(["space", "monster"], [3, 0]), (["a", "dystopia"], [3, 1])]
    >>> selection = Selection.from_pairs(pairs, vocabulary, large=2, common=0)
    >>> sorted(selection.rows(["monster", "film"]))
    [0]
    """

    def __init__(
        self,
        kinds: frozenset[int],
        by_word: Mapping[str, Sequence[int]],
        always: Sequence[int],
        vocabulary: Vocabulary,
    ) -> None:
        self.kinds: Final = kinds
        self.by_word: Final = by_word
        self.always: Final = tuple(always)
        self.vocabulary: Final = vocabulary

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[tuple[Sequence[str], Sequence[int]]],
        vocabulary: Vocabulary,
        *,
        names: Mapping[int, Iterable[Sequence[str]]] | None = None,
        large: int = LARGE,
        per_word: int = PER_WORD,
        common: int = COMMON,
    ) -> Selection:
        """Count words beside rows. `names` are the words of each row's names, if they are known."""
        kinds = frozenset(
            kind
            for kind in range(len(vocabulary.kinds))
            if sum(stop - start for start, stop in vocabulary.spans(kind)) > large
        )
        together: defaultdict[str, Counter[int]] = defaultdict(Counter)
        rows = Counter[int]()
        kind_of = vocabulary.kinds_by_id
        for query, sentence in pairs:
            present = [row for row in set(sentence) if kind_of[row] in kinds]
            rows.update(present)
            for word in set(query):
                together[word].update(present)
        by_word = {word: _best(counts, rows, per_word) for word, counts in together.items()}
        for word, named in _named(names or {}, kinds, vocabulary).items():
            by_word[word] = list(dict.fromkeys((*by_word.get(word, ()), *named)))
        always = [row for kind in sorted(kinds) for row in _common(rows, kind, vocabulary, common)]
        by_word = {word: found for word, found in by_word.items() if found}
        return cls(kinds, by_word, always, vocabulary)

    def rows(self, words: Iterable[str]) -> frozenset[int]:
        """The rows of large kinds that some words select."""
        found = set(self.always)
        for word in words:
            found.update(self.by_word.get(word, ()))
        return frozenset(found)

    def recall(self, pairs: Iterable[tuple[Sequence[str], Sequence[int]]]) -> tuple[int, int]:
        """How many rows of large kinds the queries of some pairs select, and how many there are."""
        kind_of, hit, total = self.vocabulary.kinds_by_id, 0, 0
        for words, rows in pairs:
            wanted = {row for row in rows if kind_of[row] in self.kinds}
            total += len(wanted)
            hit += len(wanted & self.rows(words)) if wanted else 0
        return hit, total

    @property
    def memory_bytes(self) -> int:
        """The bytes of the row numbers, eight each."""
        return 8 * (len(self.always) + sum(map(len, self.by_word.values())))


@final
class Selected:
    """A head that multiplies, of large kinds, only the rows that one query selects.

    The other permitted rows are multiplied as in `Spans`. Probabilities are among what is
    multiplied. It is made for a query by `for_query`.

    >>> import torch
    >>> vocabulary = Vocabulary({"FILM": ["Alien", "Brazil", "Casino"], "IS": ["is"]})
    >>> pairs = [(["space", "monster"], [0]), (["a", "dystopia"], [1])]
    >>> selection = Selection.from_pairs(pairs, vocabulary, large=2, common=0)
    >>> layer = OutputLayer(torch.eye(4), torch.zeros(4), tokens=4)
    >>> head = Selected.for_query(layer, selection, ["monster"])
    >>> head.scores(torch.ones(4), Options(vocabulary.permitted({0, 1}))).ids.tolist()
    [0, 3]
    """

    def __init__(self, layer: OutputLayer, selection: Selection, rows: frozenset[int]) -> None:
        if layer.tokens != len(selection.vocabulary):
            raise HeadError(
                f"the selection is of a vocabulary of {len(selection.vocabulary):,} tokens, and "
                f"the output layer has rows for {layer.tokens:,}. Count pairs of the same one."
            )
        self.layer = layer
        self.selection = selection
        self.rows = rows
        self.tokens = layer.tokens
        self.end = layer.end
        self._spans = Spans(layer)
        self._found: dict[Permitted, Permitted] = {}

    @classmethod
    def for_query(cls, layer: OutputLayer, selection: Selection, words: Iterable[str]) -> Selected:
        """The head for the words of a query."""
        return cls(layer, selection, selection.rows(words))

    @property
    def memory_bytes(self) -> int:
        """The bytes of the selection, which all queries share."""
        return self.selection.memory_bytes

    def scores(self, hidden: Tensor, options: Options) -> RowScores:
        """(d) → scores of the selected rows among the permitted."""
        return self._spans.scores(hidden, self.selected(options))

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> list[RowGroup]:
        """(n, d) → scores of the selected rows, one group per permitted set."""
        return self._spans.scores_of(hidden, [self.selected(choice) for choice in options])

    def loss(self, hidden: Tensor, options: Sequence[Options], targets: Tensor) -> Tensor:
        """-log p(target | selected options) of each member, (n, d) and (n) → (n), with gradients.

        A target that is not selected is added, as in the training of L'Hostis et al.
        """
        wanted = zip(options, targets.tolist(), strict=True)
        selected = [self.selected(choice, row) for choice, row in wanted]
        return negative_log_likelihood(self._spans, hidden, selected, targets)

    def selected(self, options: Options, target: int | None = None) -> Options:
        """The options without the rows of large kinds that are not selected."""
        permitted = options.permitted
        if not isinstance(permitted, Permitted):  # of sub-words, which have no kinds
            return options
        if permitted.kind_numbers.isdisjoint(self.selection.kinds):
            return options
        found = self._found.get(permitted)
        if found is None:
            found = self._found[permitted] = self._narrowed(permitted)
        if target is not None and target not in found and target in permitted:
            found = permitted.narrowed([*found, target])
        return Options(found, options.may_end)

    def _narrowed(self, permitted: Permitted) -> Permitted:
        kind_of, large = self.selection.vocabulary.kinds_by_id, self.selection.kinds
        kinds = permitted.kind_numbers & large
        rows = [row for row in self.rows if kind_of[row] in kinds and row in permitted]
        others = permitted.among(permitted.kind_numbers - large)
        rows += [row for start, stop in others for row in range(start, stop)]
        return permitted.narrowed(rows) if rows else permitted


def _best(counts: Counter[int], rows: Counter[int], most: int) -> list[int]:
    """The rows that a word is most often beside, in proportion to how often they are there."""
    return sorted(counts, key=lambda row: (-counts[row] / (rows[row] + _DOUBT), row))[:most]


def _named(
    names: Mapping[int, Iterable[Sequence[str]]], kinds: frozenset[int], vocabulary: Vocabulary
) -> dict[str, list[int]]:
    """The rows of large kinds by the words of their names, for words that are in few names."""
    found: defaultdict[str, dict[int, None]] = defaultdict(dict)
    for row, phrases in names.items():
        if vocabulary.kinds_by_id[row] in kinds:
            for word in {word for phrase in phrases for word in phrase}:
                found[word][row] = None
    return {word: list(rows) for word, rows in found.items() if len(rows) <= PER_NAME}


def _common(rows: Counter[int], kind: int, vocabulary: Vocabulary, most: int) -> list[int]:
    mine = [row for row in rows if vocabulary.kinds_by_id[row] == kind]
    return sorted(mine, key=lambda row: (-rows[row], row))[:most]
