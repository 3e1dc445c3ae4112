"""Notes on answers: what is left out, how rows are sorted, and why there are none."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from tables.query.brute_groups import answer, is_summary
from tables.query.cottages import RATES, CottageWorld, catalogue, layout, random_world
from tables.query.random_forms import FormGenerator
from tables.query.stores import written

from grammax.tables.form.text import read
from grammax.tables.form.tree import And, Rank
from grammax.tables.query.notes import contradictions
from grammax.tables.query.store import Store
from grammax.tables.query.translate import outer_parts
from grammax.tables.sql.plain import PlainSource
from grammax.tables.sql.run import connect, runner_for


@pytest.fixture(scope="module")
def world() -> CottageWorld:
    """Cottages of which none is in Grisons, and of which no deposit is known."""
    made = random_world(50, Random(3))
    rows = [
        {
            **row,
            "deposit": None,
            "region": None if row["region"] == "REG_GRISONS" else row["region"],
        }
        for row in made.rows
    ]
    return CottageWorld(made.catalogue, rows)


@pytest.fixture(scope="module")
def store(world: CottageWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    url = written(world.tables(False), "sqlite", tmp_path_factory.mktemp("notes"))
    source = PlainSource(world.catalogue, layout(False), RATES)
    with Store(source, runner_for(connect(url)), world.catalogue) as opened:
        yield opened


def notes(store: Store, text: str, limit: int = 100) -> tuple[str, ...]:
    return store.answer(read(text, catalogue()), limit).notes


def test_the_order_and_the_number_of_rows_are_told(store: Store, world: CottageWorld) -> None:
    total = len(answer(world, read("(FLD_RENT GR 0)", catalogue())))
    assert notes(store, "(FLD_RENT GR 0)", 4) == (
        "Sorted by guests, highest first.",
        f"Showing the first 4 of {total}.",
    )
    assert notes(store, "(AND (FLD_RENT GR 0) (display FLD_RENT DESC))") == ()


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("(FLD_OCCUPANCY LS 5)", True),
        ("(bottom 3 FLD_OCCUPANCY)", True),
        ("(average FLD_OCCUPANCY)", True),
        ("(FLD_OCCUPANCY LS 0)", False),
        ("(FLD_OCCUPANCY GR 5)", False),
        ("(top 3 FLD_OCCUPANCY)", False),
        ("(bottom 3 FLD_RENT)", False),
    ],
)
def test_what_has_no_meaning_below_zero_is_left_out_and_told(
    store: Store, text: str, is_told: bool
) -> None:
    found = store.answer(read(text, catalogue()))
    assert ("Cottages with a negative occupancy are left out." in found.notes) == is_told
    if is_told and len(found.columns) > 2:
        assert all(row[2] >= 0 for row in found.rows)
        assert found.rows


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "(AND (FLD_RENT GE 10) (FLD_RENT LE 5))",
            "Rent: nothing is both at least 10 and at most 5.",
        ),
        ("(AND (FLD_RENT GR 5) (FLD_RENT LS 5))", "Rent: nothing is both above 5 and below 5."),
        ("(AND (FLD_GUESTS EQ 4) (FLD_GUESTS EQ 5))", "Guests: nothing is both 5 and 4."),
        (
            "(AND (FLD_GUESTS GR 2 THOUSAND) (FLD_GUESTS LE 1500))",
            "Guests: nothing is both above 2,000 and at most 1,500.",
        ),
        (
            "(AND (FLD_REGION EQ REG_ALPS) (FLD_REGION EQ REG_LIGURIA))",
            "Region: nothing is both Alps and Liguria.",
        ),
        (
            "(AND (FLD_REGION EQ REG_VALAIS) (NOT (OR (FLD_REGION EQ REG_ALPS) (FLD_RENT GR 2))))",
            "Region: Valais is asked for and excluded at once.",
        ),
        (
            "(AND (FLD_AMENITY EQ AME_POOL) (FLD_AMENITY NEQ AME_POOL))",
            "Amenities: Pool is asked for and excluded at once.",
        ),
        (
            "(AND (FLD_STARS GR STR_4) (FLD_STARS LS STR_3))",
            "Stars: nothing is both above 4 stars and below 3 stars.",
        ),
    ],
)
def test_contradictions_are_told(world: CottageWorld, text: str, told: str) -> None:
    lf = read(text, catalogue())
    assert contradictions(lf, catalogue()) == [told]
    assert answer(world, lf) == []


@pytest.mark.parametrize(
    "text",
    [
        "(AND (FLD_RENT GE 5) (FLD_RENT LE 5))",
        "(AND (FLD_RENT GR 10 CUR_EUR) (FLD_RENT LS 9 CUR_GBP))",
        "(AND (FLD_AMENITY EQ AME_POOL) (FLD_AMENITY EQ AME_SAUNA))",
        "(AND (FLD_REGION EQ REG_ALPS) (NOT (FLD_REGION EQ REG_VALAIS)))",
        "(OR (FLD_RENT GE 10) (FLD_RENT LE 5))",
        "(AND (FLD_STARS GE STR_3) (FLD_STARS LE STR_3))",
        "(AND (FLD_REGION EQ REG_VALAIS) (NOT (AND (FLD_REGION EQ REG_VALAIS) (FLD_RENT GR 3))))",
    ],
)
def test_what_can_be_satisfied_is_no_contradiction(text: str) -> None:
    assert contradictions(read(text, catalogue()), catalogue()) == []


def test_a_value_that_no_row_has_and_a_field_without_data_are_told(store: Store) -> None:
    text = "(AND (FLD_REGION EQ REG_GRISONS) (FLD_GUESTS GR 1))"
    assert notes(store, text) == ("No cottage here has Grisons as region.",)
    assert notes(store, "(FLD_DEPOSIT GR 1)") == ("There is no data on deposit.",)
    shown = notes(store, "(AND (FLD_GUESTS GR 1) (display FLD_DEPOSIT))")
    assert "Deposit: there is no data for these cottages." in shown
    assert notes(store, "(FLD_GUESTS GR 900)") == ()
    counted = notes(store, "(AND (FLD_REGION EQ REG_GRISONS) (count))")
    assert counted == ("No cottage here has Grisons as region.",)
    assert notes(store, "(AND (FLD_GUESTS GR 900) (count))") == ()


def test_amounts_are_in_the_unit_asked_for(store: Store) -> None:
    found = store.answer(read("(AND (FLD_RENT GR 2 CUR_GBP) (display FLD_GUESTS))", catalogue()))
    plain = store.answer(read("(AND (FLD_RENT GR 4) (display FLD_GUESTS))", catalogue()))
    assert [column.unit for column in found.columns] == [None, None, "guests", "GBP"]
    assert [column.unit for column in plain.columns] == [None, None, "guests", "CHF"]
    rate = RATES["CUR_GBP"]
    assert [row[3] for row in found.rows] == [row[3] / rate for row in plain.rows]  # type: ignore[operator]
    assert found.rows


def test_a_percentage_of_what_is_not_in_percent_is_a_fraction(store: Store) -> None:
    half = store.answer(read("((ratio FLD_RENT FLD_GUESTS) LS 50 PCT)", catalogue()))
    assert half.rows == store.answer(read("((ratio FLD_RENT FLD_GUESTS) LS 0.5)", catalogue())).rows
    assert half.rows
    percent = store.answer(read("(FLD_OCCUPANCY GR 5 PCT)", catalogue()))
    assert percent.rows == store.answer(read("(FLD_OCCUPANCY GR 5)", catalogue())).rows


def test_contradictory_forms_have_no_answer() -> None:
    """A law: whatever is told to be impossible is impossible, over random conditions."""
    world = random_world(40, Random(5))
    generator = FormGenerator(world, Random(9))
    told = 0
    for _ in range(1500):
        parts = [part for _ in range(3) for part in outer_parts(generator.draw())]
        conditions = [p for p in parts if not is_summary(p) and not isinstance(p, Rank)]
        if len(conditions) < 2:
            continue
        lf = And(tuple(conditions))
        if contradictions(lf, world.catalogue):
            told += 1
            assert answer(world, lf) == [], lf
    assert told > 20
