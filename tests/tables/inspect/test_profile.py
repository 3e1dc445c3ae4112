"""Facts of columns: what the store counts is what plain Python counts."""

from __future__ import annotations

import datetime
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grammax.tables.inspect import profile as module
from grammax.tables.inspect.description import Facts
from grammax.tables.inspect.profile import profile
from grammax.tables.inspect.source import open_data

streamed = import_module("grammax.tables.inspect.profile.streamed")


def rows(count: int) -> list[dict[str, object]]:
    draw = random.Random(7)
    return [
        {
            "id": number,
            "colour": draw.choice(["red", "green", "blue", "", None]),
            "name": f"name {draw.randrange(400)}",
            "size": draw.choice([1, 2, 3, None]),
            "price": draw.choice([0.5, 2.25, 7.0, None]),
            "day": datetime.date(2020, 1, 1 + draw.randrange(28)),
            "empty": None,
        }
        for number in range(count)
    ]


@pytest.fixture(params=["parquet", "sqlite"])
def path(request, tmp_path) -> Path:
    found = rows(500)
    if request.param == "parquet":
        types = pa.schema(
            {"id": pa.int64(), "colour": pa.string(), "name": pa.string(), "size": pa.int32(),
             "price": pa.float64(), "day": pa.date32(), "empty": pa.string()}
        )  # fmt: skip
        pq.write_table(pa.Table.from_pylist(found, schema=types), tmp_path / "things.parquet")
        return tmp_path / "things.parquet"
    with closing(sqlite3.connect(tmp_path / "things.sqlite")) as connection, connection:
        connection.execute(
            "create table things (id integer, colour text, name text, size integer, price real,"
            " day date, empty text)"
        )
        cells = [tuple(str(v) if k == "day" else v for k, v in row.items()) for row in found]
        connection.executemany("insert into things values (?, ?, ?, ?, ?, ?, ?)", cells)
    connection.close()
    return tmp_path / "things.sqlite"


def fetch_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count every table as a large one."""
    monkeypatch.setattr(module, "_FETCHED", {})
    monkeypatch.setattr(module, "_FETCHED_ELSEWHERE", 0)


def test_large_tables_are_counted_as_small_ones(path, monkeypatch) -> None:
    with open_data(path) as data:
        table = data.table("things")
        small = profile(data, table)
        fetch_nothing(monkeypatch)
        large = profile(data, table)
    assert (small.rows, large.rows) == (500, 500)
    for name, facts in small.columns.items():
        found = large.columns[name]
        if found.exact:
            assert comparable(found) == comparable(facts), name
        else:
            assert abs(found.distinct - facts.distinct) <= 0.15 * facts.distinct
            assert (found.least, found.greatest) == (facts.least, facts.greatest)
    assert large.columns["colour"].exact
    assert large.columns["size"].exact


def comparable(facts: Facts) -> Facts:
    mean = None if facts.mean is None else round(facts.mean, 6)
    length = None if facts.mean_length is None else round(facts.mean_length, 6)
    return replace(facts, mean=mean, mean_length=length, examples=())


def test_facts_are_those_of_plain_python(path) -> None:
    with open_data(path) as data:
        found = profile(data, data.table("things")).columns
    given = rows(500)
    prices = [row["price"] for row in given if row["price"] is not None]
    assert found["price"].nulls == 500 - len(prices)
    assert found["price"].mean == pytest.approx(sum(prices) / len(prices))
    assert (found["price"].least, found["price"].greatest) == (0.5, 7.0)
    assert found["colour"].distinct == 3
    assert dict(found["colour"].values)["red"] == sum(row["colour"] == "red" for row in given)
    assert found["id"].is_unique
    assert found["empty"].shown() == "no values"
    assert found["day"].shown() == "28 different dates from 2020-01-01 to 2020-01-28"


def test_sampling_is_said(path, monkeypatch) -> None:
    fetch_nothing(monkeypatch)
    monkeypatch.setattr(module, "_COUNTED", {})
    monkeypatch.setattr(module, "_COUNTED_ELSEWHERE", 250)
    with open_data(path) as data:
        found = profile(data, data.table("things"))
    assert found.sampled == 250
    assert not found.columns["colour"].exact
    assert found.columns["price"].greatest == 7.0


def test_the_share_of_missing_cells_of_a_sample_is_that_of_the_table(path, monkeypatch) -> None:
    with open_data(path) as data:
        table = data.table("things")
        exact = profile(data, table).columns["size"].nulls
        fetch_nothing(monkeypatch)
        monkeypatch.setattr(module, "_COUNTED", {})
        monkeypatch.setattr(module, "_COUNTED_ELSEWHERE", 400)
        found = profile(data, table).columns["size"]
    assert found.rows == 500
    assert found.nulls == pytest.approx(exact, rel=0.4)


def many(folder: Path, cells: list[object], type_: str) -> Facts:
    """The facts of one column of SQLite, with too many different values to list."""
    file = folder / "many.sqlite"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"create table many (cell {type_})")
        connection.executemany("insert into many values (?)", [(cell,) for cell in cells])
    connection.close()
    with open_data(file) as data:
        return profile(data, data.table("many")).columns["cell"]


@pytest.mark.parametrize("different", [1_500, 40_000])
def test_many_different_values_are_estimated_in_bounded_memory(
    tmp_path, monkeypatch, different
) -> None:
    fetch_nothing(monkeypatch)
    monkeypatch.setattr(streamed, "MOST_VALUES", 1_000)
    monkeypatch.setattr(streamed, "_KEPT", 2_000)
    texts = many(tmp_path, [f"text {n % different}" for n in range(80_000)] + [None, " "], "text")
    assert texts.distinct == pytest.approx(different, rel=0.1)
    assert (texts.nulls, texts.exact, texts.complete, texts.values) == (2, False, False, ())
    assert (texts.least, texts.greatest) == (
        "text 0",
        "text 9999" if different > 9999 else "text 999",
    )
    (tmp_path / "many.sqlite").unlink()
    numbers = many(tmp_path, [n % different for n in range(80_000)], "integer")
    assert numbers.distinct == pytest.approx(different, rel=0.1)
    assert (numbers.least, numbers.greatest) == (0.0, different - 1.0)
    assert numbers.mean == pytest.approx(sum(n % different for n in range(80_000)) / 80_000)


def test_texts_among_many_numbers_of_sqlite_are_counted(tmp_path, monkeypatch) -> None:
    fetch_nothing(monkeypatch)
    monkeypatch.setattr(streamed, "MOST_VALUES", 100)
    cells = [*range(6_000), "unknown", float("inf"), b"bytes"]
    found = many(tmp_path, cells, "integer")
    assert (found.nulls, found.mean, found.greatest) == (1, None, "unknown")
    assert found.distinct == pytest.approx(6_002, rel=0.05)
