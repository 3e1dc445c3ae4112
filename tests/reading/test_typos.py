"""Slips of the finger that are put right, and words that are left alone."""

from __future__ import annotations

import pytest
from model.tiny import a_reader

from grammax.reading.typos import corrected

KNOWN = {"germany", "norway", "steel", "stella", "banks", "tanks", "software"}


@pytest.mark.parametrize("typed", ["germny", "gernany", "germnay", "germanny", "ermany"])
def test_one_slip_is_put_right(typed: str) -> None:
    assert corrected(typed, KNOWN) == "germany"


@pytest.mark.parametrize(
    "typed",
    ["grmny", "stell", "yanks", "stel", "", "germany!", "日本国民主", "germnÿ", "x" * 5000],
    ids=["two slips", "two words", "two others", "short", "empty", "sign", "script", "é", "long"],
)
def test_what_is_unclear_is_left_alone(typed: str) -> None:
    assert corrected(typed, KNOWN) is None


def test_a_reader_puts_right_what_nobody_knows() -> None:
    query = a_reader().read("Softwere in Frnace")
    assert query.words == ("software", "in", "france")
    assert query.typos == ((0, "softwere"), (2, "frnace"))
    assert len(query.names) == 2
    assert query.text == "Softwere in Frnace"


def test_a_word_that_is_known_is_never_changed() -> None:
    query = a_reader().read("british banking cars")
    assert query.words == ("british", "banking", "cars")
    assert query.typos == ()
