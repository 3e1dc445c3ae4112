"""What a store cannot do is said before the query runs, and what it calls otherwise is replaced."""

from __future__ import annotations

from pathlib import Path
from random import Random

import ibis
import pytest
from tables.query.stores import written
from tables.query.voyage_stores import store_of
from tables.query.voyages import catalogue, random_world

from grammax.tables.form.text import read
from grammax.tables.query.source import StoreCannot
from grammax.tables.query.store import Store
from grammax.tables.sql.run import connect, runner_for
from grammax.tables.sql.stores.compile import dialect_sql, to_sql
from grammax.tables.sql.stores.failures import failed

TABLE = ibis.table({"a": "float64", "t": "string", "d": "date"}, name="x")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    url = written(random_world(5, Random(0)).tables, "duckdb", tmp_path_factory.mktemp("words"))
    return store_of(connect(url))


@pytest.mark.parametrize("dialect", ["mysql", "trino", "mssql"])
def test_a_store_without_a_median_says_so(store: Store, dialect: str) -> None:
    with pytest.raises(StoreCannot, match=r"it has no median.*\nAsk for the average") as caught:
        store.sql(read("(median FLD_CREW)", catalogue()), dialect)
    assert "median" in caught.value.reason


def test_a_connection_refuses_before_it_runs_anything(tmp_path: Path) -> None:
    connection = connect(written({"x": [{"t": "one"}]}, "sqlite", tmp_path))
    table, runner = connection.table("x"), runner_for(connection)
    with pytest.raises(StoreCannot, match="SQLite cannot answer this query") as caught:
        runner.compile(table.select(far=table.t.cast("string").levenshtein("two")))
    assert "another store" in caught.value.hint
    runner.close()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (TABLE.t.nunique(), "uniqExact("),
        (TABLE.a.median(), "quantileExactInclusive(0.5)"),
        (TABLE.a.quantile(0.05), "quantileExactInclusive(0.05)"),
        (TABLE.t.group_concat(", ", order_by=TABLE.t), "arraySort(groupArray("),
    ],
)
def test_clickhouse_computes_exactly(value: ibis.Value, words: str) -> None:
    assert words in dialect_sql(TABLE.aggregate(found=value), "clickhouse")


def test_clickhouse_knows_all_letters_and_years() -> None:
    seconds = TABLE.d.cast("timestamp").epoch_seconds()
    assert "toDateTime64(" in dialect_sql(TABLE.select(found=seconds), "clickhouse")
    assert "lowerUTF8(" in dialect_sql(TABLE.select(found=TABLE.t.lower()), "clickhouse")


def test_sqlite_is_given_what_it_lacks(tmp_path: Path) -> None:
    rows = [{"a": a, "t": t} for a, t in [(4.0, "b"), (1.0, "ä"), (None, None), (2.0, "A")]]
    connection = connect(written({"x": rows}, "sqlite", tmp_path))
    table, runner = connection.table("x"), runner_for(connection)
    number, text = table.a.cast("float64"), table.t.cast("string")
    asked = table.aggregate(
        median=number.median(),
        low=number.quantile(0.25),
        listed=text.group_concat(", ", order_by=text),
        nothing=number.median(where=number > 9),
    )
    assert "grammax_quantile(" in to_sql(connection, asked).lower()
    assert runner.run(runner.compile(asked), 5) == [(2.0, 1.5, "A, b, ä", None)]
    runner.close()


def test_a_store_that_is_down_is_told_from_one_that_fails() -> None:
    down = failed(OSError("connection to server failed: Connection refused"))
    assert type(down).__name__ == "StoreDown"
    assert "next query connects again" in str(down)
    assert type(failed(ConnectionResetError())).__name__ == "StoreDown"
    other = failed(ValueError('relation "films" does not exist'))
    assert type(other).__name__ == "StoreFailed"
    assert "Open it again" in str(other)
