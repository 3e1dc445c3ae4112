"""Facts of columns: what the store counts is what plain Python counts."""

from __future__ import annotations

import datetime
import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grammax.tables.inspect import profile as module
from grammax.tables.inspect.description import Facts
from grammax.tables.inspect.profile import profile
from grammax.tables.inspect.source import open_data


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
    with sqlite3.connect(tmp_path / "things.sqlite") as connection:
        connection.execute(
            "create table things (id integer, colour text, name text, size integer, price real,"
            " day date, empty text)"
        )
        cells = [tuple(str(v) if k == "day" else v for k, v in row.items()) for row in found]
        connection.executemany("insert into things values (?, ?, ?, ?, ?, ?, ?)", cells)
    connection.close()
    return tmp_path / "things.sqlite"


def test_large_tables_are_counted_as_small_ones(path, monkeypatch) -> None:
    with open_data(path) as data:
        table = data.table("things")
        small = profile(data, table)
        monkeypatch.setattr(module, "_MOST_CELLS", 0)
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
    monkeypatch.setattr(module, "_MOST_CELLS", 0)
    monkeypatch.setattr(module, "_COUNTED_ROWS", {})
    monkeypatch.setattr(module, "_COUNTED_ELSEWHERE", 250)
    with open_data(path) as data:
        found = profile(data, data.table("things"))
    assert found.sampled == 250
    assert not found.columns["colour"].exact
    assert found.columns["price"].greatest == 7.0
