"""The product with a copy of the permitted rows, shared by `GatheredRows` and `CachedRows`.

At steps with `limit` or more permitted tokens the grammar is not applied: all rows compete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from torch import Tensor

from grammax.head.layer import OutputLayer, product
from grammax.head.protocol import Options
from grammax.head.row_scores import RowGroup, RowScores
from grammax.head.rows import within, within_limit

Reduced: TypeAlias = Callable[[Options], tuple[Tensor, Tensor]]  # rows (k, d) and their bias (k)


def reduced_scores(
    layer: OutputLayer, hidden: Tensor, options: Options, limit: int | None, reduced: Reduced
) -> RowScores:
    """(d) → scores of the permitted rows."""
    if within(options, limit):
        return RowScores(product(hidden, *reduced(options)), options.spans(layer.end))
    return RowScores(layer.every_row(hidden), layer.spans)


def reduced_groups(
    layer: OutputLayer,
    hidden: Tensor,
    options: Sequence[Options],
    limit: int | None,
    reduced: Reduced,
) -> list[RowGroup]:
    """(n, d) → scores of the permitted rows, one group per permitted set."""
    found = []
    for choice, members in within_limit(options, limit).items():
        if choice is None:
            values, spans = layer.every_row(hidden[members]), layer.spans
        else:
            values = product(hidden[members], *reduced(choice))
            spans = choice.spans(layer.end)
        found.append(RowGroup(members, values, spans))
    return found
