"""Scores as tensors: `RowScores` of one hidden vector, `RowGroup` of several, and their loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grammax.head.protocol import Candidate, Options
from grammax.head.rows import id_at, ids_of, positions_of
from grammax.vocabulary import Ids, Span


@dataclass(frozen=True, slots=True, eq=False)
class RowScores:
    """The scores of the rows of `spans`, laid end to end; -inf where a row does not compete."""

    values: Tensor  # (k)
    spans: tuple[Span, ...]

    @property
    def size(self) -> int:
        """The number of rows multiplied."""
        return self.values.shape[0]

    @property
    def ids(self) -> Tensor:
        """The id of each score."""
        return _ids(self.spans, self.values)

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The best `count` ids, best first, with their log-probabilities."""
        values, logs, spans = self.values, self.log_softmax(), self.spans
        if among is not None:
            inner = positions_of(spans, among)
            values, logs = (torch.cat([of[a:b] for a, b in inner]) for of in (values, logs))
            spans = tuple(among)
        top, positions = _best(values, logs, count)
        return _candidates(spans, top.tolist(), positions.tolist())

    def log_softmax(self) -> Tensor:
        """Log-probabilities of all rows that compete, (k)."""
        return self.values.log_softmax(-1)

    def distribution(self) -> tuple[Ids, NDArray[np.float64]]:
        """The ids and log-probabilities of all rows, which a sample is drawn from."""
        logs = self.values.detach().to("cpu", torch.float64).log_softmax(-1)
        return ids_of(self.spans), logs.numpy()


@dataclass(frozen=True, slots=True, eq=False)
class RowGroup:
    """The scores of the members of a batch that share their options."""

    members: Sequence[int]
    values: Tensor  # (members, k)
    spans: tuple[Span, ...]

    @property
    def ids(self) -> Tensor:
        """The id of each column."""
        return _ids(self.spans, self.values)

    def best(self, count: int) -> list[list[Candidate]]:
        """The best `count` ids of each member, with their log-probabilities."""
        # `log_softmax` is one kernel, `logsumexp` four: 1.2 µs against 7.6 µs for 50 scores.
        top, positions = _best(self.values, self.values.log_softmax(-1), count)
        pairs = zip(top.tolist(), positions.tolist(), strict=True)
        return [_candidates(self.spans, *pair) for pair in pairs]

    def member(self, row: int) -> RowScores:
        """The scores of the member `members[row]`."""
        return RowScores(self.values[row], self.spans)

    def log_probability(self, targets: Tensor) -> Tensor:
        """The log-probability of one target per member, (members) → (members), with a gradient."""
        positions = target_positions(self.spans, targets)
        return self.values.log_softmax(-1).gather(-1, positions.unsqueeze(-1)).squeeze(-1)


class TensorHead(Protocol):
    """A head of this folder: batches of tensors in, scores with gradients out."""

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> Sequence[RowGroup]: ...


def negative_log_likelihood(
    head: TensorHead, hidden: Tensor, options: Sequence[Options], targets: Tensor
) -> Tensor:
    """-log p(target | options) of each member, (n, d) and (n) → (n).

    Members are the steps at which there is a choice; leave out forced tokens, whose cost is 0.
    Under `Spans` only permitted rows are multiplied, forward and backward.
    """
    groups = head.scores_of(hidden, options)
    if not groups:
        return hidden.new_zeros(0)
    order = torch.tensor([m for group in groups for m in group.members], device=hidden.device)
    wanted = torch.split(targets[order], [len(group.members) for group in groups])
    logs = [group.log_probability(each) for group, each in zip(groups, wanted, strict=True)]
    return -hidden.new_zeros(len(options)).index_copy(0, order, torch.cat(logs))


def target_positions(spans: tuple[Span, ...], targets: Tensor) -> Tensor:
    """The positions of ids when the rows of `spans` are laid end to end, (n) → (n)."""
    if len(spans) == 1:
        return targets - spans[0][0]
    starts = targets.new_tensor([start for start, _ in spans])
    lengths = targets.new_tensor([stop - start for start, stop in spans])
    span = torch.searchsorted(starts, targets, right=True) - 1
    return targets - starts[span] + (lengths.cumsum(0) - lengths)[span]


def _ids(spans: tuple[Span, ...], values: Tensor) -> Tensor:
    return torch.from_numpy(ids_of(spans)).to(values.device)


def _best(values: Tensor, logs: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The log-probabilities of the best scores, and their positions, both (..., count).

    In half precision different scores may have the same log-probability: in bfloat16 the largest
    one was not the best score at 5 to 12 % of steps. So scores are ranked there, not logarithms.
    """
    if logs.dtype in (torch.float16, torch.bfloat16):
        _, positions = _largest(values, count)
        return logs.gather(-1, positions), positions
    return _largest(logs, count)


def _largest(values: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The largest `count` along the last axis, and their positions, both (..., count)."""
    if count == 1:  # 49 µs over 56,209 scores; a top-k of one takes 94 µs
        top, positions = values.max(-1, keepdim=True)
        return top, positions
    top, positions = values.topk(min(count, values.shape[-1]))
    return top, positions


def _candidates(
    spans: Sequence[Span], logs: Sequence[float], positions: Sequence[int]
) -> list[Candidate]:
    pairs = zip(logs, positions, strict=True)
    return [(id_at(spans, position), log) for log, position in pairs if log > -inf]
