"""A decoder that is watched: how long it took to encode, and which words it attended to."""

from __future__ import annotations

from time import perf_counter
from typing import final

from grammax.model.reader import Query
from grammax.runtime.decoder import RuntimeDecoder, State
from grammax.runtime.recurrence import Array
from grammax.search.protocol import Run


@final
class WatchedDecoder:
    """`Decoder` for one query, and one search."""

    def __init__(self, decoder: RuntimeDecoder) -> None:
        self._decoder = decoder
        self.encoding = 0.0  # seconds
        self.attention: list[Array] = []  # of each choice, (length), adding up to 1

    def start(self, query: Query) -> State:
        """The state before the first token."""
        started = perf_counter()
        state = self._decoder.start(query)
        self.encoding = perf_counter() - started
        return state

    def step(self, state: State, run: Run) -> State:
        """The state after one run more."""
        return self._decoder.step(state, run)

    def hidden(self, state: State) -> Array:
        """What the head multiplies, (d)."""
        hidden, weights = self._decoder.attend(state)
        self.attention.append(weights)
        return hidden
