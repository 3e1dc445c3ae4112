"""The superset of a large grammar: on demand, looser where it must be, and never refused."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given
from laws.assertions import (
    assert_finishes,
    assert_no_dead_end,
    assert_superset,
    assert_takes_what_it_permits,
    reached,
)
from laws.grammars import draws, random_grammars

from grammax import Grammar, earley, glr, lr, superset, unrolled
from grammax.automaton import BoundAutomaton, load_automaton, save_automaton
from grammax.automaton.networks.subsets import SubsetEngine
from grammax.automaton.networks.superset import superset_dfa
from grammax.vocabulary import Vocabulary

LARGE = {
    "doubling": "".join(f"r{i}: r{i + 1} r{i + 1}\n" for i in range(40)) + 'r40: "x"\n',
    "each rule used twice": "".join(f'r{i}: "x" r{i + 1} | "y" r{i + 1}\n' for i in range(1_000))
    + 'r1000: "x"\n',
    "what came 40 tokens before": 'start: x* "a" x~40\nx: "a" | "b"',
}


def on_demand(grammar: Grammar, most_nodes: int) -> BoundAutomaton:
    return BoundAutomaton(SubsetEngine(grammar.productions, most_nodes), Vocabulary(grammar.kinds))


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE.keys())
def test_no_grammar_is_too_large(text: str) -> None:
    grammar = Grammar.read(text)
    begun = perf_counter()
    automaton = superset(grammar)
    assert perf_counter() - begun < 20
    assert automaton.name == "superset"
    assert automaton.tokens_to_accept(automaton.start) > 0
    exact = glr(grammar)
    for prefix, _ in reached(exact, depth=6, limit=60):
        assert_superset(automaton, exact, prefix)


@given(random_grammars())
def test_the_laws_hold_whatever_is_shared(grammar: Grammar) -> None:
    exact = earley(grammar)
    prefixes = [prefix for prefix, _ in reached(exact, depth=4, limit=30)]
    for most_nodes in (0, 15, 10_000):
        automaton = on_demand(grammar, most_nodes)
        for prefix in [*prefixes, *draws(grammar, 4)]:
            assert_superset(automaton, exact, prefix)
        for prefix, state in reached(automaton, depth=3, limit=10):
            assert_takes_what_it_permits(automaton, prefix, state)
            assert_no_dead_end(automaton, prefix, state)
            assert_finishes(automaton, state)


@given(random_grammars())
def test_it_permits_what_the_minimal_automaton_permits_if_nothing_is_shared(
    grammar: Grammar,
) -> None:
    automaton, dfa = on_demand(grammar, 10_000), superset_dfa(grammar.productions)
    assert not automaton.engine.shared
    vocabulary = automaton.vocabulary
    for prefix, state in reached(automaton, depth=4, limit=60):
        at = 0
        for token in prefix:
            at = dfa.arcs[at][vocabulary.kind_of(token)]
        assert automaton.next_tokens(state).kind_numbers == dfa.arcs[at].keys()
        assert automaton.accepts(state) == (at in dfa.final)
        assert automaton.tokens_to_accept(state) == dfa.distances[at]


PAIRS = 'start: "(" pair ")" | "[" pair "]"\npair: "a" "b"'


def test_a_shared_rule_forgets_where_it_was_called_and_is_named() -> None:
    grammar = Grammar.read(PAIRS)
    exact, shared = on_demand(grammar, 100), on_demand(grammar, 8)
    assert exact.engine.shared == ()
    assert exact.engine.method == "on demand, exact where not nested"
    assert shared.engine.shared == ("pair",)
    assert shared.engine.method == "on demand, 1 rules shared"
    assert set(exact.next_tokens(exact.read("(ab")).tokens) == {")"}
    assert set(shared.next_tokens(shared.read("(ab")).tokens) == {")", "]"}
    assert set(shared.next_tokens(shared.read("(a")).tokens) == {"b"}


def test_states_reached_in_two_ways_are_equal() -> None:
    automaton = on_demand(Grammar.read('start: start "x" | "x"'), 100)
    assert automaton.read("xx") is automaton.read("xxx")
    forgetful = SubsetEngine(Grammar.read(PAIRS).productions, remembered=2)
    automaton = BoundAutomaton(forgetful, Vocabulary(Grammar.read(PAIRS).kinds))
    state = automaton.read("(ab")
    assert automaton.read("(ab") == state
    assert automaton.read("(a") != state
    assert "nodes" in repr(state)
    assert forgetful.where(state) == ("in start",)


def test_it_is_saved_and_loaded(tmp_path: Path) -> None:
    automaton = superset(Grammar.read(LARGE["doubling"]))
    save_automaton(automaton, tmp_path / "saved")
    loaded = load_automaton(tmp_path / "saved")
    assert isinstance(loaded.engine, SubsetEngine)
    assert loaded.engine.shared == automaton.engine.shared
    assert loaded.next_tokens(loaded.read(["x"])).kinds == ('"x"',)


@pytest.mark.parametrize("text", [LARGE["doubling"], LARGE["each rule used twice"]])
def test_other_automata_do_not_lay_rules_out(text: str) -> None:
    grammar = Grammar.read(text)
    expected = grammar.productions.shortest[grammar.productions.start]
    for way in (unrolled, lr, glr, earley):
        automaton = way(grammar)
        assert automaton.tokens_to_accept(automaton.start) == expected
