"""`Grounded`: only what a query makes available is permitted, and every prefix can be completed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.automaton.compile import lr
from grammax.automaton.grounded import AvailableTokens, Grounded
from grammax.automaton.walk import accepts_tokens
from grammax.grammar import Grammar
from grammax.grammar.sample import Sampler

GRAMMAR = Grammar.read(
    """
    query: c
    c: "(" "NOT" c ")" | "(" "AND" c c+ ")" | "(" FIELD "=" VALUE ")" | "(" AMOUNT OP NUMBER ")"
     | "(" AMOUNT OP AMOUNT ")" | "(" "top" NUMBER? AMOUNT ")" | "(" "count" ")"
     | "(" "show" (FIELD | AMOUNT) ("(" TIME ")")? ")"
    FIELD: "genre" | "country"
    VALUE: "drama" | "war" | "france"
    AMOUNT: "length" | "budget"
    OP: "<" | ">"
    NUMBER: "n0" | "n1" | "n2"
    TIME: "t0" | "t1"
    """
)
AUTOMATON = lr(GRAMMAR)
VOCABULARY = AUTOMATON.vocabulary
KINDS = frozenset(
    VOCABULARY.kind_number(kind) for kind in ("FIELD", "VALUE", "AMOUNT", "NUMBER", "TIME")
)
NAMES = [token for kind in KINDS for token in VOCABULARY.tokens_of(kind)]
available = st.sets(st.sampled_from(NAMES))


def grounded(names: set[str]) -> Grounded:
    ids = frozenset(VOCABULARY.ids(sorted(names)))
    return Grounded.for_query(AUTOMATON, AvailableTokens(ids, KINDS))


def walk(automaton: Grounded, random: Random, steps: int) -> Iterator[tuple[object, list[str]]]:
    """A random prefix: each state, and what it permits."""
    state = automaton.start
    for _ in range(steps):
        permitted = list(automaton.next_tokens(state).tokens)
        yield state, permitted
        if not permitted:
            return
        state = automaton.pass_token(state, VOCABULARY.id(random.choice(permitted)))


@given(available, st.integers(0, 2**32))
def test_it_permits_nothing_that_the_grammar_forbids_or_the_query_lacks(
    names: set[str], seed: int
) -> None:
    automaton = grounded(names)
    for state, permitted in walk(automaton, Random(seed), 40):
        assert set(permitted) <= set(AUTOMATON.next_tokens(state).tokens)
        assert not (set(permitted) & set(NAMES)) - names


@given(available, st.integers(0, 2**32), st.integers(0, 30))
def test_every_prefix_can_be_completed_with_what_is_available(
    names: set[str], seed: int, steps: int
) -> None:
    automaton, random = grounded(names), Random(seed)
    state = automaton.start
    for number in range(400):
        permitted = automaton.next_tokens(state)
        if not permitted.size:
            break
        tokens = list(permitted.tokens)
        if number >= steps:  # finish: count rows, and close brackets
            tokens = [t for t in (")", "count") if t in tokens] or tokens
        state = automaton.pass_token(state, VOCABULARY.id(tokens[random.randrange(len(tokens))]))
    assert AUTOMATON.accepts(state)


@given(st.integers(0, 2**32))
def test_it_never_forbids_a_sentence_whose_tokens_are_available(seed: int) -> None:
    tokens = list(Sampler(GRAMMAR, max_depth=10).draw(Random(seed)))
    automaton = grounded(set(tokens) & set(NAMES))
    state = automaton.start
    for token in tokens:
        assert token in automaton.next_tokens(state)
        state = automaton.pass_token(state, VOCABULARY.id(token))
    assert accepts_tokens(AUTOMATON, tokens)


@pytest.mark.parametrize(
    ("names", "prefix", "permitted"),
    [
        (set(), ("(",), {"NOT", "AND", "count"}),
        ({"genre"}, ("(",), {"NOT", "AND", "count", "show"}),
        ({"genre", "war"}, ("(",), {"NOT", "AND", "count", "show", "genre"}),
        ({"length"}, ("(",), {"NOT", "AND", "count", "show", "top", "length"}),
        ({"length", "n1"}, ("(", "top"), {"n1", "length"}),
        ({"genre"}, ("(", "show", "genre"), {")"}),
        ({"genre", "t1"}, ("(", "show", "genre"), {")", "("}),
    ],
)
def test_a_rule_without_its_names_is_left_out(
    names: set[str], prefix: tuple[str, ...], permitted: set[str]
) -> None:
    automaton = grounded(names)
    state = automaton.start
    for token in prefix:
        state = automaton.pass_token(state, VOCABULARY.id(token))
    assert set(automaton.next_tokens(state).tokens) == permitted


def test_a_choice_of_one_is_forced() -> None:
    automaton = grounded({"genre", "war"})
    state = automaton.start
    for token in ("(", "genre", "="):
        state = automaton.pass_token(state, VOCABULARY.id(token))
    assert automaton.next_tokens(state).forced == VOCABULARY.id("war")


def test_a_condition_that_only_goes_on_to_itself_is_not_permitted() -> None:
    grammar = Grammar.read(
        """
        query: "(" "count" ")" | c
        c: "(" "NOT" c ")" | "(" "AND" c c+ ")" | "(" FIELD "=" VALUE ")"
        FIELD: "genre"
        VALUE: "drama"
        """
    )
    automaton = lr(grammar)
    kinds = frozenset(map(automaton.vocabulary.kind_number, ("FIELD", "VALUE")))
    nothing = Grounded.for_query(automaton, AvailableTokens(frozenset(), kinds))
    state = nothing.pass_token(nothing.start, "(")
    assert list(nothing.next_tokens(state).tokens) == ["count"]
    field = frozenset(automaton.vocabulary.ids(["genre"]))
    no_value = Grounded.for_query(automaton, AvailableTokens(field, kinds))
    assert list(no_value.next_tokens(state).tokens) == ["count"]
