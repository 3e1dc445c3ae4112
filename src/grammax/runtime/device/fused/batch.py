"""`FusedGreedy`: one batch of queries on the device, in the kernels of `kernels`.

It does what `Greedy` does, in the same order. The words of all queries are laid end to end, so that
nothing is computed for padding, and a sentence that has ended costs nothing. Between two choices a
sentence takes all tokens that are forced, so there are as many rounds as choices.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final, final

import numpy as np
import torch
from torch import Tensor

from grammax.model.graphs import recorded
from grammax.runtime.device.automaton import FLAGS
from grammax.runtime.device.candidates import Model, find_columns
from grammax.runtime.device.fused import kernels
from grammax.runtime.device.fused.weights import FusedWeights
from grammax.runtime.device.greedy import Maker
from grammax.runtime.device.members import Constants, Given, Members, Result, Rules
from grammax.runtime.device.prepare import Prepared, Shape, fill_rows, power_of_two
from grammax.runtime.grounding import NAMED

_ROUNDS: Final = 4  # that are recorded as one piece, and after which the host asks for the end
_WIDEST: Final = 2_048  # of what a program holds at a time
_WORDS: Final = 256  # the words of a batch are rounded up to a multiple of it, or an eighth


def fused(model: Model, graphs: bool) -> Maker | None:
    """Batches that the kernels decode; None if a size of the model does not fit them."""
    widths = len(model.shared), model.automaton.width, model.network.rows.shape[1]
    if max(widths) > _WIDEST:
        return None
    new = partial(FusedGreedy, model, FusedWeights.of(model.network), graphs=graphs)
    return Maker(_shape, new)


def _shape(batch: Prepared) -> Shape:
    total = len(batch.slots)
    step = max(_WORDS, power_of_two(total) // 8)
    return Shape(
        max(16, power_of_two(batch.queries)),
        -(-batch.longest // 8) * 8,
        max(16, power_of_two(batch.most_rows)),
        -(-total // step) * step,
    )


@final
class FusedGreedy:
    """The tensors of batches of one shape, used for one batch after the other. Mutable.

    The shape has `Shape.total` words in all, and room for `Shape.rows` rows of each query.
    """

    def __init__(self, model: Model, weights: FusedWeights, shape: Shape, *, graphs: bool) -> None:
        self.shape = shape
        self._model, self._weights = model, weights
        n, _, rows, total = shape
        device, net, a = model.device, model.network, model.automaton
        self._t, self._d = net.vectors.shape[1], 2 * net.size
        single = torch.float32

        def empty(*size: int, kind: torch.dtype = torch.int64) -> Tensor:
            return torch.zeros(*size, dtype=kind, device=device)

        sizes = [total, total, n, n, n, n, n * rows, n * rows, n * rows]
        self._host = torch.zeros(sum(sizes), dtype=torch.int64, pin_memory=device.type == "cuda")
        self._arrays = [part.numpy() for part in torch.split(self._host, sizes)]
        self._sent = torch.zeros_like(self._host, device=device)
        parts = torch.split(self._sent, sizes)
        self._slots, self._within, self._lengths, self._places = parts[:4]
        self._counts, self._ended = parts[4:6]
        found, means, self._available = (part.view(n, rows) for part in parts[6:])
        self._words = empty(total, model.words.width, kind=single)
        self._given = Given(
            found, means, self._within, empty(n, a.width), empty(n, a.width),
            empty(n, FLAGS + model.lr_states, kind=torch.bool),
        )  # fmt: skip
        self._inputs = empty(n, self._t + self._d, kind=single)  # pending, and the last output
        members = Members.empty(n, model.budget, self._t, device)
        self._members = replace(members, pending=self._inputs[:, : self._t])
        self._rules = Rules(
            model.mode, a, net, self._given, self._members,
            Constants.on(device, model.budget, net.nothing), model.kept,
        )  # fmt: skip
        e, learnt = net.size, net.learnt
        self._side_gates = empty(2, n, 4 * e, kind=single)
        self._side_cell, self._side_output = (empty(2, n, e, kind=single) for _ in range(2))
        self._projected = empty(total, 8 * e, kind=single)
        self._outputs = empty(total, 2 * e, kind=single)
        self._encoded = empty(total, self._d + learnt, kind=single)
        self._gates = empty(n, 4 * self._d, kind=single)
        self._cell = empty(n, self._d, kind=single)
        self._linear = empty(n, learnt + 2, kind=single)
        self._hidden = empty(n, net.rows.shape[1], kind=single)
        self._local = empty(n, rows, kind=single)
        self._shared = empty(n, len(model.shared), kind=single)
        self._columns = empty(n, rows)
        self._chooses, self._reads = (empty(n, kind=torch.int32) for _ in range(2))
        self._kept = model.kept.view(torch.uint8)
        changed = [self._cell, self._inputs, self._chooses, self._reads, *self._members.tensors]
        self._encoding = recorded(self._encode, ()) if graphs else self._encode
        self._rounds = recorded(self._four, changed) if graphs else self._four

    def send(self, batch: Prepared) -> None:
        """Copy a batch to the device."""
        slots, within, lengths, places, counts, ended, rows, means, available = self._arrays
        size = batch.queries
        slots[len(batch.slots) :] = 0
        slots[: len(batch.slots)] = batch.slots
        within[: len(batch.within)] = batch.within
        lengths[:size], lengths[size:] = np.diff(batch.words_first), 0
        places[:size] = batch.words_first[:-1]
        counts[:size], counts[size:] = np.diff(batch.rows_first), 0
        ended[:size], ended[size:] = 0, 1
        shape = (self.shape.queries, self.shape.rows)
        rows.fill(self._model.network.nothing)
        available.fill(0)
        fill_rows(
            {"rows": rows.reshape(shape), "means": means.reshape(shape),
             "available": available.reshape(shape)},
            batch,
        )  # fmt: skip
        self._sent.copy_(self._host, non_blocking=True)
        torch.index_select(self._model.words.rows, 0, self._slots, out=self._words)

    def encode(self) -> None:
        """Encode the queries, and find what each of them makes available."""
        self._encoding()

    def search(self) -> int:
        """Search until all sentences have ended; returns the number of rounds."""
        rounds = 0
        while rounds <= self._model.budget:
            self._rounds()
            rounds += _ROUNDS
            if bool(self._members.ending.all()):
                return rounds
        raise AssertionError("each round adds a token to every open sentence")

    def read(self, count: int) -> Result:
        """The sentences of the first `count` queries, on the host."""
        self._rules.finish(self._model.budget)
        return self._members.read(count)

    def _encode(self) -> None:
        model, w, net, n = self._model, self._weights, self._model.network, self.shape.queries
        words = w.words.shape[0]
        torch.mm(self._words[:, :words], w.words, out=self._projected)
        self._side_output.zero_()
        self._side_cell.zero_()
        for time in range(self.shape.words):
            torch.bmm(self._side_output, w.sides, out=self._side_gates)
            kernels.encoder_step[(n, 2)](
                self._side_gates, self._projected, w.side_bias, self._lengths, self._places,
                self._side_cell, self._side_output, self._outputs, time, n,
                E=net.size, BLOCK=power_of_two(net.size), num_warps=2,
            )  # fmt: skip
        torch.mm(self._outputs, w.encoded, out=self._encoded)
        members, a = self._members, model.automaton
        for tensor in (members.count, members.begun, members.covered, members.gap,
                       members.log_probability, members.records, self._cell):  # fmt: skip
            tensor.zero_()
        members.state.fill_(a.start)
        members.ending.copy_(self._ended)
        members.pending.copy_(net.vectors[net.nothing - 1].expand(n, -1))
        self._inputs[:, self._t :] = self._side_output.transpose(0, 1).reshape(n, -1)
        self._reads.fill_(1)
        self._read()
        self._columns.copy_(find_columns(model, self._given, self._available != 0))
        self._choose(begins=True)

    def _four(self) -> None:
        for _ in range(_ROUNDS):
            self._read()
            self._attend()
            self._choose(begins=False)

    def _read(self) -> None:
        w, t, d = self._weights, self._t, self._d
        torch.mm(self._inputs, w.gates, out=self._gates)
        kernels.read_step[(self.shape.queries,)](
            self._gates, w.gate_bias, self._reads, self._cell, self._inputs,
            T=t, D=d, BLOCK=power_of_two(d), NARROW=power_of_two(t),
        )  # fmt: skip

    def _attend(self) -> None:
        model, w, net, given = self._model, self._weights, self._model.network, self._given
        torch.mm(self._inputs[:, self._t :], w.linear, out=self._linear)
        hidden, spelt = net.rows.shape[1], self._words[:, w.words.shape[0] :]
        kernels.attend[(self.shape.queries,)](
            self._chooses, self._inputs, self._linear, w.linear_bias, self._encoded, spelt,
            self._within, self._members.covered, self._lengths, self._places,
            given.rows, self._counts, net.rows, net.bias, self._hidden, self._local,
            self.shape.rows, self._words.shape[1],
            T=self._t, D=self._d, H=hidden, LEARNT=net.learnt,
            WIDE=power_of_two(self._d), TALL=power_of_two(hidden),
        )  # fmt: skip
        torch.mm(self._hidden, model.shared_rows, out=self._shared)

    def _choose(self, *, begins: bool) -> None:
        model, given, m, a = self._model, self._given, self._members, self._model.automaton
        shared = len(model.shared)
        kernels.choose[(self.shape.queries,)](
            a.table, given.alive.view(torch.uint8), given.sizes, given.firsts, self._kept,
            given.rows, given.means, self._columns, self._counts, model.shared, model.columns,
            model.shared_bias, model.network.vectors, self._local, self._shared,
            m.state, m.count, m.ending, m.begun.view(torch.uint8), m.covered, m.gap,
            m.log_probability, m.records, self._inputs, self._chooses, self._reads,
            self.shape.rows, shared, given.alive.shape[1], model.budget,
            W=a.width, KINDS=a.kinds, T=self._t, D=self._d,
            NAMED=model.mode == NAMED, DECISIONS=model.decisions_only, BEGINS=begins,
            ENDS=model.ends, COLUMNS=power_of_two(a.width), OWN=self.shape.rows,
            SHARED=power_of_two(shared), NARROW=power_of_two(self._t), num_warps=2,
        )  # fmt: skip
