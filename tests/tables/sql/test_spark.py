"""Spark answers as the brute force does; slow, because it is a Java process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tables.query.voyage_answers import difference, forms
from tables.query.voyage_stores import missing, opened
from tables.query.voyages import VoyageWorld, catalogue, random_world
from tables.sql.interrupting import interrupted_after

from grammax.tables.form.text import read
from grammax.tables.query.source import GivenUp, StoreError, TooSlow
from grammax.tables.query.store import Store
from grammax.tables.sql.run import connect

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing("spark")), reason="pyspark is not installed"),
    pytest.mark.filterwarnings("ignore"),  # of pyspark
]
ENDLESS = "SELECT count(*) FROM range(1000000000000) WHERE id * id % 7 = -1"


@pytest.fixture(scope="module")
def world() -> VoyageWorld:
    return random_world(40, Random(0))


@pytest.fixture(scope="module")
def store(world: VoyageWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with opened(world, "spark", tmp_path_factory.mktemp("spark")) as made:
        yield made


def test_forms_are_answered_as_brute_force_does(world: VoyageWorld, store: Store) -> None:
    found = [difference(world, store, lf) for lf in forms(world, 6)]
    assert list(filter(None, found)) == []


def test_several_values_are_listed(world: VoyageWorld, store: Store) -> None:
    for text in ("(FLD_FLAG EQ FLG_ITALY)", "(AND (count FLD_FLAG) (by FLD_PORT))"):
        assert difference(world, store, read(text, catalogue())) == ""


def test_a_query_is_stopped(store: Store) -> None:
    runner = store._runner
    with pytest.raises(TooSlow):
        runner.run(ENDLESS, 0.5)
    with interrupted_after(0.5), pytest.raises(GivenUp):
        runner.run(ENDLESS, 60)
    assert runner.run("SELECT 1", 30) == [(1,)]


def test_an_error_of_spark_says_what_to_do(store: Store) -> None:
    with pytest.raises(StoreError, match="Open it again"):
        store._runner.run("SELECT * FROM nowhere", 30)


def test_a_folder_without_files_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no files \*\.parquet"):
        connect(f"spark://{tmp_path}")
