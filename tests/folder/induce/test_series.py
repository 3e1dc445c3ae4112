"""Tokens that say themselves what they are one of."""

from __future__ import annotations

import pytest

from grammax.folder.induce.series import letters, members, opposite, series, uncounted


def test_letters_are_a_series_if_there_are_enough() -> None:
    assert letters(["A", "B", "X", "ANS", "loc"]) == {"A", "B", "X"}
    assert letters(["A", "B", "ANS"]) == frozenset()


def test_letters_between_and_behind_those_seen_may_come() -> None:
    assert members({"A", "C", "B"}) == ["A", "B", "C", "D", "E"]
    assert members({"A", "P", "X"})[-1] == "Z"
    assert members({"A", "B"}) == ["A", "B"]


def test_numbers_up_to_two_more_than_seen_may_come() -> None:
    assert members({"c2"}) == ["c0", "c1", "c2", "c3", "c4"]
    assert members({"$1:e"}) == ["$0:e", "$1:e", "$2:e", "$3:e"]
    assert members({"co0", "usa:co"}) == ["co0", "co1", "co2", "usa:co"]


def test_numbers_that_are_not_counted_stay_as_they_are() -> None:
    assert members({"year1990"}) == ["year1990"]
    assert members({"en.block.block1"}) == ["en.block.block1"]
    assert members({"x86"}) == ["x86"]
    assert members({"c1", "c12"}) == ["c1", "c12"]


def test_one_number_that_is_not_counted_is_no_series() -> None:
    assert uncounted(["x86", "c0", "c1", "usa:co", "co12", "2019-06", "loc"]) == {"x86"}


@pytest.mark.parametrize("token", ["loc", "9", "en.team", "A", "SW.filter", ":", "a b"])
def test_most_tokens_are_of_no_series(token: str) -> None:
    assert series(token) == token


def test_what_orders_has_an_opposite() -> None:
    for word in ("<", ">=", "argmax", "min"):
        assert opposite(opposite(word) or "") == word
    assert opposite("and") is None
