"""Training under a head: the negative log-likelihood of the target tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from grammax.head.protocol import Options
from grammax.head.row_scores import RowGroup


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
