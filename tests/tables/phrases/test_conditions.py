"""Conditions as people write them become constraints, or errors that say what is permitted."""

from __future__ import annotations

import pytest

from grammax.tables.phrases.conditions import BadCondition, NoSuchValue, read_condition

from .films import films

FILMS = films()


def condition(text: str) -> str:
    found = read_condition(text, FILMS.catalogue, FILMS.mentions, FILMS.written_pieces)
    return FILMS.text(found)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("gross > 100m", "(FLD_GROSS GR 100 MILLION)"),
        ("gross>$2.5bn", "(FLD_GROSS GR 2.5 BILLION)"),
        ("Box Office is at least 5 million", "(FLD_GROSS GE 5 MILLION)"),
        ("runtime_min >= 150 minutes", "(FLD_RUNTIME_MIN GE 150)"),
        ("runtime under 90", "(FLD_RUNTIME_MIN LS 90)"),
        ("released before 1960", "(FLD_RELEASED LS 1960)"),
        ("released since 3 june 2020", "(FLD_RELEASED GE 2020 JUN 3)"),
        ("country is france", "(FLD_COUNTRY EQ enumValue(COU_FRANCE))"),
        ("country french", "(FLD_COUNTRY EQ enumValue(COU_FRANCE))"),
        ("country != France", "(FLD_COUNTRY NEQ enumValue(COU_FRANCE))"),
        ("country is not Trinidad and Tobago", "(FLD_COUNTRY NEQ enumValue(COU_TRINIDAD))"),
        ("grade >= B", "(FLD_GRADE GE enumValue(GRD_B))"),
        ("in colour", "(FLD_IN_COLOUR EQ enumValue(COL_TRUE))"),
        ("not in colour", "(NOT (FLD_IN_COLOUR EQ enumValue(COL_TRUE)))"),
        (
            "runtime between 60 and 90",
            "(AND (FLD_RUNTIME_MIN GE 60) (FLD_RUNTIME_MIN LE 90))",
        ),
        (
            "gross > 1 and runtime < 90 and in colour",
            "(AND (FLD_GROSS GR 1) (FLD_RUNTIME_MIN LS 90) (FLD_IN_COLOUR EQ enumValue(COL_TRUE)))",
        ),
        (
            "gross > 1m or runtime < 90",
            "(OR (FLD_GROSS GR 1 MILLION) (FLD_RUNTIME_MIN LS 90))",
        ),
        ("(FLD_GROSS GR 5)", "(FLD_GROSS GR 5)"),
    ],
)
def test_a_condition_becomes_a_constraint(text: str, form: str) -> None:
    assert condition(text) == form


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grss > 5", "does not begin with the name of a column. Did you mean gross?"),
        ("gross > many", "Gross is compared with a number, such as 20 or 1.5m"),
        ("gross > 5 of 7", "Gross is compared with a number"),
        ("released > long ago", "Released is compared with a date"),
        ("gross >", "there is no value after gross"),
        ("country > France", "GR needs an order"),
        ("plot is long", "Plot is a text that is shown, but not compared"),
        ("gross > 1 and runtime < 2 or in colour", 'it has both "and" and "or"'),
        ("(top 3 FLD_GROSS)", "does not compare a column of a row with a value"),
        ("((count) GR 3)", "does not compare a column of a row with a value"),
        ("(FLD_GROSS GR", "("),
        ("", "does not begin with the name of a column"),
    ],
)
def test_what_is_no_condition_is_told(text: str, message: str) -> None:
    with pytest.raises(BadCondition) as error:
        condition(text)
    assert message in str(error.value)


def test_a_value_that_is_missing_is_told_apart() -> None:
    with pytest.raises(NoSuchValue, match=r"Country has no value 'frnce'. Did you mean france\?"):
        condition("country is frnce")
