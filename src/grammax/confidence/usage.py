"""Training queries that were parsed rightly → what their words are for.

Names aside, a language of queries has few words: comparisons, order, numbers, and phrases that say
nothing ("show me the companies"). Which is which is not written down anywhere; the attention of a
trained network tells it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.reader import Query
from grammax.search import Decoded

Attention = Sequence[NDArray[np.float32]]  # of each choice, (words), adding up to 1
Watched = tuple[Query, Decoded, Attention]

_RESTS: Final = 0.2  # of a choice's attention: so much rests on a word
_SELDOM: Final = 0.1  # a word that is idle at most so often is heeded


@final
@dataclass(frozen=True, slots=True)
class Usage:
    """The words that training queries have outside the names that were said.

    `heeded` are those on which some choice nearly always rests; the others, `plain`, may be left
    out of account. A word that is neither was seen inside names alone, or never.
    """

    heeded: frozenset[str]
    plain: frozenset[str]

    @classmethod
    def of(cls, watched: Iterable[Watched]) -> Self:
        """What parses that are right tell of their words."""
        count: Counter[str] = Counter()
        idle: Counter[str] = Counter()
        for query, decoded, attention in watched:
            named, rested = said_places(query, decoded), rested_places(attention)
            for place, word in enumerate(query.words):
                if place not in named:
                    count[word] += 1
                    idle[word] += place not in rested
        # One is added to both, so that a word must have been met some times to be heeded.
        heeded = {word for word in count if idle[word] + 1 <= _SELDOM * (count[word] + 2)}
        return cls(frozenset(heeded), frozenset(count.keys() - heeded))

    def __contains__(self, word: str) -> bool:
        return word in self.plain or word in self.heeded

    def to_json(self) -> dict[str, Any]:
        """As JSON keeps it."""
        return {"heeded": sorted(self.heeded), "plain": sorted(self.plain)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """What `to_json` gave."""
        return cls(frozenset(map(str, values["heeded"])), frozenset(map(str, values["plain"])))


def said_places(query: Query, decoded: Decoded) -> set[int]:
    """The places of words in names that the logical form says."""
    said: set[int] = set()
    tokens = set(decoded.ids)
    for start, stop, ids in query.names:
        if not tokens.isdisjoint(ids):
            said.update(range(start, stop))
    return said


def rested_places(attention: Attention) -> set[int]:
    """The places of words on which the attention of some choice rests."""
    if not len(attention):
        return set()
    most = np.maximum.reduce(attention).tolist()
    return {place for place, share in enumerate(most) if share >= _RESTS}
