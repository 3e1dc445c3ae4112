"""Typos: words that nobody knows → the known words that were meant.

A word is left alone if it is an English word, a word of training queries or a word of names, in the
singular or plural. Others are corrected by one edit (a letter left out, added, replaced, or two
swapped), long ones by two. *Common* words come first: those of training queries, of fields and of
values in closed classes. Then come words of well-known names in open classes. If several words are
as near, the one that is clearly preferred is taken, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.english import is_english
from grammax.reading.name_index import NameIndex, TokenNames
from grammax.reading.normal import plain_word
from grammax.reading.support import NameClasses
from grammax.reading.words import WordVocabulary
from grammax.text import one_edit_away

Typos = tuple[tuple[int, str], ...]  # the index of each corrected word, and what was typed

_SHORTEST: Final = 4  # letters; too many shorter words are one edit apart
_SHORTEST_IN_OPEN: Final = 5  # for names in open classes, which include thousands of codes
_SHORTEST_FOR_TWO: Final = 8  # for two edits
_LONGEST: Final = 24
_CLEARLY: Final = 8  # times as far up in the order of frequency
_REMEMBERED: Final = 5_000  # words


@final
class TypoCorrector:
    """Corrects the words of queries; what it needs is built for the first unknown word.

    >>> words = WordVocabulary.from_queries(["dramas in germany"])
    >>> TypoCorrector(words, NameIndex.from_names([[("norway",)]])).corrected(["noway", "germnay"])
    (['norway', 'germany'], ((0, 'noway'), (1, 'germnay')))
    """

    def __init__(
        self,
        words: WordVocabulary,
        index: NameIndex,
        kind_of: Sequence[int] = (),
        classes: NameClasses | None = None,
    ) -> None:
        self._words = words
        self._index = index
        self._kind_of = kind_of
        self._classes = classes
        self._meant: dict[str, str | None] = {}  # a cache

    def over(self, index: NameIndex, kind_of: Sequence[int], new: TokenNames) -> TypoCorrector:
        """The same for a changed vocabulary; `new` are tokens with names that they did not have.

        What was built is shared: for 50,000 names that takes a tenth of a second.
        """
        made = TypoCorrector(self._words, index, kind_of, self._classes)
        if "_in_open" in vars(self):
            made._in_open = self._in_open
        if "_common" in vars(self):
            is_open = self._classes.open_kinds if self._classes else ()
            names = (
                name for token, names in new if kind_of[token] not in is_open for name in names
            )
            words = dict.fromkeys(chain.from_iterable(names), len(self._frequent))
            made._common = words | self._common
        return made

    def corrected(
        self, words: Sequence[str], mentioned: Container[int] = ()
    ) -> tuple[list[str], Typos]:
        """The words with typos corrected, and the typos; those at `mentioned` are left alone."""
        read, typos = list(words), []
        for at in self._words.unknown(words):
            meant = None if at in mentioned else self.meant(words[at])
            if meant is not None:
                typos.append((at, words[at]))
                read[at] = meant
        return read, tuple(typos)

    def meant(self, word: str) -> str | None:
        """The word that was probably meant; None if it is known, or if nothing is clearly near."""
        if word not in self._meant:
            if len(self._meant) >= _REMEMBERED:
                self._meant = {}
            self._meant[word] = self._nearest(word)
        return self._meant[word]

    def _nearest(self, word: str) -> str | None:
        if not (_SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
            return None
        if self._is_known(word):
            return None
        edits = {*one_edit_away(word)} - {word}
        near = edits & self._common.keys()
        if near:
            return self._preferred(word, near)
        if len(word) >= _SHORTEST_IN_OPEN:
            near = edits & self._in_open
            if near:
                return _only([other for other in near if other[0] == word[0]])
        if len(word) >= _SHORTEST_FOR_TWO:
            return self._preferred(word, self._letters.within_two(word))
        return None

    def _is_known(self, word: str) -> bool:
        plain = plain_word(word)
        is_name = self._index.has_word
        return is_name(word) or is_name(plain) or plain in self._words or is_english(word)

    def _preferred(self, word: str, near: Collection[str]) -> str | None:
        """The likeliest of some near words, if it is clearly so."""
        letters = sorted(word)
        swapped = [other for other in near if sorted(other) == letters]
        near = swapped or [other for other in near if other[0] == word[0]]
        if len(word) == _SHORTEST:
            near = swapped
        ordered = sorted(near, key=self._common.__getitem__)
        if len(ordered) < 2:
            return _only(ordered)
        first, others = ordered[0], [o for o in ordered if not _same_name(o, ordered[0])]
        if not others or _CLEARLY * (1 + self._common[first]) <= self._common[others[0]]:
            return first
        return None

    @cached_property
    def _common(self) -> dict[str, int]:
        """Common words, and their places in the order of frequency."""
        found = {word: place for place, word in enumerate(self._frequent)}
        closed = self._names_of(lambda kinds, _: ~kinds) if self._classes else self._index.words()
        for word in closed:
            found.setdefault(word, len(self._frequent))
        return found

    @cached_property
    def _frequent(self) -> list[str]:
        """The words of training queries, the most frequent first."""
        return [word for word in self._words.known if len(word) >= _SHORTEST and word.isalpha()]

    @cached_property
    def _in_open(self) -> frozenset[str]:
        """Words of the well-known names in open classes."""
        classes = self._classes
        if classes is None:
            return frozenset()
        return self._names_of(lambda kinds, places: kinds & (places < classes.known))

    def _names_of(self, wanted: _Wanted) -> frozenset[str]:
        assert self._classes is not None
        kinds = np.asarray(self._kind_of)
        is_open = np.isin(kinds, list(self._classes.open_kinds))
        firsts = {int(kind): int(np.argmax(kinds == kind)) for kind in self._classes.open_kinds}
        places = np.arange(len(kinds))
        for kind, first in firsts.items():
            places[kinds == kind] -= first
        return self._index.words_of(wanted(is_open, places))

    @cached_property
    def _letters(self) -> _Letters:
        return _Letters(word for word in self._common if len(word) >= _SHORTEST_FOR_TWO - 2)


@final
class _Letters:
    """Words by the letters that they have, to find those within two edits."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = [word for word in words if word.isascii()]
        self._masks = np.array([_mask(word) for word in self._words], np.uint32)
        self._lengths = np.array([len(word) for word in self._words], np.int32)

    def within_two(self, word: str) -> list[str]:
        """The words within two edits that begin with the same letter.

        Two edits change the set of letters by four at most.
        """
        apart = np.bitwise_count(self._masks ^ np.uint32(_mask(word)))
        close = np.flatnonzero((apart <= 4) & (abs(self._lengths - len(word)) <= 2))
        found = (self._words[at] for at in close.tolist())
        return [other for other in found if other[0] == word[0] and _edits(word, other) <= 2]


_Wanted = Callable[[NDArray[np.bool_], NDArray[np.int64]], NDArray[np.bool_]]


def _only(words: Sequence[str]) -> str | None:
    return words[0] if len(words) == 1 else None


def _mask(word: str) -> int:
    """The letters of a word, as bits."""
    found = 0
    for letter in word:
        found |= 1 << (ord(letter) & 31)
    return found


def _edits(one: str, other: str) -> int:
    """The number of edits between two words; a swap of neighbours is one.

    >>> _edits("volkswagon", "volkswagen"), _edits("micorsfot", "microsoft")
    (1, 2)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _same_name(word: str, other: str) -> bool:
    """Whether two words are the same, or one is the plural of the other."""
    return plain_word(word) == plain_word(other)
