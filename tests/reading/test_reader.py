"""From text to a query: nothing that people type or paste breaks it."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model.tiny import TINY, a_reader

from grammax.reading.reader import EmptyQuery, QueryReader
from grammax.reading.words import UNKNOWN, WordVocabulary

READER = a_reader()
MEGABYTE = "german steel " * 80_000


def test_a_query_has_words_ids_features_and_names() -> None:
    query = READER.read("Top 5 german STEEL")
    assert query.text == "Top 5 german STEEL"
    assert query.words == ("top", "5", "german", "steel")
    assert query.ids == tuple(map(READER.words.id, query.words))
    assert query.features.shape == (4, READER.features)
    named = [TINY.vocabulary.tokens[token] for match in query.names for token in match.ids]
    assert {"COU_GERMANY", "SEC_STEEL"} <= set(named)
    assert not query.cut
    assert query.unknown == ()


@pytest.mark.parametrize("text", ["", " ", "\n\t\r\n", "\u00a0\u3000"])
def test_an_empty_query_says_what_to_write(text: str) -> None:
    with pytest.raises(EmptyQuery, match=r"the query is empty.*Write what you look for"):
        READER.read(text)


@pytest.mark.parametrize("text", ["\x00\x01", "\u200b", "\ud800\udfff", " \ufeff "])
def test_a_query_that_cannot_be_seen_is_shown(text: str) -> None:
    with pytest.raises(EmptyQuery, match=r"the query is '\\.*no word, digit or sign") as empty:
        READER.read(text)
    str(empty.value).encode("ascii")


def test_a_huge_empty_query_is_refused_with_a_short_message() -> None:
    with pytest.raises(EmptyQuery) as empty:
        READER.read("\x00" * 1_000_000)
    assert len(str(empty.value)) < 300


def test_words_that_no_training_query_had_are_listed() -> None:
    query = READER.read("german zeppelin steel zeppelin qux")
    assert query.unknown == ("zeppelin", "zeppelin", "qux")
    assert [number == UNKNOWN for number in query.ids] == [False, True, False, True, True]


def test_a_query_of_10_000_words_is_cut() -> None:
    query = READER.read("steel " * 10_000)
    assert query.cut
    assert query.words == ("steel",) * READER.longest
    assert query.features.shape == (READER.longest, READER.features)


@pytest.mark.parametrize(("words", "cut"), [(4, False), (5, False), (6, True)])
def test_as_many_words_as_are_wanted_are_not_cut(words: int, cut: bool) -> None:
    query = a_reader(longest=5).read("steel " * words)
    assert query.cut == cut
    assert len(query.words) == min(words, 5)


def test_blanks_are_not_cut_off_words() -> None:
    blank = " " * 100_000
    query = a_reader(longest=5).read(f"{blank}german steel{blank}")
    assert query.words == ("german", "steel")
    assert not query.cut


def test_what_stands_far_behind_the_rest_is_cut() -> None:
    query = a_reader(longest=5).read("german" + " " * 100_000 + "steel")
    assert query.words == ("german",)
    assert query.cut


@pytest.mark.parametrize(
    "text",
    [MEGABYTE, "x" * 1_000_000, "9" * 1_000_000, "\ufdfa" * 1_000_000, "e\u0301\u0327" * 330_000],
    ids=["words", "one word", "digits", "ligatures", "accents"],
)
def test_a_megabyte_is_not_read_to_its_end(text: str) -> None:
    READER.read("warm up")
    started = perf_counter()
    query = READER.read(text)
    assert perf_counter() - started < 1.0
    assert query.cut
    assert len(query.words) <= READER.longest


def test_what_cannot_be_encoded_is_left_out() -> None:
    query = READER.read("german \ud83d steel \udcff")
    assert query.words == ("german", "steel")
    assert query.text == "german \ud83d steel \udcff"


@given(st.text(st.characters(codec=None), max_size=80))
def test_any_text_is_a_query_or_an_empty_one(text: str) -> None:
    try:
        query = READER.read(text)
    except EmptyQuery:
        return
    assert len(query.words) == len(query.ids) == len(query.features) > 0
    assert np.isfinite(query.features).all()


def test_without_names_words_have_ids_alone() -> None:
    reader = QueryReader(WordVocabulary(["german"]), None, 10)
    query = reader.read("german steel")
    assert reader.features == 0
    assert query.features.shape == (2, 0)
    assert query.names == ()
    assert query.ids == (2, UNKNOWN)
