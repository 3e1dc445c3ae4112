"""`earley`: exact for any grammar, the one that others are checked against."""

from __future__ import annotations

import pytest
from laws.assertions import assert_exact

from grammax import Grammar, earley

AWKWARD = {
    "a cycle": 'start: start | a\na: start | "x"',
    "empty rules that wait for each other": 'start: a b a\na: b | "x"\nb: a | "y" |',
    "hidden left recursion": 'start: nothing start "x" | "y"\nnothing: ',
    "hidden right recursion": 'start: "x" start nothing | "y"\nnothing: ',
    "everything is empty": "start: a a\na: b b\nb: ",
    "ambiguity without end": 'start: start start | "x" |',
    "palindromes": 'start: "a" start "a" | "b" start "b" | "c" |',
    "an empty rule completed before it is awaited": 'start: a a a a "x"\na: e\ne: ',
    "unit rules": 'start: a\na: b\nb: c | a\nc: "x" | "(" start ")"',
}


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_awkward_grammars_are_read_exactly(text: str) -> None:
    grammar = Grammar.read(text)
    assert_exact(earley(grammar), grammar, 5)


def test_states_are_equal_after_the_same_kinds() -> None:
    automaton = earley(Grammar.read('start: A start | A\nA: "a" | "b"'))
    assert automaton.read("ab") == automaton.read("ba")
    assert hash(automaton.read("ab")) == hash(automaton.read("ba"))
    assert automaton.read("ab") != automaton.read("aba")
    assert automaton.read("ab") != earley(Grammar.read('start: "a" "b"')).read("ab")
    assert repr(automaton.read("ab")) == "EarleyState(after 2 tokens)"


def test_long_equal_states_are_compared_without_recursion() -> None:
    automaton = earley(Grammar.read('start: start "x" | "x"'))
    assert automaton.read("x" * 10_000) == automaton.read("x" * 10_000)


def test_a_state_goes_two_ways() -> None:
    """States are values: one is continued twice, and neither way sees the other."""
    automaton = earley(Grammar.read('start: "a" (b | c)\nb: "b" "b"\nc: "c" b'))
    here = automaton.read("a")
    b, c = automaton.pass_token(here, "b"), automaton.pass_token(here, "c")
    assert automaton.tokens_to_accept(b) == 1
    assert automaton.tokens_to_accept(c) == 2
    assert set(automaton.next_tokens(here).tokens) == {"b", "c"}
