"""Numbers as they are said, and as they stand in a logical form."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grammax.reading.name_index import Match
from grammax.reading.words import split
from grammax.training.augment.numbers import numbers_in, numbers_of, renumbered

NUMBERS = st.from_regex(r"(0|[1-9][0-9]{0,5})(\.[0-9]{1,3})?", fullmatch=True)


def test_a_number_inside_a_name_is_none() -> None:
    words = split("s&p 500 pe > 30")
    name = Match(0, words.index("pe"), (7,))
    assert [number.text for number in numbers_in(words, [name])] == ["30"]
    assert [number.text for number in numbers_in(words, [])] == ["500", "30"]


@given(st.lists(NUMBERS, max_size=4))
def test_numbers_are_read_as_they_were_written(texts: list[str]) -> None:
    words = split(" and ".join(texts))
    found = numbers_in(words, [])
    assert [number.text for number in found] == texts
    tokens = tuple(token for text in texts for token in (*text, "BILLION"))
    assert numbers_of(tokens) == texts


@given(st.lists(NUMBERS, min_size=1, max_size=4), st.integers(0, 1000))
def test_a_pair_that_is_renumbered_says_in_both_the_same(texts: list[str], seed: int) -> None:
    words = split(" and ".join(texts))
    tokens = tuple(token for text in texts for token in ("GR", *text))
    said, swapped = renumbered(words, [], tokens, np.random.default_rng(seed))
    assert [number.text for number in numbers_in(said, [])] == numbers_of(swapped)
    assert [word for word in said if word == "and"] == ["and"] * (len(texts) - 1)


def test_a_number_that_only_the_query_has_stays() -> None:
    words = split("top 10 of 3")
    for seed in range(20):
        said, tokens = renumbered(words, [], ("top", "3"), np.random.default_rng(seed))
        assert said[:3] == ["top", "1", "#0"]
        assert tokens[0] == "top"


def test_a_year_becomes_a_year() -> None:
    years = set()
    for seed in range(40):
        said, _ = renumbered(split("in 2019"), [], (*"2019",), np.random.default_rng(seed))
        years.add(numbers_in(said, [])[0].text)
    assert len(years) > 5
    assert all(2000 <= int(year) < 2030 for year in years)
