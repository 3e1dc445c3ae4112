"""`Greedy`: one batch of queries on the device, from its words to its sentences.

In each round every open sentence takes up to some forced tokens, the decoder reads what it has not
read, and every sentence that is at a choice takes its best candidate; one that is not takes another
forced token. The candidates of a query never change: the tokens that are available or named, and
the tokens that all queries share; each round multiplies all, and masks those that are not permitted
there.

Shapes are rounded up, and on a GPU the operations of a shape are recorded once, as CUDA graphs.
"""

from __future__ import annotations

from typing import Final, NamedTuple, final

import torch
from torch import Tensor

from grammax.runtime.device.automaton import NEVER, DeviceAutomaton
from grammax.runtime.device.graphs import recorded
from grammax.runtime.device.grounding import DeviceGrounding
from grammax.runtime.device.members import (
    BUDGET,
    CHOSEN,
    LACKS,
    OPEN,
    Given,
    Members,
    Options,
    Result,
    Rules,
)
from grammax.runtime.device.network import DeviceNetwork
from grammax.runtime.device.prepare import Prepared, Shape, fill, host_tensors
from grammax.runtime.device.words import WordTable

_FORCED: Final = 2  # forced tokens per round, beside one where a sentence is not at a choice
_ROUNDS: Final = 4  # between two questions whether all sentences have ended


class Model(NamedTuple):
    """A model and its grammar on a device."""

    network: DeviceNetwork
    automaton: DeviceAutomaton
    grounding: DeviceGrounding
    words: WordTable
    shared: Tensor  # (c): rows that are candidates for all queries, and the end, if it has one
    shared_rows: Tensor  # (d, c)
    shared_bias: Tensor  # (c)
    ends: bool  # whether the end has a row
    mode: int
    decisions_only: bool
    budget: int
    lr_states: int  # 0 if queries leave the whole grammar
    device: torch.device


