"""The texts that a query may ask columns to contain."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tables.searched import films

from grammax.language.filling import SLOTS
from grammax.tables.form.errors import without_blanks
from grammax.tables.form.operands import unquoted
from grammax.tables.mentions.reader import MentionReader
from grammax.tables.mentions.texts import MOST

READER = MentionReader.from_catalogue(films())


def texts(query: str) -> list[str]:
    return [query[each.start : each.stop] for each in READER.read(query) if not each.one_word]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("films whose title contains star", "star"),
        ("films with the word glass in the title", "glass"),
        ('show "Star Wars" films', "Star Wars"),
        ("films called 'schindler's list'", "schindler's list"),
        ("drama films about the moon landing", "moon landing"),
        ("films called the matrix", "the matrix"),
        ("films called pride and prejudice with over 100 votes", "pride and prejudice"),
        ("films mentioning broken glass sorted by votes", "broken glass"),
        ("email ending in gmail.com?", "gmail.com"),
        ("who voted for Lord of the Rings", "Lord of the Rings"),
        ("casablanca votes", "casablanca"),
        ("title: blade runner 2049, most votes", "blade runner 2049"),
        ("films with usb in the title", "usb"),
        ("titles starting with zz", "zz"),
        ("films whose title is war", "war"),
    ],
)
def test_a_text_is_found(query: str, text: str) -> None:
    assert text in texts(query)


@pytest.mark.parametrize(
    "query", ["drama films with over 100 votes", "top 3 films by votes", "how many films per genre"]
)
def test_a_query_that_searches_nothing_has_no_text(query: str) -> None:
    assert texts(query) == []


def test_without_searched_columns_nothing_is_looked_for() -> None:
    reader = MentionReader.from_catalogue(films(searched=False))
    query = 'films called "star wars" since 1977'
    assert [each.one_word for each in reader.read(query)] == [True]


@given(some.text(max_size=200))
def test_every_text_is_a_run_of_characters_of_the_query(query: str) -> None:
    found = READER.read(query)
    loose = [each for each in found if not each.one_word]
    assert len(loose) <= MOST
    assert len(found) <= SLOTS
    for each in loose:
        ((_, (token,)),) = each.readings
        assert unquoted(token) == without_blanks(query[each.start : each.stop])


@pytest.mark.parametrize(
    "piece", ["called star ", "'a ", '"', "in the title ", "X", "a, ", "A of "]
)
def test_long_queries_take_no_time(piece: str) -> None:
    started = process_time()
    READER.read(piece * (4_000 // len(piece)))
    assert process_time() - started < 0.5
