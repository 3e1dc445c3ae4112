"""`Members`: the sentences in progress of a batch, what may come next, and what a token changes.

All functions are a fixed sequence of operations on tensors of fixed shapes, changed in place, so
that a device can record them once and repeat them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grammax.runtime.compiled.grounding import GROUNDED, NAMED
from grammax.runtime.device.automaton import DeviceAutomaton
from grammax.runtime.device.network import DeviceNetwork
from grammax.vocabulary import Ids

# Endings.
OPEN: Final = 0
FORCED: Final = 1
CHOSEN: Final = 2
BUDGET: Final = 3
LACKS: Final = 4  # the tables lack a state, or nothing has a score: decoded on the CPU


class Result(NamedTuple):
    """The sentences of n queries, on the host; those of `Members`."""

    ids: NDArray[np.int32]  # (n, longest + 1)
    permitted: NDArray[np.int32]
    scored: NDArray[np.int32]
    lengths: Ids  # (n)
    ending: Ids  # (n)
    log_probability: NDArray[np.float64]  # (n)


class Given(NamedTuple):
    """What is known of n queries beside their words; a tokens at most, k kinds."""

    rows: Tensor  # (n, a): tokens that are available or named, ascending; then `nothing`
    means: Tensor  # (n, a): the names that may mean them
    within: Tensor  # (n, l): the names that each word is part of
    sizes: Tensor  # (n, k): tokens that compete of each kind, where available ones compete only
    firsts: Tensor  # (n, k): the first of them
    kinds: Tensor  # (n, k): whether the kind can occur in a sentence
    alive: Tensor  # (n, LR states)


class Options(NamedTuple):
    """What may come next for each of n members."""

    moves: Tensor  # (n, k): the next state
    allowed: Tensor  # (n, k): whether a token of the kind may come next
    narrow: Tensor  # (n): whether only available tokens compete, of kinds that must be
    sizes: Tensor  # (n, k): tokens that compete of each kind
    size: Tensor  # (n): tokens that compete
    may_end: Tensor  # (n)
    forced: Tensor  # (n): whether there is no choice


@final
@dataclass(slots=True, eq=False)
class Members:
    """The sentences in progress of n queries. Mutable: tensors are changed in place."""

    state: Tensor  # (n): of the automaton
    count: Tensor  # (n): tokens so far
    choices: Tensor  # (n)
    ending: Tensor  # (n)
    covered: Tensor  # (n): the names that are covered
    log_probability: Tensor  # (n), double precision
    ids: Tensor  # (n, budget + 2): the last column takes what is not wanted
    permitted: Tensor  # (n, budget + 2)
    scored: Tensor  # (n, budget + 2)
    pending: Tensor  # (n, t): the sum of what the decoder has not read

    @classmethod
    def empty(cls, count: int, budget: int, width: int, device: torch.device) -> Members:
        """Sentences of which nothing is known."""

        def numbers(*shape: int) -> Tensor:
            return torch.zeros(count, *shape, dtype=torch.int64, device=device)

        return cls(
            state=numbers(),
            count=numbers(),
            choices=numbers(),
            ending=numbers(),
            covered=numbers(),
            log_probability=torch.zeros(count, dtype=torch.float64, device=device),
            ids=numbers(budget + 2),
            permitted=numbers(budget + 2),
            scored=numbers(budget + 2),
            pending=torch.zeros(count, width, device=device),
        )

    def begin(self, count: int) -> None:
        """Begin the sentences of the first `count` queries; others have ended."""
        for tensor in (self.state, self.count, self.choices, self.ending, self.covered):
            tensor.zero_()
        self.ending[count:] = FORCED
        self.log_probability.zero_()
        self.pending.zero_()
        self.permitted.fill_(1)  # as where tokens are forced
        self.scored.zero_()

    def read(self, count: int) -> Result:
        """The sentences of the first `count` queries, on the host."""
        registers = torch.stack([self.count, self.ending])[:, :count].cpu().numpy()
        longest = int(registers[0].max()) + 1
        numbers = torch.stack([self.ids, self.permitted, self.scored])[:, :count, :longest]
        ids, permitted, scored = numbers.to(torch.int32).cpu().numpy()
        logs = self.log_probability[:count].cpu().numpy()
        return Result(ids, permitted, scored, registers[0], registers[1], logs)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """What may come next, and what a token changes, for the queries of a batch."""

    mode: int
    decisions_only: bool
    automaton: DeviceAutomaton
    network: DeviceNetwork
    given: Given
    members: Members

    def options(self) -> Options:
        """What may come next; members that lack a state, or have ended, are marked."""
        a, given, members = self.automaton, self.given, self.members
        state = members.state
        moves, narrow = a.moves[state], a.several[state]
        allowed = moves >= 0
        if self.mode == GROUNDED:
            alive = given.alive.gather(1, a.tops[state]) & given.kinds
            allowed = allowed & (alive | ~narrow[:, None])
        elif self.mode == NAMED:
            narrow = narrow & (allowed & self._named).any(1)
        else:
            narrow = torch.zeros_like(narrow)
        sizes = torch.where(narrow[:, None], given.sizes, a.sizes) * allowed
        size = sizes.sum(1)
        may_end = a.accepting[state] & (members.count > 0)
        live = members.ending == OPEN
        lacks = torch.where(a.known[state], FORCED * (size == 0), LACKS)
        members.ending.add_(lacks * live)
        forced = (size == 1) & ~may_end & (members.ending == OPEN)
        if self.mode == NAMED:  # a single token that is named is scored
            forced = forced & ~narrow
        return Options(moves, allowed, narrow, sizes, size, may_end, forced)

    @property
    def _named(self) -> Tensor:
        return self.given.kinds

    def forced_token(self, options: Options) -> Tensor:
        """The first token that may come next."""
        kind = (options.sizes > 0).to(torch.uint8).argmax(1, keepdim=True)
        firsts = torch.where(options.narrow[:, None], self.given.firsts, self.automaton.firsts)
        return firsts.gather(1, kind)[:, 0]

    def take(self, options: Options, token: Tensor, taken: Tensor, kind: Tensor) -> None:
        """Add a token to the sentences of the members `taken`, and cover its name."""
        given, members = self.given, self.members
        last = members.ids.shape[1] - 1
        at = torch.where(taken, members.count, last)[:, None]
        members.ids.scatter_(1, at, token[:, None])
        after = options.moves.gather(1, kind[:, None])[:, 0]
        members.state.copy_(torch.where(taken, after, members.state))
        members.count.add_(taken)
        reads = taken & (members.choices > 0) if self.decisions_only else taken
        read = torch.where(reads, token, self.network.nothing)
        members.pending.add_(self.network.vectors[read])
        index = torch.searchsorted(given.rows, read[:, None])
        found = given.rows.gather(1, index) == read[:, None]
        names = (given.means.gather(1, index) * found)[:, 0] & ~members.covered
        members.covered.bitwise_or_(names & -names)

    def take_forced(self) -> None:
        """Members without a choice take their token."""
        options = self.options()
        token = self.forced_token(options)
        self.take(options, token, options.forced, self.network.kind_of[token])
