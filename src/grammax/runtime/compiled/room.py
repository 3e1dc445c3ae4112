"""`Room`: the arrays that a search works in, which later searches use again.

Nothing in them need be filled in: a search begins by clearing what it uses. Making them takes
longer than a step of the decoder, and those of the last search are in the processor's cache.
"""

from __future__ import annotations

from typing import Final, NamedTuple, final

import numpy as np

from grammax.model.config import ModelConfig
from grammax.runtime.compiled.batch import REGISTERS, Members
from grammax.runtime.grounding import GroundingArrays
from grammax.runtime.lstm import Array
from grammax.vocabulary import Ids

_KEPT: Final = 8  # rooms: as many threads search at once without making new ones
_ROOMY: Final = 32  # words and names, and as many rows, that every room has space for


class Sizes(NamedTuple):
    """What a search needs space for."""

    queries: int
    members: int
    words: int  # of all queries
    longest: int  # words of a query
    names: int  # of a query, at most
    spans: int  # of candidates, at most


@final
class Room:
    """Arrays of some sizes, for one search at a time."""

    __slots__ = ("attention", "encoded", "members", "sizes", "tokens")

    def __init__(self, sizes: Sizes, config: ModelConfig, grounding: GroundingArrays) -> None:
        self.sizes = sizes
        queries, count, words, longest, names, spans = sizes
        learnt, length = config.hidden - config.spelt, config.budget + 1
        self.encoded: tuple[Array, Array, Array] = (
            np.empty((words, learnt), np.float32),
            np.empty((words, config.decoder), np.float32),
            np.empty((words, config.hidden), np.float32),
        )
        self.tokens: Ids = np.empty((3, count, length), np.int64)  # ids, permitted, scored
        self.attention: Array = np.empty((count, length, longest), np.float32)
        self.members = Members(
            np.empty((count, REGISTERS), np.int64),
            self.tokens[0],
            self.tokens[1],
            self.tokens[2],
            np.empty(count),
            np.empty((count, config.decoder), np.float32),
            np.empty((count, config.decoder), np.float32),
            np.empty((count, longest), np.float32),
            np.empty((count, names), np.bool_),
            np.empty((count, spans, 2), np.int64),
            np.empty((queries, len(grounding.rules)), np.bool_),
            np.empty((queries, len(grounding.items_first) - 1), np.int8),
            np.empty(2, np.int64),
        )


@final
class Rooms:
    """The rooms of searches that are over. Threads may share it."""

    def __init__(self, config: ModelConfig, grounding: GroundingArrays) -> None:
        self._config, self._grounding = config, grounding
        self._free: list[Room] = []  # for one sentence: others are rare

    def take(self, sizes: Sizes) -> Room:
        """A room with space for a search."""
        if sizes.members > 1:
            return Room(sizes, self._config, self._grounding)
        try:
            found = self._free.pop()
        except IndexError:
            found = None
        if found is None or any(map(int.__lt__, found.sizes, sizes)):
            more = (sizes.words, sizes.longest, sizes.names, sizes.spans)
            roomy = Sizes(1, 1, *(_ROOMY * (1 + size // _ROOMY) for size in more))
            found = Room(roomy, self._config, self._grounding)
        return found

    def give(self, room: Room) -> None:
        """Give a room back; it must not be used any more."""
        if room.sizes.members == 1 and len(self._free) < _KEPT:
            self._free.append(room)
