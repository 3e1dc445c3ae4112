"""Rows → groups: a row of the result for each group, with aggregates of its rows.

A group is numbered by the codes of its values; numbers of groups that have rows are then made
consecutive, in the order of the values. Aggregates are sums and sorted runs by number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from grammax.tables.memory.rows import Rows
from grammax.tables.memory.values import Indices, Lists, Numbers, Texts
from grammax.tables.query.engine import SHARES, Aggregated, EveryPeriod, Grouping, Members

_DENSE: Final = 50_000  # numbers that are counted in one array; of more, those found are sorted


def summarised(
    rows: Rows, groups: Mapping[str, Grouping], columns: Mapping[str, Aggregated]
) -> Rows:
    """The groups of the selected rows, and their aggregates."""
    split = _Split(rows.index)
    for group in groups.values():
        split.by(group)
    found, numbers = split.numbered() if groups else (np.zeros(1, np.intp), split.groups)
    count = len(found) * split.periods
    keys = dict(zip(groups, split.keys(found), strict=True))
    values = {
        name: aggregated(each, split.rows, numbers, split.periods, count)
        for name, each in columns.items()
    }
    return Rows(count, {**keys, **values})


@final
class _Split:
    """Rows with the number of their group; a row stands once for each group that it is in.

    The rows of all periods are the same: they are listed once, and each group is `periods` groups.
    """

    def __init__(self, index: Indices) -> None:
        self.rows = index
        self.groups = np.zeros(len(index), np.intp)
        self.periods = 1
        self._values: list[Texts | EveryPeriod | Numbers] = []
        self._size = 1  # numbers that a group can have

    def by(self, group: Grouping) -> None:
        """Split each group by a value; rows without one are left out."""
        if isinstance(group, EveryPeriod):
            self.periods = group.count
            self._values.append(group)
            return
        values: Texts | Numbers
        codes: NDArray[np.integer[Any]]
        if isinstance(group, Members):
            lists: Lists = group.values
            values = lists.values
            which, codes = lists.expanded(self.rows)
        elif isinstance(group, Texts):
            values = group
            given = values.codes[self.rows]
            which = np.flatnonzero(given >= 0)
            codes = given[which]
        else:
            numbers = group[self.rows]
            which = np.flatnonzero(~np.isnan(numbers))
            values, codes = np.unique(numbers[which], return_inverse=True)
        count = _size(values)
        self.rows = self.rows[which]
        self.groups = self.groups[which] * count + codes
        self._size *= count
        self._values.append(values)

    def numbered(self) -> tuple[Indices, Indices]:
        """The groups that have rows, and for each row which of them it is in."""
        if self._size > _DENSE:
            found, numbers = np.unique(self.groups, return_inverse=True)
            return found, numbers
        has_rows = np.bincount(self.groups, minlength=self._size) > 0
        return np.flatnonzero(has_rows), (np.cumsum(has_rows) - 1)[self.groups]

    def keys(self, found: Indices) -> list[Any]:
        """A column for each value that groups are split by: texts, or the numbers of periods."""
        period = np.tile(np.arange(self.periods, dtype=np.float64), len(found))
        columns: list[Any] = []
        for values in reversed(self._values):
            if isinstance(values, EveryPeriod):
                columns.append(period)
                continue
            found, codes = np.divmod(found, _size(values))
            codes = np.repeat(codes, self.periods)
            columns.append(values.with_codes(codes) if isinstance(values, Texts) else values[codes])
        return columns[::-1]


def _size(values: Texts | Numbers) -> int:
    """How many codes there are."""
    return max(1, len(values.listed if isinstance(values, Texts) else values))


def aggregated(
    column: Aggregated, rows: Indices, numbers: Indices, periods: int, count: int
) -> Numbers:
    """An aggregate of each group; NaN if it has no values, but a count of them is 0."""
    if not column.values:
        return np.bincount(numbers, minlength=count).astype(np.float64)
    if column.function == "distinct":
        return _distinct(column.values[0], rows, numbers, count)
    values: Sequence[Any] = column.values
    given = np.concatenate([value[rows] for value in values])
    groups = np.concatenate([numbers * periods + p for p in range(len(values))])
    is_known = ~np.isnan(given)
    given, groups = given[is_known], groups[is_known]
    sizes = np.bincount(groups, minlength=count)
    if column.function == "count":
        return sizes.astype(np.float64)
    with np.errstate(all="ignore"):
        found = _FUNCTIONS[column.function](given, groups, sizes)
    return np.where(sizes > 0, found, np.nan)


def _distinct(value: Any, rows: Indices, numbers: Indices, count: int) -> Numbers:
    """How many different known values each group has."""
    if isinstance(value, Members):
        which, codes = value.values.expanded(rows)
    elif isinstance(value, Texts):
        which = np.flatnonzero(value.codes[rows] >= 0)
        codes = value.codes[rows][which]
    else:
        which = np.flatnonzero(~np.isnan(value[rows]))
        _, codes = np.unique(value[rows][which], return_inverse=True)
    size = int(codes.max(initial=0)) + 1
    pairs = np.unique(numbers[which] * size + codes)
    return np.bincount(pairs // size, minlength=count).astype(np.float64)


def _sum(values: Numbers, groups: Indices, sizes: Indices) -> Numbers:
    return np.bincount(groups, values, len(sizes)).astype(np.float64, copy=False)


def _average(values: Numbers, groups: Indices, sizes: Indices) -> Numbers:
    return _sum(values, groups, sizes) / sizes


def _quantile(values: Numbers, groups: Indices, sizes: Indices, share: float) -> Numbers:
    """The value below which a share of the others is; between two, interpolated."""
    if not len(values):
        return np.full(len(sizes), np.nan)
    ordered = values[np.lexsort((values, groups))]
    starts = np.cumsum(sizes) - sizes
    last = len(values) - 1
    at = np.maximum(sizes - 1, 0) * share
    below = np.floor(at).astype(np.intp)
    low = ordered[np.minimum(starts + below, last)]
    high = ordered[np.minimum(starts + np.ceil(at).astype(np.intp), last)]
    return np.asarray(low + (high - low) * (at - below))


def _least(values: Numbers, groups: Indices, sizes: Indices) -> Numbers:
    found = np.full(len(sizes), np.inf)
    np.minimum.at(found, groups, values)
    return found


def _greatest(values: Numbers, groups: Indices, sizes: Indices) -> Numbers:
    return -_least(-values, groups, sizes)


_Function: TypeAlias = Callable[[Numbers, Indices, Indices], Numbers]
_FUNCTIONS: Final[Mapping[str, _Function]] = {
    "sum": _sum, "average": _average, "min": _least, "max": _greatest,
    **{name: partial(_quantile, share=share) for name, share in SHARES.items()},
}  # fmt: skip
