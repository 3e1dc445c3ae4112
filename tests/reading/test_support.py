"""Weak names of films count with support only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.reading.name_index import Match, NameIndex
from grammax.reading.support import Case, NameClasses, NameFinder, cases
from grammax.reading.words import split

FIELD, COUNTRY, FILM, TOWN = range(4)
NAMES = {
    "budget": FIELD, "running time": FIELD, "up rating": FIELD,
    "sweden": COUNTRY, "swedish": COUNTRY, "in": COUNTRY, "drama": COUNTRY,
    "amelie": FILM, "up": FILM, "rocky": FILM, "shark": FILM, "swedish drama": FILM, "et": FILM,
    "zzz": FILM, "storm": FILM, "reading": TOWN, "paris": TOWN,
}  # fmt: skip
TOKENS = list(NAMES)
KINDS = list(NAMES.values())
FINDER = NameFinder(
    NameIndex.from_names([[tuple(split(name))] for name in TOKENS]),
    KINDS,
    NameClasses(
        open_kinds=frozenset((FILM, TOWN)),
        closed_kinds=frozenset((COUNTRY,)),
        coded_kinds=frozenset((COUNTRY,)),
        fields=frozenset((FIELD,)),
        places=frozenset((TOWN,)),
        neutral=frozenset(("film", "films")),
        famous=0,
        familiar=0,
        known=8,
    ),
)


def found(text: str) -> list[str]:
    """The names that count."""
    words = split(text)
    return [TOKENS[token] for m in FINDER.find(words, cases(text, words)) for token in m.ids]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("amelie", ["amelie"]),
        ("films like amelie", ["amelie"]),
        ("shark", ["shark"]),
        ("shark budget", ["shark", "budget"]),
        ("what is the budget of shark?", ["budget", "shark"]),
        ("shark's budget after sweden", ["shark", "budget", "sweden"]),
        ("shark budget in sweden", ["budget", "sweden"]),
        ("shark films", []),
        ("films with a shark", []),
        ("films with a Shark", ["shark"]),
        ("a film with SHARK", ["shark"]),
        ("FILMS WITH SHARK", []),
        ("shark vs amelie", ["shark", "amelie"]),
        ("shark vs storm", ["shark", "storm"]),
        ("shark and amelie in sweden", ["shark", "amelie", "sweden"]),
        ("up", []),
        ("up budget", ["budget"]),
        ("UP budget", ["up", "budget"]),
        ("the budget of Up", ["budget"]),
        ("et budget", ["et", "budget"]),
        ("films about et", []),
        ("zzz budget", ["zzz", "budget"]),
        ("films in sweden", ["sweden"]),
        ("films IN sweden", ["in", "sweden"]),
        ("swedish drama about jazz", ["swedish", "drama"]),
        ("which films came before Swedish Drama", ["swedish drama"]),
        ("swedish drama budget", ["swedish drama", "budget"]),
        ("shot in reading", ["reading"]),
        ("reading about films", []),
        ("paris", ["paris"]),
        ("up rating", ["up rating"]),
    ],
)
def test_a_weak_name_needs_support(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_a_strong_name_is_told_from_a_weak_one() -> None:
    assert FINDER.is_strong(["amelie"], TOKENS.index("amelie"))
    assert not FINDER.is_strong(["up"], TOKENS.index("up"))
    assert not FINDER.is_strong(["amelie"], TOKENS.index("up"))


def test_names_inside_a_phrase_need_no_support_or_are_left_out() -> None:
    assert FINDER.inside(["up", "budget"]) == [Match(1, 2, (TOKENS.index("budget"),))]


WORDS = st.sampled_from(
    ("up", "shark", "swedish", "drama", "in", "reading", "budget", "vs", "and", "'", "s", "films")
)
CASES = st.sampled_from(Case)


@given(st.lists(WORDS, max_size=8).flatmap(
    lambda words: st.tuples(
        st.just(words), st.lists(CASES, min_size=len(words), max_size=len(words))
    )
))  # fmt: skip
def test_support_only_takes_away(query: tuple[list[str], list[Case]]) -> None:
    words, typed = query
    every = {(m.start, m.stop, token) for m in FINDER.index.all(words) for token in m.ids}
    for given_cases in ((), typed):
        names = FINDER.find(words, given_cases)
        kept = {(m.start, m.stop, token) for m in names for token in m.ids}
        assert kept <= every
        assert all(match.ids for match in names)


@given(st.lists(WORDS, max_size=8))
def test_closed_names_that_no_other_contains_always_count(words: list[str]) -> None:
    kept = {(m.start, m.stop) for m in FINDER.find(words)}
    for start, stop, ids in FINDER.index.find(words):
        if all(KINDS[token] == FIELD for token in ids):
            assert (start, stop) in kept


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("films by A24", "00200"),
        ("Films BY a24", "12000"),
        ("films by a24", ""),
        ("FILMS BY A24", ""),
        ("5 > 3", ""),
        ("1,000 Films", "00001"),
    ],
)
def test_how_words_were_typed(text: str, typed: str) -> None:
    assert "".join(str(int(case)) for case in cases(text, split(text))) == typed


@given(st.text(max_size=30))
def test_any_text_has_a_case_for_each_word_or_none(text: str) -> None:
    words = split(text)
    assert len(cases(text, words)) in (0, len(words))


@given(st.lists(st.lists(WORDS, min_size=1, max_size=5), max_size=6))
def test_what_was_asked_before_makes_no_difference(queries: list[list[str]]) -> None:
    used = NameFinder(FINDER.index, KINDS, FINDER.classes)
    for words in queries:
        matches = used.find(words)
        assert matches == NameFinder(FINDER.index, KINDS, FINDER.classes).find(words)
        for start, stop, ids in matches:  # as a judgement asks, for some of the tokens
            used.weak(words, Match(start, stop, ids[:1]))
