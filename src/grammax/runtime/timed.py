"""A decoder with a clock: how long each choice took, from the one before it to the next."""

from __future__ import annotations

from time import perf_counter
from typing import Generic, final

from grammax.reading.reader import Query
from grammax.runtime.recurrence import Array
from grammax.search.protocol import D, Decoder, Run


@final
class TimedDecoder(Generic[D]):
    """`Decoder` for one query, and one search.

    A choice begins with the first step after the one before, and takes in all that the search does
    for it: steps, attention, the permitted rows, and the grammar.
    """

    def __init__(self, decoder: Decoder[Query, D, Array]) -> None:
        self._decoder = decoder
        self._began = 0.0
        self._chosen = False
        self._seconds: list[float] = []

    def start(self, query: Query) -> D:
        """The state before the first token."""
        state = self._decoder.start(query)
        self._began = perf_counter()
        return state

    def step(self, state: D, run: Run) -> D:
        """The state after one run more."""
        self._end()
        return self._decoder.step(state, run)

    def hidden(self, state: D) -> Array:
        """What the head multiplies, (d)."""
        self._end()
        self._chosen = True
        return self._decoder.hidden(state)

    def finished(self) -> tuple[float, ...]:
        """Seconds of each choice, once the search is over."""
        self._end()
        return tuple(self._seconds)

    def _end(self) -> None:
        """The choice before this is over, if there was one."""
        if self._chosen:
            now = perf_counter()
            self._seconds.append(now - self._began)
            self._began, self._chosen = now, False
