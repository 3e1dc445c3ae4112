"""What a batch pays under composed rows: products, softmax and gradient of a group in one pass.

Once a softmax is known its gradient is too: the probabilities, less one at the target. So each
permitted set is multiplied, paid for and multiplied back while it lies in the cache, and autograd
sees one function where there would be ten a set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grammax.head.row_scores import target_places
from grammax.model.fixed_rows import FixedRows
from grammax.vocabulary import Span

Sets = Sequence[tuple[tuple[Span, ...], int]]  # permitted rows, and how many members have them


def group_costs(
    rows: FixedRows, shared: Tensor, learnt: Tensor, own: Tensor, sets: Sets, targets: Tensor
) -> Tensor:
    """-log p(target) of each member, (n), the members of a set side by side.

    `shared` is what `FixedRows.products` takes, (n, s + k). `own` are the parts that seen tokens
    have of their own, (seen, l), to be multiplied by the learnt dimensions, (n, l).
    """
    found: Tensor = _GroupCosts.apply(  # type: ignore[no-untyped-call]
        shared, learnt, own, targets, rows, sets
    )
    return found


class _GroupCosts(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        shared: Tensor,
        learnt: Tensor,
        own: Tensor,
        targets: Tensor,
        rows: FixedRows,
        sets: Sets,
    ) -> Tensor:
        costs = shared.new_empty(len(shared))
        d_shared, d_learnt = torch.empty_like(shared), torch.zeros_like(learnt)
        ctx.d_scores = []  # of own parts: members, seen tokens, gradient
        first = 0
        for spans, count in sets:
            members = slice(first, first + count)
            first += count
            given, parts = learnt[members], rows.own(spans)
            scores = rows.products(shared[members], spans)
            for seen, columns in parts:
                scores.index_add_(1, columns, given @ own[seen].T)
            logs = scores.log_softmax(-1)
            places = target_places(spans, targets[members])[:, None]
            costs[members] = -logs.gather(1, places).squeeze(1)
            wrong = logs.exp_().scatter_add_(1, places, logs.new_full((count, 1), -1.0))
            d_shared[members] = rows.gradient(wrong, spans)
            for seen, columns in parts:
                d_scores = wrong.index_select(1, columns)
                d_learnt[members].addmm_(d_scores, own[seen])
                ctx.d_scores.append((members, seen, d_scores))
        ctx.save_for_backward(d_shared, learnt, d_learnt, own)
        return costs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_costs: Tensor) -> tuple[Tensor | None, ...]:
        d_shared, learnt, d_learnt, own = ctx.saved_tensors
        d_costs = d_costs[:, None]
        weighted, d_own = learnt * d_costs, torch.zeros_like(own)
        for members, seen, d_scores in ctx.d_scores:
            d_own[seen].addmm_(d_scores.T, weighted[members])
        return d_shared * d_costs, d_learnt * d_costs, d_own, None, None, None
