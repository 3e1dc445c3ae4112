"""Facts of a table's columns: how many values, how many different ones, which, from where to where.

How they are counted depends on what is quick in the store:

| module | counts | where |
|---|---|---|
| `cells` | small tables, which are fetched and counted here | all stores |
| `streamed` | the rows pass by once, and are counted here | SQLite, which aggregates slowly |
| `aggregates` | the store counts, many columns in one query | DuckDB, PostgreSQL, others |

Rows beyond a limit are sampled; `Profile.sampled` says so.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, final

from grammax.tables.inspect.description import Facts, ValueType
from grammax.tables.inspect.profile.aggregates import aggregated
from grammax.tables.inspect.profile.cells import facts_of
from grammax.tables.inspect.profile.columns import plain_table
from grammax.tables.inspect.profile.columns import type_of as type_of
from grammax.tables.inspect.profile.streamed import streamed
from grammax.tables.inspect.source import DataSource

_FETCHED: Final = {"duckdb": 200_000}  # cells of tables that are fetched
_FETCHED_ELSEWHERE: Final = 50_000
_COUNTED: Final = {"duckdb": 20_000_000, "sqlite": 2_000_000, "postgres": 3_000_000}  # rows
_COUNTED_ELSEWHERE: Final = 300_000


@final
@dataclass(frozen=True, slots=True)
class Profile:
    """The facts of a table by column; `sampled` rows were counted, if not all."""

    rows: int
    columns: Mapping[str, Facts]
    sampled: int | None = None


def profile(source: DataSource, table: Any) -> Profile:
    """The facts of every column of an Ibis table of a source."""
    with _uncollected():
        return _profile(source, table)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection: looking through a million rows for cycles takes seconds."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _profile(source: DataSource, table: Any) -> Profile:
    types = {name: type_of(type_) for name, type_ in table.schema().items()}
    used = {name: type_ for name, type_ in types.items() if type_ is not ValueType.OTHER}
    [[rows]] = source.rows(table.aggregate(rows=table.count()))
    store, sampled = source.connection.name, None
    found: dict[str, Facts] = {}
    if used and rows * len(used) <= _FETCHED.get(store, _FETCHED_ELSEWHERE):
        found = _fetched(source, table, used, rows)
    elif used:
        most = _COUNTED.get(store, _COUNTED_ELSEWHERE)
        sampled = most if rows > most else None
        count = streamed if source.streams else aggregated
        found = count(source, table, used, rows, sampled)
    facts = {name: found.get(name, Facts(type_, rows)) for name, type_ in types.items()}
    return Profile(rows, facts, sampled)


def _fetched(
    source: DataSource, table: Any, types: Mapping[str, ValueType], rows: int
) -> dict[str, Facts]:
    fetched = source.rows(plain_table(table, types))
    columns = zip(*fetched, strict=True) if fetched else ((),) * len(types)
    return {
        name: facts_of(type_, cells, rows)
        for (name, type_), cells in zip(types.items(), columns, strict=True)
    }
