"""The algebra of finite automata, checked against sets of sentences."""

from __future__ import annotations

import pytest
from automaton.finite.random_dfas import KINDS, STRINGS, dfas, language
from hypothesis import given
from hypothesis import strategies as st

from grammax import Vocabulary
from grammax.automaton import Dfa
from grammax.automaton.compile import finite
from grammax.automaton.finite.determinize import determinize
from grammax.automaton.finite.nfa import NfaBuilder
from grammax.errors import AutomatonError, VocabularyError
from grammax.grammar.productions import INFINITE


@st.composite
def nfas(draw: st.DrawFn) -> tuple[NfaBuilder, set[int]]:
    nfa = NfaBuilder()
    for _ in range(draw(st.integers(0, 4))):
        nfa.state()
    states = st.integers(0, len(nfa.arcs) - 1)
    for source, kind, target in draw(st.lists(st.tuples(states, st.sampled_from(KINDS), states))):
        nfa.arc(source, kind, target)
    for source, target in draw(st.lists(st.tuples(states, states), max_size=5)):
        nfa.skip(source, target)
    return nfa, draw(st.sets(states))


def accepted_by_nfa(nfa: NfaBuilder, final: set[int], string: tuple[int, ...]) -> bool:
    def closed(states: set[int]) -> set[int]:
        while True:
            more = states | {target for state in states for target in nfa.skips[state]}
            if more == states:
                return states
            states = more

    here = closed({nfa.start})
    for kind in string:
        here = closed({t for state in here for k, t in nfa.arcs[state] if k == kind})
    return bool(here & final)


def one_of(*kinds: int) -> Dfa:
    """The automaton of one token of these kinds."""
    return Dfa((dict.fromkeys(kinds, 1), {}), frozenset({1}))


@given(nfas())
def test_the_subset_construction_keeps_the_language(made: tuple[NfaBuilder, set[int]]) -> None:
    nfa, final = made
    dfa = Dfa.from_nfa(nfa, final)
    assert language(dfa) == {s for s in STRINGS if accepted_by_nfa(nfa, final, s)}
    arcs, ends = determinize(nfa.arcs, nfa.skips, frozenset(final))
    assert language(Dfa(arcs, ends)) == language(dfa)


@given(dfas())
def test_a_trimmed_automaton_has_the_same_language_and_no_dead_end(dfa: Dfa) -> None:
    trimmed = dfa.trimmed()
    assert language(trimmed) == language(dfa)
    if not trimmed.is_empty:
        assert INFINITE not in trimmed.distances
        reached = {0} | {target for out in trimmed.arcs for target in out.values()}
        assert reached == set(range(len(trimmed)))
    assert trimmed.trimmed() == trimmed


@given(dfas())
def test_distances_are_lengths_of_shortest_completions(dfa: Dfa) -> None:
    for state, distance in enumerate(dfa.distances):
        after = [dfa.distances[target] for target in dfa.arcs[state].values()]
        expected = 0 if state in dfa.final else min(after, default=INFINITE) + 1
        assert distance == min(expected, INFINITE)


@given(dfas(), dfas())
def test_union_is_that_of_sets(a: Dfa, b: Dfa) -> None:
    assert language(a | b) == language(a) | language(b)


@given(dfas(), dfas())
def test_inclusion_and_equivalence_are_decided(a: Dfa, b: Dfa) -> None:
    missing = a.counterexample(b)
    assert (a <= b) == (missing is None)
    assert a.equivalent(b) == (a <= b and b <= a)
    if missing is None:
        assert language(a) <= language(b)
    else:
        assert a.accepts(missing)
        assert not b.accepts(missing)
        shorter = (s for s in STRINGS if len(s) < len(missing))
        assert not any(a.accepts(s) and not b.accepts(s) for s in shorter)
    assert a <= a | b


@given(dfas())
def test_emptiness_is_decided(dfa: Dfa) -> None:
    # Five states: if any sentence is accepted, one of at most four tokens is.
    assert dfa.is_empty == (not language(dfa))


def test_small_languages() -> None:
    assert language(Dfa.nothing()) == set()
    assert language(Dfa(({},), frozenset({0}))) == {()}
    assert language(one_of(0, 2)) == {(0,), (2,)}
    assert Dfa.nothing().is_empty


@pytest.mark.parametrize(
    ("arcs", "final", "message"),
    [
        (({0: 1},), {0}, "state 0 goes to 1, but there are 1 states"),
        (({0: -1},), {0}, "state 0 goes to"),
        (({},), {3}, "a final state is not among the 1 states"),
        ((), set(), "among the 0 states"),
    ],
)
def test_an_automaton_that_cannot_be_is_refused(arcs: tuple, final: set, message: str) -> None:
    with pytest.raises(AutomatonError, match=message):
        Dfa(arcs, frozenset(final))


def test_an_automaton_is_bound_to_kinds_that_are_there() -> None:
    vocabulary = Vocabulary({"A": ["a"], "B": ["b", "c"]})
    automaton = finite(one_of(1), vocabulary)
    assert list(automaton.next_tokens(automaton.start).tokens) == ["b", "c"]
    with pytest.raises(VocabularyError, match=r"an arc of kind 2, .* from 0 to 1"):
        finite(one_of(2), vocabulary)
    with pytest.raises(AutomatonError, match="accepts no sentence at all"):
        finite(Dfa.nothing(), vocabulary)


def test_an_automaton_of_20_000_states_is_trimmed_and_minimised() -> None:
    count = 20_000
    chain = Dfa((*({0: i + 1} for i in range(count)), {}), frozenset({count}))
    assert chain.minimal().distances[0] == count
    ring = Dfa(tuple({0: (i + 1) % count} for i in range(count)), frozenset(range(count)))
    assert len(ring.minimal()) == 1
