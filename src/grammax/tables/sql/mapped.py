"""Build a `Store` over the user's own tables from a mapping file."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path
from types import MappingProxyType
from typing import Final, final

import ibis

from grammax.language.answer import ANSWER_SECONDS
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.engine import Table, Value
from grammax.tables.query.formulas import YEAR, Derivations, Formula, Formulas, Stored
from grammax.tables.query.quarterly import UNIT_RATE
from grammax.tables.query.source import (
    NotMapped,
    Runner,
    Source,
    StoreDown,
    StoreError,
    StoreUnreachable,
)
from grammax.tables.query.store import Store
from grammax.tables.sql.expressions import ROW
from grammax.tables.sql.mapping import MappingError, TableMapping, read_mapping
from grammax.tables.sql.plain import Location, PlainSource, named_table
from grammax.tables.sql.quarters import QuarterlySource
from grammax.tables.sql.run import connect, runner_for

_QUARTER: Final = "calendar_quarter"
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def connect_store(
    path: Path,
    catalogue: Catalogue,
    derivations: Derivations | None = None,
    renamed: Mapping[str, str] = _NONE,
) -> Store:
    """The store that a mapping file describes; with `derivations`, of quarterly series.

    `renamed` maps section names of an older format of the file to their current ones. Every table
    and column that the file names is checked at once: `MappingError` lists the missing ones.
    """
    mapping = read_mapping(path, catalogue, derivations is not None, renamed)
    try:
        runner = runner_for(connect(mapping.url, path.parent))
    except StoreUnreachable as error:
        raise StoreUnreachable(f"{path}: {error.reason}", error.hint) from error
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from error
    _look_up(mapping, runner, ANSWER_SECONDS)
    source: Source = (
        PlainSource(catalogue, mapping.layout)
        if derivations is None
        else QuarterlySource(catalogue, MappedTables(mapping, catalogue, derivations))
    )
    return Store(source, runner, catalogue)


def _look_up(mapping: TableMapping, runner: Runner, seconds: float) -> None:
    """Query zero rows of every table, so that a wrong name is an error before the first query."""
    problems = []
    for name, columns in _all_columns(mapping).items():
        try:
            table = named_table(name, dict.fromkeys(columns, "string"))
            named = {f"column_{i}": table[column] for i, column in enumerate(columns)}
            runner.run(runner.compile(table.select(**named).limit(0)), seconds)
        except StoreDown:
            runner.close()
            raise
        except StoreError as error:
            problems.append(f"{name}: {error}")
    if problems:
        runner.close()
        raise MappingError(mapping.path, problems)


def _all_columns(mapping: TableMapping) -> dict[str, list[str]]:
    """Every column that the mapping names, by table."""
    found: dict[str, list[str]] = {}
    for token, at in mapping.layout.fields.items():
        date = mapping.table_of(token).date
        found.setdefault(at.table, [at.key, *([date] if date else [])]).append(at.column)
    for section in (mapping.entity, mapping.units):
        if section is not None:
            columns = [column for key, column in section.items() if key != "table"]
            found.setdefault(section["table"], []).extend(columns)
    return found


@final
class MappedFormulas(Formulas):
    """Formulas in which every field with a mapped column is a stored one."""

    def __init__(
        self, catalogue: Catalogue, derivations: Derivations, mapping: TableMapping
    ) -> None:
        super().__init__(catalogue, derivations)
        self._mapping = mapping

    def __getitem__(self, token: str) -> Formula:
        if token not in self._mapping.layout.fields:
            return super().__getitem__(token)
        quarterly = self._mapping.table_of(token).period == "quarter"
        return Stored(token, YEAR if quarterly and self.is_flow(token) else 1)


@final
class MappedTables:
    """`QuarterlyTables` over the user's own tables; reads only what a query needs."""

    def __init__(
        self, mapping: TableMapping, catalogue: Catalogue, derivations: Derivations
    ) -> None:
        self.formulas: Formulas = MappedFormulas(catalogue, derivations, mapping)
        self.today: datetime.date = mapping.today
        self.latest = frozenset[str]()
        self._mapping, self._layout = mapping, mapping.layout
        self._unit = catalogue.schema.unit
        self._unit_prefix = catalogue.schema.enum(self._unit.type).prefix if self._unit else ""
        self._tokens = {Stored(token).column: token for token in self._layout.fields}
        self.entities = self._layout.entities
        self.members = self._layout.members

    def has(self, token: str) -> bool:
        fields = self._layout.fields
        return token in fields or all(read in fields for read in self.formulas.reads(token))

    def require(self, plain: Iterable[str], series: Mapping[str, tuple[str, ...]]) -> None:
        fields = self._layout.fields
        missing: dict[str, tuple[str, ...]] = {t: (t,) for t in plain if t not in fields}
        for token, reads in series.items():
            absent = tuple(t for t in reads if t not in fields)
            missing |= {token: absent} if absent else {}
        if missing:
            raise NotMapped(self._mapping.path, missing)

    def series(self, columns: Iterable[str]) -> Table:
        """All dated tables joined, with the fiscal quarter and the rate of the entity's unit."""
        fields = {c: self._layout.fields[self._tokens[c]] for c in columns if c in self._tokens}
        parts = [self._quarters(name, fields) for name in {at.table for at in fields.values()}]
        rows = reduce(lambda a, b: a.union(b), parts)
        latest = {column: rows[column].max() for column in fields}
        return self._with_rates(rows.group_by(ROW, _QUARTER).aggregate(**latest))

    def _quarters(self, name: str, fields: Mapping[str, Location]) -> Table:
        """The last row of each quarter of one table."""
        source = self._mapping.tables[name]
        here = {c: at.column for c, at in fields.items() if at.table == name}
        date = str(source.date)
        types = {source.key: "string", date: "date", **dict.fromkeys(here.values(), "float64")}
        table = named_table(name, types)
        quarter = _quarter(table[date])
        by_quarter = ibis.window(
            group_by=[table[source.key], quarter], order_by=ibis.desc(table[date])
        )
        columns = {c: table[here[c]] if c in here else ibis.null("float64") for c in fields}
        columns |= {ROW: table[source.key], _QUARTER: quarter}
        dated = table.select(**columns, age=ibis.row_number().over(by_quarter))
        return dated.filter(dated.age == 0).drop("age")

    def _with_rates(self, rows: Table) -> Table:
        """The table with the fiscal quarter and the rate of the entity's unit."""
        m = self._mapping.entity
        optional = {"unit": "string", "fiscal_end_month": "int64"}
        types = {m[name]: type_ for name, type_ in optional.items() if name in m}
        base = named_table(m["table"], {self._layout.key: "string", **types})
        month = base[m["fiscal_end_month"]] if "fiscal_end_month" in m else ibis.literal(12)
        unit = self._unit_token(base[m["unit"]]) if "unit" in m else ibis.null("string")
        entity = base.select(entity=base[self._layout.key], month=month, own_unit=unit)
        rows = rows.left_join(entity, rows[ROW] == entity.entity).drop("entity")
        rows = rows.mutate(fiscal_quarter=_fiscal(rows[_QUARTER], rows.month))
        rates = self._rates()
        if rates is None or "unit" not in m or self._unit is None:
            return rows.mutate(**{UNIT_RATE.column: ibis.literal(1.0)})
        rates = rates.rename(at=_QUARTER)
        same = (rows.own_unit == rates.unit) & (rows[_QUARTER] == rates["at"])
        joined = rows.left_join(rates, same)
        rate = ibis.ifelse(joined.own_unit == self._unit.default, 1.0, joined.rate)
        return joined.mutate(**{UNIT_RATE.column: rate}).drop("unit", "at", "rate")

    def rate(self, unit: str, quarter: int) -> Value:
        rates = self._rates()
        if rates is None:
            default = self._unit.default if self._unit else "no unit"
            raise StoreError(
                f"{self._mapping.path} has no [units], so amounts in {unit} cannot be compared.\n"
                f"Add that section, or ask in {default}."
            )
        wanted = (rates.unit == unit) & (rates[_QUARTER] == quarter)
        return rates.filter(wanted).rate.max().as_scalar()

    def _rates(self) -> Table | None:
        """The last rate of each unit in each quarter."""
        m = self._mapping.units
        if m is None:
            return None
        types = {m["unit"]: "string", m["date"]: "date", m["rate"]: "float64"}
        table = named_table(m["table"], types)
        unit, quarter = self._unit_token(table[m["unit"]]), _quarter(table[m["date"]])
        window = ibis.window(group_by=[unit, quarter], order_by=ibis.desc(table[m["date"]]))
        rated = table.select(
            unit=unit,
            calendar_quarter=quarter,
            rate=table[m["rate"]],
            age=ibis.row_number().over(window),
        )
        return rated.filter(rated.age == 0).drop("age")

    def _unit_token(self, code: Value) -> Value:
        """The token of a unit, which the store may write with or without its prefix."""
        prefix = self._unit_prefix
        return ibis.ifelse(code.startswith(prefix), code, ibis.literal(prefix) + code)


def _quarter(date: Value) -> Value:
    return (date.year() * 4 + (date.month() - 1) // 3).cast("int64")


def _fiscal(calendar: Value, month: Value) -> Value:
    """The fiscal quarter of the period that ends in a calendar one.

    `month` is the last of the fiscal year, which is named after the calendar year it ends in.
    """
    last = calendar % 4 * 3 + (month - 1) % 3 + 1
    year = calendar // 4 + ibis.ifelse(last > month, 1, 0)
    return (year * 4 + (last - month + 11) % 12 // 3).cast("int64")
