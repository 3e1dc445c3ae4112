"""`RowClasses`: the rows of large kinds, divided into classes of rows that lie together.

In: an output layer and its vocabulary. Out: for a kind of n rows some √n classes, each with a
vector and a bias, for `grammax.head.hierarchical`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, sqrt
from typing import Final, final

import torch
from torch import Tensor
from torch.nn import functional

from grammax.head.layer import OutputLayer
from grammax.vocabulary import Span, Vocabulary

LARGE: Final = 1_000  # rows of a kind above which it has classes
_SWEEPS: Final = 8  # of the power iteration that finds the longest direction of some rows


@final
@dataclass(frozen=True, slots=True, eq=False)
class RowClasses:
    """The classes of the rows of large kinds. Those of a kind are consecutive.

    `members` has the rows of all classes, end to end; those of class c end at `ends[c]`.
    """

    weight: Tensor  # (classes, d)
    bias: Tensor  # (classes)
    members: Tensor  # (rows of large kinds)
    ends: tuple[int, ...]
    of_row: Tensor  # (rows): the class of a row, -1 if it is its own
    of_kind: dict[int, Span]  # the classes of each large kind

    def rows(self, number: int) -> Tensor:
        """The rows of a class."""
        return self.members[self.ends[number - 1] if number else 0 : self.ends[number]]

    @property
    def memory_bytes(self) -> int:
        """The bytes of all of it."""
        parts = (self.weight, self.bias, self.members, self.of_row)
        return sum(part.nbytes for part in parts)


@torch.no_grad()
def row_classes(layer: OutputLayer, vocabulary: Vocabulary, large: int = LARGE) -> RowClasses:
    """The classes of all kinds with more than `large` rows: rows that lie together.

    A kind is halved along its longest direction, and each half again, until a part has √n rows. The
    vector of a class begins as the mean of its rows, and its bias with the logarithm of their
    number: by Jensen's inequality that is a lower bound of the logarithm of their sum.
    """
    device = layer.weight.device
    parts: list[Tensor] = []
    of_kind: dict[int, Span] = {}
    for kind in range(len(vocabulary.kinds)):
        spans = vocabulary.spans(kind)
        count = sum(stop - start for start, stop in spans)
        if count > large:
            rows = layer.ids(spans)
            found = _halved(layer.weight, rows, ceil(sqrt(count)))
            of_kind[kind] = (len(parts), len(parts) + len(found))
            parts += found
    of_row = torch.full((layer.weight.shape[0],), -1, device=device)
    for number, rows in enumerate(parts):
        of_row[rows] = number
    sizes = torch.tensor([len(rows) for rows in parts], dtype=torch.long)
    weight = [layer.weight[rows].mean(0) for rows in parts]
    bias = [layer.bias[rows].mean() + log(len(rows)) for rows in parts]
    return RowClasses(
        torch.stack(weight) if parts else layer.weight.new_zeros(0, layer.weight.shape[1]),
        torch.stack(bias) if parts else layer.bias.new_zeros(0),
        torch.cat(parts) if parts else of_row[:0],
        tuple(sizes.cumsum(0).tolist()),
        of_row,
        of_kind,
    )


def _halved(weight: Tensor, rows: Tensor, most: int) -> list[Tensor]:
    """Parts of at most `most` rows, halved along their longest direction again and again."""
    if len(rows) <= most:
        return [rows.sort().values]
    vectors = weight[rows] - weight[rows].mean(0)
    direction = vectors[vectors.norm(dim=1).argmax()]
    for _ in range(_SWEEPS):  # the power iteration for the first principal component
        direction = functional.normalize(vectors.T @ (vectors @ direction), dim=0)
    order = (vectors @ direction).argsort(stable=True)
    half = len(rows) // 2
    return [
        *_halved(weight, rows[order[:half]], most),
        *_halved(weight, rows[order[half:]], most),
    ]
