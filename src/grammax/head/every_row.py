"""`EveryRow`: all rows, no grammar. The paper's baseline, NSP, and the reference for all heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from torch import Tensor

from grammax.head.layer import OutputLayer
from grammax.head.protocol import Options
from grammax.head.row_scores import RowGroup, RowScores


@final
class EveryRow:
    """A head that multiplies all rows.

    Its log-probabilities are those of the full softmax, whatever the options.

    >>> import torch
    >>> from grammax import Grammar, OutputLayer, EveryRow, lr
    >>> from grammax.head import Options
    >>> automaton = lr(Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'))
    >>> layer = OutputLayer(torch.eye(4), torch.zeros(4), tokens=4)
    >>> permitted = automaton.next_tokens(automaton.read(["genre", "is"]))
    >>> EveryRow(layer).scores(torch.ones(4), Options(permitted)).size
    4
    """

    memory_bytes = 0

    def __init__(self, layer: OutputLayer) -> None:
        self.layer = layer
        self.tokens = layer.tokens
        self.end = layer.end

    def scores(self, hidden: Tensor, options: Options) -> RowScores:  # noqa: ARG002
        """(d) → scores of all rows."""
        return RowScores(self.layer.every_row(hidden), self.layer.spans)

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> list[RowGroup]:
        """(n, d) → scores of all rows, one group."""
        values = self.layer.every_row(hidden)
        return [RowGroup(range(len(options)), values, self.layer.spans)]
