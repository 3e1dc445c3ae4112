"""`Members`: the sentences in progress of a batch, what may come next, and what a token changes.

All functions are a fixed sequence of operations on tensors of fixed shapes, changed in place, so
that a device can record them once and repeat them. A GPU spends most of its time between two
operations, so these are as few as possible: numbers are packed, and tables have what can be known
before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grammax.runtime.device.automaton import DeviceAutomaton
from grammax.runtime.device.network import DeviceNetwork
from grammax.runtime.grounding import NAMED
from grammax.vocabulary import Ids

# Endings.
OPEN: Final = 0
FORCED: Final = 1
CHOSEN: Final = 2
BUDGET: Final = 3
LACKS: Final = 4  # the tables lack a state, or nothing has a score: decoded on the CPU

# Bits of a situation, above the number of tokens that may come next.
MAY_END: Final = 1 << 28
SCORED_ALONE: Final = 1 << 29  # a single token would be scored, too
ENDED: Final = 1 << 30

_SITUATION: Final = 1 << 32  # in a record, above the token


class Result(NamedTuple):
    """The sentences of n queries, on the host."""

    ids: Ids  # (n, longest + 1)
    permitted: Ids
    scored: Ids
    lengths: Ids  # (n)
    ending: Ids  # (n)
    log_probability: NDArray[np.float64]  # (n)


class Constants(NamedTuple):
    """Numbers on the device: one that Python gives would be sent each time it is used."""

    lost: Tensor  # -inf
    zero: Tensor
    lacks: Tensor
    last: Tensor  # the last column of records
    nothing: Tensor  # a token that is none

    @classmethod
    def on(cls, device: torch.device, budget: int, nothing: int) -> Constants:
        """The constants on a device."""
        numbers = (-torch.inf, 0.0, LACKS, budget + 1, nothing)
        return cls(*(torch.tensor(number, device=device) for number in numbers))


class Given(NamedTuple):
    """What is known of n queries beside their words; a tokens at most, w columns."""

    rows: Tensor  # (n, a): tokens that are available or named, then `nothing`
    means: Tensor  # (n, a): the names that may mean them
    within: Tensor  # (n, l): the names that each word is part of
    sizes: Tensor  # (n, w): tokens of each column
    firsts: Tensor  # (n, w): the first of them
    alive: Tensor  # (n, flags): those of `DeviceAutomaton`


class Options(NamedTuple):
    """What may come next for each of n members."""

    moves: Tensor  # (n, w): the next state
    distances: Tensor  # (n, w): from there to the end of the sentence
    allowed: Tensor  # (n, w)
    sizes: Tensor  # (n, w): tokens that may come next
    situation: Tensor  # (n): their number, and bits
    forced: Tensor  # (n): whether there is no choice


@final
@dataclass(slots=True, eq=False)
class Members:
    """The sentences in progress of n queries. Mutable: tensors are changed in place."""

    state: Tensor  # (n): of the automaton
    count: Tensor  # (n): tokens so far
    ending: Tensor  # (n)
    begun: Tensor  # (n): whether the decoder reads tokens, from now on
    covered: Tensor  # (n): the names that are covered
    gap: Tensor  # (n): how much better the best token was than the one that was chosen last
    log_probability: Tensor  # (n), double precision
    records: Tensor  # (n, budget + 2): tokens and situations; the last takes what is not wanted
    pending: Tensor  # (n, t): the sum of what the decoder has not read

    @classmethod
    def empty(cls, count: int, budget: int, width: int, device: torch.device) -> Members:
        """Sentences of which nothing is known."""

        def zeros(*shape: int, kind: torch.dtype = torch.int64) -> Tensor:
            return torch.zeros(count, *shape, dtype=kind, device=device)

        return cls(
            state=zeros(),
            count=zeros(),
            ending=zeros(),
            begun=zeros(kind=torch.bool),
            covered=zeros(),
            gap=zeros(kind=torch.float32),
            log_probability=zeros(kind=torch.float64),
            records=zeros(budget + 2),
            pending=zeros(width, kind=torch.float32),
        )

    @property
    def tensors(self) -> list[Tensor]:
        """All tensors."""
        return [
            self.state, self.count, self.ending, self.begun, self.covered, self.gap,
            self.log_probability, self.records, self.pending,
        ]  # fmt: skip

    def begin(self, count: int, start: int) -> None:
        """Begin the sentences of the first `count` queries; others have ended."""
        for tensor in self.tensors:
            tensor.zero_()
        self.state.fill_(start)
        self.ending[count:] = FORCED

    def read(self, count: int) -> Result:
        """The sentences of the first `count` queries, on the host."""
        lengths, ending = torch.stack([self.count, self.ending])[:, :count].cpu().numpy()
        records = self.records[:count, : int(lengths.max()) + 1].cpu().numpy()
        situation, ids = np.divmod(records, _SITUATION)
        permitted = situation & (MAY_END - 1)
        scored = np.where(situation == 1, 0, permitted + (situation & MAY_END > 0))
        logs = self.log_probability[:count].cpu().numpy()
        return Result(ids, permitted, scored, lengths, ending, logs)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """What may come next, and what a token changes, for the queries of a batch."""

    mode: int
    automaton: DeviceAutomaton
    network: DeviceNetwork
    given: Given
    members: Members
    constants: Constants
    kept: Tensor  # (2, w): columns where no available token may come next, and where one may

    def options(self) -> Options:
        """What may come next; members that lack a state, or whose sentence is over, are marked."""
        given, members, a = self.given, self.members, self.automaton
        flags, moves, distances = a.table[members.state].unbind(1)
        allowed = given.alive.gather(1, flags)
        sizes = allowed * given.sizes
        named = None
        if self.mode == NAMED:
            named = sizes[:, : a.kinds].any(1)
            allowed = allowed & self.kept[named.long()]
            sizes = allowed * given.sizes
        size = sizes.sum(1)
        torch.maximum(members.ending, moves[:, a.none] * (size == 0), out=members.ending)
        situation = torch.add(size, allowed[:, a.end], alpha=MAY_END)
        if named is not None:
            situation = torch.add(situation, named, alpha=SCORED_ALONE)
        situation = torch.add(situation, members.ending, alpha=ENDED)
        return Options(moves, distances, allowed, sizes, situation, situation == 1)

    def take_forced(self) -> None:
        """Members without a choice take their token."""
        options = self.options()
        column = options.sizes.argmax(1, keepdim=True)
        token = self.given.firsts.gather(1, column)[:, 0]
        self.record(options, token, options.forced)
        self.take(options, column, token, options.forced)

    def record(self, options: Options, token: Tensor, recorded: Tensor) -> None:
        """Write down a token, and among how many it was chosen."""
        at = torch.where(recorded, self.members.count, self.constants.last)
        record = torch.add(token, options.situation, alpha=_SITUATION)
        self.members.records.scatter_(1, at[:, None], record[:, None])

    def take(self, options: Options, column: Tensor, token: Tensor, taken: Tensor) -> None:
        """Add a token to the sentences of the members `taken`, and cover its name."""
        given, members = self.given, self.members
        after = options.moves.gather(1, column)[:, 0]
        torch.where(taken, after, members.state, out=members.state)
        members.count.add_(taken)
        read = torch.where(taken & members.begun, token, self.constants.nothing)
        members.pending.add_(self.network.vectors[read])
        means = ((given.rows == read[:, None]) * given.means).sum(1)
        means = means & ~members.covered
        members.covered.bitwise_or_(means & -means)

    def finish(self, budget: int) -> None:
        """Tell sentences that had to end, because nothing else fitted, from others."""
        members, options = self.members, self.options()
        fits = options.distances <= (budget - 1 - members.count)[:, None]
        others = (fits * options.sizes).any(1)
        had_to = (members.ending == CHOSEN) & (members.gap > 0) & ~others
        members.ending.add_(had_to, alpha=BUDGET - CHOSEN)
