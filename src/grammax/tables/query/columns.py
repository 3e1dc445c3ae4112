"""The values of numeric fields as columns of a query.

Formulas are taken apart into *readings*: a stored series at a moment. All readings that a query
needs are one aggregation over the fundamentals, whatever their number; the formulas are then
arithmetic on its columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any, Final, TypeAlias, final

import ibis

from grammax.tables.query.field_formulas import Formulas
from grammax.tables.query.formulas import Stored
from grammax.tables.query.moments import Moment

Value: TypeAlias = Any  # an Ibis value, or one deferred until its table is known
Table: TypeAlias = Any

DOLLARS: Final = Stored("usd_rate")
STALE_AFTER: Final = 4  # quarters: an older value is no longer known


@final
class Readings:
    """An `Algebra` whose values are columns; it notes every reading that it is asked for."""

    def __init__(self, formulas: Formulas) -> None:
        self._formulas = formulas
        self._names: dict[tuple[Stored, Moment], str] = {}

    def value(self, token: str, moment: Moment) -> Value:
        """A numeric field at a moment, in its own currency where it is an amount."""
        return self._formulas.value(token, moment, self)

    def join(self, equities: Table, fundamentals: Table) -> Table:
        """The equities with one column for each reading."""
        if not self._names:
            return equities
        # Of hundreds of columns a few are read; leaving the others out early halves the time that
        # it takes to make the query.
        columns = dict.fromkeys(series.column for series, _ in self._names)
        axes = dict.fromkeys(f"{moment.axis}_quarter" for _, moment in self._names)
        rows = fundamentals.select("equity_id", *axes, *columns)
        rows = rows.filter(self._rows_needed(rows))
        found = {
            name: _reading(rows, series, moment) for (series, moment), name in self._names.items()
        }
        read = rows.group_by(reader=rows.equity_id).aggregate(**found)
        return equities.left_join(read, equities.id == read.reader)

    def _rows_needed(self, fundamentals: Table) -> Value:
        needed: dict[str, set[int]] = {}
        for series, moment in self._names:
            span = max(series.quarters, STALE_AFTER)
            quarters = range(moment.quarter - span + 1, moment.quarter + 1)
            needed.setdefault(moment.axis, set()).update(quarters)
        tests = [_axis(fundamentals, axis).isin(sorted(of)) for axis, of in needed.items()]
        return reduce(lambda a, b: a | b, tests)

    def stored(self, series: Stored, moment: Moment) -> Value:
        name = self._names.setdefault((series, moment), f"reading_{len(self._names)}")
        return ibis._[name]

    def number(self, value: float) -> Value:
        return ibis.literal(float(value))

    def add(self, a: Value, b: Value) -> Value:
        return a + b

    def subtract(self, a: Value, b: Value) -> Value:
        return a - b

    def multiply(self, a: Value, b: Value) -> Value:
        return a * b

    def divide(self, a: Value, b: Value) -> Value:
        return a / b.nullif(0)

    def absolute(self, a: Value) -> Value:
        return a.abs()

    def root(self, a: Value, degree: int) -> Value:
        positive = ibis.ifelse(a > 0, a, ibis.null("float64"))
        return positive ** (1 / degree)

    def mean(self, values: Sequence[Value]) -> Value:
        known = reduce(add, [ibis.ifelse(value.notnull(), 1.0, 0.0) for value in values])
        return reduce(add, [ibis.coalesce(value, 0.0) for value in values]) / known.nullif(0)


def _reading(rows: Table, series: Stored, moment: Moment) -> Value:
    column, axis = rows[series.column], _axis(rows, moment.axis)
    if series.quarters == 1:
        back = range(moment.quarter, moment.quarter - STALE_AFTER, -1)
        return ibis.coalesce(*(column.max(where=axis == quarter) for quarter in back))
    inside = axis.between(moment.quarter - series.quarters + 1, moment.quarter)
    whole = column.count(where=inside) == series.quarters
    return ibis.ifelse(whole, column.sum(where=inside), ibis.null("float64"))


def _axis(rows: Table, axis: str) -> Value:
    return rows[f"{axis}_quarter"]
