"""A SQLite file, opened for each query; it gets the functions that SQLite lacks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, final

import ibis

from grammax.tables.query.source import Row, StoreDown
from grammax.tables.sql.stores.compile import to_sql
from grammax.tables.sql.stores.failures import failed
from grammax.tables.sql.stores.limits import limited

_BATCH: Final = 5_000  # rows
_LOCKED: Final = 3.0  # seconds to wait for a program that writes


def open_sqlite(path: Path) -> Any:
    """The Ibis connection of a SQLite file, which SQLite does not write to or create.

    Made by hand: `ibis.sqlite.connect` opens it for writing, and imports pandas.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, timeout=_LOCKED, check_same_thread=False)
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except sqlite3.OperationalError as error:
        connection.close()
        log = path.with_name(f"{path.name}-wal")
        if "locked" in str(error) or (log.exists() and log.stat().st_size):
            raise
        # With a write-ahead log SQLite needs files beside it, also to read; this folder permits
        # none, and nobody is writing.
        connection = sqlite3.connect(f"{uri}&immutable=1", uri=True, check_same_thread=False)
    return ibis.sqlite.from_connection(connection)


@final
class SqliteRunner:
    """A SQLite file, opened for each query, because a connection belongs to one thread."""

    instant = False

    def __init__(self, connection: Any) -> None:
        [[_, _, path]] = connection.con.execute("PRAGMA database_list").fetchall()
        self._path, self._connection = path, connection

    def compile(self, expression: Any) -> str:
        return to_sql(self._connection, expression)

    def run(self, compiled: str, seconds: float) -> list[Row]:
        return [row for batch in self.batches(compiled, seconds) for row in batch]

    def batches(self, compiled: str, seconds: float) -> Iterator[list[Row]]:
        """The rows, some thousands at a time."""
        if not Path(self._path).exists():
            raise StoreDown(f"{self._path} is no longer there.")
        try:
            connection = open_sqlite(Path(self._path))
        except sqlite3.Error as error:
            raise failed(error) from error
        try:
            add_functions(connection.con)
            connection.con.execute("PRAGMA query_only = true")
            with limited(seconds, connection.con.interrupt) as limit:
                try:
                    cursor = connection.con.execute(compiled)
                    while batch := cursor.fetchmany(_BATCH):
                        yield batch
                except sqlite3.Error as error:
                    raise (limit.interrupted or failed(error)) from error
        finally:
            connection.disconnect()

    def close(self) -> None:
        self._connection.disconnect()


def add_functions(connection: Any) -> None:
    """Give a connection the functions that SQLite lacks, see `functions`."""
    # SQLite's own function leaves letters outside ASCII as they are.
    connection.create_function("lower", 1, _lower, deterministic=True)
    connection.create_aggregate("grammax_quantile", 2, _Quantile)
    connection.create_aggregate("grammax_sorted", 2, _Sorted)


def _lower(value: object) -> str | None:
    return None if value is None else str(value).lower()


class _Quantile:
    """The number that a share of the known numbers is below, between two of them."""

    def __init__(self) -> None:
        self._numbers: list[float] = []
        self._share = 0.0

    def step(self, value: float | None, share: float) -> None:
        self._share = share
        if value is not None:
            self._numbers.append(value)

    def finalize(self) -> float | None:
        if not self._numbers:
            return None
        numbers = sorted(self._numbers)
        position = self._share * (len(numbers) - 1)
        low = int(position)
        high = min(low + 1, len(numbers) - 1)
        return numbers[low] + (numbers[high] - numbers[low]) * (position - low)


class _Sorted:
    """The known texts in one, in order."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._separator = ""

    def step(self, value: object, separator: str) -> None:
        self._separator = separator
        if value is not None:
            self._texts.append(str(value))

    def finalize(self) -> str | None:
        return self._separator.join(sorted(self._texts)) if self._texts else None
