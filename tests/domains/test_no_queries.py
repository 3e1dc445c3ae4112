"""Texts that are no equity queries."""

from __future__ import annotations

from grammax.domains.no_queries import no_queries
from grammax.reading.words import split


def test_there_are_texts_to_learn_from_and_others_to_measure_on() -> None:
    train, test = no_queries("eqs", "train"), no_queries("eqs", "test")
    assert (len(train), len(test)) == (150, 200)
    assert "what is the weather in oslo" in test
    words = [tuple(split(text)) for text in (*train, *test)]
    assert len(set(words)) == 350
    assert all(words)


def test_a_domain_may_have_none() -> None:
    assert no_queries("geography", "test") == ()
