"""`Decoder` of `grammax.search` in NumPy, for one query at a time."""

from __future__ import annotations

from math import exp, log1p
from typing import Final, NamedTuple, final

import numpy as np

from grammax.reading.coverage import Covered, coverage_mask, covered_after
from grammax.reading.reader import Query
from grammax.runtime.inputs import QueryInputs
from grammax.runtime.lstm import Array, step
from grammax.runtime.weights import Weights
from grammax.search.protocol import Run

_REMEMBERED: Final = 8_192  # runs with their inputs, 5 kB each


class Encoded(NamedTuple):
    """An encoded query."""

    query: Query
    keys: Array  # (length, 2e): multiplied by the decoder's output they give attention scores
    values: Array  # (length, d): contribution of a word to the hidden vector, learnt and spelt
    uncovered: Array  # (length, learnt): contribution of a name that begins here, while uncovered


class State(NamedTuple):
    """The state after the tokens read so far. An immutable value."""

    encoded: Encoded
    covered: Covered
    mask: Array | None  # (length): 1 where a name is covered; None before the first
    uncovered: Array  # (learnt), with the bias of the hidden vector
    cell: Array  # (2e)
    output: Array  # (2e)
    products: Array  # the output times `Weights.state`


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
        self._covered_bias, self._strength_bias = weights.state_bias[-2:].tolist()

    def start(self, query: Query) -> State:
        """The state before the first token."""
        encoded, summary = self._encode(query)
        products = summary @ self.weights.state
        uncovered = encoded.uncovered.sum(0) + self._bias
        cell = np.zeros_like(summary)
        output, cell, products = self._read(cell, products, (self.beginning,))
        return State(encoded, frozenset(), None, uncovered, cell, output, products)

    def step(self, state: State, run: Run) -> State:
        """The state after one more run."""
        encoded, covered, mask, uncovered, cell, _, products = state
        output, cell, products = self._read(cell, products, run)
        now = covered_after(encoded.query.names, run, covered)
        if now is not covered:
            mask = coverage_mask(now, len(encoded.keys))
            uncovered = (1 - mask) @ encoded.uncovered
            uncovered += self._bias
        return State(encoded, now, mask, uncovered, cell, output, products)

    def hidden(self, state: State) -> Array:
        """The hidden vector, (d)."""
        return self.attend(state)[0]

    def attend(self, state: State) -> tuple[Array, Array]:
        """The hidden vector, (d), and the attention weight of each word, (length)."""
        encoded, _, mask, uncovered, _, output, products = state
        weights: Array = encoded.keys @ output
        if mask is not None:
            weights += (products[-2] + self._covered_bias) * mask
        weights -= weights[weights.argmax()]
        np.exp(weights, out=weights)
        weights /= np.add.reduce(weights)
        hidden: Array = weights @ encoded.values
        first = hidden[: self._learnt]
        first += products[self._gates : -2]
        first += uncovered
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
        """The inputs of the gates for a run, (8e); cached, because most runs recur."""
        found = self._runs.get(run)
        if found is None:
            found = self.weights.decoder_inputs @ sum(map(self.vector, run))
            found += self.weights.decoder_bias
            if len(self._runs) < _REMEMBERED:
                self._runs[run] = found
        return found

    def vector(self, token: int) -> Array:
        w = self.weights
        vector: Array = w.token_kinds[w.kind_of[token]] + w.tokens[w.own_of[token]]
        if w.called.shape[1] and token < self.beginning:
            vector += w.called @ w.rows.spelt[token]
        return vector

    def _encode(self, query: Query) -> tuple[Encoded, Array]:
        """The encoded query, and the last outputs of both directions, (2e)."""
        w, size = self.weights, self.weights.config.encoder
        table, uncovered = self.inputs.read(query)
        length = len(table)
        inputs = table[:, : 8 * size].reshape(length, 4, 2, size)
        # Both directions run as one LSTM that reads from both ends: half the number of steps.
        inputs[:, :, 1] = inputs[::-1, :, 1].copy()
        outputs = np.empty((length, 2, size), np.float32)
        output = cell = np.zeros(2 * size, np.float32)
        for word in range(length):
            products = output.reshape(2, 1, size) @ w.encoder_states
            gates = inputs[word] + products.reshape(2, 4, size).swapaxes(0, 1)
            output, cell = step(gates.reshape(8 * size), cell)
            outputs[word] = output.reshape(2, size)
        outputs[:, 1] = outputs[::-1, 1].copy()
        both = outputs.reshape(length, 2 * size)
        values = np.empty((length, w.config.hidden), np.float32)
        np.matmul(both, w.context, out=values[:, : w.learnt])
        values[:, w.learnt :] = table[:, 8 * size :]
        return Encoded(query, both @ w.attention, values, uncovered), output
