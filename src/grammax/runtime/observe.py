"""Decoders that observe another: its attention and encoding time, or the time of each choice."""

from __future__ import annotations

from time import perf_counter
from typing import Generic, NamedTuple, Protocol, final

import numpy as np

from grammax.reading.reader import Query
from grammax.runtime.lstm import Array
from grammax.search.protocol import D, Decoder, Run


class Attending(Decoder[Query, D, Array], Protocol[D]):
    """A decoder that also returns its attention."""

    def attend(self, state: D) -> tuple[Array, Array]:
        """The hidden vector, (d), and the attention weight of each word, (length)."""


class Observed(NamedTuple):
    """What was observed of a search."""

    encoding: float  # seconds
    attention: Array  # (choices, words): of each choice; sums to 1


@final
class WatchedDecoder(Generic[D]):
    """`Decoder` for one query and one search, which records attention and the encoding time."""

    def __init__(self, decoder: Attending[D]) -> None:
        self._decoder = decoder
        self._encoding = 0.0
        self._attention: list[Array] = []
        self._words = 0

    def start(self, query: Query) -> D:
        """The state before the first token."""
        started = perf_counter()
        state = self._decoder.start(query)
        self._encoding, self._words = perf_counter() - started, len(query.ids)
        return state

    def step(self, state: D, run: Run) -> D:
        """The state after one more run."""
        return self._decoder.step(state, run)

    def hidden(self, state: D) -> Array:
        """The hidden vector, (d)."""
        hidden, weights = self._decoder.attend(state)
        self._attention.append(weights)
        return hidden

    def observed(self) -> Observed:
        """The attention so far, and the time of the encoding."""
        return Observed(
            self._encoding, np.array(self._attention, np.float32).reshape(-1, self._words)
        )


@final
class TimedDecoder(Generic[D]):
    """`Decoder` for one query and one search, which measures the time of each choice.

    A choice begins where the one before it ended and includes all work of the search for it:
    steps, attention, the permitted rows, and the grammar.
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
        """The state after one more run."""
        self._end()
        return self._decoder.step(state, run)

    def hidden(self, state: D) -> Array:
        """The hidden vector, (d)."""
        self._end()
        self._chosen = True
        return self._decoder.hidden(state)

    def finished(self) -> tuple[float, ...]:
        """Seconds of each choice, once the search is over."""
        self._end()
        return tuple(self._seconds)

    def _end(self) -> None:
        """End the previous choice, if there is one."""
        if self._chosen:
            now = perf_counter()
            self._seconds.append(now - self._began)
            self._began, self._chosen = now, False
