"""Units, decades and the current period, as people say them about tables without history."""

from __future__ import annotations

import pytest

from grammax.language.filling import Mention
from grammax.tables.filling import NotMentioned, filled, misfits, written
from grammax.tables.known_values.measures import ColumnUnit, converted
from grammax.tables.mentions.measured import Measures
from grammax.tables.mentions.reader import MentionReader

UNITS = {
    "FLD_LENGTH": ColumnUnit("minutes"),
    "FLD_HEIGHT": ColumnUnit("m"),
    "FLD_GROWTH": ColumnUnit("cm"),
    "FLD_WEIGHT": ColumnUnit("kg"),
    "FLD_HEAT": ColumnUnit("°C"),
    "FLD_SIZE": ColumnUnit("MB"),
    "FLD_FLAT": ColumnUnit("m²"),
    "FLD_PRICE": ColumnUnit("", frozenset({"money"})),
    "FLD_COST": ColumnUnit("EUR"),
    "FLD_RATING": ColumnUnit(""),
    "FLD_ANY": ColumnUnit("", None),
}
DATES = frozenset({"FLD_OPENED"})
FIELDS = frozenset({*UNITS, *DATES, "FLD_YEAR"})
READER = MentionReader((), None, Measures(UNITS, rated=True))
PLAIN = MentionReader(())

COMPARED = {
    "over 2 hours": "FLD_LENGTH GR 120",
    "over 2.5 hrs": "FLD_LENGTH GR 150",
    "over 90 min": "FLD_LENGTH GR 90",
    "over 90min": "FLD_LENGTH GR 90",
    "over 1h30": "FLD_LENGTH GR 90",
    "over 1h 30min": "FLD_LENGTH GR 90",
    "over 1 hour 30 minutes": "FLD_LENGTH GR 90",
    "over 2h": "FLD_LENGTH GR 120",
    "90-minute ones": "FLD_LENGTH EQ 90",
    "over half an hour": "FLD_LENGTH GR 30",
    "over an hour": "FLD_LENGTH GR 60",
    "over an hour and a half": "FLD_LENGTH GR 90",
    "over two and a half hours": "FLD_LENGTH GR 150",
    "over 5 km": "FLD_HEIGHT GR 5000",
    "over 8500 m": "FLD_HEIGHT GR 8500",
    "over 2000 metres": "FLD_HEIGHT GR 2000",
    "over 6 feet": "FLD_GROWTH GR 182.88",
    "over 6'2\"": "FLD_GROWTH GR 187.96",
    "over 6 ft 2 in": "FLD_GROWTH GR 187.96",
    "over 10 lbs": "FLD_WEIGHT GR 4.5359",
    "over 500 g": "FLD_WEIGHT GR 0.5",
    "above 86 °F": "FLD_HEAT GR 30",
    "above 30 degrees": "FLD_HEAT GR 30",
    "above 2 GB": "FLD_SIZE GR 2048",
    "above 20 m2": "FLD_FLAT GR 20",
    "above 20 square meters": "FLD_FLAT GR 20",
    "over 8500 m in price": "FLD_PRICE GR 8500 MILLION",
    "over $5": "FLD_PRICE GR 5",
    "over 5 kg in any": "FLD_ANY GR 5",
    "at least 4.5 out of 5": "FLD_RATING GE 4.5",
    "8/10": "FLD_RATING EQ 8",
    "a 5-star hotel": "FLD_RATING EQ 5",
    "4+ stars": "FLD_RATING GE 4",
}


def tokens_of(form: str) -> tuple[str, ...]:
    """The tokens of a comparison, its number digit by digit."""
    field, operator, *value = form.split()
    return ("(", field, operator, *value[0], *value[1:], ")")


@pytest.mark.parametrize(("text", "form"), COMPARED.items())
def test_a_number_with_a_unit_is_one_of_the_columns_own(text: str, form: str) -> None:
    mentions = READER.read(text)
    tokens = tokens_of(form)
    decoded = filled(tokens, mentions, FIELDS, DATES, UNITS)
    assert len(decoded) == 5
    assert written(decoded, mentions, UNITS) == tokens
    assert not misfits(decoded, mentions, UNITS)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("over 5 kg", "FLD_LENGTH GR 5"),
        ("over $5", "FLD_LENGTH GR 5"),
        ("over $5", "FLD_COST GR 5"),
        ("over 2 hours", "FLD_RATING GR 2"),
        ("over 2 hours", "FLD_LENGTH GR 2"),
    ],
)
def test_a_number_of_another_unit_is_not_taken(text: str, form: str) -> None:
    mentions = READER.read(text)
    with pytest.raises(NotMentioned):
        filled(tokens_of(form), mentions, FIELDS, DATES, UNITS)


def test_a_misfit_is_reported() -> None:
    mentions = READER.read("over 5 kg")
    assert misfits(("(", "FLD_LENGTH", "GR", "NUMBER#0", ")"), mentions, UNITS) == [0]
    assert misfits(("(", "FLD_WEIGHT", "GR", "NUMBER#0", ")"), mentions, UNITS) == []


