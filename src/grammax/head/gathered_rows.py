"""`GatheredRows`: the permitted rows, copied at each step. The paper's NSP-G."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from torch import Tensor

from grammax.head.layer import OutputLayer, product
from grammax.head.protocol import Options
from grammax.head.row_scores import RowGroup, RowScores
from grammax.head.rows import within, within_limit


@final
class GatheredRows:
    """Copies rows of the weight, multiplies them, and forgets them.

    At steps with `limit` permitted tokens or more all rows compete, and nothing is forbidden.
    """

    memory_bytes = 0

    def __init__(self, layer: OutputLayer, limit: int | None = None) -> None:
        self.layer = layer
        self.limit = limit
        self.tokens = layer.tokens
        self.end = layer.end

    def scores(self, hidden: Tensor, options: Options) -> RowScores:
        """(d) → scores of the permitted rows."""
        if within(options, self.limit):
            spans = options.spans(self.end)
            return RowScores(self._gathered(hidden, self.layer.ids(spans)), spans)
        return RowScores(self.layer.every_row(hidden), self.layer.spans)

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> list[RowGroup]:
        """(n, d) → scores of the permitted rows, a group for each permitted set."""
        found = []
        for choice, members in within_limit(options, self.limit).items():
            if choice is None:
                values, spans = self.layer.every_row(hidden[members]), self.layer.spans
            else:
                spans = choice.spans(self.end)
                values = self._gathered(hidden[members], self.layer.ids(spans))
            found.append(RowGroup(members, values, spans))
        return found

    def _gathered(self, hidden: Tensor, ids: Tensor) -> Tensor:
        rows = self.layer.weight.index_select(0, ids)  # (k, d): the copy
        return product(hidden, rows, self.layer.bias.index_select(0, ids))
