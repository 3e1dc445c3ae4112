"""`BatchDecoder` of `grammax.search` in NumPy, for a batch of queries or of beams.

The product of a matrix and a single vector is limited by memory bandwidth; a batch reads the matrix
once for all vectors. Queries of different lengths are padded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from grammax.reading.coverage import Covered, coverage_mask, covered_after
from grammax.reading.reader import Query
from grammax.runtime.decoder import RuntimeDecoder
from grammax.runtime.lstm import Array, step
from grammax.search.protocol import Run


class States(NamedTuple):
    """The states of the n members of a batch; the longest query has l words."""

    queries: tuple[Query, ...]
    covered: tuple[Covered, ...]
    keys: Array  # (n, l, 2e)
    values: Array  # (n, l, d)
    uncovered_names: (
        Array  # (n, l, learnt): contribution of a name that begins here, while uncovered
    )
    padding: Array  # (n, l): -inf after the end of a query, 0 before
    mask: Array  # (n, l): 1 where a name is covered
    uncovered: Array  # (n, learnt), with the bias of the hidden vector
    cell: Array  # (n, 2e)
    output: Array  # (n, 2e)
    products: Array  # the outputs times `Weights.state`

    def rows(self, members: Sequence[int]) -> States:
        """Some of the members, in their order."""
        if len(members) == len(self.queries) and all(i == m for i, m in enumerate(members)):
            return self
        queries = tuple(self.queries[member] for member in members)
        covered = tuple(self.covered[member] for member in members)
        chosen = np.array(members)
        return States(queries, covered, *(array[chosen] for array in self[2:]))


@final
class RuntimeBatchDecoder:
    """`BatchDecoder` of `grammax.search`, with the inputs of a `RuntimeDecoder`."""

    def __init__(self, one: RuntimeDecoder) -> None:
        self._one = one
        self.weights = one.weights

    def start(self, queries: Sequence[Query]) -> States:
        """The states before the first tokens."""
        w = self.weights
        lengths = np.array([len(query.ids) for query in queries])
        real = np.arange(lengths.max()) < lengths[:, None]  # (n, l)
        given = [self._one.inputs.read(query) for query in queries]
        table, uncovered = (np.concatenate(parts) for parts in zip(*given, strict=True))
        gates = 8 * w.config.encoder
        both, summary = self._encode(table[:, :gates], lengths, real)
        values = np.empty((len(both), w.config.hidden), np.float32)
        np.matmul(both, w.context, out=values[:, : w.learnt])
        values[:, w.learnt :] = table[:, gates:]
        keys, values, begins = (_padded(p, real) for p in (both @ w.attention, values, uncovered))
        beginning = [(self._one.beginning,)] * len(queries)
        cell, output, products = self._read(np.zeros_like(summary), summary @ w.state, beginning)
        return States(
            tuple(queries),
            (frozenset(),) * len(queries),
            keys,
            values,
            begins,
            np.where(real, np.float32(0), np.float32(-np.inf)),
            np.zeros(real.shape, np.float32),
            begins.sum(1) + w.state_bias[:-2],
            cell,
            output,
            products,
        )

    def step(self, states: States, members: Sequence[int], runs: Sequence[Run]) -> States:
        """A new batch: the states of `members` after one more run each."""
        batch = states.rows(members)
        covered = tuple(
            covered_after(query.names, run, before)
            for query, run, before in zip(batch.queries, runs, batch.covered, strict=True)
        )
        mask, uncovered = batch.mask, batch.uncovered
        changed = [member for member, now in enumerate(covered) if now is not batch.covered[member]]
        if changed:
            mask, uncovered = mask.copy(), uncovered.copy()
            for member in changed:
                mask[member] = coverage_mask(covered[member], mask.shape[1])
            left = (1 - mask[changed])[:, None] @ batch.uncovered_names[changed]
            uncovered[changed] = left[:, 0] + self.weights.state_bias[:-2]
        cell, output, products = self._read(batch.cell, batch.products, runs)
        return batch._replace(
            covered=covered,
            mask=mask,
            uncovered=uncovered,
            cell=cell,
            output=output,
            products=products,
        )

    def hidden(self, states: States, members: Sequence[int]) -> Array:
        """The hidden vectors of some members, (n, d)."""
        batch, w = states.rows(members), self.weights
        linear = batch.products[:, -2:] + w.state_bias[-2:]
        scores: Array = (batch.keys @ batch.output[:, :, None])[:, :, 0]
        scores += linear[:, :1] * batch.mask
        scores += batch.padding
        scores -= scores.max(1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(1, keepdims=True)
        hidden: Array = (scores[:, None] @ batch.values)[:, 0]
        first = hidden[:, : w.learnt]
        first += batch.products[:, 4 * w.config.decoder : -2]
        first += batch.uncovered
        np.tanh(first, out=first)
        if w.config.spelt:
            hidden[:, w.learnt :] *= np.logaddexp(np.float32(0), linear[:, 1:])
        return hidden

    def _read(
        self, cell: Array, products: Array, runs: Sequence[Run]
    ) -> tuple[Array, Array, Array]:
        """Cells, outputs and products after one run each."""
        gates = np.stack([self._one.input_of(run) for run in runs])
        gates += products[:, : gates.shape[1]]
        output, cell = step(gates, cell)
        return cell, output, output @ self.weights.state

    def _encode(
        self, inputs: Array, lengths: NDArray[np.int64], real: NDArray[np.bool_]
    ) -> tuple[Array, Array]:
        """Inputs of all words, (words, 8e) → outputs, (words, 2e), and last outputs, (n, 2e)."""
        size, (count, longest) = self.weights.config.encoder, real.shape
        positions = np.arange(longest)
        mirror = np.where(real, lengths[:, None] - 1 - positions, positions)  # (n, l)
        padded = _padded(inputs, real).reshape(count, longest, 4, 2, size)
        gates = padded.transpose(1, 3, 0, 2, 4).reshape(longest, 2, count, 4 * size)
        turned = padded[np.arange(count)[:, None], mirror, :, 1]  # (n, l, 4, e)
        gates[:, 1] = turned.reshape(count, longest, 4 * size).swapaxes(0, 1)
        outputs = np.empty((longest, 2, count, size), np.float32)
        output = cell = np.zeros((2, count, size), np.float32)
        for word in range(longest):
            total = output @ self.weights.encoder_states
            total += gates[word]
            output, cell = step(total, cell)
            outputs[word] = output
        last = outputs[lengths - 1, :, np.arange(count)]  # (n, 2, e)
        left = outputs[:, 0].swapaxes(0, 1)
        right = np.take_along_axis(outputs[:, 1].swapaxes(0, 1), mirror[..., None], 1)
        both = np.concatenate([left, right], -1)[real]
        return both, last.reshape(count, 2 * size)


def _padded(parts: Array, real: NDArray[np.bool_]) -> Array:
    """Vectors of all words, (words, d) → by query, (n, l, d), padded with zeros."""
    table = np.zeros((*real.shape, parts.shape[1]), np.float32)
    table[real] = parts
    return table
