"""`QuarterlySource`: numeric fields are formulas over series that are stored by quarter.

Formulas are decomposed into *readings*: one stored series at one moment. All readings of a query
take one aggregation over the table of series, whatever their number; the formulas are then
arithmetic on its columns.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Final, Protocol, final

import ibis

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.times import Time
from grammax.tables.form.tree import FieldRef
from grammax.tables.query.formulas import Formulas, Stored
from grammax.tables.query.moments import Moment, is_of_quarter, last_periods, moment_of, span_of
from grammax.tables.query.source import ROW, EntityColumns, Layout, StoreError, Table, Value

UNIT_RATE: Final = Stored("unit_rate")
"""The value of an entity's own unit in the schema's default unit, stored like any other series."""
PERIODS: Final[Mapping[str, int]] = {"QUARTER": 8, "YEAR": 5}
"""The number of periods of a series."""
STALE_AFTER: Final = 4  # quarters; older values count as unknown


class QuarterlyTables(Layout, Protocol):
    """The tables of entities, their series and the rates of units."""

    @property
    def today(self) -> datetime.date:
        """The date that "latest" and "last year" refer to."""

    @property
    def latest(self) -> Collection[str]:
        """Numeric fields whose latest value is a column of the entities, too, for speed."""

    @property
    def formulas(self) -> Formulas:
        """The formulas of numeric fields over the stored series."""

    def require(self, plain: Iterable[str], series: Mapping[str, tuple[str, ...]]) -> None:
        """Raise `StoreError` unless the store has data for these fields.

        `plain` are fields without time; `series` has for each other field those that it reads.
        """

    def series(self, columns: Iterable[str]) -> Table:
        """One row per entity and quarter.

        Columns: `ROW`, the columns named, among them "calendar_quarter" and "fiscal_quarter".
        """

    def rate(self, unit: str, quarter: int) -> Value:
        """The value of one `unit` in the default unit, in a calendar quarter."""


@final
class QuarterlySource:
    """A source of series by quarter."""

    def __init__(self, catalogue: Catalogue, tables: QuarterlyTables) -> None:
        self._catalogue, self._tables = catalogue, tables

    @property
    def today(self) -> datetime.date:
        return self._tables.today

    def scan(self) -> QuarterlyScan:
        return QuarterlyScan(self._catalogue, self._tables)


@final
class QuarterlyScan:
    """The columns that one query reads from quarterly tables."""

    def __init__(self, catalogue: Catalogue, tables: QuarterlyTables) -> None:
        self._catalogue, self._tables = catalogue, tables
        self._plain = EntityColumns(catalogue, tables)
        self._readings = Readings()
        self._numbers: dict[str, None] = {}

    def has(self, token: str) -> bool:
        return self._tables.has(token)

    def column(self, field: FieldRef) -> Value:
        type_ = self._catalogue.fields[field.token].type
        is_enum = type_ in self._catalogue.value_types
        if is_enum or (field.time is None and field.token in self._tables.latest):
            return self._plain.column(field.token)
        moment = moment_of(field.time, self._tables.today)
        value = self._at(field, moment)
        if self._catalogue.schema.number(type_).units:
            value = value * self._readings.stored(UNIT_RATE, moment)
        return value

    def change(self, field: FieldRef) -> Value:
        """In the entity's own unit, so that rates of exchange do not count as changes."""
        assert field.time is not None, "a change has a time"
        begin, end = span_of(field.time, self._tables.today)
        then, now = self._at(field, begin), self._at(field, end)
        return (now - then) / then.abs().nullif(0) * 100.0

    def _at(self, field: FieldRef, moment: Moment) -> Value:
        """The value in the entity's own unit."""
        self._numbers[field.token] = None
        formulas = self._tables.formulas
        return formulas.value(field.token, moment, self._readings, is_of_quarter(field.time))

    def holds(self, token: str, values: Sequence[str]) -> Value:
        return self._plain.holds(token, values)

    def members(self, token: str) -> Table:
        return self._plain.members(token)

    def periods(self, unit: str) -> Sequence[Time]:
        if unit not in PERIODS:
            raise StoreError(
                f"There is no series by {unit.lower()}: these values are stored by quarter.\n"
                "Ask by quarter or by year."
            )
        return last_periods(unit, PERIODS[unit], self._tables.today)

    def rate(self, unit: str, time: Time | None) -> Value:
        today = self._tables.today
        latest = moment_of(None, today).quarter
        return self._tables.rate(unit, min(moment_of(time, today).quarter, latest))

    def table(self) -> Table:
        formulas = self._tables.formulas
        series = {token: formulas.reads(token) for token in self._numbers}
        self._tables.require(self._plain.noted, series)
        return self._plain.table(lambda entities: self._readings.join(entities, self._tables))


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
