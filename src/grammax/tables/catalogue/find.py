"""`Finder`: looks up fields, values and units by name.

>>> from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
>>> from grammax.tables.schema import Entity, EnumType, Schema
>>> schema = Schema("films", Entity("film", "films"), (EnumType("GENRE", "GEN_", "genre"),))
>>> genres = [Value("GEN_COMEDY", "GENRE", "Comedy"), Value("GEN_THRILLER", "GENRE", "Thriller")]
>>> catalogue = Catalogue.from_entries(schema, [Field("FLD_GENRE", "GENRE", "Genre")], genres)
>>> finder = Finder(catalogue)
>>> [match.token for match in finder.find("comedies", limit=1)]
['GEN_COMEDY']
>>> best = finder.find("Thirller")[0]
>>> best.token, best.alias, best.how
('GEN_THRILLER', 'Thriller', 'typo')
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from math import log
from typing import Final, Literal, final

import numpy as np

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.keys import key, singular, typos

How = Literal["exact", "folded", "plural", "typo", "prefix"]

_SCORES: Final[dict[How, float]] = {
    "exact": 1.0,
    "folded": 0.95,
    "plural": 0.93,
    "typo": 0.7,
    "prefix": 0.5,
}
_COMMONNESS: Final = 0.2  # weight: a common entry in the plural ranks above an exact rare one
_LONGEST: Final = 100
_SHORTEST_PREFIX: Final = 2


@final
@dataclass(frozen=True, slots=True)
class Match:
    """A match: the alias or name that matched, how, and its score (1 is best)."""

    token: str
    alias: str
    score: float
    how: How


@final
class Finder:
    """Finds entries by name, ignoring case, punctuation, accents, plurals and one typo.

    The first look-up builds an index, in about 0.6 s for 56,209 tokens; later ones take some tenths
    of a millisecond.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def find(self, text: str, limit: int = 10) -> tuple[Match, ...]:
        """Up to `limit` matches, the best first; common entries rank above rare ones."""
        text = text.strip()[:_LONGEST]
        wanted = key(text)
        if not wanted or limit < 1:
            return ()
        found: dict[int, tuple[How, str]] = {}
        for number in self._numbers(wanted):
            found[number] = ("folded", wanted)
        one = key(singular(text))
        for number in self._numbers(one):
            found.setdefault(number, ("plural", one))
        if len(found) < limit:
            for number, each in self._with_typo(text, limit):
                found.setdefault(number, ("typo", each))
        if len(found) < limit:
            for number in self._with_prefix(wanted, limit):
                found.setdefault(number, ("prefix", wanted))
        matches = [self._match(number, text, *how) for number, how in found.items()]
        matches.sort(key=lambda match: -match.score)
        return tuple(matches[:limit])

    def named(self, text: str) -> tuple[str, ...]:
        """The tokens that a text names, spelt as one of their names is, the most common first."""
        wanted = key(text[:_LONGEST])
        return tuple(self.catalogue.ranking[n] for n in self._numbers(wanted)) if wanted else ()

    def begun(self, text: str, limit: int) -> tuple[str, ...]:
        """Up to `limit` tokens with a name that begins with the text, the most common first."""
        wanted = key(text[:_LONGEST])
        return tuple(self.catalogue.ranking[n] for n in self._with_prefix(wanted, limit))

    def _numbers(self, wanted: str) -> list[int]:
        """The indices in the ranking of all entries with this key."""
        first, others = self._index
        if wanted not in first:
            return []
        return [first[wanted], *others.get(wanted, ())]

    def _with_typo(self, text: str, limit: int) -> list[tuple[int, str]]:
        """The most common entries one typo away, at most `limit`, and the keys meant."""
        first = self._index[0]
        meant = [each for each in typos(text) if each in first]
        found = {(number, each) for each in meant for number in self._numbers(each)}
        return nsmallest(limit, found)

    def _with_prefix(self, wanted: str, limit: int) -> list[int]:
        """The most common entries with a key that has the prefix, at most `limit`."""
        if len(wanted) < _SHORTEST_PREFIX:
            return []
        keys, numbers = self._sorted
        first = bisect_left(keys, wanted)
        last = bisect_left(keys, wanted + "\U0010ffff", first)
        return [int(number) for number in np.unique(numbers[first:last])[:limit]]

    def _match(self, number: int, text: str, how: How, meant: str) -> Match:
        token = self.catalogue.ranking[number]
        alias = _alias(self.catalogue.wordings(token), text, how, meant)
        if how == "folded" and alias.lower() == text.lower():
            how = "exact"
        elif how == "folded" and key(alias) != meant:
            how = "plural"
        rarity = log(1 + number) / log(1 + len(self.catalogue.ranking))
        return Match(token, alias, round(_SCORES[how] - _COMMONNESS * rarity, 3), how)

    @cached_property
    def _index(self) -> tuple[dict[str, int], dict[str, list[int]]]:
        """Key → number in the ranking of the most common entry, and key → numbers of the others.

        Two mappings, because 97 % of the keys have one entry: lists for all would take three times
        as long to fill.
        """
        first: dict[str, int] = {}
        others: dict[str, list[int]] = {}
        enums = [enum for enum in self.catalogue.value_types.values() if not enum.plural]
        never_plural = {t for enum in enums for t in self.catalogue.values_of(enum.name)}
        for number, token in enumerate(self.catalogue.ranking):
            names = self.catalogue.wordings(token)
            keys = [key(words) for words in names]
            if token not in never_plural:
                keys += [key(singular(words)) for words in names if "s" in words]
            for each in dict.fromkeys(keys):
                if first.setdefault(each, number) != number:
                    others.setdefault(each, []).append(number)
        return first, others

    @cached_property
    def _sorted(self) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.int64]]]:
        """All keys in order, and the most common entry of each."""
        first = self._index[0]
        keys = sorted(first)
        return keys, np.array([first[each] for each in keys], dtype=np.int64)


def _alias(wordings: tuple[str, ...], text: str, how: How, meant: str) -> str:
    """The name or alias of an entry that the text matches."""
    low = text.lower()
    for words in wordings:
        if words.lower() == low:
            return words
    for words in wordings:
        if how == "prefix":
            if key(words).startswith(meant):
                return words
        elif meant in (key(words), key(singular(words))):
            return words
    return wordings[0]
