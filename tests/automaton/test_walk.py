"""Tokens through an automaton: each state, what it permits, and what is accepted."""

from __future__ import annotations

import pytest

from grammax import Grammar, Vocabulary, earley, lr, superset, unrolled
from grammax.automaton.grounded import AvailableTokens, NamedOnly
from grammax.automaton.walk import accepts_tokens, walk
from grammax.errors import TokenNotPermitted
from grammax.search import Unconstrained

GRAMMAR = Grammar.read('film: "genre" "is" GENRE | "not" film\nGENRE: "drama" | "comedy"')
FORM = ("not", "genre", "is", "comedy")


@pytest.mark.parametrize("way", [superset, unrolled, lr, earley])
def test_a_walk_has_one_step_per_token_and_one_for_the_end(way) -> None:
    automaton = way(GRAMMAR)
    steps = list(walk(automaton, FORM))
    assert [step.token for step in steps] == [*FORM, None]
    for length, step in enumerate(steps):
        state = automaton.read(FORM[:length])
        assert step.state == state
        assert step.permitted is automaton.next_tokens(state)
    ids = list(walk(automaton, automaton.vocabulary.ids(FORM)))
    assert [step.state for step in ids] == [step.state for step in steps]


def test_a_refused_token_is_raised_after_its_step() -> None:
    steps = walk(lr(GRAMMAR), ["not", "comedy", "is"])
    assert next(steps).token == "not"
    refused = next(steps)
    assert refused.token == "comedy"
    assert "comedy" not in refused.permitted
    with pytest.raises(TokenNotPermitted, match="comedy cannot follow"):
        next(steps)


@pytest.mark.parametrize("way", [superset, unrolled, lr, earley])
def test_complete_sentences_are_accepted_and_nothing_else(way) -> None:
    automaton = way(GRAMMAR)
    assert accepts_tokens(automaton, FORM)
    assert accepts_tokens(automaton, automaton.vocabulary.ids(FORM))
    for other in ((), FORM[:-1], (*FORM, "is"), ("genre", "is", "western"), ("is",)):
        assert not accepts_tokens(automaton, other)


def test_every_automaton_walks() -> None:
    plain = lr(GRAMMAR)
    kind = plain.vocabulary.kind_number("GENRE")
    named = NamedOnly(plain, AvailableTokens(plain.vocabulary.ids(["drama"]), {kind}))
    assert [step.permitted.size for step in walk(named, FORM[1:])] == [2, 1, 1, 0]
    free = Unconstrained(Vocabulary({"SIGN": ["(", ")"], "WORD": ["a"]}), brackets=("(", ")"))
    assert [step.permitted.size for step in walk(free, ["(", "a", ")"])] == [3, 3, 3, 0]
    assert not accepts_tokens(free, ["(", ")", "a"])
