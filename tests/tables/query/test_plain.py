"""Plain columns: any schema on any store, against the brute force."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from tables.query.brute_groups import answer, is_summary
from tables.query.cottages import RATES, CottageWorld, catalogue, layout, random_world
from tables.query.random_forms import FormGenerator
from tables.query.stores import STORES, written

from grammax.language.answer import Column
from grammax.tables.form.text import read as read_form
from grammax.tables.form.tree import LogicalForm
from grammax.tables.form.walk import walk
from grammax.tables.query.store import Store, StoreError, TooSlow
from grammax.tables.sql.plain import PlainSource
from grammax.tables.sql.run import connect, runner_for

FORMS, FORMS_ELSEWHERE = 400, 80  # on DuckDB, and on each other store


@pytest.fixture(scope="module")
def world() -> CottageWorld:
    return random_world(60, Random(0))


@pytest.fixture(scope="module", params=STORES)
def store(
    request: pytest.FixtureRequest, world: CottageWorld, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """Half of the stores write the names of values, the others their tokens."""
    names = request.param in ("parquet", "sqlite")
    url = written(world.tables(names), request.param, tmp_path_factory.mktemp("plain"))
    source = PlainSource(world.catalogue, layout(names), RATES)
    runner = runner_for(connect(url))
    with Store(source, runner, world.catalogue, note=request.param) as opened:
        yield opened


def read(text: str) -> LogicalForm:
    return read_form(text, catalogue())


def forms(world: CottageWorld, count: int) -> list[LogicalForm]:
    generator = FormGenerator(world, Random(1))
    return [generator.draw() for _ in range(count)]


def is_beyond_sqlite(lf: LogicalForm) -> bool:
    """Whether an answer lists amenities or has a median, which Ibis cannot write for SQLite."""
    return "FLD_AMENITY" in str(lf) or "median" in str(lf)


def test_random_forms_are_answered_as_brute_force_does(world: CottageWorld, store: Store) -> None:
    count = FORMS if store.note == "duckdb" else FORMS_ELSEWHERE
    asked = [lf for lf in forms(world, count) if store.note != "sqlite" or not is_beyond_sqlite(lf)]
    assert len(asked) > count / 2
    for lf in asked:
        assert same_rows(rows_of(store, lf), answer(world, lf)), f"another answer to {lf}"


def rows_of(store: Store, lf: LogicalForm) -> list[tuple[Any, ...]]:
    """The rows of a store, without the label of the cottages."""
    rows = store.run(store.prepare(lf, 1000), 10)
    return [tuple(row) if is_summary(lf) else (row[0], *row[2:]) for row in rows]


def same_rows(found: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]) -> bool:
    if len(found) != len(wanted):
        return False
    cells = [zip(one, other, strict=True) for one, other in zip(found, wanted, strict=True)]
    return all(
        a == (pytest.approx(b, rel=1e-9) if isinstance(b, float) else b)
        for row in cells
        for a, b in row
    )


def test_the_forms_use_units_hierarchies_scales_ranks_and_several_values(
    world: CottageWorld,
) -> None:
    text = "\n".join(map(str, forms(world, FORMS)))
    parts = ("CUR_GBP", "REG_ALPS", r"FLD_STARS (GR|GE|LS|LE)", "top", "bottom", "AME_", "PCT")
    for part in parts:
        assert re.search(part, text), part
    assert {type(node).__name__ for lf in forms(world, FORMS) for node in walk(lf)} == {
        "Relational", "Display", "Rank", "Not", "And", "Or", "Aggregate", "Group",
    }  # fmt: skip


def test_the_comparison_can_fail(world: CottageWorld, store: Store) -> None:
    found = rows_of(store, read("(FLD_GUESTS LS 5)"))
    assert not same_rows(found, answer(world, read("(FLD_GUESTS GR 5)")))


def test_columns_are_labelled_by_the_schema(store: Store) -> None:
    found = store.answer(read("(AND (FLD_RENT GR 1) (FLD_OCCUPANCY GR 1) (display FLD_GUESTS))"))
    assert found.columns == (
        Column("Code"),
        Column("House name"),
        Column("Guests", "FLD_GUESTS", "guests", "guests"),
        Column("Rent", "FLD_RENT", "rent", "CHF"),
        Column("Occupancy", "FLD_OCCUPANCY", "share", "%"),
    )
    assert not found.synthetic
    assert store.today is None


def test_values_are_tokens_and_names(world: CottageWorld, store: Store) -> None:
    lf = read("(AND (FLD_REGION EQ REG_LIGURIA) (FLD_STARS GE STR_3))")
    found = store.answer(lf)
    assert {row[2] for row in found.token_rows} == {"REG_LIGURIA", "REG_CINQUE_TERRE"}
    assert {row[3] for row in found.rows} <= {"3 stars", "4 stars", "5 stars"}
    assert len(found) == len(answer(world, lf)) > 0


def test_a_time_is_refused_with_what_to_do(store: Store) -> None:
    with pytest.raises(StoreError, match=r"FLD_GUESTS\(2019\) asks for a time.*\nAsk for FLD_GUE"):
        store.answer(read("(FLD_GUESTS(2019) GR 3)"))


def test_a_unit_without_a_rate_is_refused(world: CottageWorld, store: Store) -> None:
    source = PlainSource(world.catalogue, layout(False), {"CUR_EUR": 1.0})
    other = Store(source, store._runner, world.catalogue)
    with pytest.raises(StoreError, match="no rate to convert CUR_JPY; there are rates for: CUR_EU"):
        other.answer(read("(FLD_RENT GR 5 CUR_JPY)"))


def test_the_time_limit_holds_and_threads_share_a_store(store: Store) -> None:
    lf = read("(FLD_GUESTS GR 3)")
    with pytest.raises(TooSlow):
        store.answer(lf, seconds=0)
    alone = store.answer(lf).rows
    with ThreadPoolExecutor(4) as pool:
        assert all(rows == alone for rows in pool.map(lambda _: store.answer(lf).rows, range(12)))


def test_nothing_is_written(store: Store) -> None:
    for statement in ("DELETE FROM cottages", "DROP TABLE cottages"):
        with pytest.raises(StoreError):
            store._runner.run(statement, 5)
    assert len(store.answer(read("(OR (FLD_GUESTS GE 0) (FLD_GUESTS LS 0))"))) > 0
