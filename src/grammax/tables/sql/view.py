"""`ViewSource`: one table of a stranger, or a view that joins several, as an Ibis expression.

    table = connection.table("films")
    source = ViewSource(catalogue, table, {"FLD_GENRE": "genre", "FLD_RELEASED": "release_date"},
                        values={"FLD_GENRE": {"GEN_SCI_FI": ("Sci-Fi", "sci fi")}})
    store = Store(source, runner_for(connection), catalogue)

Numbers may be stored as any number type, dates as dates, timestamps or ISO texts, values as texts,
numbers or booleans. What is NaN is unknown. Nothing is written to the store.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, final

import ibis

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.engine import Table, Value
from grammax.tables.query.source import PlainScan, StoreError
from grammax.tables.query.spellings import Spellings, Stored
from grammax.tables.sql import dates
from grammax.tables.sql.expressions import ENGINE, ROW, holding, with_list

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


@final
@dataclass(frozen=True, slots=True)
class Several:
    """The values of a field with several per row: a table that refers to the view by its key."""

    table: Table
    key: str
    column: str

    @classmethod
    def within(cls, table: Table, key: str, column: str, separator: str | None = None) -> Several:
        """Several values in one cell: a list, or a text in which something separates them."""
        cell = table[column] if separator is None else table[column].split(separator)
        values = table.select(key=table[key], value=cell.unnest())
        if separator is not None:
            values = values.mutate(value=values.value.strip().nullif(""))
        return cls(values, "key", "value")


@final
class ViewSource:
    """A source whose fields are columns of one table expression.

    `columns` has the column of each field. `entity` has the columns of the schema's entity where
    their names are others; rows without a key column are numbered. `values` has, by field and by
    the token of a value, what the table holds for it. `several` are the fields with several values
    per row. `rates` convert units to the default one. Times are relative to `today`, by default the
    day on which a query is asked.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        table: Table,
        columns: Mapping[str, str],
        *,
        entity: Mapping[str, str] = _NONE,
        values: Mapping[str, Mapping[str, Sequence[Stored]]] = _NONE,
        several: Mapping[str, Several] = _NONE,
        rates: Mapping[str, float] = _NONE,
        today: datetime.date | None = None,
    ) -> None:
        self.catalogue, self.spellings = catalogue, Spellings(values)
        self._base, self._columns, self._several = table, columns, several
        self._rates, self._today = rates, today
        shown = catalogue.schema.entity.columns
        self._entity = {name: entity.get(name, name) for name in shown}
        named = [*columns.values(), *entity.values()]
        missing = [name for name in dict.fromkeys(named) if name not in table.columns]
        if missing:
            there = ", ".join(table.columns[:10])
            raise StoreError(f"The table has no column {', '.join(missing)}.\nIt has: {there}.")

    @property
    def today(self) -> datetime.date:
        return self._today or datetime.date.today()

    def scan(self) -> PlainScan:
        return PlainScan(ViewFields(self), self._rates)

    def has(self, token: str) -> bool:
        """Whether a field has a column."""
        return token in self._columns or token in self._several

    def column(self, token: str) -> Value:
        """The value of a field: a number, a number of days, or one spelling of a value."""
        stored = self._stored(token)
        if token in (self.catalogue.dates or ()):
            return dates.days(stored)
        type_ = self.catalogue.fields[token].type
        if type_ in self.catalogue.value_types:
            return self._one_spelling(token, stored)
        if type_ not in self.catalogue.schema.number_types:
            return stored.cast("string")
        number = stored.cast("float64")
        return number.nullif(float("nan")) if stored.type().is_floating() else number

    def period(self, token: str, unit: str) -> Value:
        """The number of a period of a date."""
        return dates.period(self._stored(token), unit)

    def members(self, token: str) -> Table:
        """The values of a field with several per row. Columns: `ROW` and `value`."""
        at = self._several.get(token)
        if at is None:
            raise self._absent(token)
        value = self._one_spelling(token, self._typed(token, at.table[at.column]))
        key, own = at.table[at.key], self._shown()[self.catalogue.schema.entity.key]
        key = key if key.type() == own.type() else key.cast(own.type())
        table = at.table.select(**{ROW: key, "value": value})
        return table.filter(table.value.notnull())

    def rows(self, columns: Mapping[str, Value]) -> Table:
        """A row per entity. Columns: `ROW`, those of the schema's entity, and the given ones."""
        shown = self._shown()
        key = shown[self.catalogue.schema.entity.key]
        return self._base.select(**{ROW: key, **shown, **columns})

    def _shown(self) -> dict[str, Value]:
        """The columns of the schema's entity; the number of the row where there is none."""
        base = self._base
        return {
            name: base[column] if column in base.columns else ibis.row_number() + 1
            for name, column in self._entity.items()
        }

    def _one_spelling(self, token: str, stored: Value) -> Value:
        others = self.spellings.others(token)
        if stored.type().is_string() and not all(isinstance(each, str) for each in others):
            others = {}  # a column without a type
        return stored.cases(*others.items(), else_=stored) if others else stored

    def _stored(self, token: str) -> Value:
        name = self._columns.get(token)
        if name is None:
            raise self._absent(token)
        return self._typed(token, self._base[name])

    def _typed(self, token: str, column: Value) -> Value:
        """The column with a type, if the store gives it none, as where all values are missing."""
        if not (column.type().is_null() or column.type().is_unknown()):
            return column
        numbers = self.catalogue.schema.number_types
        is_number = self.catalogue.fields[token].type in numbers
        is_date = token in (self.catalogue.dates or ())
        return column.cast("float64" if is_number and not is_date else "string")

    def _absent(self, token: str) -> StoreError:
        return StoreError(f"The table has no column for {token}.")


@final
class ViewFields:
    """The columns of a view that one query reads."""

    engine = ENGINE

    def __init__(self, source: ViewSource) -> None:
        self._source = source
        self._many = source.catalogue.schema.many
        self._asked: dict[str, Value] = {}
        self._listed: dict[str, Table] = {}

    def has(self, token: str) -> bool:
        return self._source.has(token)

    def key(self) -> Value:
        return ibis._[self._source.catalogue.schema.entity.key]

    def column(self, token: str) -> Value:
        if token in self._many:
            self._listed[token] = self._source.members(token)
        else:
            self._asked[token] = self._source.column(token)
        return ibis._[token]

    def period(self, token: str, unit: str) -> Value:
        name = f"{token} {unit}"
        self._asked[name] = self._source.period(token, unit)
        return ibis._[name]

    def holds(self, token: str, values: Collection[Stored]) -> Value:
        return holding(self._source.members(token), values)

    def members(self, token: str) -> Table:
        return self._source.members(token)

    def table(self) -> Table:
        table = self._source.rows(self._asked)
        for token, members in self._listed.items():
            table = with_list(table, token, members)
        return table
