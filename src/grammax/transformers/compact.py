"""`CompactRows`: the rows that a grammar has permitted so far, copied once into a small matrix.

A grammar with 60,000 names permits 1,069 of 49,152 rows, or 4,114 of 262,144, in all its states
together. A batch with different permitted sets is one product with those rows, whose shape seldom
changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear

from grammax.transformers.recent import Recent
from grammax.vocabulary.permitted import Ids
from grammax.vocabulary.rows import Rows

FIRST = 1_024  # rows of the first copy; it doubles where that is not enough
POSITIONS = 4_096  # sets whose positions are kept


@final
class CompactRows:
    """Some rows of an output layer, in the order of arrival. Mutable: rows are added.

    >>> compact = CompactRows(torch.eye(4), None, limit=2)
    >>> rows = Rows.from_ids([1, 3])
    >>> compact.add([rows]), compact.size, compact.positions(rows).tolist()
    (True, 2, [0, 1])
    >>> compact.product(torch.tensor([[5.0, 6, 7, 8]])).tolist()
    [[6.0, 8.0]]
    >>> compact.add([Rows.from_ids([0, 3])]), compact.size
    (False, 2)
    """

    def __init__(self, weight: Tensor, bias: Tensor | None, limit: int) -> None:
        self.limit: Final = limit
        self.size = 0
        self.is_cpu = weight.device.type == "cpu"
        self._from = weight, bias
        self._position: Ids = np.full(weight.shape[0], -1, np.int64)
        self._weight = weight.new_empty(0, weight.shape[1])
        self._bias = None if bias is None else bias.new_empty(0)
        self._known: Recent[Ids] = Recent(POSITIONS)

    def add(self, sets: Iterable[Rows]) -> bool:
        """Copy the rows of these sets that are new; False, and none is, if they are too many."""
        new = [rows for rows in sets if self._known.get(rows) is None]
        if not new:
            return True
        ids = np.unique(np.concatenate([rows.ids for rows in new]))
        ids = ids[self._position[ids] < 0]
        if self.size + len(ids) > self.limit:
            return False
        self._reserve(self.size + len(ids))
        where = slice(self.size, self.size + len(ids))
        weight, bias = self._from
        index = torch.from_numpy(ids).to(weight.device)
        self._weight[where] = weight[index]
        if self._bias is not None and bias is not None:
            self._bias[where] = bias[index]
        self._position[ids] = np.arange(where.start, where.stop)
        self.size = where.stop
        for rows in new:
            self._known.put(rows, self._position[rows.ids])
        return True

    def positions(self, rows: Rows) -> Ids:
        """Where the rows of a set are, in its order; the set was added."""
        found = self._known.get(rows)
        return self._position[rows.ids] if found is None else found

    def product(self, hidden: Tensor) -> Tensor:
        """(n, d) → scores of all rows of the copy.

        On an accelerator those after the first `size` mean nothing, and the shape stays the same.
        """
        if not self.is_cpu:
            return linear(hidden, self._weight, self._bias)
        bias = None if self._bias is None else self._bias[: self.size]
        return linear(hidden, self._weight[: self.size], bias)

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._weight):
            return
        capacity = max(FIRST, len(self._weight))
        while capacity < rows:
            capacity *= 2
        capacity = min(capacity, max(self.limit, rows))
        weight = self._weight.new_zeros(capacity, self._weight.shape[1])
        weight[: self.size] = self._weight[: self.size]
        self._weight = weight
        if self._bias is not None:
            bias = self._bias.new_zeros(capacity)
            bias[: self.size] = self._bias[: self.size]
            self._bias = bias
