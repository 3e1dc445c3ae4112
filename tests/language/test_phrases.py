"""Conditions are added to logical forms, and taken out of them again."""

from __future__ import annotations

import pytest

from grammax.language.phrases import NamedCondition, Rephrased, joined, without_conditions


def form(text: str) -> tuple[str, ...]:
    return tuple(text.split())


LONG = NamedCondition("epics", 0, "films", form("( LENGTH GR 9 )"))
RANGE = NamedCondition("old", 0, "", form("( AND ( YEAR GE 1 ) ( YEAR LE 9 ) )"))
NOUN = NamedCondition("flicks", 0, "films", ())


@pytest.mark.parametrize(
    ("before", "conditions", "after"),
    [
        ("( A EQ B )", [LONG], "( AND ( LENGTH GR 9 ) ( A EQ B ) )"),
        ("( AND ( count ) ( by A ) )", [LONG], "( AND ( LENGTH GR 9 ) ( count ) ( by A ) )"),
        ("( A EQ B )", [RANGE], "( AND ( YEAR GE 1 ) ( YEAR LE 9 ) ( A EQ B ) )"),
        ("( A EQ B )", [NOUN], "( A EQ B )"),
        ("( AND ( A EQ B ) ( C EQ D ) )", [NOUN], "( AND ( A EQ B ) ( C EQ D ) )"),
        ("", [LONG], "( LENGTH GR 9 )"),
        ("", [LONG, NOUN], "( LENGTH GR 9 )"),
        ("", [LONG, RANGE], "( AND ( LENGTH GR 9 ) ( YEAR GE 1 ) ( YEAR LE 9 ) )"),
    ],
)
def test_conditions_are_added_before_the_rest(
    before: str, conditions: list[NamedCondition], after: str
) -> None:
    made = joined(form(before), conditions)
    assert made.tokens == form(after)
    for token, at, number in zip(*made, strict=True):
        assert at is None or form(before)[at] == token
        assert number is None or token in conditions[number].tokens
    if before:
        assert without_conditions(Rephrased("x", tuple(conditions)), made.tokens) == form(before)


def test_a_form_without_the_condition_has_no_rest() -> None:
    assert without_conditions(Rephrased("x", (LONG,)), form("( A EQ B )")) is None
