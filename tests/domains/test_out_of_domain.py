"""Texts to abstain on."""

from __future__ import annotations

from domains.eqs.shared import eqs
from model.tiny import TINY

from grammax.reading.words import split


def test_there_are_texts_to_learn_from_and_others_to_measure_on() -> None:
    train, test = eqs().out_of_domain("train"), eqs().out_of_domain("test")
    assert (len(train), len(test)) == (521, 200)
    assert "what is the weather in oslo" in test
    words = [tuple(split(text)) for text in (*train, *test)]
    assert len(set(words)) == len(words)
    assert all(words)


def test_there_are_queries_that_nothing_expresses() -> None:
    train, test = eqs().near_misses("train"), eqs().near_misses("test")
    assert (len(train), len(test)) == (991, 125)
    others = {*eqs().out_of_domain("train"), *eqs().out_of_domain("test")}
    words = {tuple(split(text)) for text in (*train, *test)}
    assert len(words) == len(train) + len(test)
    assert words.isdisjoint(tuple(split(text)) for text in others)


def test_a_domain_may_have_none() -> None:
    assert TINY.out_of_domain("test") == TINY.near_misses("test") == ()
