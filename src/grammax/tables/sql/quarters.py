"""`QuarterlySource`: series by quarter in a data store.

All readings of a query take one aggregation over the table of series, whatever their number; the
formulas are then arithmetic on its columns.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add
from typing import Protocol, final

import ibis

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.engine import Table, Value
from grammax.tables.query.formulas import Stored
from grammax.tables.query.moments import Moment
from grammax.tables.query.quarterly import STALE_AFTER, QuarterlyScan, Quarters
from grammax.tables.query.spellings import TOKENS
from grammax.tables.sql.expressions import ROW, EntityColumns, Layout


class QuarterlyTables(Quarters, Layout, Protocol):
    """The tables of entities, their series and the rates of units."""

    def series(self, columns: Iterable[str]) -> Table:
        """One row per entity and quarter.

        Columns: `ROW`, the columns named, among them "calendar_quarter" and "fiscal_quarter".
        """


@final
class QuarterlySource:
    """A source of series by quarter."""

    spellings = TOKENS

    def __init__(self, catalogue: Catalogue, tables: QuarterlyTables) -> None:
        self._catalogue, self._tables = catalogue, tables

    @property
    def today(self) -> datetime.date:
        return self._tables.today

    def scan(self) -> QuarterlyScan:
        plain, readings = EntityColumns(self._catalogue, self._tables), Readings()

        def table() -> Table:
            return plain.table(lambda entities: readings.join(entities, self._tables))

        return QuarterlyScan(self._catalogue, self._tables, plain, readings, table)


@final
class Readings:
    """An `Algebra` whose values are columns; it records every requested reading."""

    def __init__(self) -> None:
        self._names: dict[tuple[Stored, Moment], str] = {}

    def join(self, entities: Table, tables: QuarterlyTables) -> Table:
        """The entities with one column per reading."""
        if not self._names:
            return entities
        columns = dict.fromkeys(f"{moment.axis}_quarter" for _, moment in self._names)
        columns |= dict.fromkeys(series.column for series, _ in self._names)
        rows = tables.series(columns)
        rows = rows.filter(self._rows_needed(rows))
        found = {
            name: _reading(rows, series, moment) for (series, moment), name in self._names.items()
        }
        read = rows.group_by(reader=rows[ROW]).aggregate(**found)
        return entities.left_join(read, entities[ROW] == read.reader)

    def _rows_needed(self, rows: Table) -> Value:
        needed: dict[str, set[int]] = {}
        for series, moment in self._names:
            span = max(series.quarters, STALE_AFTER)
            quarters = range(moment.quarter - span + 1, moment.quarter + 1)
            needed.setdefault(moment.axis, set()).update(quarters)
        tests = [_axis(rows, axis).isin(sorted(quarters)) for axis, quarters in needed.items()]
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
