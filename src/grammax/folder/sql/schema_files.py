"""Reads a `Schema` from CREATE TABLE statements, or from a SQLite file.

Statements are read by sqlglot, in SQLite's dialect; other statements of the file, such as INSERT,
are left out. A SQLite file is opened read-only.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from grammax.errors import FileFormatError, GrammaxError
from grammax.folder.sql.schema import Schema, make_schema

DIALECT: Final = "sqlite"
_MAGIC: Final = b"SQLite format 3\x00"
_NUMBERS: Final = ("INT", "REAL", "FLOA", "DOUB", "NUM", "DEC", "MONEY", "BOOL", "BIT", "YEAR")
_Key = tuple[str, tuple[str, ...], str, tuple[str, ...]]
_Tables = dict[str, list[tuple[str, bool]]]


class SqlMissing(GrammaxError):
    """sqlglot is not installed."""


def sqlglot() -> Any:
    """The package sqlglot; `SqlMissing` says how to install it."""
    try:
        import sqlglot as package
    except ModuleNotFoundError:
        raise SqlMissing('SQL folders need sqlglot: pip install "grammax[sql]"') from None
    return package


def read_schema(path: Path) -> Schema:
    """The schema of a file of CREATE TABLE statements, or of a SQLite file."""
    try:
        with path.open("rb") as file:
            beginning = file.read(len(_MAGIC))
            if beginning == _MAGIC:
                return database_schema(path)
            text = (beginning + file.read()).decode("utf-8-sig")
    except FileNotFoundError:
        raise FileFormatError(
            f"{path}: there is no such schema. Give a file of CREATE TABLE statements, or a SQLite "
            f"file."
        ) from None
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{path}: byte {error.start} is not UTF-8, and it is not a SQLite file: save the "
            f"schema as CREATE TABLE statements in UTF-8."
        ) from None
    return parse_schema(text, str(path))


def is_database(path: Path) -> bool:
    """Whether a file is one of SQLite."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def parse_schema(text: str, where: str = "the schema") -> Schema:
    """The schema of CREATE TABLE statements.

    >>> schema = parse_schema("CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT);")
    >>> [(column.token, column.is_number) for column in schema.tables[0].columns]
    [('film.id', True), ('film.title', False)]
    """
    package = sqlglot()
    exp = package.exp
    try:
        statements = package.parse(text, dialect=DIALECT)
    except package.errors.SqlglotError as error:
        raise FileFormatError(
            f"{where} cannot be read as SQL: {first_line(error)}. It needs CREATE TABLE statements "
            f"that SQLite understands."
        ) from None
    tables: _Tables = {}
    keys: list[_Key] = []
    for statement in statements:
        if isinstance(statement, exp.Create) and isinstance(statement.this, exp.Schema):
            name = statement.this.this.name
            if any(each.casefold() == name.casefold() for each in tables):
                raise FileFormatError(f"{where}: the table {name} is created twice")
            parts = statement.this.expressions
            tables[name] = _columns(exp, parts, name, where)
            keys += _keys(exp, parts, name)
    return make_schema(tables, keys, where)


def _columns(exp: Any, parts: list[Any], table: str, where: str) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    for part in parts:
        if isinstance(part, exp.ColumnDef):
            if any(part.name.casefold() == name.casefold() for name, _ in found):
                raise FileFormatError(
                    f"{where}: the table {table} has the column {part.name} twice"
                )
            found.append((part.name, part.kind is not None and is_number(part.kind.sql(DIALECT))))
        elif isinstance(part, exp.Identifier):  # a column without a type
            found.append((part.name, False))
    return found


def _keys(exp: Any, parts: list[Any], table: str) -> Iterator[_Key]:
    for part in parts:
        for key in part.find_all(exp.ForeignKey):
            columns = tuple(each.name for each in key.expressions)
            yield (table, columns, *_reference(exp, key.args["reference"]))
        if isinstance(part, exp.ColumnDef):
            for constraint in part.constraints:
                if isinstance(constraint.kind, exp.Reference):
                    yield (table, (part.name,), *_reference(exp, constraint.kind))


def _reference(exp: Any, reference: Any) -> tuple[str, tuple[str, ...]]:
    target = reference.this
    if isinstance(target, exp.Schema):
        return target.this.name, tuple(each.name for each in target.expressions)
    return target.name, ()


def is_number(declared: str) -> bool:
    """Whether the declared type of a column is one of numbers, by SQLite's rules of affinity.

    >>> is_number("VARCHAR(20)"), is_number("decimal(8, 2)"), is_number("")
    (False, True, False)
    """
    return any(name in declared.upper() for name in _NUMBERS)


def database_schema(path: Path) -> Schema:
    """The schema of a SQLite file."""
    tables: _Tables = {}
    keys: list[_Key] = []
    try:
        with closing(open_database(path)) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                "ORDER BY rowid"
            ).fetchall()
            for (name,) in names:
                tables[name] = [
                    (column, is_number(declared or ""))
                    for column, declared in connection.execute(
                        "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", [name]
                    )
                ]
                listed: dict[int, list[tuple[str, str, str | None]]] = {}
                for number, target, column, other in connection.execute(
                    'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) '
                    "ORDER BY id, seq",
                    [name],
                ):
                    listed.setdefault(number, []).append((target, column, other))
                for _, some in sorted(listed.items(), reverse=True):  # as they were declared
                    others = tuple(each for *_, each in some if each is not None)
                    keys.append((name, tuple(column for _, column, _ in some), some[0][0], others))
    except sqlite3.Error as error:
        raise FileFormatError(f"{path} cannot be read as a SQLite file: {error}") from None
    return make_schema(tables, [key for key in keys if _leads_somewhere(key, tables)], str(path))


def _leads_somewhere(key: _Key, tables: _Tables) -> bool:
    """Whether the columns of a foreign key are there; SQLite permits keys that lead to nothing."""
    _, columns, target, others = key
    known = {name.casefold(): some for name, some in tables.items()}.get(target.casefold())
    there = {name.casefold() for name, _ in known or ()}
    fits = len(others) in (0, len(columns)) and len(columns) <= len(there)
    return known is not None and fits and {name.casefold() for name in others} <= there


def open_database(path: Path) -> sqlite3.Connection:
    """A connection to a SQLite file that can only read it, and does not create it."""
    if not path.is_file():
        raise FileFormatError(f"{path}: there is no such database. Give a SQLite file.")
    if not is_database(path):
        hint = f" `sqlite3 data.sqlite < {path.name}` makes one." if path.suffix == ".sql" else ""
        raise FileFormatError(
            f"{path} is not a SQLite file, the only kind of database that SQL folders read.{hint}"
        )
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    connection.text_factory = _text
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def first_line(error: Exception) -> str:
    """The first line of a message of sqlglot, without the signs by which it underlines."""
    line = str(error).partition("\n")[0].strip()
    return line.replace("\x1b[4m", "").replace("\x1b[0m", "").rstrip(".")
