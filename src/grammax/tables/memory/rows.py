"""`Rows`: some rows of a table, in an order, with their columns.

The interface is that of an Ibis table, as far as `tables.query` uses it. Columns have a value for
every row of the whole table; `index` says which of them are selected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

import numpy as np

from grammax.tables.memory.values import Condition, Indices, Numbers, cells_of


@final
class Rows:
    """Selected rows of a table; `index` has their numbers, None stands for all rows in order."""

    __slots__ = ("_index", "columns", "count")

    def __init__(
        self, count: int, columns: Mapping[str, Any], index: Indices | None = None
    ) -> None:
        self.count, self.columns = count, columns
        self._index = index

    @property
    def index(self) -> Indices:
        """The numbers of the selected rows."""
        return np.arange(self.count) if self._index is None else self._index

    def __len__(self) -> int:
        return self.count if self._index is None else len(self._index)

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    def mutate(self, **columns: Any) -> Rows:
        """The same rows with more columns."""
        return Rows(self.count, {**self.columns, **columns}, self._index)

    def select(self, *names: str, **columns: Any) -> Rows:
        """The same rows with these columns."""
        named = {name: self.columns[name] for name in names}
        return Rows(self.count, {**named, **columns}, self._index)

    def filter(self, condition: Condition) -> Rows:
        """The rows of which a condition is true."""
        if self._index is None:
            return self._at(np.flatnonzero(condition.true))
        return self._at(self._index[condition.true[self._index]])

    def order_by(self, orders: Sequence[Numbers | None]) -> Rows:
        """The rows in an order; None is that of the whole table, and comes last."""
        index = self._index
        if index is None:
            return self._at(order_of([o for o in orders if o is not None], self.count))
        if orders[-1] is None:
            index = np.sort(index)
        keys = [order[index] for order in orders if order is not None]
        return self._at(index[order_of(keys, len(index))])

    def limit(self, count: int, offset: int = 0) -> Rows:
        """The first rows after some that are left out."""
        return self._at(self.index[offset : offset + count])

    def cells(self) -> Iterator[tuple[Any, ...]]:
        """The selected rows. Between two of them other threads may run, unlike within `zip`."""
        index = self.index
        cells = [cells_of(column, index) for column in self.columns.values()]
        return (row for row in zip(*cells, strict=True))

    def _at(self, index: Indices) -> Rows:
        return Rows(self.count, self.columns, index)


def order_of(keys: Sequence[Numbers], count: int) -> Indices:
    """The numbers of rows sorted by keys, the first one counts most; NaN comes last."""
    if not keys:
        return np.arange(count)
    if len(keys) == 1:
        return np.argsort(keys[0], kind="stable")
    return np.lexsort(keys[::-1])
