"""The network as `grammax.search` sees it for one query: few products, each as large as can be.

Single steps through PyTorch's modules cost ten times what they compute. Here all that is multiplied
by the decoder's state is one matrix, what depends on a token alone is kept, and what depends on the
query alone is made once. `ManyDecoder` is the plain way, and the choices are the same.
"""

from __future__ import annotations

from typing import NamedTuple, final

import torch
from torch import Tensor
from torch.nn import functional

from grammax.model.network import Network
from grammax.reading.name_index import Match, said_after
from grammax.reading.reader import Query
from grammax.search.protocol import Run


class QueryState(NamedTuple):
    """What was read so far of one query. An immutable value."""

    query: Query
    keys: Tensor  # (length, 2e): times the decoder's state, the attention's scores
    values: Tensor  # (length, d): a word's part in the hidden vector
    begins: Tensor  # (length, learnt): what a name that begins here adds until it is said
    said: frozenset[Match]
    mask: Tensor | None  # (length): 1 where a name was said; None while none was
    unsaid: Tensor  # (learnt)
    cell: Tensor  # (2e)
    output: Tensor  # (2e)
    products: Tensor  # of the output with all that is multiplied by it


@final
class QueryDecoder:
    """`Decoder` for one query at a time, of weights as they are now."""

    @torch.inference_mode()
    def __init__(self, network: Network) -> None:
        self._network = network.eval()
        self._size = network.config.decoder
        self._learnt = network.config.hidden - network.config.spelt
        attention = network.attention
        weights: dict[str, Tensor] = dict(network.decoder.named_parameters())
        combined = attention.combined.weight
        extras = [attention.weight_of_said, attention.strength]
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
        """The state after one run more."""
        after = self._read(state, run)
        said = said_after(state.query.names, run, state.said)
        if said is state.said:
            return after
        mask = torch.zeros_like(state.keys[:, 0])
        for match in said:
            mask[match.start : match.stop] = 1
        return after._replace(said=said, mask=mask, unsaid=(1 - mask) @ state.begins)

    def hidden(self, state: QueryState) -> Tensor:
        """What the head multiplies, (d)."""
        learnt = self._learnt
        linear = state.products[4 * self._size :] + self._bias
        scores = torch.mv(state.keys, state.output)
        if state.mask is not None:
            scores = torch.addcmul(scores, state.mask, linear[learnt])
        hidden = torch.mv(state.values.T, scores.softmax(0))
        first = torch.tanh(hidden[:learnt] + linear[:learnt] + state.unsaid)
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
        """A run's share of the gates, (8e)."""
        found = self._inputs.get(run)
        if found is None:
            with torch.inference_mode():
                vector = self._network.run_inputs(torch.tensor(run, device=self._network.device))
                found = torch.addmv(self._gate_bias, self._gates, vector)
            self._inputs[run] = found
        return found


def _gates_first(rows: Tensor) -> Tensor:
    """The rows of an LSTM, input, forget, cell, output, with the cell's last: one sigmoid does."""
    inputs, forgets, cells, outputs = rows.chunk(4)
    return torch.cat([inputs, forgets, outputs, cells])
