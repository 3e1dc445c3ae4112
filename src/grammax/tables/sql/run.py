"""Connections and runners: queries run read-only and within a time limit on any store.

A URL is one that Ibis takes (`duckdb:///films.duckdb`, `sqlite:///films.sqlite`,
`postgres://reader@db/films`), or `parquet://FOLDER` or `csv://FOLDER`: every file of the folder is
a table, named like the file without its suffix.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDone
from pathlib import Path
from threading import Event, Lock, Thread, Timer
from time import monotonic
from typing import Any, Final, final

import duckdb
import ibis
from ibis.common.exceptions import IbisError

from grammax.tables.query.source import Row, Runner, StoreError, TooSlow

_SHORTEST: Final = 0.001  # seconds; PostgreSQL takes 0 for no limit
_BATCH: Final = 5_000  # rows
_LOCKED: Final = 3.0  # seconds to wait for a program that writes
_STEPS: Final = 10_000  # instructions of SQLite's machine between two checks of the clock


def connect(url: str, folder: Path | None = None) -> Any:
    """The Ibis connection of a URL, read-only if the store supports it.

    Paths of `parquet://` and `csv://` are relative to `folder`.
    """
    scheme, _, rest = url.partition("://")
    try:
        if scheme in ("parquet", "csv"):
            return _files((folder or Path()) / rest, scheme)
        if scheme == "sqlite" and rest.partition("?")[0]:
            return open_sqlite(Path(rest.partition("?")[0]))
        options = {"read_only": True} if scheme == "duckdb" else {}
        return ibis.connect(url, **options)
    except Exception as error:
        reason = str(error).partition("\n")[0]
        hint = "Check the URL."
        if isinstance(error, ImportError | ValueError | AttributeError):
            hint = f"The driver may be missing: pip install 'ibis-framework[{scheme}]'."
        raise StoreError(f"The store cannot be reached ({scheme}): {reason}\n{hint}") from error


def open_duckdb(path: Path) -> Any:
    """The Ibis connection of a DuckDB file, read-only."""
    return ibis.duckdb.connect(path.absolute(), read_only=True)


def open_sqlite(path: Path) -> Any:
    """The Ibis connection of a SQLite file, which SQLite does not write to or create.

    Made by hand: `ibis.sqlite.connect` opens it for writing, and imports pandas.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, timeout=_LOCKED)
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except sqlite3.OperationalError as error:
        connection.close()
        log = path.with_name(f"{path.name}-wal")
        if "locked" in str(error) or (log.exists() and log.stat().st_size):
            raise
        # With a write-ahead log SQLite needs files beside it, also to read; this folder permits
        # none, and nobody is writing.
        connection = sqlite3.connect(f"{uri}&immutable=1", uri=True)
    return ibis.sqlite.from_connection(connection)


def runner_for(connection: Any) -> Runner:
    """The runner for an Ibis connection."""
    match connection.name:
        case "duckdb":
            return DuckRunner(connection)
        case "postgres":
            return PostgresRunner(connection)
        case "sqlite":
            return SqliteRunner(connection)
        case _:
            return AnyRunner(connection)


def _files(folder: Path, ending: str) -> Any:
    """DuckDB in memory, with one view per file of a folder; it may read only those files."""
    files = sorted(folder.glob(f"*.{ending}"))
    if not files:
        raise StoreError(f"{folder} has no files *.{ending}.")
    connection = ibis.duckdb.connect()
    for file in files:
        read = connection.con.read_parquet if ending == "parquet" else connection.con.read_csv
        read(str(file)).create_view(
            file.stem
        )  # Ibis would create a view that only this cursor sees
    return seal(connection, files)


def seal(connection: Any, files: Iterable[Path]) -> Any:
    """The DuckDB connection, which may read nothing but these files from now on."""
    connection.con.execute("SET allowed_paths = $1", [[str(file) for file in files]])
    connection.con.execute("SET enable_external_access = false")
    connection.con.execute("SET lock_configuration = true")
    return connection


@final
class DuckRunner:
    """DuckDB in this process, interrupted by a timer; threads may run queries side by side."""

    instant = False

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._lock = Lock()  # for creating cursors

    def compile(self, expression: Any) -> str:
        return _compiled(self._connection, expression)

    def run(self, compiled: str, seconds: float) -> list[Row]:
        with self._lock:
            cursor = self._connection.con.cursor()
        expired, finished = Event(), Event()
        turn = Lock()  # an interrupt must not reach a closed cursor

        def stop() -> None:
            with turn:
                if not finished.is_set():
                    expired.set()
                    cursor.interrupt()

        timer = Timer(max(seconds, 0), stop)
        timer.daemon = True
        timer.start()
        try:
            rows: list[Row] = cursor.execute(compiled).fetchall()
        except duckdb.InterruptException:
            raise TooSlow(seconds) from None
        except duckdb.Error as error:
            raise _failed(error) from error
        finally:
            with turn:
                finished.set()
            timer.cancel()
            cursor.close()
            timer.join()  # at exit it would hold the cursor, and DuckDB would call it a leak
        if expired.is_set():
            raise TooSlow(seconds)
        return rows

    def close(self) -> None:
        self._connection.disconnect()


