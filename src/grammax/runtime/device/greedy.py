"""`Greedy`: one batch of queries on the device, from its words to its sentences.

In each round every open sentence takes its forced token, if there is one, the decoder reads what it
has not read, and every sentence that is at a choice takes its best candidate; one that is not takes
another forced token. The candidates of a query never change: the tokens that are available, and the
tokens that all queries share; each round multiplies all, and masks those that are not permitted.

Shapes are rounded up, and on a GPU the operations of a shape are recorded once, as CUDA graphs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, Protocol, final

import torch
from torch import Tensor

from grammax.model.graphs import recorded
from grammax.runtime.device.automaton import FLAGS
from grammax.runtime.device.candidates import Model, find_columns
from grammax.runtime.device.members import (
    CHOSEN,
    ENDED,
    Constants,
    Given,
    Members,
    Options,
    Result,
    Rules,
)
from grammax.runtime.device.prepare import Prepared, Shape, fill, host_tensors, power_of_two

_FORCED: Final = 1  # forced tokens before the choice of a round
_ROUNDS: Final = 4  # between two questions whether all sentences have ended


class Batch(Protocol):
    """The tensors of batches of one shape, used for one batch after the other."""

    def send(self, batch: Prepared) -> None:
        """Copy a batch to the device."""

    def encode(self) -> None:
        """Encode the queries, and find what each of them makes available."""

    def search(self) -> int:
        """Search until all sentences have ended; returns the number of rounds."""

    def read(self, count: int) -> Result:
        """The sentences of the first `count` queries, on the host."""


class Maker(NamedTuple):
    """The shape for a batch, and new tensors of a shape."""

    shape: Callable[[Prepared], Shape]
    new: Callable[[Shape], Batch]


def plain(model: Model, graphs: bool) -> Maker:
    """Batches that PyTorch's own operations decode, which every device has."""
    return Maker(_shape, partial(Greedy, model, graphs=graphs))


