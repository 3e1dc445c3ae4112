"""`MaskedRows`: all rows, then a mask, as in other engines for constrained decoding."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import final

import torch
from torch import Tensor

from grammax.head.layer import OutputLayer
from grammax.head.protocol import Options
from grammax.head.row_scores import RowGroup, RowScores
from grammax.head.rows import grouped


@final
class MaskedRows:
    """A head that multiplies all rows and masks those that are not permitted.

    >>> import torch
    >>> from grammax import Grammar, OutputLayer, MaskedRows, lr
    >>> from grammax.head import Options
    >>> automaton = lr(Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'))
    >>> layer = OutputLayer(torch.eye(4), torch.zeros(4), tokens=4)
    >>> permitted = automaton.next_tokens(automaton.read(["genre", "is"]))
    >>> MaskedRows(layer).scores(torch.ones(4), Options(permitted)).size
    4
    """

    memory_bytes = 0

    def __init__(self, layer: OutputLayer) -> None:
        self.layer = layer
        self.tokens = layer.tokens
        self.end = layer.end

    def scores(self, hidden: Tensor, options: Options) -> RowScores:
        """(d) → scores of all rows, -inf where not permitted."""
        values = self.layer.every_row(hidden).masked_fill(self._forbidden(options), -inf)
        return RowScores(values, self.layer.spans)

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> list[RowGroup]:
        """(n, d) → scores of all rows, one group per mask."""
        values = self.layer.every_row(hidden)
        return [
            RowGroup(
                members,
                values[members].masked_fill(self._forbidden(choice), -inf),
                self.layer.spans,
            )
            for choice, members in grouped(options).items()
        ]

    def _forbidden(self, options: Options) -> Tensor:
        bias = self.layer.bias
        mask = torch.ones(bias.shape, dtype=torch.bool, device=bias.device)
        for start, stop in options.spans(self.end):
            mask[start:stop] = False
        return mask