@final
class PostgresRunner:
    """PostgreSQL, which enforces the time limit itself; transactions are read-only."""

    instant = False

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._lock = Lock()  # one connection serves one query at a time

    def compile(self, expression: Any) -> str:
        return _compiled(self._connection, expression)

    def run(self, compiled: str, seconds: float) -> list[Row]:
        import psycopg

        with self._lock:
            try:
                try:
                    return self._rows(compiled, seconds)
                except psycopg.Error:
                    if not self._connection.con.closed:
                        raise
                # The server went away since the last query; it may be back.
                self._connection.reconnect()
                return self._rows(compiled, seconds)
            except psycopg.errors.QueryCanceled:
                raise TooSlow(seconds) from None
            except psycopg.Error as error:
                raise _failed(error) from error

    def _rows(self, compiled: str, seconds: float) -> list[Row]:
        raw, limit = self._connection.con, int(max(seconds, _SHORTEST) * 1000)
        with raw.transaction(), raw.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(limit)])
            cursor.execute(compiled.encode())
            return list(cursor.fetchall())

    def close(self) -> None:
        self._connection.disconnect()


@final
class SqliteRunner:
    """A SQLite file, opened for each query, because a connection belongs to one thread."""

    instant = False

    def __init__(self, connection: Any) -> None:
        [[_, _, path]] = connection.con.execute("PRAGMA database_list").fetchall()
        self._path, self._connection = path, connection

    def compile(self, expression: Any) -> str:
        return _compiled(self._connection, expression)

    def run(self, compiled: str, seconds: float) -> list[Row]:
        return [row for batch in self.batches(compiled, seconds) for row in batch]

    def batches(self, compiled: str, seconds: float) -> Iterator[list[Row]]:
        """The rows, some thousands at a time."""
        end = monotonic() + seconds
        if not Path(self._path).exists():
            raise StoreError(f"{self._path} is no longer there.")
        try:
            connection = open_sqlite(Path(self._path))
        except sqlite3.Error as error:
            raise _failed(error) from error
        try:
            connection.con.execute("PRAGMA query_only = true")
            # SQLite's own function leaves letters outside ASCII as they are.
            connection.con.create_function("lower", 1, _lower, deterministic=True)
            connection.con.set_progress_handler(lambda: monotonic() > end, _STEPS)
            cursor = connection.con.execute(compiled)
            while batch := cursor.fetchmany(_BATCH):
                yield batch
        except sqlite3.Error as error:
            if monotonic() > end:
                raise TooSlow(seconds) from None
            raise _failed(error) from error
        finally:
            connection.disconnect()
        if monotonic() > end:
            raise TooSlow(seconds)

    def close(self) -> None:
        self._connection.disconnect()


@final
class AnyRunner:
    """Any other store that Ibis supports; after the time limit its answer is discarded."""

    instant = False

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def compile(self, expression: Any) -> Any:
        return expression

    def run(self, compiled: Any, seconds: float) -> list[Row]:
        found: Future[list[Row]] = Future()

        def work() -> None:
            try:
                table = self._connection.to_pyarrow(compiled)
                found.set_result([tuple(row.values()) for row in table.to_pylist()])
            except Exception as error:
                found.set_exception(error)

        Thread(target=work, daemon=True).start()
        try:
            return found.result(timeout=max(seconds, 0))
        except NotDone:
            raise TooSlow(seconds) from None
        except Exception as error:
            raise _failed(error) from error

    def close(self) -> None:
        self._connection.disconnect()


def _compiled(connection: Any, expression: Any) -> str:
    try:
        return str(connection.compile(expression))
    except IbisError as error:
        reason = str(error).partition("\n")[0]
        raise StoreError(f"This store cannot answer the query: {reason}") from error


def _lower(value: object) -> str | None:
    return None if value is None else str(value).lower()


def _failed(error: Exception) -> StoreError:
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    low = reason.lower()
    hint = next((hint for words, hint in _HINTS if any(word in low for word in words)), "")
    return StoreError(f"The store could not answer: {reason}" + (f"\n{hint}" if hint else ""))


_HINTS: Final = (
    (("does not exist", "no such column", "no such table", "binder error", "catalog error",
      "no files found"),
     "The table may have changed since it was opened. Open it again."),
    (("connection failed", "connection is bad", "connection is lost", "connection is closed",
      "server closed", "terminating connection"),
     "The database went away. Check that it runs; the next query connects again."),
)  # fmt: skip
"""Words of drivers, in lower case, and what to do next."""
