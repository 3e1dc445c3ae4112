"""Idioms and classes of fields: their cues, their place beside the noun, their marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

import pytest

from grammax.tables.classes import CLASSES, COUNT, DATE, DURATION, MONEY, PERCENT, PRICE, class_of
from grammax.tables.idioms import FieldClass, Idioms, Moves, Signs, around, cues, follows_noun
from grammax.tables.lexicon import COMPARISON, EQUALITY
from grammax.tables.schema import NumberType

_MARKS = {"{f}", "{a}", "{is}", "{n}", "{m}", "{c}", "{of c}"}


def patterns(part: object) -> Iterator[str]:
    """All patterns of a class or of a part of it."""
    if isinstance(part, tuple):
        yield from part
    elif isinstance(part, dict):
        for some in part.values():
            yield from some
    elif isinstance(part, FieldClass | Signs | Moves):
        for inner in fields(part):
            yield from patterns(getattr(part, inner.name))


def test_cues_are_runs_of_words_that_mean_something() -> None:
    found = cues(
        Idioms(
            most=("most watched", "longest"),
            greater=("with more than {n} people on screen", "longer than {n}"),
            absent=("without songs",),
        )
    )
    assert found == ("most watched", "longest", "people", "screen", "longer", "songs")


@pytest.mark.parametrize("text", ["with at least {n} songs", "with at most {n} songs"])
def test_degrees_without_an_adjective_are_no_cues(text: str) -> None:
    assert cues(Idioms(greater=(text,))) == ("songs",)


def test_an_idiom_stands_before_or_after_the_noun_or_around_it() -> None:
    assert not follows_noun("long")
    assert around("ad-free", "films") == "ad-free films"
    assert around("without ads", "films") == "films without ads"
    assert around("best {e} of the year", "films") == "best films of the year"


@pytest.mark.parametrize("each", CLASSES.values(), ids=CLASSES)
def test_patterns_of_classes_have_known_marks_and_lower_case(each: FieldClass) -> None:
    for pattern in patterns(each):
        assert set(re.findall(r"\{[^}]*\}", pattern)) <= _MARKS, pattern
        assert pattern == pattern.lower()


@pytest.mark.parametrize("each", CLASSES.values(), ids=CLASSES)
def test_classes_word_every_operator_and_every_clause(each: FieldClass) -> None:
    assert set(each.compared) == {*COMPARISON, *EQUALITY}
    assert all("{n}" in text for texts in each.compared.values() for text in texts)
    assert all("{n}" in text and "{m}" in text for text in each.ranges)
    for frame in (*each.clauses, *each.telegraphic):
        assert "{f}" in frame
        assert "{c}" in frame or "{of c}" in frame
    for pattern in (*each.most, *each.least, *patterns(each.signs), *patterns(each.moves)):
        assert "{f}" in pattern


@pytest.mark.parametrize("each", CLASSES.values(), ids=CLASSES)
def test_no_pattern_of_a_class_has_two_directions(each: FieldClass) -> None:
    operators = [set(texts) for texts in each.compared.values()]
    assert sum(map(len, operators)) == len(set().union(*operators))
    assert not set(each.most) & set(each.least)


def test_the_class_of_a_number_type_follows_from_what_may_follow_its_numbers() -> None:
    assert class_of(NumberType("SUM", denominations=True, units=True)) is MONEY
    assert class_of(NumberType("SUM", units=True)) is PRICE
    assert class_of(NumberType("SHARE", percentages=True)) is PERCENT
    assert class_of(NumberType("AWARDS", denominations=True)) is COUNT
    assert class_of(NumberType("LENGTH", unit="minutes")) is DURATION
    assert class_of(NumberType("YEAR")) is DATE
