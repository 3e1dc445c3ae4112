"""A table that questions are asked about: its description, its catalogue, and its answers.

A file or a database goes in, as a user would give it; nothing here knows which set it belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.domain import DomainParts, TableDomain
from grammax.tables.form.tree import LogicalForm
from grammax.tables.inspect.description import ColumnDescription, TableDescription
from grammax.tables.inspect.inspection import inspect_data
from grammax.tables.inspect.source import DataSource
from grammax.tables.own.catalogue import (
    catalogue_of,
    has_values,
    stored_values,
    type_of,
    value_tokens,
)
from grammax.tables.own.domain import BASE_MODEL, QUESTIONS, TRAINING, OwnTable
from grammax.tables.query.store import Store
from grammax.tables.wording.values import YES

EVERY_ROW: Final = 100_000
_LONG: Final = 60.0  # seconds


@dataclass(frozen=True)
class Found:
    """The rows of an answer; the first `own` columns say which entity a row is."""

    rows: Sequence[tuple[Any, ...]]
    own: int


@dataclass(frozen=True, eq=False)
class World:
    """A table, and what is needed to ask it; without rows it has no store."""

    name: str
    description: TableDescription
    catalogue: Catalogue
    domain: TableDomain
    store: Store | None = None

    def token_of(self, column: ColumnDescription, stored: str) -> str | None:
        """The token of a value that a column holds, whatever its capitals and blanks."""
        return self._by_value[column.name].get(stored.strip().casefold())

    def boolean_of(self, column: ColumnDescription, wanted: bool) -> str | None:
        """The token of yes or no, however a column of them is written."""
        values = self.values_of(column).items()
        return next((t for t, stored in values if (stored.casefold() in YES) is wanted), None)

    def values_of(self, column: ColumnDescription) -> dict[str, str]:
        """The tokens of a column's values, with the values as they are stored."""
        of_type = self._tokens[type_of(column)]
        return {of_type[stored]: stored for stored in stored_values(column)}

    def rows(self, form: LogicalForm) -> Found:
        """The answer to a form, with values as they are stored."""
        assert self.store is not None
        answer = self.store.answer(form, EVERY_ROW, _LONG)
        rows = [tuple(self._stored.get(cell, cell) for cell in row) for row in answer.token_rows]
        return Found(rows, 0 if answer.summary else len(self.catalogue.schema.entity.columns))

    @cached_property
    def _tokens(self) -> dict[str, dict[str, str]]:
        return value_tokens(self.description.used)

    @cached_property
    def _stored(self) -> dict[Any, str]:
        of_types = self._tokens.values()
        return {token: stored for of_type in of_types for stored, token in of_type.items()}

    @cached_property
    def _by_value(self) -> dict[str, dict[str, str]]:
        return {
            column.name: {s.strip().casefold(): t for t, s in self.values_of(column).items()}
            for column in self.description.used
            if has_values(column)
        }


def world_of(data: DataSource, table: str | None, name: str) -> World:
    """The world of a table of a file; None is the table that the inspection chooses."""
    own = OwnTable(data, inspect_data(data, table))
    return World(name, own.description, own.catalogue, own.domain(), own.store())


def world_without_rows(description: TableDescription, name: str) -> World:
    """The world of a table of which only the columns and values are known."""
    catalogue = catalogue_of(description, name)
    parts = DomainParts(
        nouns=description.entity.names,
        start=BASE_MODEL,
        training=TRAINING,
        sizes={"train": QUESTIONS, "test": 0, "hard": 0},
    )
    return World(name, description, catalogue, TableDomain(catalogue, parts))
