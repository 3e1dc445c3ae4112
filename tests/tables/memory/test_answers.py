"""Arrays in memory: any schema, against the brute force and against DuckDB."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tables.memory.arrays import cottage_columns
from tables.query.brute_groups import answer, is_summary
from tables.query.cottages import RATES, CottageWorld, catalogue, layout, random_world
from tables.query.random_forms import FormGenerator
from tables.query.stores import written

from grammax.language.answer import Answer
from grammax.tables.answers.answers import StoreAnswers
from grammax.tables.form.text import read as read_form
from grammax.tables.form.tree import LogicalForm
from grammax.tables.memory.engine import ArrayRunner
from grammax.tables.memory.source import ArraySource
from grammax.tables.query.store import Store, StoreError, TooSlow
from grammax.tables.sql.plain import PlainSource
from grammax.tables.sql.run import connect, runner_for

FORMS = 1_000


@pytest.fixture(scope="module")
def world() -> CottageWorld:
    return random_world(60, Random(0))


@pytest.fixture(scope="module")
def arrays(world: CottageWorld) -> Store:
    source = ArraySource(world.catalogue, cottage_columns(world), RATES)
    return Store(source, ArrayRunner(), world.catalogue)


@pytest.fixture(scope="module")
def database(world: CottageWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    url = written(world.tables(names=False), "duckdb", tmp_path_factory.mktemp("memory"))
    source = PlainSource(world.catalogue, layout(names=False), RATES)
    with Store(source, runner_for(connect(url)), world.catalogue) as opened:
        yield opened


def forms(world: CottageWorld, count: int, seed: int = 3) -> list[LogicalForm]:
    generator = FormGenerator(world, Random(seed))
    return [generator.draw() for _ in range(count)]


def read(text: str) -> LogicalForm:
    return read_form(text, catalogue())


def test_random_forms_are_answered_as_brute_force_does(world: CottageWorld, arrays: Store) -> None:
    for lf in forms(world, FORMS):
        rows = arrays.run(arrays.prepare(lf, 1000))
        found = [tuple(row) if is_summary(lf) else (row[0], *row[2:]) for row in rows]
        assert same_rows(found, answer(world, lf)), f"another answer to {lf}"


def same_rows(found: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]) -> bool:
    return len(found) == len(wanted) and all(
        a == (pytest.approx(b, rel=1e-9) if isinstance(b, float) else b)
        for one, other in zip(found, wanted, strict=True)
        for a, b in zip(one, other, strict=True)
    )


def test_the_comparison_can_fail(world: CottageWorld, arrays: Store) -> None:
    found = arrays.run(arrays.prepare(read("(FLD_GUESTS LS 5)"), 1000))
    other = answer(world, read("(FLD_GUESTS GR 5)"))
    assert not same_rows([(row[0], *row[2:]) for row in found], other)


@pytest.mark.parametrize("limit", [0, 3, 1000])
def test_everything_of_an_answer_is_as_from_a_data_store(
    world: CottageWorld, arrays: Store, database: Store, limit: int
) -> None:
    for lf in forms(world, 60, seed=limit):
        found, wanted = arrays.answer(lf, limit), database.answer(lf, limit)
        assert what_matters(found) == what_matters(wanted), lf
        assert same_rows(list(found.token_rows), list(wanted.token_rows)), lf
        assert same_rows(list(found.rows), list(wanted.rows)), lf


def what_matters(answer: Answer) -> tuple[object, ...]:
    """All but the numbers and the time that it took."""
    return (answer.columns, answer.total, answer.more, answer.notes, answer.summary, len(answer))


def test_what_cannot_be_answered_is_refused_alike(arrays: Store, database: Store) -> None:
    for text in (
        "(FLD_GUESTS(2019) GR 3)",
        "(display (change FLD_GUESTS(2019)))",
        "(AND (count) (by YEAR))",
        "(OR (count) (FLD_GUESTS GR 3))",
        "(NOT (AND (FLD_GUESTS GR 1) " * 99 + "(FLD_GUESTS GR 2)" + "))" * 99,
    ):
        messages = []
        for store in (arrays, database):
            with pytest.raises(Exception) as raised:  # noqa: PT011 - whatever it is
                store.answer(read(text))
            messages.append((type(raised.value), str(raised.value)))
        assert messages[0] == messages[1]


def test_limits_hold(arrays: Store) -> None:
    with pytest.raises(TooSlow, match="stopped after 0 seconds"):
        arrays.answer(read("(FLD_GUESTS GR 3)"), seconds=0)
    with pytest.raises(StoreError, match="The limit is -1"):
        arrays.answer(read("(FLD_GUESTS GR 3)"), limit=-1)
    wide = read("(AND " + "(FLD_GUESTS GR 1) " * 5_000 + ")")
    assert arrays.answer(wide).rows == arrays.answer(read("(FLD_GUESTS GR 1)")).rows


def test_answers_are_the_same_where_rows_are(arrays: Store) -> None:
    answers = StoreAnswers(arrays)
    one, other = ("( FLD_GUESTS GR 3 )", "( NOT ( FLD_GUESTS LE 3 ) )")
    assert answers.instant
    assert answers.same(tuple(one.split()), tuple(other.split()))
    assert not answers.same(tuple(one.split()), ("(", "FLD_GUESTS", "GR", "4", ")"))


def test_arrays_alone_write_no_sql_but_a_described_source_does(
    world: CottageWorld, arrays: Store
) -> None:
    described = Store(
        arrays._source,
        ArrayRunner(),
        world.catalogue,
        described=lambda: PlainSource(world.catalogue, layout(names=False), RATES),
    )
    assert "cottages" in described.sql(read("(FLD_GUESTS GR 3)"))
