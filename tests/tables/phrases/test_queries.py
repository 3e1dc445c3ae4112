"""Phrases are taken out of a query: what is left asks for the same rows without the condition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.tables.phrases.queries import Phrases, all_rows

LONG = ("(", "LENGTH", "GR", "9", ")")
OLD = ("(", "YEAR", "LS", "9", ")")
PHRASES = Phrases(
    {"epic": LONG, "hidden gem": OLD}, ("film", "films"), ("flick",), ("Epic Movie", "Drama")
)


@pytest.mark.parametrize(
    ("query", "rest", "conditions"),
    [
        ("epics", "", "L"),
        ("show me all Epics please!", "", "L"),
        ("epics from germany", "films from germany", "L"),
        ("the longest epic", "the longest film", "L"),
        ("how many epics per country", "how many films per country", "L"),
        ("average rating of hidden  gems", "average rating of films", "O"),
        ("epic films from 1990", "films from 1990", "L"),
        ("epic comedies", "comedies", "L"),
        ("how many films are epic", "how many films", "L"),
        ("dramas that are epics", "dramas", "L"),
        ("dramas that are not epics", "dramas", "not L"),
        ("dramas which aren't an epic by name", "dramas by name", "not L"),
        ("dramas except epics", "dramas", "not L"),
        ("non-epic dramas", "dramas", "not L"),
        ("no epics from germany", "from germany", "not L"),
        ("epic hidden gems from germany", "films from germany", "L O"),
        ("epics and hidden gems from germany", "films from germany", "L O"),
        ("epics or hidden gems from germany", "films from germany", "L|O"),
        ("dramas not from germany that are epics", "dramas not from germany", "L"),
        ("dramas that are not epics or hidden gems", "dramas", "not L|O"),
        ("flicks from germany", "films from germany", ""),
        ("an epic flick from germany", "an film from germany", "L"),
        ("flicks", "films", ""),
    ],
)
def test_phrases_are_taken_out(query: str, rest: str, conditions: str) -> None:
    found = PHRASES.read(query)
    assert found is not None
    assert found.text == rest
    names = {
        (): "", LONG: "L", OLD: "O", ("(", "NOT", *LONG, ")"): "not L",
        ("(", "OR", *LONG, *OLD, ")"): "L|O",
        ("(", "NOT", "(", "OR", *LONG, *OLD, ")", ")"): "not L|O",
    }  # fmt: skip
    assert " ".join(names[each.tokens] for each in found.conditions).strip() == conditions


@pytest.mark.parametrize(
    "query",
    [
        "films from germany",
        "epical films",
        "who made epic movie",  # a longer name of the table
        "epics or comedies",  # the model would have to know what it means
        "either comedies or epics",
        "neither epics nor comedies",
        "films that are not german epics",
        "films longer than the epics",
        "",
    ],
)
def test_a_query_without_phrases_stays(query: str) -> None:
    assert PHRASES.read(query) is None


def test_where_a_phrase_stood_is_told() -> None:
    found = PHRASES.read("german Epics since 1990")
    assert found is not None
    [condition] = found.conditions
    assert (condition.typed, condition.noun) == ("Epics", "films")
    assert found.text[condition.at :].startswith("films since")


WORDS = st.sampled_from(
    ["epic", "epics", "hidden", "gem", "flicks", "films", "or", "and", "not", "that", "are", "non-",
     "5", ",", "é", "the", "except", "comedies"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=9).map(" ".join))
def test_any_query_is_read_and_positions_are_in_the_rest(query: str) -> None:
    found = PHRASES.read(query)
    for condition in found.conditions if found and found.text else ():
        assert 0 <= condition.at <= len(found.text) + 1
        assert condition.typed in query
        if condition.noun:
            assert found.text[condition.at :].startswith(condition.noun)


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("german ep", ["german epic"]),
        ("german hidden g", ["german hidden gem"]),
        ("german epic", []),
        ("german e", []),
        ("german ep ", []),
        ("", []),
    ],
)
def test_phrases_complete_a_query(text: str, completed: list[str]) -> None:
    assert [each.text for each in PHRASES.completions(text)] == completed


def test_no_phrases_are_found_without_any() -> None:
    assert Phrases({}, ("film", "films")).read("epics") is None


@pytest.mark.parametrize(
    ("query", "is_all"),
    [
        ("films", True),
        ("Show me all of the films!", True),
        ("every film", True),
        ("everything", True),
        ("show", False),
        ("", False),
        ("french films", False),
        ("films by year", False),
        ("all dramas", False),
    ],
)
def test_a_noun_alone_means_all_rows(query: str, is_all: bool) -> None:
    found = all_rows(query, ("film", "films"), LONG)
    assert (found is not None) == is_all
    if found is not None:
        assert [each.tokens for each in found.conditions if each.tokens] == [LONG]
