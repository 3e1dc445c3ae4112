"""`OutputLayer`: the weight and bias that every head reads, rows in vocabulary order."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from grammax.head.protocol import HeadError
from grammax.vocabulary import Span


@dataclass(frozen=True, slots=True, eq=False)
class OutputLayer:
    """A linear layer with one row per token, and optionally one for the end of the sentence.

    The tensors are the model's own, not copies, so the layer can be trained under a head.

    >>> from torch import nn
    >>> from grammax import OutputLayer
    >>> layer = OutputLayer.from_linear(nn.Linear(300, 1001), tokens=1000)
    >>> layer.end
    1000
    """

    weight: Tensor  # (rows, d)
    bias: Tensor  # (rows)
    tokens: int
    end_row: int | None = None  # of a model that has it elsewhere; rows after all tokens may exist

    def __post_init__(self) -> None:
        rows = self.weight.shape[0]
        fits = rows in (self.tokens, self.tokens + 1)
        if self.end_row is not None:
            fits = rows >= self.tokens and 0 <= self.end_row < rows
        if self.weight.dim() != 2 or not fits:
            end = "" if self.end_row is None else f", and the end is said to be row {self.end_row}"
            raise HeadError(
                f"the output layer's weight has shape {tuple(self.weight.shape)}{end}; for a "
                f"vocabulary of {self.tokens:,} tokens it needs as many rows, or one more for the "
                f"end. `end_row` says where the end is if it is not the last row."
            )
        if self.bias.shape != (rows,):
            raise HeadError(
                f"the bias has shape {tuple(self.bias.shape)}, and the weight {rows:,} rows"
            )

    @classmethod
    def from_linear(cls, linear: nn.Linear, tokens: int, end_row: int | None = None) -> OutputLayer:
        """The layer of a PyTorch module; a missing bias becomes zeros."""
        weight, bias = plain_rows(linear)
        return cls(
            weight,
            weight.new_zeros(len(weight)) if bias is None else bias,
            tokens,
            end_row,
        )

    @property
    def end(self) -> int | None:
        """The id of the row for the end, by default the last row; None if there is none."""
        if self.end_row is not None:
            return self.end_row
        return self.tokens if self.weight.shape[0] > self.tokens else None

    @property
    def spans(self) -> tuple[Span, ...]:
        """All rows."""
        return ((0, self.weight.shape[0]),)

    def every_row(self, hidden: Tensor) -> Tensor:
        """(..., d) → (..., rows)."""
        return product(hidden, self.weight, self.bias)

    def ids(self, spans: tuple[Span, ...]) -> Tensor:
        """The row numbers of spans, as an index on the layer's device."""
        device = self.weight.device
        return torch.cat([torch.arange(start, stop, device=device) for start, stop in spans])


def plain_rows(linear: nn.Linear) -> tuple[Tensor, Tensor | None]:
    """The weight and bias of a module; `HeadError` if its scores are not those of plain rows."""
    if not isinstance(linear, nn.Linear) or type(linear).forward is not nn.Linear.forward:
        raise HeadError(
            f"the layer is a {type(linear).__name__}, which may compute something else than a "
            f"torch.nn.Linear. If it is quantised, dequantise it; if it is an adapter, merge it."
        )
    if not linear.weight.is_floating_point():
        raise HeadError(
            f"the layer is a {type(linear).__name__} with weights of {linear.weight.dtype}, of "
            f"which no scores can be computed. Dequantise it first."
        )
    return linear.weight, linear.bias


def product(hidden: Tensor, rows: Tensor, bias: Tensor) -> Tensor:
    """Scores, (..., d) → (..., k): the one place where rows are multiplied."""
    if hidden.dim() == 1:  # 2 to 4 µs less than `linear`: half the time of a small set
        return torch.addmv(bias, rows, hidden)
    return functional.linear(hidden, rows, bias)
