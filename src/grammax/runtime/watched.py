"""A decoder that is watched: how long it took to encode, and which words it attended to."""

from __future__ import annotations

from time import perf_counter
from typing import Generic, Protocol, final

from grammax.reading.reader import Query
from grammax.runtime.recurrence import Array
from grammax.search.protocol import D, Decoder, Run


class Attending(Decoder[Query, D, Array], Protocol[D]):
    """A decoder that tells its attention."""

    def attend(self, state: D) -> tuple[Array, Array]:
        """What the head multiplies, (d), and how much each word had a part in it, (length)."""


@final
class WatchedDecoder(Generic[D]):
    """`Decoder` for one query, and one search."""

    def __init__(self, decoder: Attending[D]) -> None:
        self._decoder = decoder
        self.encoding = 0.0  # seconds
        self.attention: list[Array] = []  # of each choice, (length), adding up to 1

    def start(self, query: Query) -> D:
        """The state before the first token."""
        started = perf_counter()
        state = self._decoder.start(query)
        self.encoding = perf_counter() - started
        return state

    def step(self, state: D, run: Run) -> D:
        """The state after one run more."""
        return self._decoder.step(state, run)

    def hidden(self, state: D) -> Array:
        """What the head multiplies, (d)."""
        hidden, weights = self._decoder.attend(state)
        self.attention.append(weights)
        return hidden
