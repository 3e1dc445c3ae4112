"""`unrolled`: exact to a depth, a superset below it."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from laws.assertions import (
    assert_exact,
    assert_no_dead_end,
    assert_superset,
    assert_takes_what_it_permits,
    calls_in,
    one_token_a_kind,
    reached,
)
from laws.grammars import draws, random_grammars

from grammax import Grammar, earley, lr, unrolled
from grammax.automaton import BoundAutomaton
from grammax.automaton.networks.unrolled import UnrolledEngine
from grammax.errors import AutomatonError
from grammax.vocabulary import Vocabulary

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


@given(random_grammars())
def test_the_limit_leaves_a_superset_that_ends(grammar: Grammar) -> None:
    """What is left of the laws: only the distance may be too large, before stacks are cut."""
    exact = earley(grammar)
    prefixes = [prefix for prefix, _ in reached(exact, depth=4, limit=15)]
    for most in (1, 5, 12, 40):
        engine = UnrolledEngine(grammar.productions, 2, most_configurations=most)
        automaton = BoundAutomaton(engine, Vocabulary(grammar.kinds))
        for prefix in [*prefixes, *draws(grammar, 3)]:
            assert_superset(automaton, exact, prefix)
        for prefix, state in reached(automaton, depth=3, limit=8):
            assert_takes_what_it_permits(automaton, prefix, state)
            while not automaton.accepts(state):
                left = automaton.tokens_to_accept(state)
                tokens = one_token_a_kind(automaton, state)
                after = [automaton.pass_token(state, token) for token in tokens]
                state = min(after, key=automaton.tokens_to_accept)
                assert automaton.tokens_to_accept(state) < left


AMBIGUOUS = 'start: start start | "(" start ")" | "[" start "]" | start "+" start | "x"'


def test_an_ambiguous_prefix_stays_within_the_limit_and_says_so() -> None:
    grammar = Grammar.read(AMBIGUOUS)
    engine = UnrolledEngine(grammar.productions, 3, most_configurations=10)
    automaton = BoundAutomaton(engine, Vocabulary(grammar.kinds))
    state = automaton.start
    assert engine.method is None
    for token in "(([x+xx+xx]x)+(x":
        state = automaton.pass_token(state, token)
        assert len(state.configurations) <= 10
    assert engine.merged
    assert engine.method == f"{engine.merged} states with cut stacks"
    assert all(line.startswith("in start") for line in engine.where(state))


def test_distances_of_a_large_group_are_found_quickly() -> None:
    """300 rules that call each other from the middle: each had a search over all of them."""
    rules = "".join(
        f'r{i}: "a{i}" r{(i + 1) % 300} "z" | "b{i}" r{(7 * i) % 300} "y" | "c{i}"\n'
        for i in range(300)
    )
    automaton = unrolled(Grammar.read(rules, start="r0"))
    begun = perf_counter()
    assert automaton.tokens_to_accept(automaton.start) == 1
    assert perf_counter() - begun < 5


def test_distances_take_twice_the_work_for_twice_the_rules() -> None:
    """Each clause has a name, and after a name may come the rest of any clause beyond the depth."""
    work = []
    for count in (100, 200):
        rules = "".join(
            f'c{i}: "k{i}" name | "k{i}" "(" c{(7 * i + 1) % count} c{(i + 1) % count} ")"\n'
            for i in range(count)
        )
        text = f'start: c0\n{rules}name: "x" | name "." "x" | "(" c0 ")"'
        automaton = unrolled(Grammar.read(text))
        work.append(
            calls_in(lambda automaton=automaton: automaton.tokens_to_accept(automaton.start))
        )
    assert work[1] < 3 * work[0]
