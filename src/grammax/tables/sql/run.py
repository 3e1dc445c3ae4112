"""Connections and runners: queries run read-only and within a time limit on any store.

A URL is one that Ibis takes (`duckdb:///films.duckdb`, `sqlite:///films.sqlite`,
`postgres://reader@db/films`), one of `stores.clickhouse` or `stores.spark`, or `parquet://FOLDER`
or `csv://FOLDER`: every file of the folder is a table, named like the file without its suffix.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import ibis

from grammax.tables.query.source import Runner, StoreDown, StoreError, StoreUnreachable
from grammax.tables.sql.stores.clickhouse import ClickHouseRunner, open_clickhouse
from grammax.tables.sql.stores.duck import DuckRunner, open_files
from grammax.tables.sql.stores.failures import failed
from grammax.tables.sql.stores.other import AnyRunner
from grammax.tables.sql.stores.postgres import CONNECTING, PostgresRunner
from grammax.tables.sql.stores.spark import SparkRunner, open_spark
from grammax.tables.sql.stores.sqlite import SqliteRunner, open_sqlite

_DRIVERS: Final = {
    "chdb": "grammax[clickhouse]' 'chdb",
    "clickhouse": "grammax[clickhouse]",
    "sc": "grammax[spark]' 'pyspark[connect]",
    "spark": "grammax[spark]",
}
"""What to install for a scheme, where it is not the extra of Ibis with the same name."""


def connect(url: str, folder: Path | None = None) -> Any:
    """The Ibis connection of a URL, read-only if the store supports it.

    Paths of `parquet://` and `csv://` are relative to `folder`. Raises `StoreUnreachable` if
    nothing answers there, which may be different later, and `StoreError` for anything else.
    """
    scheme, _, rest = url.partition("://")
    try:
        match scheme:
            case "parquet" | "csv":
                return open_files((folder or Path()) / rest, scheme)
            case "sqlite" if rest.partition("?")[0]:
                return open_sqlite(Path(rest.partition("?")[0]))
            case "clickhouse" | "chdb":
                return open_clickhouse(url)
            case "spark" | "sc":
                return open_spark(url)
            case "postgres" | "postgresql":
                return ibis.connect(url, **CONNECTING)
            case "duckdb":
                return ibis.connect(url, read_only=True)
            case _:
                return ibis.connect(url)
    except Exception as error:
        reason = str(error).partition("\n")[0]
        hint = "Check the URL."
        if isinstance(error, ImportError | ValueError | AttributeError):
            driver = _DRIVERS.get(scheme, f"ibis-framework[{scheme}]")
            hint = f"The driver may be missing: pip install '{driver}'."
        elif "JAVA" in reason:
            hint = "Spark needs Java 17, such as Debian's: apt-get install default-jre-headless."
        reason = f"The store cannot be reached ({scheme}): {reason}"
        if isinstance(failed(error), StoreDown):
            raise StoreUnreachable(reason, hint) from error
        raise StoreError(f"{reason}\n{hint}") from error


def runner_for(connection: Any) -> Runner:
    """The runner for an Ibis connection."""
    match connection.name:
        case "duckdb":
            return DuckRunner(connection)
        case "postgres":
            return PostgresRunner(connection)
        case "sqlite":
            return SqliteRunner(connection)
        case "clickhouse":
            return ClickHouseRunner(connection)
        case "pyspark":
            return SparkRunner(connection)
        case _:
            return AnyRunner(connection)