def test_both_numbers_of_a_range_have_the_unit() -> None:
    for text in ("between 1 and 2 hours", "1-2 hours", "1 hour to 2 hours"):
        mentions = READER.read(text)
        form = ("(", "FLD_LENGTH", "BETWEEN", "NUMBER#0", "NUMBER#1", ")")
        assert "".join(written(form, mentions, UNITS)).count("60") == 1
        assert "".join(written(form, mentions, UNITS)).count("120") == 1


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("the 80s", "1980", "1989"),
        ("the 1980s", "1980", "1989"),
        ("the '80s", "1980", "1989"),
        ("the 80's", "1980", "1989"),
        ("the nineties", "1990", "1999"),
        ("the 2010s", "2010", "2019"),
        ("the 2000s", "2000", "2009"),
        ("the 1800s", "1800", "1899"),
        ("the 19th century", "1801", "1900"),
        ("the twenty-first century", "2001", "2100"),
    ],
)
@pytest.mark.parametrize("field", ["FLD_YEAR", "FLD_OPENED"])
def test_a_decade_is_a_range_of_years(text: str, first: str, last: str, field: str) -> None:
    mentions = READER.read(f"in {text}")
    bounds = ("(", "AND", "(", field, "GE", *first, ")", "(", field, "LE", *last, ")", ")")
    decoded = filled(bounds, mentions, FIELDS, DATES, UNITS)
    assert decoded[:3] == ("(", field, "EQ")
    assert written(decoded, mentions) == bounds


@pytest.mark.parametrize(
    ("operator", "year"), [("LS", "1990"), ("GE", "1990"), ("GR", "1999"), ("LE", "1999")]
)
def test_before_and_after_a_decade(operator: str, year: str) -> None:
    mentions = READER.read("compared with the 90s")
    form = ("(", "FLD_YEAR", operator, *year, ")")
    decoded = filled(form, mentions, FIELDS, DATES)
    assert decoded == ("(", "FLD_YEAR", operator, "NUMBER#0", ")")
    assert written(decoded, mentions) == form


def test_a_year_inside_a_decade_is_not_mentioned() -> None:
    mentions = READER.read("in the 90s")
    for form in ("FLD_YEAR EQ 1990", "FLD_YEAR GR 1990", "FLD_YEAR EQ 1995"):
        with pytest.raises(NotMentioned):
            filled(tokens_of(form), mentions, FIELDS, DATES)


def test_ranges_of_decades_and_their_negation() -> None:
    mentions = READER.read("from the 80s to the 90s")
    form = ("(", "FLD_YEAR", "BETWEEN", "NUMBER#0", "NUMBER#1", ")")
    plain = "( AND ( FLD_YEAR GE 1 9 8 0 ) ( FLD_YEAR LE 1 9 9 9 ) )"
    assert " ".join(written(form, mentions)) == plain
    assert filled(tuple(plain.split()), mentions, FIELDS, DATES) == form
    negated = ("(", "FLD_YEAR", "NEQ", "NUMBER#0", ")")
    assert " ".join(written(negated, mentions)) == (
        "( NOT ( AND ( FLD_YEAR GE 1 9 8 0 ) ( FLD_YEAR LE 1 9 8 9 ) ) )"
    )


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("this year", "LAST 0 YEAR"),
        ("the current month", "LAST 0 MONTH"),
        ("this week", "LAST 0 WEEK"),
        ("today", "LAST 0 DAY"),
        ("ytd", "LAST 0 YEAR"),
        ("last month", "LAST MONTH"),
        ("yesterday", "LAST DAY"),
        ("since 1850", "1 8 5 0"),
        ("before 1900", "1 9 0 0"),
    ],
)
def test_times_relative_to_today_and_early_years(text: str, time: str) -> None:
    (mention,) = READER.read(text)
    assert dict(mention.readings)["TIME"] == tuple(time.split())


@pytest.mark.parametrize("text", ["the early 90s", "late 1980s", "next week", "tomorrow"])
def test_what_no_form_can_say_is_not_read(text: str) -> None:
    assert READER.read(text) == []
    assert READER.scan(text).unread


@pytest.mark.parametrize("text", ["third highest", "the 2nd largest", "the tenth", "5g"])
def test_ordinals_and_names_are_no_numbers(text: str) -> None:
    assert MentionReader((), None, Measures({})).read(text) == []


@pytest.mark.parametrize("text", ["this year", "today", "1h30", "over 2 hours", "8500 m", "6'2"])
def test_tables_with_history_read_as_before(text: str) -> None:
    assert not any(mention.unit or mention.last for mention in PLAIN.read(text))


def test_a_million_is_read_where_no_column_has_metres() -> None:
    (mention,) = MentionReader((), None, Measures({})).read("over 8500 m")
    assert mention == Mention(5, 11, (("LARGE_NUMBER", (*"8500", "MILLION")),))


def test_units_that_measure_something_else_are_not_converted() -> None:
    assert converted("5", "kg", "minutes") is None
    assert converted("5", "dollars", "EUR") is None
    assert converted("3", "mm", "km") == "0.000003"
