"""What fits a budget, also where a kind's rows are in several spans, or only some may come."""

from __future__ import annotations

from grammax import Grammar, lr
from grammax.automaton.grounded import AvailableTokens, NamedOnly
from grammax.search.state import DecodingState

GRAMMAR = Grammar.read(
    """
    query: NAME | "NOT" query
    NAME: "ann" | "bob" | "cyd"
    """
)


def test_after_values_came_those_that_fit_are_found_among_old_and_new() -> None:
    before = lr(GRAMMAR)
    vocabulary = before.vocabulary.changed({"NAME": ["dee"]}, removed=["ann"])
    automaton = before.with_vocabulary(vocabulary)
    state = DecodingState(automaton, automaton.start, left=1, needed=1, may_end=False)
    rows = [row for start, stop in state.fitting() for row in range(start, stop)]
    assert sorted(vocabulary.tokens[row] for row in rows) == ["bob", "cyd", "dee"]


def test_of_what_is_mentioned_only_what_fits_is_left() -> None:
    plain = lr(GRAMMAR)
    ids = plain.vocabulary.ids(["ann", "cyd"])
    kind = plain.vocabulary.kind_number("NAME")
    automaton = NamedOnly(plain, AvailableTokens(ids, {kind}))
    state = DecodingState(automaton, automaton.start, left=1, needed=1, may_end=False)
    rows = [row for start, stop in state.fitting() for row in range(start, stop)]
    assert rows == sorted(ids)
