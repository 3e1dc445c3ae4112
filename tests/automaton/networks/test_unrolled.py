"""`unrolled`: exact to a depth, a superset below it."""

from __future__ import annotations

import pytest
from laws.assertions import assert_exact, assert_no_dead_end, assert_superset, reached

from grammax import Grammar, lr, unrolled
from grammax.automaton import BoundAutomaton
from grammax.automaton.networks.unrolled import UnrolledEngine
from grammax.errors import AutomatonError

BRACKETS = Grammar.read('start: "(" start ")" | "[" start "]" | "x"')


def nested(depth: int, close: str | None = None) -> list[str]:
    """Alternating brackets around x; `close` instead of the last one."""
    opening = ["(["[i % 2] for i in range(depth)]
    closing = [")]"[i % 2] for i in reversed(range(depth))]
    return [*opening, "x", *closing[: depth - 1], close or closing[-1]]


@pytest.mark.parametrize("depth", range(5))
def test_brackets_match_to_the_depth_and_not_below(depth: int) -> None:
    automaton = unrolled(BRACKETS, depth)
    for within in range(1, depth + 1):
        assert automaton.accepts(automaton.read(nested(within)))
        last = automaton.read(nested(within)[:-1])
        assert list(automaton.next_tokens(last).tokens) == [")"]
    # One deeper, what is innermost may be closed by any bracket: a superset begins.
    innermost = automaton.read(nested(depth + 1)[: depth + 2])
    assert set(automaton.next_tokens(innermost).tokens) >= {")", "]"}


@pytest.mark.parametrize("depth", range(4))
def test_sentences_that_nest_no_deeper_are_exact(depth: int) -> None:
    assert_exact(unrolled(BRACKETS, depth), BRACKETS, 2 * depth + 1)
    with pytest.raises(AssertionError, match="accepts"):
        assert_exact(unrolled(BRACKETS, depth), BRACKETS, 2 * depth + 5)


def test_lists_do_not_count_as_depth() -> None:
    grammar = Grammar.read('start: "[" [start ("," start)*] "]" | "x"')
    automaton, exact = unrolled(grammar, 1), lr(grammar)
    flat = ["[", *["x", ","] * 50, "x", "]"]
    assert_superset(exact, automaton, flat)
    assert_superset(automaton, exact, flat)


def test_nesting_of_one_rule_leaves_the_depth_of_another_alone() -> None:
    grammar = Grammar.read('start: "<" start ">" | round\nround: "(" round ")" | "x"')
    automaton = unrolled(grammar, 2)
    assert automaton.accepts(automaton.read("<<x>>"))
    assert automaton.accepts(automaton.read("((x))"))
    assert not automaton.next_tokens(automaton.read("<<x>>"))
    assert list(automaton.next_tokens(automaton.read("<(x)")).tokens) == [">"]


def test_below_the_depth_the_end_of_one_rule_is_not_the_end_of_another() -> None:
    grammar = Grammar.read('start: "(" start ")" | "[" item "]"\nitem: "i" start "j" | "k"')
    automaton = unrolled(grammar, 0)
    assert list(automaton.next_tokens(automaton.read("([k")).tokens) == ["]"]
    assert set(automaton.next_tokens(automaton.read("([k]")).tokens) == {")", "j"}


def test_a_deeper_automaton_is_tighter_on_an_equity_grammar() -> None:
    grammar = Grammar.read(
        'start: "(" "NOT" start ")" | "(" "OR" start start ")" | "(" "AND" start start+ ")" | "x"'
    )
    for depth in range(4):
        for prefix, _ in reached(unrolled(grammar, depth + 1), depth=8, limit=60):
            assert_superset(unrolled(grammar, depth), unrolled(grammar, depth + 1), prefix)


def test_tokens_to_accept_counts_the_short_cuts_that_a_superset_has_below_the_depth() -> None:
    """Below the depth `w` may end `s`, since an end continues after any call of `u`."""
    grammar = Grammar.read(
        """
        start: p
        p: "b" s "c" | "e"~20
        s: u "a"~8 | "a"~8 u
        u: "w" | "b" p "c"
        """
    )
    automaton = unrolled(grammar, 0)
    assert automaton.accepts(automaton.read(["b", "w", "c"]))
    assert_no_dead_end(automaton, [], automaton.start)


def test_thousands_of_rules_that_call_each_other() -> None:
    levels = 2_000
    ladder = "".join(f'r{i}: r{i} "o{i}" r{i + 1} | r{i + 1}\n' for i in range(levels))
    automaton = unrolled(Grammar.read(f'start: r0\n{ladder}r{levels}: "x" | "(" r0 ")"'))
    for prefix in (["x"], ["(", "x", "o5", "x"], ["(", "(", "x", ")", ")", "o1999"]):
        state, again = automaton.read(prefix), automaton.read(prefix)
        assert state == again
        assert automaton.next_tokens(state).size > 0


def test_memory_that_starts_afresh_changes_no_answer() -> None:
    grammar = Grammar.read('start: "(" start ")" | "[" start "]" | "x"')
    vocabulary = unrolled(grammar).vocabulary
    small = BoundAutomaton(UnrolledEngine(grammar.productions, 3, remembered=2), vocabulary)
    large = BoundAutomaton(UnrolledEngine(grammar.productions, 3), vocabulary)
    held = small.read("([(")
    for prefix, state in reached(large, depth=7, limit=300):
        assert small.next_tokens(small.read(prefix)) is large.next_tokens(state)
    assert small.read("([(") == held
    assert hash(small.read("([(")) == hash(held)
    assert small.read("([") != held


def test_a_depth_below_zero_is_refused() -> None:
    with pytest.raises(AutomatonError, match="the depth is -1; it counts nested rules"):
        unrolled(BRACKETS, -1)
