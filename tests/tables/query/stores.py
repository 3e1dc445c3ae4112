"""The same tables in several stores."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

Tables = Mapping[str, Sequence[Mapping[str, Any]]]
STORES = ("duckdb", "parquet", "csv", "sqlite")


def written(tables: Tables, store: str, folder: Path) -> str:
    """Write tables into a store of a kind; its URL."""
    folder.mkdir(parents=True, exist_ok=True)
    if store == "sqlite":
        return _sqlite(tables, folder / "tables.sqlite")
    database = folder / "tables.duckdb" if store == "duckdb" else ":memory:"
    with duckdb.connect(database) as connection:
        for name, rows in tables.items():
            relation = connection.from_arrow(pa.Table.from_pylist([dict(row) for row in rows]))
            if store == "duckdb":
                relation.create(name)
            elif store == "parquet":
                relation.write_parquet(str(folder / f"{name}.parquet"))
            else:
                relation.write_csv(str(folder / f"{name}.csv"))
    return f"duckdb://{database}" if store == "duckdb" else f"{store}://{folder}"


def _sqlite(tables: Tables, path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection, connection:
        for name, rows in tables.items():
            columns = ", ".join(f'"{column}"' for column in rows[0])
            connection.execute(f"create table {name} ({columns})")
            marks = ", ".join("?" * len(rows[0]))
            cells = [tuple(row.values()) for row in rows]
            connection.executemany(f"insert into {name} values ({marks})", cells)
    connection.close()
    return f"sqlite://{path}"
