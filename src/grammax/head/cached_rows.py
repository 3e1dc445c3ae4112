"""`CachedRows`: the permitted rows, copied once for each permitted set. The paper's NSP-GC."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from torch import Tensor

from grammax.head.layer import OutputLayer
from grammax.head.protocol import Options
from grammax.head.reduced import reduced_groups, reduced_scores
from grammax.head.row_scores import RowGroup, RowScores


@final
class CachedRows:
    """A head that copies the rows of each permitted set once and multiplies the copy.

    It is for decoding only: call `clear` when the weights change.

    At steps with `limit` or more permitted tokens the grammar is not applied: all rows compete.

    >>> import torch
    >>> from grammax import Grammar, OutputLayer, CachedRows, lr
    >>> from grammax.head import Options
    >>> automaton = lr(Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"'))
    >>> layer = OutputLayer(torch.eye(4), torch.zeros(4), tokens=4)
    >>> permitted = automaton.next_tokens(automaton.read(["genre", "is"]))
    >>> CachedRows(layer).scores(torch.ones(4), Options(permitted)).size
    2
    """

    def __init__(self, layer: OutputLayer, limit: int | None = None) -> None:
        self.layer = layer
        self.limit = limit
        self.tokens = layer.tokens
        self.end = layer.end
        self._copies: dict[Options, tuple[Tensor, Tensor]] = {}

    @property
    def memory_bytes(self) -> int:
        """The bytes of all copies made so far."""
        # A copy of the dictionary: another thread may be adding to it.
        return sum(rows.nbytes + bias.nbytes for rows, bias in self._copies.copy().values())

    def clear(self) -> None:
        """Forget the copies, for instance after a training step."""
        self._copies.clear()

    def scores(self, hidden: Tensor, options: Options) -> RowScores:
        """(d) → scores of the permitted rows."""
        return reduced_scores(self.layer, hidden, options, self.limit, self._rows)

    def scores_of(self, hidden: Tensor, options: Sequence[Options]) -> list[RowGroup]:
        """(n, d) → scores of the permitted rows, one group per permitted set."""
        return reduced_groups(self.layer, hidden, options, self.limit, self._rows)

    def _rows(self, options: Options) -> tuple[Tensor, Tensor]:
        """(k, d) and (k)."""
        copy = self._copies.get(options)
        if copy is None:
            ids = self.layer.ids(options.spans(self.end))
            weight, bias = self.layer.weight.detach(), self.layer.bias.detach()
            copy = weight.index_select(0, ids), bias.index_select(0, ids)
            if not options.narrowed:
                copy = self._copies.setdefault(options, copy)
        return copy
