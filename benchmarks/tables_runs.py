"""Runs gold queries on the files of a set, read-only.

Some columns of the databases have numbers that are stored as texts, with "null" for none: there
SQLite counts 40 as more than 150, and "null" as the greatest. Such a gold is run a second time with
these texts read as numbers, and either result is right.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
from tables_match import Gold, gold_of


class Runs:
    """The gold queries of one file."""

    def __init__(self, source: Path) -> None:
        self._connections: list[Any] = []
        self._dialect = "duckdb" if source.suffix == ".csv" else "sqlite"
        if source.suffix == ".csv":
            memory = duckdb.connect()
            memory.read_csv(str(source)).create_view(source.stem)
            self._connections = [memory]
        else:
            typed = _connected(source)
            for table in _tables(typed):
                _read_as_numbers(typed, table)
            self._connections = [_connected(source), typed]

    def golds(self, sql: str, question: str) -> list[Gold]:
        """What is right for a gold query."""
        runs = [partial(_fetched, each) for each in self._connections]
        return [gold_of(sql, question, run, self._dialect) for run in runs]

    def close(self) -> None:
        """Close the file."""
        for connection in self._connections:
            connection.close()


def _connected(source: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{source}?mode=ro", uri=True)


def _fetched(connection: Any, sql: str) -> list[tuple[Any, ...]]:
    return list(connection.execute(sql).fetchall())


def _tables(connection: sqlite3.Connection) -> list[str]:
    found = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return [name for (name,) in connection.execute(found)]


def _read_as_numbers(connection: sqlite3.Connection, table: str) -> None:
    """A temporary view in front of a table whose texts are numbers."""
    with closing(connection.execute(f"SELECT * FROM {_quoted(table)}")) as cursor:
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
    texts = [name for at, name in enumerate(names) if _are_numbers([row[at] for row in rows])]
    if texts:
        shown = (_number(name) if name in texts else _quoted(name) for name in names)
        view = f"CREATE TEMP VIEW {_quoted(table)} AS SELECT {', '.join(shown)}"
        connection.execute(f"{view} FROM main.{_quoted(table)}")


def _are_numbers(cells: list[Any]) -> bool:
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    numbers = [text for text in texts if text.lower() != "null"]
    try:
        return bool([float(text) for text in numbers])
    except ValueError:
        return False


def _number(name: str) -> str:
    column = _quoted(name)
    text = f"nullif(nullif(lower(trim({column})), ''), 'null')"
    return f"CAST({text} AS NUMERIC) AS {column}"


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
