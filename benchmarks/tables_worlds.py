"""A table that questions are asked about: its description, catalogue, and a store that answers.

A file or a database goes in, as a user would give it; nothing here knows which set it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.tree import LogicalForm
from grammax.tables.inspect.description import ColumnDescription, TableDescription, ValueType
from grammax.tables.inspect.inspection import inspect_data
from grammax.tables.inspect.links import wide_view
from grammax.tables.inspect.source import DataSource, open_data
from grammax.tables.inspect.tokens import distinct_prefixes, distinct_tokens
from grammax.tables.own.catalogue import catalogue_of, type_of, value_tokens
from grammax.tables.query.spellings import Stored
from grammax.tables.query.store import Store
from grammax.tables.semantics import SemanticClass
from grammax.tables.sql.view import ViewSource

EVERY_ROW: Final = 100_000
_BOOLEANS: Final = ("true", "false")


@dataclass(frozen=True)
class World:
    """A table, and what is needed to ask it; without rows it has no store."""

    name: str
    description: TableDescription
    catalogue: Catalogue
    store: Store | None = None

    def token_of(self, column: ColumnDescription, stored: str) -> str | None:
        """The token of a value as the table holds it, or as it is without capitals."""
        return self._tokens(column).get(stored.casefold())

    def values_of(self, column: ColumnDescription) -> dict[str, str]:
        """The tokens of a column's values, with the values as they are stored."""
        own = {value for value, _ in column.facts.values}
        tokens = value_tokens(self.description.used)[type_of(column)]
        return {token: stored for stored, token in tokens.items() if stored in own}

    def _tokens(self, column: ColumnDescription) -> dict[str, str]:
        return {stored.casefold(): token for token, stored in self.values_of(column).items()}

    def rows(self, form: LogicalForm) -> Found:
        """The answer to a form, with values as they are stored."""
        assert self.store is not None
        answer = self.store.answer(form, limit=EVERY_ROW)
        stored: dict[str, str] = {}
        for column in self.description.used:
            if column.enumerated:
                stored |= self.values_of(column)
        rows = [
            tuple(stored.get(cell, cell) if isinstance(cell, str) else cell for cell in row)
            for row in answer.token_rows
        ]
        own = 0 if answer.summary else len(self.catalogue.schema.entity.columns)
        return Found(rows, own)


@dataclass(frozen=True)
class Found:
    """The rows of an answer; the first `own` columns say which entity a row is."""

    rows: Sequence[tuple[Any, ...]]
    own: int


@contextmanager
def opened(path: Path) -> Iterator[DataSource]:
    """Data that is opened for reading."""
    with open_data(path) as data:
        yield data


def world_of(data: DataSource, table: str | None, name: str) -> World:
    """The world of a table; None is the table that the inspection chooses."""
    description = with_booleans(inspect_data(data, table))
    catalogue = catalogue_of(description, name)
    return World(name, description, catalogue, _store(data, description, catalogue))


def with_booleans(description: TableDescription) -> TableDescription:
    """Columns of yes and no as columns of two values, where the inspection left them as texts."""
    plain = [c for c in description.used if c.semantic is SemanticClass.BOOLEAN and not c.enumerated]
    types = distinct_tokens("", [f"{column.token}_IS" for column in plain])
    taken = frozenset(column.prefix for column in description.used)
    prefixes = distinct_prefixes(types, taken)
    values = tuple((value, 1) for value in _BOOLEANS)
    made = {
        column.name: replace(
            column, enumerated=True, values_of=type_, prefix=prefix, many="",
            facts=replace(column.facts, type=ValueType.BOOLEAN, values=values, distinct=2),
        )
        for column, type_, prefix in zip(plain, types, prefixes, strict=True)
    }  # fmt: skip
    columns = (made.get(column.name, replace(column, many="")) for column in description.columns)
    return replace(description, columns=tuple(columns))


def _store(data: DataSource, description: TableDescription, catalogue: Catalogue) -> Store:
    table = wide_view(data, description)
    columns = {c.token: c.name for c in description.used if c.token in catalogue.fields}
    tokens = value_tokens(description.used)
    values: dict[str, dict[str, Sequence[Stored]]] = {}
    for column in description.used:
        if column.enumerated:
            of_type, own = tokens[type_of(column)], {value for value, _ in column.facts.values}
            kind = table[column.name].type()
            values[column.token] = {
                token: (_stored(value, kind),) for value, token in of_type.items() if value in own
            }
    source = ViewSource(catalogue, table, columns, values=values, today=date(2020, 1, 1))
    return Store(source, data.runner, catalogue)


def _stored(value: str, kind: Any) -> Stored:
    """A value that was counted as a text, of the type that the column has."""
    if kind.is_boolean():
        return value == _BOOLEANS[0]
    if kind.is_integer():
        return int(float(value))
    return float(value) if kind.is_numeric() else value