def _shape(batch: Prepared) -> Shape:
    queries = max(16, power_of_two(batch.queries))
    words = -(-batch.longest // 16) * 16
    # One more row: the last column is never a token.
    rows = max(16, power_of_two(batch.most_rows + 1))
    return Shape(queries, words, rows, queries * words)


@final
class Greedy:
    """The tensors of batches of one shape, used for one batch after the other. Mutable."""

    def __init__(self, model: Model, shape: Shape, *, graphs: bool) -> None:
        self.shape = shape
        self._model = model
        n, words, rows, _ = shape
        device, net = model.device, model.network
        columns = model.automaton.width
        learnt, hidden = net.learnt, net.rows.shape[1]

        def zeros(*size: int, kind: torch.dtype = torch.int64) -> Tensor:
            return torch.zeros(*size, dtype=kind, device=device)

        self._host = host_tensors(shape, pinned=device.type == "cuda")
        self._sent = {name: tensor.to(device) for name, tensor in self._host.items()}
        self._inputs = zeros(n, words, model.words.rows.shape[1], kind=torch.float32)
        single = torch.float32
        self._keys = zeros(n, words, 2 * net.size, kind=single)
        self._values = zeros(n, words, hidden, kind=single)
        self._uncovered = zeros(n, words, learnt, kind=single)
        self._padding = zeros(n, words, kind=single)
        self._cell, self._output = (zeros(n, 2 * net.size, kind=single) for _ in range(2))
        self._rows = zeros(n, rows, hidden, kind=single)
        self._bias = zeros(n, rows, kind=single)
        self._candidates = zeros(n, rows + len(model.shared))
        self._columns = zeros(n, rows + len(model.shared))
        self._given = Given(
            self._sent["rows"],
            self._sent["means"],
            self._sent["within"],
            zeros(n, columns),
            zeros(n, columns),
            zeros(n, FLAGS + model.lr_states, kind=torch.bool),
        )
        self._members = Members.empty(n, model.budget, net.vectors.shape[1], device)
        self._rules = Rules(
            model.mode,
            model.automaton,
            net,
            self._given,
            self._members,
            Constants.on(device, model.budget, net.nothing),
            model.kept,
        )

        changed = [self._cell, self._output, *self._members.tensors]
        self._encoding = recorded(self._encode, ()) if graphs else self._encode
        self._rounds = recorded(self._round, changed) if graphs else self._round

    def send(self, batch: Prepared) -> None:
        """Copy a batch to the device."""
        fill(self._host, batch, self._model.network.nothing)
        for name, tensor in self._host.items():
            self._sent[name].copy_(tensor, non_blocking=True)
        words = self._model.words
        torch.index_select(
            words.rows, 0, self._sent["slots"].flatten(), out=self._inputs.view(-1, words.width)
        )
        self._members.begin(batch.queries, self._model.automaton.start)

    def encode(self) -> None:
        """Encode the queries, and find what each of them makes available."""
        self._encoding()

    def search(self) -> int:
        """Search until all sentences have ended; returns the number of rounds."""
        rounds = 0
        while rounds <= self._model.budget:
            for _ in range(_ROUNDS):
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
        model, sent = self._model, self._sent
        lengths, net = sent["lengths"], model.network
        positions = torch.arange(self.shape.words, device=model.device)
        real = positions < lengths[:, None]
        mirror = torch.where(real, lengths[:, None] - 1 - positions, positions)
        words, spelt, uncovered = model.words.split(self._inputs)
        encoded = net.encode(words, spelt, lengths, mirror)
        self._keys.copy_(encoded.keys)
        self._values.copy_(encoded.values * real[:, :, None])
        self._uncovered.copy_(uncovered * real[:, :, None])
        self._padding.copy_(torch.where(real, 0.0, -torch.inf))
        self._cell.copy_(encoded.cell)
        self._output.copy_(encoded.output)
        self._find_candidates()

    def _find_candidates(self) -> None:
        model, net, given = self._model, self._model.network, self._given
        rows = given.rows.clamp(max=len(net.rows) - 1)
        self._rows.copy_(net.rows[rows])
        self._bias.copy_(net.bias[rows])
        column = find_columns(model, given, self._sent["available"])
        self._columns.copy_(torch.cat([column, model.columns.expand(len(rows), -1)], 1))
        self._candidates.copy_(torch.cat([given.rows, model.shared.expand(len(rows), -1)], 1))

    def _round(self) -> None:
        model, m, rules, net = self._model, self._members, self._rules, self._model.network
        for _ in range(_FORCED if model.decisions_only else 0):
            rules.take_forced()
        options = rules.options()
        is_open = options.situation < ENDED
        chooses = is_open ^ options.forced
        reads = (chooses if model.decisions_only else is_open) & m.begun
        output, cell = net.read(m.pending, self._output, self._cell)
        each = reads[:, None]
        torch.where(each, output, self._output, out=self._output)
        torch.where(each, cell, self._cell, out=self._cell)
        m.pending.masked_fill_(each, 0)
        m.begun.logical_or_(chooses if model.decisions_only else is_open)
        uncovered = (self._given.within & m.covered[:, None] == 0).float()
        hidden = net.hidden(
            self._output, self._keys, self._values, self._uncovered, uncovered, self._padding
        )
        self._choose(hidden, options, chooses)

    def _choose(self, hidden: Tensor, options: Options, chooses: Tensor) -> None:
        model, m, rules, a = self._model, self._members, self._rules, self._model.automaton
        lost = rules.constants.lost
        local = torch.baddbmm(self._bias[:, :, None], self._rows, hidden[:, :, None])[:, :, 0]
        shared = torch.addmm(model.shared_bias, hidden, model.shared_rows)
        competes = options.allowed.gather(1, self._columns)
        scores = torch.where(competes, torch.cat([local, shared], 1), lost).log_softmax(1)
        fits = options.allowed & (options.distances <= (model.budget - 1 - m.count)[:, None])
        among = torch.where(fits.gather(1, self._columns), scores, lost)
        best, index = among.max(1, keepdim=True)
        best = best[:, 0]
        good = best > -torch.inf  # false for NaN, too
        if not model.ends:
            good = good & ~options.allowed[:, a.end]
        torch.where(chooses, scores.amax(1) - best, m.gap, out=m.gap)
        each = options.forced[:, None]
        column = torch.where(each, options.sizes.argmax(1, True), self._columns.gather(1, index))
        first = self._given.firsts.gather(1, column)
        token = torch.where(each, first, self._candidates.gather(1, index))[:, 0]
        ends = column[:, 0] == a.end
        m.ending.add_(torch.where(good, ends * CHOSEN, rules.constants.lacks) * chooses)
        takes = chooses & good
        m.log_probability.add_(torch.where(takes, best, rules.constants.zero))
        takes = takes | options.forced
        rules.record(options, token, takes)
        rules.take(options, column, token, takes & ~ends)
