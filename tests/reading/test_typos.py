"""Slips of the finger that are put right, and words that are left alone."""

from __future__ import annotations

from model.tiny import a_reader


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
