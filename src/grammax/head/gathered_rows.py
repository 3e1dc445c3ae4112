"""`GatheredRows`: the permitted rows, copied at every step. The paper's NSP-G."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from torch import Tensor

from grammax.head.layer import OutputLayer
from grammax.head.protocol import Options
from grammax.head.reduced import reduced_groups, reduced_scores
from grammax.head.row_scores import RowGroup, RowScores


@final
class GatheredRows:
    """A head that copies the permitted rows at every step and multiplies the copy.

    At steps with `limit` or more permitted tokens the grammar is not applied: all rows compete.

    >>> import torch
    >>> from grammax import Grammar, OutputLayer, GatheredRows, lr
    >>> from grammax.head import Options
    >>> automaton = lr(Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'))
    >>> layer = OutputLayer(torch.eye(4), torch.zeros(4), tokens=4)
    >>> permitted = automaton.next_tokens(automaton.read(["genre", "is"]))
    >>> GatheredRows(layer).scores(torch.ones(4), Options(permitted)).size
    2
    """

    memory_bytes = 0

    def __init__(self, layer: OutputLayer, limit: int | None = None) -> None:
        self.layer = layer
        self.limit = limit
        self.tokens = layer.tokens
        self.end = layer.end

    def scores(self, hidden: Tensor, options: Options) -> RowScores:
        """(d) → scores of the permitted rows."""
        return reduced_scores(self.layer, hidden, options, self.limit, self._rows)

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> list[RowGroup]:
        """(n, d) → scores of the permitted rows, one group per permitted set."""
        return reduced_groups(self.layer, hidden, options, self.limit, self._rows)

    def _rows(self, options: Options) -> tuple[Tensor, Tensor]:
        """(k, d) and (k): the copy."""
        ids = self.layer.ids(options.spans(self.end))
        return self.layer.weight.index_select(0, ids), self.layer.bias.index_select(0, ids)
