"""`superset`: finite, for any grammar; exact where nothing nests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.assertions import assert_exact

from grammax import Grammar, superset
from grammax.automaton.networks.superset import superset_dfa

# Recursion at an edge only, calls without recursion: regular, so nothing may be lost or added.
REGULAR = {
    "no recursion": 'start: a b a | b\na: "x" b | "y"\nb: "z" | "w" "w"',
    "left recursion": 'start: start "+" item | item\nitem: "x" | "y" "z"',
    "right recursion": 'start: item "+" start | item\nitem: "x" | "y" "z"',
    "a ring at the left": 'start: a "x" | "s"\na: b "y" | "t"\nb: start "z" | "u"',
    "a ring at the right": 'start: "x" a | "s"\na: "y" b | "t"\nb: "z" start | "u"',
    "a cycle without tokens": 'start: a | "s"\na: start | "t" a',
    "a repetition of a rule": 'start: pair+\npair: "k" "v"',
    "a repetition of an empty rule": 'start: item*\nitem: "x" |',
    "repetitions within repetitions": 'start: (("a" b)+ "c")*\nb: "x"+ | "y" b',
    "a rule used in several places": 'start: a "," a ";" a\na: "x" a | "y"',
    "a list of lists": 'start: row+\nrow: cell+ ";"\ncell: "x" | "y" "z"',
}


@pytest.mark.parametrize("text", REGULAR.values(), ids=REGULAR)
def test_what_is_regular_stays_exact(text: str) -> None:
    grammar = Grammar.read(text)
    assert_exact(superset(grammar), grammar, 6)


@st.composite
def regular_grammars(draw: st.DrawFn) -> Grammar:
    """Rules that call later ones anywhere and themselves at one edge: regular by construction."""
    names = [f"r{i}" for i in range(draw(st.integers(1, 4)))]
    rules: dict[str, list[list[str]]] = {}
    for place, name in enumerate(names):
        inner = st.lists(st.sampled_from(["A", "B", *names[place + 1 :]]), max_size=2)
        leftward = draw(st.booleans())
        options = draw(st.lists(st.tuples(inner, st.booleans()), min_size=1, max_size=3))
        rules[name] = [["A"]] + [
            ([name] if recurs and leftward else [])
            + part
            + ([name] if recurs and not leftward else [])
            for part, recurs in options
        ]
    return Grammar.from_rules(rules, {"A": ["a"], "B": ["b"]}, start="r0")


@given(regular_grammars())
def test_regular_grammars_stay_exact(grammar: Grammar) -> None:
    assert_exact(superset(grammar), grammar, 4)


def test_nesting_is_not_counted_but_what_is_within_stays_in_order() -> None:
    automaton = superset(Grammar.read('start: "(" start ")" | "[" start "]" | "x" "y"'))
    assert automaton.accepts(automaton.read("((xy]"))
    assert not automaton.accepts(automaton.read("(("))
    assert list(automaton.next_tokens(automaton.read("((x")).tokens) == ["y"]


def test_the_automaton_is_minimal_and_as_large_as_it_need_be() -> None:
    for text in (*REGULAR.values(), 'start: "(" start ")" | "[" start "]" | "x" "y"'):
        dfa = superset_dfa(Grammar.read(text).productions)
        assert dfa.minimal() == dfa


def test_its_size_does_not_depend_on_how_many_tokens_a_kind_has() -> None:
    rules = {"start": [["OPEN", "start", "CLOSE"], ["VALUE"]]}
    small, large = (
        superset(
            Grammar.from_rules(
                rules, {"OPEN": ["("], "CLOSE": [")"], "VALUE": [f"v{i}" for i in range(count)]}
            )
        )
        for count in (1, 100_000)
    )
    assert len(small.engine.states) == len(large.engine.states)
    assert large.next_tokens(large.start).size == 100_001
