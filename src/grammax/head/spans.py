"""`Spans`: the permitted rows in place. One view and one product per span; nothing is copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grammax.head.layer import OutputLayer, product
from grammax.head.protocol import Options
from grammax.head.row_scores import RowGroup, RowScores
from grammax.head.rows import grouped, positions_of
from grammax.vocabulary import Span

Members = tuple[Tensor, tuple[Span, ...]]  # of a group: indices in the batch (g), rows to multiply


@final
class Spans:
    """A head that multiplies the permitted rows in place; other rows are never read.

    It is for decoding and for training under the grammar.

    >>> import torch
    >>> from grammax import Grammar, OutputLayer, Spans, lr
    >>> from grammax.head import Options
    >>> automaton = lr(Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'))
    >>> layer = OutputLayer(torch.eye(4), torch.zeros(4), tokens=4)
    >>> permitted = automaton.next_tokens(automaton.read(["genre", "is"]))
    >>> Spans(layer).scores(torch.ones(4), Options(permitted)).size
    2
    """

    memory_bytes = 0

    def __init__(self, layer: OutputLayer) -> None:
        self.layer = layer
        self.tokens = layer.tokens
        self.end = layer.end

    def scores(self, hidden: Tensor, options: Options) -> RowScores:
        """(d) → scores of the permitted rows; those of a set that was narrowed are gathered."""
        spans = options.spans(self.end)
        weight, bias = self.layer.weight, self.layer.bias
        if _is_gathered(options, spans):
            return RowScores(_gathered(hidden, weight, bias, options, self.end), spans)
        return RowScores(_products(hidden, weight, bias, spans), spans)

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> list[RowGroup]:
        """(n, d) → scores of the permitted rows, one group per permitted set."""
        groups = grouped(options)
        spans = [choice.spans(self.end) for choice in groups]
        training = torch.is_grad_enabled() and self.layer.weight.requires_grad
        narrowed = any(choice.narrowed for choice in groups)
        if narrowed or (not training and any(map(_is_gathered, groups, spans))):
            weight, bias = self.layer.weight, self.layer.bias
            return [
                RowGroup(members, _gathered(hidden[members], weight, bias, choice, self.end), each)
                for (choice, members), each in zip(groups.items(), spans, strict=True)
            ]
        indices = [torch.tensor(members, device=hidden.device) for members in groups.values()]
        values = _SpanProducts.apply(  # type: ignore[no-untyped-call]
            hidden, self.layer.weight, self.layer.bias, tuple(zip(indices, spans, strict=True))
        )
        return [RowGroup(*group) for group in zip(groups.values(), values, spans, strict=True)]


def _is_gathered(options: Options, spans: tuple[Span, ...]) -> bool:
    """Whether copying the rows is faster than one product per span.

    A product costs about as much as copying 20 rows: 499 scattered rows take 3.0 ms as spans, and
    0.19 ms gathered. Rows that were narrowed to a query's are scattered always.
    """
    if options.narrowed:
        return True
    return len(spans) > 4 and 20 * len(spans) > options.permitted.size


def _products(hidden: Tensor, weight: Tensor, bias: Tensor, spans: tuple[Span, ...]) -> Tensor:
    """(..., d) → (..., k)."""
    parts = [product(hidden, weight[a:b], bias[a:b]) for a, b in spans]
    return parts[0] if len(parts) == 1 else torch.cat(parts, -1)


def _gathered(
    hidden: Tensor, weight: Tensor, bias: Tensor, options: Options, end: int | None
) -> Tensor:
    """(..., d) → (..., k), with a copy of the rows."""
    rows = torch.from_numpy(options.ids(end).copy()).to(weight.device)
    return product(hidden, weight[rows], bias[rows])


class _SpanProducts(torch.autograd.Function):
    """The products of all groups of a batch: values (g, k) of each.

    PyTorch's own gradient of a slice is a matrix of zeros as large as the weight, once per span of
    each group: 67 MB each for 56,209 rows. Here the whole batch shares one such matrix.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor, groups: tuple[Members, ...]
    ) -> tuple[Tensor, ...]:
        ctx.save_for_backward(hidden, weight)
        ctx.groups = groups
        ctx.set_materialize_grads(False)
        return tuple(_products(hidden[indices], weight, bias, spans) for indices, spans in groups)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        hidden, weight = ctx.saved_tensors
        for_hidden, for_weight, for_bias = ctx.needs_input_grad[:3]
        d_hidden = torch.zeros_like(hidden) if for_hidden else None
        d_weight = torch.zeros_like(weight) if for_weight else None
        d_bias = weight.new_zeros(weight.shape[0]) if for_bias else None
        for (indices, spans), gradient in zip(ctx.groups, gradients, strict=True):
            if gradient is None:
                continue
            inputs = hidden[indices]  # (g, d)
            for (start, stop), (first, last) in zip(spans, positions_of(spans, spans), strict=True):
                part = gradient[:, first:last]
                if d_hidden is not None:
                    d_hidden.index_add_(0, indices, part @ weight[start:stop])
                if d_weight is not None:
                    d_weight[start:stop].addmm_(part.T, inputs)
                if d_bias is not None:
                    d_bias[start:stop] += part.sum(0)
        return d_hidden, d_weight, d_bias, None
