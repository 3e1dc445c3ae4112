"""The network as `grammax.search` sees it, for one query at a time."""

from __future__ import annotations

from typing import Final, NamedTuple, final

import numpy as np

from grammax.model.name_index import Match, said_after
from grammax.model.reader import Query
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
    said: frozenset[Match]
    mask: Array | None  # (length): 1 where a name was said; None while none was
    unsaid: Array  # (learnt)
    cell: Array  # (2e)
    output: Array  # (2e)
    products: Array  # of the output with `Weights.state`


@final
class RuntimeDecoder:
    """`Decoder` of `grammax.search`; threads may share it."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._inputs: dict[Run, Array] = {}
        self._beginning = len(weights.kind_of) - 1

    def start(self, query: Query) -> State:
        """The state before the first token."""
        encoded, summary = self._encode(query)
        products = self.weights.state @ summary
        unsaid = encoded.unsaid.sum(0)
        cell = np.zeros_like(summary)
        state = State(encoded, frozenset(), None, unsaid, cell, summary, products)
        return self._read(state, (self._beginning,))

    def step(self, state: State, run: Run) -> State:
        """The state after one run more."""
        after = self._read(state, run)
        said = said_after(state.encoded.query.names, run, state.said)
        if said is state.said:
            return after
        mask = np.zeros(len(state.encoded.keys), np.float32)
        for match in said:
            mask[match.start : match.stop] = 1
        return after._replace(said=said, mask=mask, unsaid=(1 - mask) @ state.encoded.unsaid)

    def hidden(self, state: State) -> Array:
        """What the head multiplies, (d)."""
        weights, learnt = self.weights, self.weights.learnt
        linear = state.products[-learnt - 2 :] + weights.state_bias
        scores: Array = state.encoded.keys @ state.output
        if state.mask is not None:
            scores += linear[-2] * state.mask
        scores -= scores.max()
        np.exp(scores, out=scores)
        scores /= scores.sum()
        hidden: Array = scores @ state.encoded.values
        first = hidden[:learnt]
        first += linear[:learnt]
        first += state.unsaid
        np.tanh(first, out=first)
        if learnt < len(hidden):
            hidden[learnt:] *= np.logaddexp(0, linear[-1])
        return hidden

    def _read(self, state: State, run: Run) -> State:
        gates = state.products[: 4 * len(state.cell)] + self._input(run)
        output, cell = step(gates, state.cell)
        products = self.weights.state @ output
        return state._replace(cell=cell, output=output, products=products)

    def _input(self, run: Run) -> Array:
        """A run's share of the gates, (8e); remembered, for most runs come again."""
        found = self._inputs.get(run)
        if found is None:
            found = self.weights.decoder_inputs @ sum(map(self._vector, run))
            found += self.weights.decoder_bias
            if len(self._inputs) < _KEPT:
                self._inputs[run] = found
        return found

    def _vector(self, token: int) -> Array:
        w = self.weights
        vector: Array = w.token_kinds[w.kind_of[token]] + w.tokens[w.own_of[token]]
        if w.called.shape[1] and token < self._beginning:
            vector += w.called @ w.rows[token, w.learnt :]
        return vector

    def _encode(self, query: Query) -> tuple[Encoded, Array]:
        """The query, and where both directions end, (2e)."""
        w, size = self.weights, self.weights.config.encoder
        words = w.words[list(query.ids)]
        if query.features.shape[1]:
            words += query.features @ w.features
        inputs = words @ w.encoder_inputs
        inputs += w.encoder_bias
        length = len(query.ids)
        outputs = np.empty((length, 2 * size), np.float32)
        for side, order in enumerate((range(length), range(length - 1, -1, -1))):
            gates = inputs[:, 4 * size * side : 4 * size * (side + 1)]
            output = cell = np.zeros(size, np.float32)
            weight = w.encoder_states[side]
            for place in order:
                total = weight @ output
                total += gates[place]
                output, cell = step(total, cell)
                outputs[place, size * side : size * (side + 1)] = output
        spelt, kinds = w.config.spelt, len(w.unsaid)
        values = np.empty((length, w.config.hidden), np.float32)
        np.matmul(outputs, w.context, out=values[:, : w.learnt])
        values[:, w.learnt :] = query.features[:, :spelt]
        begins = query.features[:, query.features.shape[1] - kinds :]
        encoded = Encoded(query, outputs @ w.attention, values, begins @ w.unsaid)
        return encoded, np.concatenate([outputs[-1, :size], outputs[0, size:]])