@final
class Greedy:
    """The tensors of batches of one shape, used for one batch after the other. Mutable."""

    def __init__(self, model: Model, shape: Shape, *, graphs: bool) -> None:
        self.shape = shape
        self._model = model
        n, words, rows = shape
        device, net = model.device, model.network
        kinds = len(model.automaton.sizes)
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
            zeros(n, kinds),
            zeros(n, kinds),
            zeros(n, kinds, kind=torch.bool),
            zeros(n, model.lr_states, kind=torch.bool),
        )
        self._members = Members.empty(n, model.budget, net.vectors.shape[1], device)
        self._rules = Rules(
            model.mode, model.decisions_only, model.automaton, net, self._given, self._members
        )

        self._encoding = recorded(self._encode, ()) if graphs else self._encode
        self._rounds = recorded(self._round, self._changed) if graphs else self._round

    def send(self, batch: Prepared) -> None:
        """Copy a batch to the device."""
        fill(self._host, batch, self._model.network.nothing)
        for name, tensor in self._host.items():
            self._sent[name].copy_(tensor, non_blocking=True)
        words = self._model.words
        torch.index_select(
            words.rows, 0, self._sent["slots"].flatten(), out=self._inputs.view(-1, words.width)
        )
        self._members.begin(batch.queries)

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
            if bool((self._members.ending != OPEN).all()):
                return rounds
        raise AssertionError("each round adds a token to every open sentence")

    def read(self, count: int) -> Result:
        """The sentences of the first `count` queries, on the host."""
        return self._members.read(count)

    @property
    def _changed(self) -> list[Tensor]:
        """What a round changes."""
        m = self._members
        return [
            self._cell, self._output, m.state, m.count, m.choices, m.ending, m.covered,
            m.log_probability, m.ids, m.permitted, m.scored, m.pending,
        ]  # fmt: skip

    def _encode(self) -> None:
        model, given, sent = self._model, self._given, self._sent
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
        self._find_candidates(given)

    def _find_candidates(self, given: Given) -> None:
        model, net, available = self._model, self._model.network, self._sent["available"]
        rows = given.rows.clamp(max=net.nothing - 1)
        self._rows.copy_(net.rows[rows.clamp(max=len(net.rows) - 1)])
        self._bias.copy_(net.bias[rows.clamp(max=len(net.rows) - 1)])
        kinds = model.automaton.sizes.shape[0]
        kind = net.kind_of[rows]  # that of the end is the number of kinds
        must = torch.nn.functional.pad(model.grounding.must, (0, 1))
        available = available & must[kind]
        spare = torch.where(available, kind, kinds)
        sizes = torch.zeros(len(rows), kinds + 1, dtype=torch.int64, device=model.device)
        sizes.scatter_add_(1, spare, available.long())
        firsts = torch.full_like(sizes, net.nothing)
        firsts.scatter_reduce_(1, spare, rows, "amin")
        there = sizes[:, :kinds] > 0
        given.sizes.copy_(torch.where(must[:kinds], sizes[:, :kinds], model.automaton.sizes))
        given.firsts.copy_(torch.where(must[:kinds], firsts[:, :kinds], model.automaton.firsts))
        given.kinds.copy_(there)
        if model.lr_states:
            left = model.grounding.restrict(there)
            given.kinds.copy_(left.kinds)
            given.alive.copy_(left.alive)
        # Columns of `_masked`: kinds of available tokens, kinds of shared ones, and none.
        local = torch.where(available, kind, 2 * kinds + 2)
        shared = kinds + 1 + net.kind_of[model.shared]
        self._columns.copy_(torch.cat([local, shared.expand(len(rows), -1)], 1))
        self._candidates.copy_(torch.cat([given.rows, model.shared.expand(len(rows), -1)], 1))

    def _round(self) -> None:
        model, m, rules, net = self._model, self._members, self._rules, self._model.network
        for _ in range(_FORCED if model.decisions_only else 0):
            rules.take_forced()
        options = rules.options()
        is_open = m.ending == OPEN
        chooses = is_open & ~options.forced
        reads = chooses & (m.choices > 0) if model.decisions_only else is_open & (m.count > 0)
        output, cell = net.read(m.pending, self._output, self._cell)
        self._output.copy_(torch.where(reads[:, None], output, self._output))
        self._cell.copy_(torch.where(reads[:, None], cell, self._cell))
        m.pending.mul_(~reads[:, None])
        mask = ((self._given.within & m.covered[:, None]) != 0).float()
        encoded = self._keys, self._values
        hidden = net.hidden(self._output, encoded, self._uncovered, mask, self._padding)
        self._choose(hidden, options, chooses)

    def _choose(self, hidden: Tensor, options: Options, chooses: Tensor) -> None:
        model, m, rules, net = self._model, self._members, self._rules, self._model.network
        local = torch.baddbmm(self._bias[:, :, None], self._rows, hidden[:, :, None])[:, :, 0]
        shared = torch.addmm(model.shared_bias, hidden, model.shared_rows)
        left = (model.budget - 1 - m.count)[:, None]
        distances = model.automaton.distances[m.state]
        fits = options.allowed & (distances <= left)
        competes = self._masked(options, options.allowed)
        scores = torch.where(competes, torch.cat([local, shared], 1), -torch.inf)
        top = scores.amax(1)
        log_sum = (scores - top[:, None]).exp().sum(1).log()
        first = self._best(scores, top)
        among = torch.where(self._masked(options, fits), scores, -torch.inf)
        most = among.amax(1)
        best = self._best(among, most)
        end = net.nothing - 1  # also where the end has no row
        failed = ~(log_sum + most).isfinite()
        if not model.ends:
            failed = failed | options.may_end
        ends = chooses & (best == end) & ~failed
        others = (fits & (options.sizes > 0)).any(1)
        ending = torch.where((first == end) | others, CHOSEN, BUDGET)
        m.ending.add_(torch.where(failed, LACKS, ending) * (chooses & (failed | ends)))
        takes = chooses & ~failed
        lost = (log_sum + top - most).double()
        m.log_probability.sub_(torch.where(takes, lost, 0.0))
        at = torch.where(takes, m.count, m.ids.shape[1] - 1)[:, None]
        m.permitted.scatter_(1, at, options.size[:, None])
        m.scored.scatter_(1, at, (options.size + options.may_end)[:, None])
        m.choices.add_(takes)
        token = torch.where(options.forced, rules.forced_token(options), best)
        taken = options.forced | (takes & ~ends)
        token = torch.where(taken, token, 0)
        rules.take(options, token, taken, net.kind_of[token])

    def _masked(self, options: Options, allowed: Tensor) -> Tensor:
        """Which candidates are of kinds that are allowed, (n, candidates)."""
        narrow = options.narrow[:, None]
        must = self._model.grounding.must
        none = torch.zeros_like(narrow)
        columns = [
            allowed & narrow,
            none,
            allowed & ~(narrow & must),
            options.may_end[:, None],
            none,
        ]
        return torch.cat(columns, 1).gather(1, self._columns)

    def _best(self, scores: Tensor, top: Tensor) -> Tensor:
        """The candidate with the best score; of several the first one in the vocabulary."""
        return torch.where(scores == top[:, None], self._candidates, NEVER).amin(1)
