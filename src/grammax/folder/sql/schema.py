"""`Schema`: the tables of a database, their columns, and the keys by which they are joined.

Goes in: tables and foreign keys, as `schema_files` reads them. Comes out: tables and columns by
name, in upper or lower case, and the tokens that stand for them in bracketed forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

from grammax.errors import FileFormatError

SECOND: Final = "#"  # between a table and the number of its instance, where it is joined to itself
_SIGN: Final = re.compile(r"\W")


@final
@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    table: str
    name: str
    is_number: bool
    token: str  # as in "film.year"


@final
@dataclass(frozen=True, slots=True)
class Table:
    """A table and its columns."""

    name: str
    token: str
    columns: tuple[Column, ...]

    def column(self, name: str) -> Column | None:
        """The column of this name, in upper or lower case."""
        wanted = name.casefold()
        return next((each for each in self.columns if each.name.casefold() == wanted), None)


@final
@dataclass(frozen=True, slots=True)
class Link:
    """Columns of two tables that are equal where the tables are joined, by their tokens."""

    columns: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def reversed(self) -> Link:
        """The same link from the other table."""
        return Link(self.others, self.columns)


@final
@dataclass(frozen=True)
class Schema:
    """The tables of a database, and the links between them that foreign keys declare.

    >>> schema = make_schema({"film": [("id", True), ("title", False)]})
    >>> schema.table("FILM").column("Title").token
    'film.title'
    """

    tables: tuple[Table, ...]
    links: tuple[Link, ...] = ()

    def table(self, name: str) -> Table | None:
        """The table of this name, in upper or lower case."""
        return self._by_name.get(name.casefold())

    def owners(self, column: str) -> list[str]:
        """The names of the tables that have a column of this name."""
        return [table.name for table in self.tables if table.column(column) is not None]

    @cached_property
    def tables_by_token(self) -> dict[str, Table]:
        """The tables by their tokens."""
        return {table.token: table for table in self.tables}

    @cached_property
    def columns_by_token(self) -> dict[str, Column]:
        """The columns of all tables by their tokens."""
        return {column.token: column for table in self.tables for column in table.columns}

    @cached_property
    def _by_name(self) -> dict[str, Table]:
        return {table.name.casefold(): table for table in self.tables}


def make_schema(
    tables: dict[str, list[tuple[str, bool]]],
    keys: Iterable[tuple[str, tuple[str, ...], str, tuple[str, ...]]] = (),
    where: str = "the schema",
) -> Schema:
    """The schema of tables, given as columns and whether they are numbers, and of foreign keys.

    A key is a table, its columns, the table that they refer to, and the columns there; the latter
    are the first ones of that table if they are empty.
    """
    if not tables:
        raise FileFormatError(
            f"{where} has no tables. It needs CREATE TABLE statements: give the schema with "
            f"--schema FILE.sql, or a SQLite file that has the tables."
        )
    made: list[Table] = []
    taken: set[str] = set()
    for name, columns in tables.items():
        if not columns:
            raise FileFormatError(f"{where}: the table {name} has no columns")
        token = _unused(name, taken)
        below: set[str] = set()
        made.append(
            Table(
                name,
                token,
                tuple(
                    Column(name, column, is_number, f"{token}.{_unused(column, below)}")
                    for column, is_number in columns
                ),
            )
        )
    schema = Schema(tuple(made))
    return Schema(tuple(made), tuple(_links(schema, keys, where)))


def _unused(name: str, taken: set[str]) -> str:
    """A name without signs and spaces, which no other one has."""
    plain = _SIGN.sub("_", name)
    token, number = plain, 1
    while token.casefold() in taken:
        number += 1
        token = f"{plain}_{number}"
    taken.add(token.casefold())
    return token


def _links(
    schema: Schema,
    keys: Iterable[tuple[str, tuple[str, ...], str, tuple[str, ...]]],
    where: str,
) -> Iterator[Link]:
    for table, columns, target, others in keys:
        ends = []
        for name, some in ((table, columns), (target, others)):
            found = schema.table(name)
            if found is None:
                raise FileFormatError(
                    f"{where}: a foreign key of {table} refers to the table {name}, which is not "
                    f"there. Add its CREATE TABLE statement, or remove the key."
                )
            listed = some or tuple(each.name for each in found.columns[: len(columns)])
            tokens = []
            for each in listed:
                column = found.column(each)
                if column is None:
                    raise FileFormatError(
                        f"{where}: a foreign key of {table} has the column {name}.{each}, which is "
                        f"not there; the columns of {name} are "
                        f"{', '.join(c.name for c in found.columns)}"
                    )
                tokens.append(column.token)
            ends.append(tuple(tokens))
        if len(ends[0]) != len(ends[1]):
            raise FileFormatError(
                f"{where}: a foreign key of {table} has {len(ends[0])} columns, and refers to "
                f"{len(ends[1])} of {target}; it must refer to as many"
            )
        yield Link(ends[0], ends[1])
