"""`PlainSource`: tables in which every field is a column and values have no time.

The usual case is one table with one row per entity. A field may also be in another table that
refers to the entity by a key, and a field with several values per row always is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, final

import ibis

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.engine import Table, Value
from grammax.tables.query.source import NotMapped, PlainScan, StoreError, column_name
from grammax.tables.query.spellings import TOKENS
from grammax.tables.sql.expressions import ROW, EntityColumns, Layout

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


@final
@dataclass(frozen=True, slots=True)
class Location:
    """The column that holds a field, and the column of its table that refers to the entity."""

    table: str
    column: str
    key: str


@final
@dataclass(frozen=True, slots=True)
class PlainLayout:
    """A `Layout` of columns in tables of any store."""

    catalogue: Catalogue
    table: str  # one row per entity
    key: str  # of that table; other tables refer to an entity by it
    columns: Mapping[str, str]  # of that table, for each column of the schema's entity
    fields: Mapping[str, Location]
    values: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: _NONE)
    """The store's spelling of values, by field and token; by default it is the token."""
    mapping: Path | None = None  # the file that the layout was read from

    @classmethod
    def one_table(
        cls,
        catalogue: Catalogue,
        table: str,
        columns: Mapping[str, str] = _NONE,
        others: Mapping[str, Location] = _NONE,
        names: bool = False,
    ) -> PlainLayout:
        """All fields in one table, in columns named by `column_name`.

        `columns` has other names, by field and by the columns of the schema's entity, and `others`
        the fields in other tables, which include every `many` field. With `names` the store holds
        the names of values instead of their tokens.
        """
        entity = catalogue.schema.entity
        shown = {name: columns.get(name, name) for name in entity.columns}
        key = shown[entity.key]
        fields = {
            token: Location(table, columns.get(token, column_name(token)), key)
            for token in catalogue.fields
            if token not in catalogue.schema.many
        }
        return cls(
            catalogue, table, key, shown, fields | dict(others), _names(catalogue) if names else {}
        )

    def has(self, token: str) -> bool:
        """Whether a field has a column."""
        return token in self.fields

    def entities(self, tokens: Iterable[str]) -> Table:
        """The table of entities, with fields of other tables joined to it."""
        wanted = {token: self._location(token) for token in tokens}
        home = {t: at.column for t, at in wanted.items() if at.table == self.table}
        types = dict.fromkeys([self.key, *self.columns.values()], "string")
        types |= {column: self._type(token) for token, column in home.items()}
        base = named_table(self.table, types)
        columns = {ROW: base[self.key]} | {n: base[c] for n, c in self.columns.items()}
        columns |= {token: self._tokens(token, base[column]) for token, column in home.items()}
        table = base.select(**columns)
        for token, at in wanted.items():
            if token not in home:
                other = named_table(at.table, {at.key: "string", at.column: self._type(token)})
                value = self._tokens(token, other[at.column])
                other = other.select(**{"other_id": other[at.key], token: value})
                table = table.left_join(other, table[ROW] == other.other_id).drop("other_id")
        return table

    def members(self, token: str) -> Table:
        """The values of a field with several values per row."""
        at = self._location(token)
        table = named_table(at.table, {at.key: "string", at.column: "string"})
        return table.select(**{ROW: table[at.key], "value": self._tokens(token, table[at.column])})

    def _location(self, token: str) -> Location:
        found = self.fields.get(token)
        if found is not None:
            return found
        if self.mapping is not None:
            raise NotMapped(self.mapping, {token: (token,)})
        raise StoreError(f"The table {self.table} has no column for {token}.")

    def _type(self, token: str) -> str:
        enum = self.catalogue.fields[token].type in self.catalogue.value_types
        return "string" if enum else "float64"

    def _tokens(self, token: str, column: Value) -> Value:
        """The catalogue's tokens for the store's spellings; unlisted values stay unchanged."""
        values = self.values.get(token)
        if not values:
            return column
        return column.cases(*((given, value) for value, given in values.items()), else_=column)


@final
class PlainSource:
    """A source whose values have no time; `rates` convert units to the default one."""

    today = None
    spellings = TOKENS

    def __init__(
        self, catalogue: Catalogue, layout: Layout, rates: Mapping[str, float] = _NONE
    ) -> None:
        self._catalogue, self._layout, self._rates = catalogue, layout, rates

    def scan(self) -> PlainScan:
        return PlainScan(EntityColumns(self._catalogue, self._layout), self._rates)


def named_table(name: str, types: Mapping[str, str]) -> Table:
    """A table of the store, by name or as `schema.table`."""
    database, _, table = name.rpartition(".")
    return ibis.table(dict(types), name=table, database=database or None)


def _names(catalogue: Catalogue) -> dict[str, dict[str, str]]:
    """The names of the values of each enum field, by token."""
    return {
        token: {value: catalogue.name_of(value) for value in catalogue.values_of(field.type)}
        for token, field in catalogue.fields.items()
        if field.type in catalogue.value_types
    }
