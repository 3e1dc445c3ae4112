"""Spark: a local one over files, or a cluster.

    spark:///data/films                     Spark in a process of this machine; each Parquet file or
                                            folder of Parquet files is a table
    spark://master.example.org:7077/films   a cluster; a database of its catalogue
    sc://spark.example.org:15002/films      a cluster through Spark Connect

Spark has no sessions that only read. What is sent are SELECT statements alone.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, final
from urllib.parse import urlsplit
from uuid import uuid4

import ibis

from grammax.tables.query.source import Row, StoreError
from grammax.tables.sql.stores.compile import to_sql
from grammax.tables.sql.stores.failures import failed
from grammax.tables.sql.stores.limits import limited

_LOCAL: Final = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.log.level": "ERROR",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
_SESSION: Final = {
    "spark.sql.ansi.enabled": "false",  # a text that is no number is unknown, and no error
    "spark.sql.session.timeZone": "UTC",
}


def open_spark(url: str) -> Any:
    """The Ibis connection of a URL `spark://…` or `sc://…`."""
    from pyspark.sql import SparkSession

    parts = urlsplit(url)
    builder: Any = SparkSession.builder.appName("grammax")
    if parts.scheme == "sc":
        session = builder.remote(f"sc://{parts.netloc}").create()
    elif parts.netloc:
        session = builder.master(f"spark://{parts.netloc}").getOrCreate().newSession()
    else:
        # pyspark starts the JVM with the addresses of the environment.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.master(f"local[{os.cpu_count() or 1}]")
        for name, value in _LOCAL.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate().newSession()
    for name, value in _SESSION.items():
        session.conf.set(name, value)
    connection = ibis.pyspark.connect(session)
    database = parts.path.strip("/")
    if not parts.netloc:
        _add_files(session, Path(parts.path))
    elif database:
        session.catalog.setCurrentDatabase(database)
    return connection


def _add_files(session: Any, folder: Path) -> None:
    files = [
        path
        for path in sorted(folder.iterdir() if folder.is_dir() else ())
        if path.suffix == ".parquet" or (path.is_dir() and any(path.glob("*.parquet")))
    ]
    if not files:
        raise StoreError(f"{folder} has no files *.parquet.")
    for path in files:
        session.read.parquet(str(path.absolute())).createOrReplaceTempView(path.stem)


@final
class SparkRunner:
    """Threads may run queries side by side: Spark schedules them."""

    instant = False

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._session = connection._session
        self._is_remote = "connect" in type(self._session).__module__

    def compile(self, expression: Any) -> str:
        return to_sql(self._connection, expression)

    def run(self, compiled: str, seconds: float) -> list[Row]:
        session, name = self._session, f"grammax-{uuid4()}"
        # Spark Connect has tags, and Spark itself has groups of jobs, of the current thread.
        context = None if self._is_remote else session.sparkContext
        stop = session.interruptTag if context is None else context.cancelJobGroup
        with limited(seconds, lambda: stop(name)) as limit:
            try:
                if context is None:
                    session.addTag(name)
                else:
                    context.setJobGroup(name, "grammax", interruptOnCancel=True)
                return [tuple(row) for row in session.sql(compiled).collect()]
            except Exception as error:
                raise (limit.interrupted or failed(error)) from error
            finally:
                if context is None:
                    session.removeTag(name)

    def close(self) -> None:
        """Leave Spark to others of this process: it ends with it."""
