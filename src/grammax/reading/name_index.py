"""`NameIndex`: phrases → the tokens that they name. Longer phrases take precedence.

A name is also found in other forms, see `normal`: the index stores the normal form of each name
beside the name, and looks for the words of a query as typed, then for their normal forms. Of the
tokens of a phrase, those with it as a name come before those with it as a variant.

A phrase may name several tokens. With the kinds of tokens given, it names one token of a kind, the
first in the order of names: its *owner*. It may still name tokens of several kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.normal import Span, normal_words, variants
from grammax.reading.phrase_table import LONGEST, Arrays, PhraseTable, prefixes
from grammax.reading.words import is_continued

Phrase = tuple[str, ...]  # one or more words
TokenNames = Iterable[tuple[int, Iterable[Phrase]]]  # tokens, each with its names
_Ids = tuple[int, ...]
_Found = tuple[Span, _Ids]  # where a phrase is, and its tokens
_Known = tuple[_Ids, tuple[int, ...]]  # tokens of a text; lengths of longer phrases that begin so

_REMEMBERED: Final = 50_000  # texts
_SHORTEST_JOINED: Final = 7  # letters of two words that may be written as one: "sci fi"
_NOTHING: Final[_Known] = ((), ())


class Match(NamedTuple):
    """Words `start` to `stop` of a query are a name of the tokens `ids`."""

    start: int
    stop: int
    ids: tuple[int, ...]


@final
class _Remembered(dict[str, _Known]):
    """Look-ups by text, each done once until there are too many."""

    def __init__(self, look_up: Callable[[str], _Known]) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, text: str) -> _Known:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[text] = self._look_up(text)
        return found


@final
class NameIndex:
    """Phrases and the ids of their tokens, as arrays, which load without parsing.

    >>> index = NameIndex.from_names([[("crime",)], [("true", "crime"), ("documentary",)]])
    >>> index.find(["swedish", "true", "crime"])
    [Match(start=1, stop=3, ids=(1,))]
    >>> index.find(["documentaries"])
    [Match(start=0, stop=1, ids=(1,))]
    """

    def __init__(self, arrays: Arrays) -> None:
        self._table = PhraseTable(arrays)
        self._known = _Remembered(self._look_up)
        self._kind_of: Sequence[int] = ()
        self._owned: Container[int] = ()  # kinds of which a phrase names one token
        self._changed: Mapping[str, _Ids] = {}  # phrases with other tokens than in the table
        self._begun: Mapping[str, int] = {}  # by the first words of added names, their lengths
        self._new: frozenset[str] = frozenset()  # words of added names

    @classmethod
    def from_names(cls, names: Iterable[Iterable[Phrase]]) -> NameIndex:
        """The index of the names of each token, in the order of ids."""
        found: dict[str, list[int]] = {}
        others: dict[str, list[int]] = {}
        for token, phrases in enumerate(names):
            called = [words for words in phrases if words]
            for words in called:
                _enter(found, words, token)
            for words in variants(called):
                _enter(others, words, token)
        count = len(found)
        for text, ids in others.items():
            found[text] = list(dict.fromkeys((*found.get(text, ()), *ids)))
        return cls(PhraseTable.from_phrases(found, count).arrays)

    @property
    def arrays(self) -> Arrays:
        """The arrays to store, without changes."""
        return self._table.arrays

    def with_owners(self, kind_of: Sequence[int], kinds: Container[int]) -> NameIndex:
        """The same index, in which a phrase names only the first token of each of some kinds.

        >>> index = NameIndex.from_names([[("crime",)], [("crime",), ("true", "crime")]])
        >>> index.with_owners(kind_of=(4, 4), kinds={4}).find(["crime"])
        [Match(start=0, stop=1, ids=(0,))]
        """
        made: NameIndex = object.__new__(NameIndex)
        vars(made).update(vars(self), _kind_of=kind_of, _owned=kinds)
        made._known = _Remembered(made._look_up)
        return made

    def has_word(self, word: str) -> bool:
        """Whether a word is part of a name.

        >>> index = NameIndex.from_names([[("true", "crime")]])
        >>> index.has_word("crime"), index.has_word("true crime")
        (True, False)
        """
        return word in self._new or self._table.find(word).is_word

    def words(self) -> frozenset[str]:
        """All words of names."""
        return self._table.words() | self._new

    def words_of(self, wanted: NDArray[np.bool_]) -> frozenset[str]:
        """The words of all phrases that name a wanted token; `wanted` has a value for each token.

        >>> index = NameIndex.from_names([[("crime",)], [("true", "crime"), ("war",)]])
        >>> sorted(index.words_of(np.array([False, True])))
        ['crime', 'true', 'war']
        """
        changed = self._changed
        texts = chain(
            (text for text in self._table.names_of(wanted) if text not in changed),
            (text for text, ids in changed.items() if wanted[list(ids)].any()),
        )
        return frozenset(chain.from_iterable(map(str.split, texts)))

    def changed(self, removed: TokenNames, added: TokenNames) -> NameIndex:
        """The index without the names of some tokens and with those of others; it is not stored.

        >>> index = NameIndex.from_names([[("crime",)], [("true", "crime")]])
        >>> index.changed([(0, [("crime",)])], [(2, [("new", "wave")])]).find(["new", "wave"])
        [Match(start=0, stop=2, ids=(2,))]
        """
        ids: dict[str, dict[int, None]] = {}  # of the changed phrases
        begun = dict(self._begun)
        for token, phrases in removed:
            for words in _with_variants(phrases):
                self._ids_to_change(ids, words).pop(token, None)
        for token, phrases in added:
            for words in _with_variants(phrases):
                self._ids_to_change(ids, words)[token] = None
                for prefix, bit in prefixes(words):
                    begun[prefix] = begun.get(prefix, 0) | bit
        made: NameIndex = object.__new__(NameIndex)
        vars(made).update(vars(self), _begun=begun)
        made._known = _Remembered(made._look_up)
        made._changed = {**self._changed, **{text: tuple(tokens) for text, tokens in ids.items()}}
        left = (text for text, tokens in ids.items() if tokens)
        made._new = self._new.union(chain.from_iterable(map(str.split, left)))
        return made

    def _ids_to_change(self, ids: dict[str, dict[int, None]], words: Phrase) -> dict[int, None]:
        text = " ".join(words)
        found = ids.get(text)
        if found is None:
            found = ids[text] = dict.fromkeys(self._all_ids(text))
        return found

    def _all_ids(self, text: str) -> _Ids:
        """All tokens that a phrase names, owners or not."""
        changed = self._changed.get(text)
        return self._table.find(text).ids if changed is None else changed

    def __contains__(self, words: Phrase) -> bool:
        return bool(self._all_ids(" ".join(words)))

    def ids(self, words: Phrase) -> tuple[int, ...]:
        """The tokens that a phrase names, as it is written."""
        return self._known[" ".join(words)][0]

    def find(self, words: Sequence[str], without: Container[Span] = ()) -> list[Match]:
        """The names in a query; a name within a longer one is left out.

        Phrases at the spans `without` are not taken for names, but those within them are.
        """
        found = self._spans(words, None, None, without)
        texts, places = normal_words(words)
        more: list[_Found] = []
        if texts != words:
            more = self._spans(texts, places, _next_changes(words, texts, places), without)
        more += self._joined(texts, places, without)
        if not more:
            return [Match(start, stop, ids) for (start, stop), ids in found]
        matches: list[Match] = []
        reached, last = 0, (0, 0)
        for span, ids in sorted(found + more, key=_by_place):
            if span == last:
                ids = self._joint(matches.pop().ids, ids)
            elif span[1] <= reached:
                continue  # within a longer one
            last, reached = span, span[1]
            matches.append(Match(*span, ids))
        return matches

    def _joint(self, ids: _Ids, more: _Ids) -> _Ids:
        """The tokens of a name as typed, and those of its variant of other kinds, with owners."""
        if not self._kind_of:
            return ids
        kinds = {self._kind_of[token] for token in ids}
        return (*ids, *(token for token in more if self._kind_of[token] not in kinds))

    def _spans(
        self,
        words: Sequence[str],
        places: Sequence[Span] | None,
        beyond: Sequence[int] | None,
        without: Container[Span],
    ) -> list[_Found]:
        """The phrases among words at some places; one that starts at i goes beyond `beyond[i]`."""
        found: list[_Found] = []
        known, reached, end = self._known, 0, len(words)
        for start, word in enumerate(words):
            if beyond is not None and beyond[start] > reached:
                reached = beyond[start]  # it never decreases
                if reached == end:
                    break
            alone, longer = known[word]
            after = start + 1
            if longer and start + longer[0] > reached and after < end:
                both, lengths = known[f"{word} {words[after]}"]
                for length in lengths:
                    stop = start + length
                    if stop <= reached:
                        break
                    if stop > end:
                        continue
                    ids, _ = known[" ".join(words[start:stop])]
                    if ids:
                        span = (places[start][0], places[stop - 1][1]) if places else (start, stop)
                        if span not in without:
                            found.append((span, ids))
                            reached = stop
                            break
                if both and after >= reached:
                    span = (places[start][0], places[after][1]) if places else (start, after + 1)
                    if span not in without:
                        found.append((span, both))
                        reached = after + 1
            if alone and start >= reached:
                span = places[start] if places else (start, after)
                if span not in without:
                    found.append((span, alone))
                    reached = after
        return found

    def _joined(
        self, words: Sequence[str], places: Sequence[Span], without: Container[Span]
    ) -> list[_Found]:
        """Two words that are a name if written as one."""
        found: list[_Found] = []
        known, first = self._known, ""
        for at, second in enumerate(words):
            text = first + second
            if len(text) >= _SHORTEST_JOINED and at:
                ids, _ = known[text]
                if ids and first.isalpha() and second.isalpha():
                    span = places[at - 1][0], places[at][1]
                    if span not in without:
                        found.append((span, ids))
            first = second
        return found

    def named(self, words: Sequence[str]) -> Iterator[int]:
        """All tokens with a name in a query, also inside a longer name, not inside a number."""
        for match in self.all(words):
            yield from match.ids

    def all(self, words: Sequence[str]) -> Iterator[Match]:
        """All names in a query, also those inside longer ones, but none inside a number."""
        texts, places = normal_words(words)
        seen = set()
        for span, ids in chain(
            self._every(words, [(at, at + 1) for at in range(len(words))]),
            self._every(texts, places) if texts != words else (),
            self._joined(texts, places, ()),
        ):
            if span not in seen:
                seen.add(span)
                yield Match(*span, ids)

    def _every(self, words: Sequence[str], places: Sequence[Span]) -> Iterator[_Found]:
        inside = [is_continued(word) for word in words] + [False]
        for start, word in enumerate(words):
            _, longer = self._known[word]
            for length in (1, *reversed(longer)):
                stop = start + length
                if stop <= len(words) and not inside[stop]:
                    ids, _ = self._known[" ".join(words[start:stop])]
                    if ids:
                        yield (places[start][0], places[stop - 1][1]), ids

    def _look_up(self, text: str) -> _Known:
        """The tokens that a text names, and the lengths of longer phrases that begin with it."""
        ids, lengths, _ = self._table.find(text)
        if self._changed:
            ids = self._changed.get(text, ids)
            lengths |= self._begun.get(text, 0)
        return (self._owners(ids), _descending(lengths)) if ids or lengths else _NOTHING

    def _owners(self, ids: _Ids) -> _Ids:
        """Of some tokens, the first only of each kind that has owners."""
        if not self._kind_of:
            return ids
        first: dict[int, int] = {}
        for token in ids:
            kind = self._kind_of[token]
            first.setdefault(kind if kind in self._owned else -1 - token, token)
        return tuple(first.values())


def _next_changes(words: Sequence[str], texts: list[str], places: Sequence[Span]) -> list[int]:
    """For each normal form the next one, from itself on, that differs from what was typed."""
    found: list[int] = []
    count = len(texts)
    for at, (text, (start, stop)) in enumerate(zip(texts, places, strict=True)):
        if (
            stop - start > 1
            or text != words[start]
            or (at + 1 < count and places[at + 1][0] > stop)  # a sign after it was dropped
        ):
            found += [at] * (at + 1 - len(found))
    return found + [count] * (count - len(found))


def _by_place(found: _Found) -> Span:
    start, stop = found[0]
    return start, -stop


def _with_variants(phrases: Iterable[Phrase]) -> list[Phrase]:
    """The names of a token and their variants."""
    called = [words for words in phrases if words]
    return [*called, *variants(called)]


def _enter(found: dict[str, list[int]], words: Phrase, token: int) -> None:
    ids = found.setdefault(" ".join(words), [])
    if not ids or ids[-1] != token:
        ids.append(token)


@cache
def _descending(lengths: int) -> tuple[int, ...]:
    """The lengths that bits stand for, the longest first."""
    return tuple(n for n in range(LONGEST, 0, -1) if lengths >> n & 1)
