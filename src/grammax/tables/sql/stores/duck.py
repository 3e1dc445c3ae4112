"""DuckDB in this process: a file, or one view per file of a folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from threading import Lock
from typing import Any, final

import duckdb
import ibis

from grammax.tables.query.source import Row, StoreError
from grammax.tables.sql.stores.compile import to_sql
from grammax.tables.sql.stores.failures import failed
from grammax.tables.sql.stores.limits import limited


def open_duckdb(path: Path) -> Any:
    """The Ibis connection of a DuckDB file, read-only."""
    return ibis.duckdb.connect(path.absolute(), read_only=True)


def open_files(folder: Path, ending: str) -> Any:
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
        return to_sql(self._connection, expression)

    def run(self, compiled: str, seconds: float) -> list[Row]:
        with self._lock:
            cursor = self._connection.con.cursor()
        try:
            with limited(seconds, cursor.interrupt):
                try:
                    rows: list[Row] = cursor.execute(compiled).fetchall()
                except duckdb.InterruptException:
                    raise
                except duckdb.Error as error:
                    raise failed(error) from error
        finally:
            cursor.close()
        return rows

    def close(self) -> None:
        self._connection.disconnect()
