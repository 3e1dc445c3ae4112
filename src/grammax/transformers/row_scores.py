"""`RowScores`: hidden vectors in, scores of the rows that each of them permits out.

Which way is fastest depends on the sets (measured on one CPU thread, 262,144 rows of 640):

| rows | way |
|---|---|
| few spans | views of the weight, one product each |
| scattered, up to 40 % | copied, by pieces that fit the cache: 50 rows 0.01 ms, 10,000 rows 2 ms |
| more | the whole layer and a mask: 40 ms |
| different sets in a batch | a compact copy of all rows that were ever permitted, one product |

Copies of more than some megabytes are slower than the whole layer (10,000 rows at once 6 to 26 ms),
because fresh memory is slow to touch; that is why rows are copied by pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple, final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear

from grammax.transformers.compact import CompactRows
from grammax.transformers.recent import Recent
from grammax.vocabulary.permitted import Ids
from grammax.vocabulary.rows import Rows

WHOLE = 0.4  # of all rows: above it the whole layer is multiplied and masked
PIECE_BYTES = 2 << 20  # of rows that are copied at once, on a CPU
IDS = 4_096  # sets whose ids are kept on the device
MASKS = 64  # sets whose masks are


class Scored(NamedTuple):
    """Scores of n hidden vectors: `values` (n, k), -inf where nothing competes.

    `ids` (n, k) are the rows of the values, and the number of rows where nothing competes; None if
    value j is row j.
    """

    values: Tensor
    ids: Tensor | None

    def only(self, member: int, rows: Rows) -> Scored:
        """The scores of one vector, -inf for all but some rows."""
        values = self.values[member : member + 1]
        if self.ids is None:
            ids = torch.arange(values.shape[1], device=values.device)[None]
        else:
            ids = self.ids[member : member + 1]
        kept = torch.isin(ids, torch.from_numpy(rows.ids.copy()).to(ids.device))
        return Scored(values.masked_fill(~kept, -inf), ids)


@final
class RowScores:
    """An output layer of which only permitted rows are multiplied. Mutable: it keeps copies.

    >>> import torch
    >>> head = RowScores(torch.eye(9)[:, :4])
    >>> sets = [Rows.from_ids([1, 3]), Rows.from_ids([2])]
    >>> scored = head.scores(torch.tensor([[5.0, 6, 7, 8], [1, 2, 3, 4]]), sets)
    >>> scored.values.tolist(), scored.ids.tolist()
    ([[6.0, 8.0], [3.0, -inf]], [[1, 3], [2, 9]])
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        self.weight: Final = weight.detach()
        self.bias: Final = None if bias is None else bias.detach()
        self.rows: Final[int] = weight.shape[0]
        self.compact: Final = CompactRows(self.weight, self.bias, int(WHOLE * self.rows))
        self.is_cpu = weight.device.type == "cpu"
        self._ids: Recent[Tensor] = Recent(IDS)
        self._masks: Recent[Tensor] = Recent(MASKS)

    def scores(self, hidden: Tensor, sets: Sequence[Rows]) -> Scored:
        """(n, d) and n sets → scores of the rows of each set."""
        distinct = {id(rows): rows for rows in sets}
        largest = max(rows.size for rows in distinct.values())
        if largest > WHOLE * self.rows:
            return self._whole(hidden, sets, len(distinct))
        if len(distinct) == 1:
            values = self._one(hidden, sets[0])
            return Scored(values, self._ids_of(sets[0]).expand(len(sets), -1))
        total = sum(rows.size for rows in distinct.values())
        if self.is_cpu and 2 * total < self.compact.size:
            return self._of_union(hidden, sets, list(distinct.values()))
        if self.compact.add(distinct.values()):
            positions = {key: self.compact.positions(rows) for key, rows in distinct.items()}
            return self._among(self.compact.product(hidden), sets, positions)
        return self._whole(hidden, sets, len(distinct))

    def _one(self, hidden: Tensor, rows: Rows) -> Tensor:
        """(n, d) → (n, k), one set for all."""
        if self._is_spanned(rows):
            return _joined([self._product(hidden, slice(*span)) for span in rows.spans])
        ids = self._ids_of(rows)
        if not self.is_cpu:
            return self._product(hidden, ids)
        piece = max(1, PIECE_BYTES // (self.weight.element_size() * self.weight.shape[1]))
        return _joined([self._product(hidden, part) for part in torch.split(ids, piece)])

    def _is_spanned(self, rows: Rows) -> bool:
        """Whether one product per span is faster than a copy: spans of 64 rows or more are."""
        if self.is_cpu:
            return 64 * len(rows.spans) <= rows.size
        return len(rows.spans) == 1  # where products are launched, few of them are better

    def _product(self, hidden: Tensor, rows: slice | Tensor) -> Tensor:
        return linear(hidden, self.weight[rows], None if self.bias is None else self.bias[rows])

    def _of_union(self, hidden: Tensor, sets: Sequence[Rows], distinct: Sequence[Rows]) -> Scored:
        """Few rows in all: those that any of the sets has are copied and multiplied at once."""
        ids = np.unique(np.concatenate([rows.ids for rows in distinct]))
        values = self._product(hidden, torch.from_numpy(ids))
        positions = {id(rows): np.searchsorted(ids, rows.ids) for rows in distinct}
        return self._among(values, sets, positions)

    def _among(self, values: Tensor, sets: Sequence[Rows], positions: dict[int, Ids]) -> Scored:
        """Of each vector's values, those at the positions of its set."""
        most = max(rows.size for rows in sets)
        index = np.zeros((2, len(sets), most), np.int64)
        index[1] = self.rows
        for member, rows in enumerate(sets):
            index[0, member, : rows.size] = positions[id(rows)]
            index[1, member, : rows.size] = rows.ids
        where, ids = torch.from_numpy(index).to(values.device)
        return Scored(values.gather(1, where).masked_fill(ids == self.rows, -inf), ids)

    def _whole(self, hidden: Tensor, sets: Sequence[Rows], distinct: int) -> Scored:
        values = linear(hidden, self.weight, self.bias)
        if distinct == 1:
            return Scored(values.masked_fill_(self._forbidden(sets[0]), -inf), None)
        for member, rows in enumerate(sets):
            values[member].masked_fill_(self._forbidden(rows), -inf)
        return Scored(values, None)

    def _ids_of(self, rows: Rows) -> Tensor:
        found = self._ids.get(rows)
        if found is None:
            found = torch.from_numpy(rows.ids.copy()).to(self.weight.device)
            self._ids.put(rows, found)
        return found

    def _forbidden(self, rows: Rows) -> Tensor:
        found = self._masks.get(rows)
        if found is None:
            mask = np.ones(self.rows, np.bool_)
            mask[rows.ids] = False
            found = torch.from_numpy(mask).to(self.weight.device)
            self._masks.put(rows, found)
        return found


def _joined(parts: list[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(parts, -1)
