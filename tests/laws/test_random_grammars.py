"""The laws of every automaton, over grammars that Hypothesis makes up."""

from __future__ import annotations

from hypothesis import given
from laws.assertions import (
    assert_accepts,
    assert_agree,
    assert_exact,
    assert_finishes,
    assert_no_dead_end,
    assert_superset,
    assert_takes_what_it_permits,
    reached,
)
from laws.grammars import (
    automata,
    draws,
    grammars_without_empty_rules,
    random_grammars,
    unrolled_without_limit,
)

from grammax import Grammar, earley
from grammax.grammar.sample import sentences

LENGTH = 5
EXACT = ("lr", "glr", "earley")


@given(random_grammars())
def test_superset_keeps_every_exact_continuation(grammar: Grammar) -> None:
    exact = earley(grammar)
    prefixes = [prefix for prefix, _ in reached(exact, depth=4, limit=40)]
    for automaton in automata(grammar):
        for prefix in prefixes:
            assert_superset(automaton, exact, prefix)


@given(random_grammars())
def test_next_tokens_are_exactly_what_pass_token_takes(grammar: Grammar) -> None:
    for automaton in automata(grammar):
        for prefix, state in reached(automaton, depth=3, limit=12):
            assert_takes_what_it_permits(automaton, prefix, state)


@given(random_grammars())
def test_no_state_is_a_dead_end(grammar: Grammar) -> None:
    for automaton in automata(grammar):
        for prefix, state in reached(automaton, depth=4, limit=30):
            assert_no_dead_end(automaton, prefix, state)
            assert_finishes(automaton, state)


@given(random_grammars())
def test_every_automaton_accepts_every_sentence(grammar: Grammar) -> None:
    enumerated = list(sentences(grammar, LENGTH - 2))[:200]
    for automaton in automata(grammar):
        assert_accepts(automaton, [*enumerated, *draws(grammar, 5)])


@given(random_grammars())
def test_exact_automata_accept_nothing_else(grammar: Grammar) -> None:
    for automaton in automata(grammar):
        if automaton.name in EXACT:
            assert_exact(automaton, grammar, LENGTH)


@given(random_grammars())
def test_exact_automata_agree_after_every_prefix(grammar: Grammar) -> None:
    exact = earley(grammar)
    prefixes = [prefix for prefix, _ in reached(exact, depth=4, limit=40)]
    for automaton in automata(grammar):
        if automaton.name in EXACT:
            for sentence in [*prefixes, *draws(grammar, 8)]:
                assert_agree(automaton, exact, sentence)


@given(grammars_without_empty_rules())
def test_unrolled_is_exact_as_long_as_the_prefix_cannot_nest_deeper(grammar: Grammar) -> None:
    """Without empty rules a nested call has a token before it: k tokens nest at most k deep."""
    exact, depth = earley(grammar), 3
    automaton = unrolled_without_limit(grammar, depth)
    for prefix, state in reached(automaton, depth=depth, limit=60):
        there = exact.read(prefix)
        permitted = automaton.next_tokens(state).kind_numbers
        assert permitted == exact.next_tokens(there).kind_numbers, f"after {prefix}"
        assert automaton.accepts(state) == exact.accepts(there)


@given(random_grammars())
def test_deeper_unrolling_never_permits_more(grammar: Grammar) -> None:
    for depth in range(3):
        looser, tighter = (unrolled_without_limit(grammar, k) for k in (depth, depth + 1))
        for prefix, _ in reached(tighter, depth=4, limit=40):
            assert_superset(looser, tighter, prefix)
