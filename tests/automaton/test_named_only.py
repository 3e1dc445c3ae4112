"""What a query mentions: a choice is narrowed, never taken away, and nothing is added."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grammax.automaton.compile import lr
from grammax.automaton.grounded import AvailableTokens, NamedOnly
from grammax.grammar import Grammar

GRAMMAR = Grammar.read(
    """
    query: "SELECT" COLUMN ("WHERE" COLUMN "=" (VALUE | "NULL"))?
    COLUMN: "player" | "team"
    VALUE: "ann" | "bob" | "cyd" | "dee"
    """
)
AUTOMATON = lr(GRAMMAR)
VOCABULARY = AUTOMATON.vocabulary
VALUES = frozenset({VOCABULARY.kind_number("VALUE")})
BEFORE_VALUE = ("SELECT", "team", "WHERE", "player", "=")


def narrowed(*names: str) -> NamedOnly[object]:
    return NamedOnly(AUTOMATON, AvailableTokens(VOCABULARY.ids(names), VALUES))


def after(automaton: NamedOnly[object], tokens: tuple[str, ...]) -> list[str]:
    state = automaton.start
    for token in VOCABULARY.ids(tokens):
        state = automaton.pass_token(state, token)
    return sorted(automaton.next_tokens(state).tokens)


def test_only_mentioned_values_compete_beside_what_need_not_be_mentioned() -> None:
    assert after(narrowed("bob", "dee"), BEFORE_VALUE) == ["NULL", "bob", "dee"]


def test_where_nothing_is_mentioned_all_that_the_grammar_permits_may_come() -> None:
    assert after(narrowed(), BEFORE_VALUE) == ["NULL", "ann", "bob", "cyd", "dee"]


def test_other_kinds_are_left_as_they_are() -> None:
    automaton = narrowed("bob")
    (state,) = [automaton.pass_token(automaton.start, VOCABULARY.id("SELECT"))]
    plain = AUTOMATON.next_tokens(AUTOMATON.pass_token(AUTOMATON.start, VOCABULARY.id("SELECT")))
    assert list(automaton.next_tokens(state)) == list(plain)


def test_a_choice_of_one_is_still_scored_as_a_choice() -> None:
    grammar = Grammar.read('query: "IS" VALUE\nVALUE: "ann" | "bob"')
    plain = lr(grammar)
    kind = plain.vocabulary.kind_number("VALUE")
    automaton = NamedOnly(plain, AvailableTokens([plain.vocabulary.id("bob")], {kind}))
    permitted = automaton.next_tokens(plain.pass_token(plain.start, plain.vocabulary.id("IS")))
    assert list(permitted.tokens) == ["bob"]
    assert permitted.forced is None
    assert "bob" in permitted
    assert "ann" not in permitted


@given(st.sets(st.sampled_from(["ann", "bob", "cyd", "dee"])), st.data())
def test_what_is_permitted_is_permitted_by_the_grammar_and_never_nothing(
    names: set[str], data: st.DataObject
) -> None:
    automaton = narrowed(*names)
    state = automaton.start
    while permitted := automaton.next_tokens(state):
        plain = AUTOMATON.next_tokens(state)
        assert set(permitted) <= set(plain)
        assert set(plain) - set(permitted) <= set(VOCABULARY.permitted(VALUES))
        assert permitted.among(permitted.kind_numbers) == permitted.spans
        state = automaton.pass_token(state, data.draw(st.sampled_from(sorted(permitted))))
    assert automaton.accepts(state)
