"""The network as `grammax.search` sees it, for one query at a time, through compiled loops.

It chooses as `RuntimeDecoder` does, in half of its time. Unlike there, a step multiplies with what
it needs alone, and what only a choice needs is multiplied where there is one: calls are cheap here.
"""

from __future__ import annotations

from typing import NamedTuple, final

import numpy as np

from grammax.reading.coverage import Covered, coverage_mask, covered_after
from grammax.reading.reader import Query
from grammax.runtime.decoder import Encoded, RuntimeDecoder
from grammax.runtime.halves import halved
from grammax.runtime.kernel import attend, encode, read
from grammax.runtime.recurrence import Array
from grammax.search.protocol import Run


class CompiledState(NamedTuple):
    """What was read so far. An immutable value."""

    encoded: Encoded
    covered: Covered
    mask: Array  # (length): 1 where a name is covered
    recurrent: Array  # (2, 2e): cell and output


@final
class CompiledDecoder:
    """`Decoder` of `grammax.search`, with what a `RuntimeDecoder` knows of words and runs.

    Threads may share it, and run at the same time.
    """

    def __init__(self, plain: RuntimeDecoder) -> None:
        self._plain = plain
        w = plain.weights
        gates = 4 * w.config.decoder
        # Rows of gates were halved, and half of the smallest half precision is none: so doubled.
        self._encoder = halved(2 * w.encoder_states)
        self._gates = halved(2 * w.state[:, :gates])
        self._hidden = halved(w.state[:, gates:])
        self._bias = w.state_bias

    def start(self, query: Query) -> CompiledState:
        """The state before the first token."""
        w = self._plain.weights
        table, unsaid = self._plain.inputs.of(query)
        both, recurrent = encode(table, self._encoder)
        values = np.empty((len(both), w.config.hidden), np.float32)
        np.matmul(both, w.context, out=values[:, : w.learnt])
        values[:, w.learnt :] = table[:, 8 * w.config.encoder :]
        encoded = Encoded(query, both @ w.attention, values, unsaid)
        mask = np.zeros(len(both), np.float32)
        first = CompiledState(encoded, frozenset(), mask, recurrent)
        return self.step(first, (self._plain.beginning,))

    def step(self, state: CompiledState, run: Run) -> CompiledState:
        """The state after one run more."""
        encoded, covered, mask, recurrent = state
        recurrent = read(recurrent, self._plain.input_of(run), self._gates)
        now = covered_after(encoded.query.names, run, covered)
        if now is not covered:
            mask = coverage_mask(now, len(mask))
        return CompiledState(encoded, now, mask, recurrent)

    def hidden(self, state: CompiledState) -> Array:
        """What the head multiplies, (d)."""
        return self.attend(state)[0]

    def attend(self, state: CompiledState) -> tuple[Array, Array]:
        """What the head multiplies, (d), and how much each word had a part in it, (length)."""
        (_, keys, values, unsaid), _, mask, recurrent = state
        return attend(recurrent, keys, values, unsaid, mask, self._hidden, self._bias)
