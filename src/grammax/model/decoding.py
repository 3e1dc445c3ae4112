"""The network as the decoders of `grammax.search`: one query at a time, or a batch.

| class | |
|---|---|
| `TorchDecoder` | one query; products are as few and as large as possible |
| `TorchBatchDecoder` | queries, or beams, side by side, through PyTorch's own modules |

Both choose the same tokens. A single step through PyTorch's modules takes ten times as long as its
arithmetic. For one query, therefore, all matrices that multiply the decoder's state are joined to
one, values that depend only on a token are cached, and values that depend only on the query are
computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from operator import eq
from typing import NamedTuple, final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from grammax.model.encoder import Encoded
from grammax.model.network import Network
from grammax.reading.coverage import Covered, coverage_mask, covered_after
from grammax.reading.reader import Query
from grammax.search.protocol import Run


class QueryState(NamedTuple):
    """The state of decoding one query. An immutable value."""

    query: Query
    keys: Tensor  # (length, 2e): times the decoder's output, the attention scores
    values: Tensor  # (length, d): the contribution of each word to the hidden vector
    begins: Tensor  # (length, learnt): the contribution of a name that begins here, while uncovered
    covered: Covered
    mask: Tensor | None  # (length): 1 where a name is covered; None before the first
    uncovered: Tensor  # (learnt)
    cell: Tensor  # (2e)
    output: Tensor  # (2e)
    products: Tensor  # the output times all matrices that multiply it


@final
class TorchDecoder:
    """`Decoder` for one query at a time. It copies the weights, so later changes have no effect."""

    @torch.inference_mode()
    def __init__(self, network: Network) -> None:
        self._network = network.eval()
        self._size = network.config.decoder
        self._learnt = network.config.hidden - network.config.spelt
        attention = network.attention
        weights: dict[str, Tensor] = dict(network.decoder.named_parameters())
        combined = attention.combined.weight
        extras = [attention.coverage, attention.strength]
        state = torch.cat(
            [
                _gates_first(weights["weight_hh_l0"]),
                combined[:, : self._size],
                *(extra.weight for extra in extras if extra is not None),
            ]
        )
        self._state = state.T.contiguous().T  # by columns a product takes 32 µs, by rows 39
        self._bias = torch.cat(
            [
                attention.combined.bias,
                *(extra.bias for extra in extras if extra is not None),
            ]
        )
        self._context = combined[:, self._size : 2 * self._size].T.contiguous()
        self._begins = combined[:, 2 * self._size :].T.contiguous()
        self._gates = _gates_first(weights["weight_ih_l0"])
        self._gate_bias = _gates_first(weights["bias_ih_l0"] + weights["bias_hh_l0"])
        self._inputs: dict[Run, Tensor] = {}

    @torch.inference_mode()
    def start(self, query: Query) -> QueryState:
        """The state before the first token."""
        network = self._network
        features = torch.from_numpy(query.features).to(network.device)
        words, output = network.encode_one(query, features)
        begins = features[:, features.shape[1] - network.named_kinds :] @ self._begins
        spelling = features[:, : network.config.spelt]
        state = QueryState(
            query,
            words @ network.attention.general.weight,
            torch.cat([words @ self._context, spelling], 1),
            begins,
            frozenset(),
            None,
            begins.sum(0),
            torch.zeros_like(output),
            output,
            torch.mv(self._state, output),
        )
        return self._read(state, (network.beginning,))

    def step(self, state: QueryState, run: Run) -> QueryState:
        """The state after one more run."""
        after = self._read(state, run)
        covered = covered_after(state.query.names, run, state.covered)
        if covered is state.covered:
            return after
        mask = torch.from_numpy(coverage_mask(covered, len(state.keys))).to(state.keys.device)
        uncovered = (1 - mask) @ state.begins
        return after._replace(covered=covered, mask=mask, uncovered=uncovered)

    def hidden(self, state: QueryState) -> Tensor:
        """The hidden vector that the head multiplies, (d)."""
        learnt = self._learnt
        linear = state.products[4 * self._size :] + self._bias
        scores = torch.mv(state.keys, state.output)
        if state.mask is not None:
            scores = torch.addcmul(scores, state.mask, linear[learnt])
        hidden = torch.mv(state.values.T, scores.softmax(0))
        first = torch.tanh(hidden[:learnt] + linear[:learnt] + state.uncovered)
        if learnt == len(hidden):
            return first
        return torch.cat([first, hidden[learnt:] * functional.softplus(linear[learnt + 1])])

    def _read(self, state: QueryState, run: Run) -> QueryState:
        size = self._size
        gates = state.products[: 4 * size] + self._input(run)
        inputs, forgets, outputs = gates[: 3 * size].sigmoid_().view(3, size).unbind()
        cell = torch.addcmul(forgets * state.cell, inputs, gates[3 * size :].tanh_())
        output = outputs * cell.tanh()
        products = torch.mv(self._state, output)
        return state._replace(cell=cell, output=output, products=products)

    def _input(self, run: Run) -> Tensor:
        """The contribution of a run to the gates, (8e)."""
        found = self._inputs.get(run)
        if found is None:
            with torch.inference_mode():
                vector = self._network.run_inputs(torch.tensor(run, device=self._network.device))
                found = torch.addmv(self._gate_bias, self._gates, vector)
            self._inputs[run] = found
        return found


class BatchState(NamedTuple):
    """The states of decoding a batch of queries, or of beams."""

    queries: tuple[Query, ...]
    covered: tuple[Covered, ...]  # the names of each query that are covered
    encoded: Encoded
    output: Tensor  # (n, 1, 2e): the decoder's last state
    carried: tuple[Tensor, Tensor]  # (1, n, 2e) each


@final
class TorchBatchDecoder:
    """`BatchDecoder` for queries or beams; the network is set to evaluation mode."""

    def __init__(self, network: Network) -> None:
        self.network = network.eval()

    @torch.inference_mode()
    def start(self, queries: Sequence[Query]) -> BatchState:
        """The states before the first tokens."""
        network = self.network
        encoded = network.encode(network.batch(queries))
        first = torch.full((len(queries), 1, 1), network.beginning, device=network.device)
        output, carried = network.read(first, network.start(encoded))
        nothing: tuple[Covered, ...] = (frozenset(),) * len(queries)
        return BatchState(tuple(queries), nothing, encoded, output, carried)

    @torch.inference_mode()
    def step(self, states: BatchState, members: Sequence[int], runs: Sequence[Run]) -> BatchState:
        """A new batch: `members`, each after its run."""
        selected = self._selected(states, members)
        given = torch.from_numpy(self.network.runs(runs)).to(self.network.device)[:, None]
        output, carried = self.network.read(given, selected.carried)
        names = (query.names for query in selected.queries)
        covered = map(covered_after, names, runs, selected.covered)
        return selected._replace(covered=tuple(covered), output=output, carried=carried)

    @torch.inference_mode()
    def hidden(self, states: BatchState, members: Sequence[int]) -> Tensor:
        """The hidden vectors of some of the members, (n, d)."""
        selected = self._selected(states, members)
        length = selected.encoded.mask.shape[1]
        masks = np.stack([coverage_mask(covered, length) for covered in selected.covered])
        words = torch.from_numpy(masks[:, None]).to(self.network.device)
        return self.network.attend(selected.output, selected.encoded, words).hidden[:, 0]

    def _selected(self, states: BatchState, members: Sequence[int]) -> BatchState:
        """Some members of a batch; without a copy if they are all members in order."""
        if len(members) == len(states.queries) and all(map(eq, members, count())):
            return states
        rows = torch.tensor(members, device=self.network.device)
        return BatchState(
            tuple(states.queries[member] for member in members),
            tuple(states.covered[member] for member in members),
            states.encoded.select(rows),
            states.output.index_select(0, rows),
            (states.carried[0].index_select(1, rows), states.carried[1].index_select(1, rows)),
        )


def _gates_first(rows: Tensor) -> Tensor:
    """The rows of an LSTM (input, forget, cell, output) with the cell last, for one sigmoid."""
    inputs, forgets, cells, outputs = rows.chunk(4)
    return torch.cat([inputs, forgets, outputs, cells])
