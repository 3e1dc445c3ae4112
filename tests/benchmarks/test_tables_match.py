"""The rules by which benchmarks/tables.py takes an answer for right."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TABLE = """
CREATE TABLE boat (id INTEGER, name TEXT, town TEXT, length REAL, crew TEXT);
INSERT INTO boat VALUES (1, 'Ada', 'Kiel', 12.5, '40'), (2, 'Bo', 'Oslo', 9, '150'),
                        (3, 'Cy', 'Oslo', 9, 'null'), (4, 'Di', 'Oslo', 7, '9');
"""
Right = Callable[..., bool]


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Right]:
    """Whether rows are right for a query; the first `own` cells only identify a row."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from tables_match import matches  # type: ignore[import-not-found]
        from tables_runs import Runs  # type: ignore[import-not-found]
        from tables_worlds import Found  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(BENCHMARKS))
    path = tmp_path_factory.mktemp("data") / "boats.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(TABLE)
    connection.close()
    runs = Runs(path)

    def is_right(
        sql: str, rows: Sequence[tuple[Any, ...]], own: int = 1, question: str = "list them"
    ) -> bool:
        return any(matches(gold, Found(rows, own)) for gold in runs.golds(sql, question))

    yield is_right
    runs.close()


def test_columns_may_be_more_and_in_any_order(right: Right) -> None:
    sql = "SELECT name, length FROM boat WHERE town = 'Kiel'"
    assert right(sql, [(1, "Kiel", 12.5, "ADA ")])
    assert not right(sql, [(1, "Kiel", 12.5)])
    assert not right(sql, [(1, 12.5, "Ada"), (2, 9.0, "Bo")])


def test_cells_have_to_be_in_the_same_rows(right: Right) -> None:
    sql = "SELECT name, length FROM boat WHERE id IN (1, 4)"
    assert right(sql, [(4, "Di", 7), (1, "Ada", 12.5)])
    assert not right(sql, [(4, "Di", 12.5), (1, "Ada", 7)])


def test_numbers_are_the_same_to_six_digits(right: Right) -> None:
    sql = "SELECT avg(length) FROM boat"
    assert right(sql, [(9.3750001,)], own=0)
    assert not right(sql, [(9.376,)], own=0)


def test_counts_match_in_summaries_only(right: Right) -> None:
    sql = "SELECT count(*) FROM boat"
    assert right(sql, [(4.0,)], own=0)
    assert not right(sql, [(4, 4.0)])
    assert right("SELECT max(length) FROM boat", [(1, 12.5)])
    assert not right("SELECT max(id) FROM boat", [(4, 7.0)])


def test_an_order_matters_where_it_is_asked_for(right: Right) -> None:
    sql = "SELECT name FROM boat ORDER BY length DESC"
    backwards = [(4, "Di"), (3, "Cy"), (2, "Bo"), (1, "Ada")]
    assert right(sql, backwards)
    assert not right(sql, backwards, question="sort them by length")
    tied = [(1, "Ada"), (3, "Cy"), (2, "Bo"), (4, "Di")]
    assert right(sql, tied, question="sort them by length")


def test_any_of_the_tied_rows_may_be_the_first(right: Right) -> None:
    two = "SELECT name FROM boat ORDER BY length DESC LIMIT 2"
    assert right(two, [(1, "Ada"), (2, "Bo")])
    assert right(two, [(1, "Ada"), (3, "Cy")])
    assert not right(two, [(2, "Bo"), (3, "Cy")])
    assert not right(two, [(1, "Ada")])


def test_a_list_may_repeat_what_is_distinct(right: Right) -> None:
    rows = [(1, "Kiel"), (2, "Oslo"), (3, "Oslo"), (4, "Oslo")]
    assert right("SELECT DISTINCT town FROM boat", rows)
    assert not right("SELECT town FROM boat", [("Kiel",), ("Oslo",)], own=0)
    assert not right("SELECT DISTINCT town FROM boat", rows[:1])


def test_texts_that_are_numbers_may_be_read_as_such(right: Right) -> None:
    sql = "SELECT count(*) FROM boat WHERE crew > 100"
    assert right(sql, [(1.0,)], own=0)
    first = "SELECT name FROM boat ORDER BY crew DESC LIMIT 1"
    assert right(first, [(2, "Bo")])
    assert right("SELECT name FROM boat ORDER BY crew LIMIT 1", [(4, "Di")])
