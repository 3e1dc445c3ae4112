"""Expressions → what a store runs; what it cannot express is said before anything runs."""

from __future__ import annotations

import re
from typing import Any, Final

import ibis
from ibis.common.exceptions import IbisError

from grammax.tables.query.source import StoreCannot, StoreError
from grammax.tables.sql.stores.functions import rewritten

_NAMES: Final = {
    "bigquery": "BigQuery", "clickhouse": "ClickHouse", "duckdb": "DuckDB", "mssql": "SQL Server",
    "mysql": "MySQL", "postgres": "PostgreSQL", "pyspark": "Spark", "sqlite": "SQLite",
}  # fmt: skip
_OPERATIONS: Final = {
    "Median": ("median", "Ask for the average, the lowest or the highest value."),
    "Quantile": ("quantile", "Ask for the average, the lowest or the highest value."),
    "GroupConcat": (
        "list of several values in one cell",
        "Group by the field, or ask for its count.",
    ),
    "CountDistinct": ("number of different values", "Group by the field instead."),
    "RegexSearch": (
        "search for patterns, by which dates are read from texts",
        "Store dates as dates, not as texts.",
    ),
    "TryCast": ("conversion of texts of which some are no dates", "Store dates as dates."),
    "InSubquery": ("condition on a field with several values", "Group by the field instead."),
    "ExtractEpochSeconds": ("number of days of a date", "Compare the year instead."),
}
"""Operations of Ibis in plain words, and what to ask for instead."""
_WORD: Final = re.compile(r"\w+")
_OTHERWISE: Final = "Ask for less in one query, or keep the table in another store."


def store_name(store: str) -> str:
    """The name of a store as people write it.

    >>> store_name("clickhouse"), store_name("trino")
    ('ClickHouse', 'Trino')
    """
    return _NAMES.get(store, store.capitalize())


def to_sql(connection: Any, expression: Any) -> str:
    """The SQL of an expression; `StoreCannot` for what the store has no words for."""
    store = connection.name
    try:
        return str(connection.compile(rewritten(expression, store)))
    except (IbisError, NotImplementedError) as error:
        raise cannot(store, expression, error) from error


def dialect_sql(expression: Any, dialect: str) -> str:
    """The SQL of an expression in a dialect, without a connection."""
    try:
        return str(ibis.to_sql(rewritten(expression, dialect), dialect=dialect))
    except (IbisError, NotImplementedError) as error:
        raise cannot(dialect, expression, error) from error
    except (AttributeError, ValueError):
        raise StoreError(
            f"There is no dialect {dialect!r}.\nPermitted: the stores of Ibis, such as "
            "bigquery, clickhouse, duckdb, mysql, postgres, snowflake, trino."
        ) from None


def cannot(store: str, expression: Any, error: Exception) -> StoreCannot:
    """What a store cannot do, in words of the query."""
    reason = str(error).partition("\n")[0].rstrip(".")
    if "order_by" in reason:  # Ibis does not name the operation
        reason += " GroupConcat"
    words = {*_WORD.findall(reason)} & {
        type(node).__name__ for node in expression.op().find(object)
    }
    name = next((name for name in _OPERATIONS if name in words), None)
    if name is None:
        return StoreCannot(store_name(store), reason, _OTHERWISE)
    lacking, instead = _OPERATIONS[name]
    return StoreCannot(store_name(store), f"it has no {lacking}, as far as Ibis knows", instead)
