"""The network as `grammax.search` sees it, for one query at a time."""

from __future__ import annotations

from math import exp, log1p
from typing import Final, NamedTuple, final

import numpy as np

from grammax.reading.coverage import Covered, coverage_mask, covered_after
from grammax.reading.reader import Query
from grammax.runtime.inputs import QueryInputs
from grammax.runtime.recurrence import Array, step
from grammax.runtime.weights import Weights
from grammax.search.protocol import Run

_KEPT: Final = 8_192  # runs whose input is remembered, 5 kB each


class Encoded(NamedTuple):
    """A query as the decoder meets it."""

    query: Query
    keys: Array  # (length, 2e): times the decoder's state, the attention's scores
    values: Array  # (length, d): a word's part in the hidden vector, learnt and spelt
    unsaid: Array  # (length, learnt): what a name that begins here adds until it is said


class State(NamedTuple):
    """What was read so far. An immutable value."""

    encoded: Encoded
    covered: Covered
    mask: Array | None  # (length): 1 where a name is covered; None while none is
    unsaid: Array  # (learnt), with the bias of the hidden vector
    cell: Array  # (2e)
    output: Array  # (2e)
    products: Array  # of the output with `Weights.state`


@final
class RuntimeDecoder:
    """`Decoder` of `grammax.search`; threads may share it."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.inputs = QueryInputs(weights)
        self._runs: dict[Run, Array] = {}
        self.beginning = len(weights.kind_of) - 1
        self._gates = 4 * weights.config.decoder
        self._learnt = weights.learnt
        self._spells = bool(weights.config.spelt)
        self._bias = weights.state_bias[:-2]
        self._said_bias, self._strength_bias = weights.state_bias[-2:].tolist()

    def start(self, query: Query) -> State:
        """The state before the first token."""
        encoded, summary = self._encode(query)
        products = summary @ self.weights.state
        unsaid = encoded.unsaid.sum(0) + self._bias
        cell = np.zeros_like(summary)
        output, cell, products = self._read(cell, products, (self.beginning,))
        return State(encoded, frozenset(), None, unsaid, cell, output, products)

    def step(self, state: State, run: Run) -> State:
        """The state after one run more."""
        encoded, covered, mask, unsaid, cell, _, products = state
        output, cell, products = self._read(cell, products, run)
        now = covered_after(encoded.query.names, run, covered)
        if now is not covered:
            mask = coverage_mask(now, len(encoded.keys))
            unsaid = (1 - mask) @ encoded.unsaid
            unsaid += self._bias
        return State(encoded, now, mask, unsaid, cell, output, products)

    def hidden(self, state: State) -> Array:
        """What the head multiplies, (d)."""
        return self.attend(state)[0]

    def attend(self, state: State) -> tuple[Array, Array]:
        """What the head multiplies, (d), and how much each word had a part in it, (length)."""
        encoded, _, mask, unsaid, _, output, products = state
        weights: Array = encoded.keys @ output
        if mask is not None:
            weights += (products[-2] + self._said_bias) * mask
        weights -= weights[weights.argmax()]
        np.exp(weights, out=weights)
        weights /= np.add.reduce(weights)
        hidden: Array = weights @ encoded.values
        first = hidden[: self._learnt]
        first += products[self._gates : -2]
        first += unsaid
        np.tanh(first, out=first)
        if self._spells:
            strength = float(products[-1]) + self._strength_bias
            hidden[self._learnt :] *= max(strength, 0.0) + log1p(exp(-abs(strength)))
        return hidden, weights

    def _read(self, cell: Array, products: Array, run: Run) -> tuple[Array, Array, Array]:
        """Output, cell and products after a run."""
        output, cell = step(products[: self._gates] + self.input_of(run), cell)
        return output, cell, output @ self.weights.state

    def input_of(self, run: Run) -> Array:
        """A run's share of the gates, (8e); remembered, for most runs come again."""
        found = self._runs.get(run)
        if found is None:
            found = self.weights.decoder_inputs @ sum(map(self._vector, run))
            found += self.weights.decoder_bias
            if len(self._runs) < _KEPT:
                self._runs[run] = found
        return found

    def _vector(self, token: int) -> Array:
        w = self.weights
        vector: Array = w.token_kinds[w.kind_of[token]] + w.tokens[w.own_of[token]]
        if w.called.shape[1] and token < self.beginning:
            vector += w.called @ w.rows[token, w.learnt :]
        return vector

    def _encode(self, query: Query) -> tuple[Encoded, Array]:
        """The query, and where both directions end, (2e)."""
        w, size = self.weights, self.weights.config.encoder
        table, unsaid = self.inputs.of(query)
        length = len(table)
        inputs = table[:, : 8 * size].reshape(length, 4, 2, size)
        # Both directions are one LSTM that reads the query from both ends: half the steps.
        inputs[:, :, 1] = inputs[::-1, :, 1].copy()
        outputs = np.empty((length, 2, size), np.float32)
        output = cell = np.zeros(2 * size, np.float32)
        for place in range(length):
            products = output.reshape(2, 1, size) @ w.encoder_states
            gates = inputs[place] + products.reshape(2, 4, size).swapaxes(0, 1)
            output, cell = step(gates.reshape(8 * size), cell)
            outputs[place] = output.reshape(2, size)
        outputs[:, 1] = outputs[::-1, 1].copy()
        both = outputs.reshape(length, 2 * size)
        values = np.empty((length, w.config.hidden), np.float32)
        np.matmul(both, w.context, out=values[:, : w.learnt])
        values[:, w.learnt :] = table[:, 8 * size :]
        return Encoded(query, both @ w.attention, values, unsaid), output
