"""Engines bound to vocabularies: ids and text, reading, refusing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from grammax import Grammar, Vocabulary, earley, lr, superset, unrolled
from grammax.automaton import BoundAutomaton, Dfa
from grammax.automaton.compile import finite
from grammax.errors import ForeignState, TokenNotPermitted, UnknownToken, VocabularyError

GRAMMAR = Grammar.read(
    """
    start: "(" FIELD "EQ" VALUE ")" | "(" "NOT" start ")"
    FIELD: "FLD_DOMICILE" | "FLD_INDEX"
    VALUE: "Köln" | "New York" | "日本"
    """
)
every_way = pytest.mark.parametrize("way", [superset, unrolled, lr, earley])
Way = Callable[..., BoundAutomaton]


@every_way
def test_ids_text_and_numpy_integers_lead_to_the_same_state(way: Way) -> None:
    automaton = way(GRAMMAR)
    tokens = ["(", "NOT", "(", "FLD_INDEX", "EQ", "New York"]
    ids = automaton.vocabulary.ids(tokens)
    for read in (ids, np.array(ids), np.array(ids, np.uint8), [*ids[:3], *tokens[3:]]):
        assert automaton.read(read) == automaton.read(tokens)


@every_way
def test_tokens_of_a_kind_lead_to_the_same_state(way: Way) -> None:
    automaton = way(GRAMMAR)
    one, other = (["(", field, "EQ", value] for field, value in
                  [("FLD_INDEX", "Köln"), ("FLD_DOMICILE", "日本")])  # fmt: skip
    assert automaton.read(one) == automaton.read(other)


@every_way
def test_reading_tells_which_token_does_not_fit(way: Way) -> None:
    automaton = way(GRAMMAR)
    with pytest.raises(TokenNotPermitted) as refused:
        automaton.read(["(", "FLD_INDEX", "NOT", "("])
    assert refused.value.token == "NOT"
    assert refused.value.explanation.prefix == ("(", "FLD_INDEX")
    assert list(refused.value.permitted.tokens) == ["EQ"]
    with pytest.raises(TokenNotPermitted) as refused:
        automaton.read(automaton.vocabulary.ids(["(", "(", "("]))
    assert refused.value.explanation.prefix == ("(",)


def test_an_iterator_is_read_once() -> None:
    automaton = lr(GRAMMAR)
    assert automaton.read(iter(["(", "NOT"])) == automaton.read(["(", "NOT"])


@every_way
def test_automata_of_one_grammar_share_a_vocabulary(way: Way) -> None:
    vocabulary = Vocabulary(GRAMMAR.kinds)
    automaton = way(GRAMMAR, vocabulary=vocabulary)
    assert automaton.vocabulary is vocabulary
    opening = vocabulary.permitted({vocabulary.kind_of("(")})
    assert automaton.next_tokens(automaton.start) is opening


@every_way
def test_a_vocabulary_of_another_grammar_is_refused(way: Way) -> None:
    kinds = list(GRAMMAR.kinds.items())
    for other in (kinds[:-1], kinds[::-1], [("X", ["x"])]):
        with pytest.raises(VocabularyError, match=r"the vocabulary has the kinds .*same order"):
            way(GRAMMAR, vocabulary=Vocabulary(dict(other)))


@every_way
def test_states_serve_the_same_engine_over_another_vocabulary_and_no_other(way: Way) -> None:
    automaton = way(GRAMMAR)
    wider = automaton.vocabulary.changed({"VALUE": ["Ottawa"]})
    state = automaton.read(["(", "FLD_INDEX", "EQ"])
    assert "Ottawa" in automaton.with_vocabulary(wider).next_tokens(state)
    assert "Ottawa" not in automaton.next_tokens(state)
    with pytest.raises(ForeignState, match=r"not a state of this (superset|unrolled|lr|earley)"):
        way(GRAMMAR).next_tokens(state)


@every_way
def test_states_and_rows_are_refused_also_where_all_answers_are_remembered(way: Way) -> None:
    one, other = way(GRAMMAR), way(GRAMMAR)
    for automaton in (one, other):
        for token in automaton.next_tokens(automaton.start):
            automaton.next_tokens(automaton.pass_token(automaton.start, token))
    with pytest.raises(ForeignState):
        one.next_tokens(other.start)
    with pytest.raises(ForeignState):
        one.pass_token(other.start, "(")
    for row in range(-len(one.vocabulary), 0):
        with pytest.raises(UnknownToken):
            one.pass_token(one.start, row)


@pytest.mark.parametrize("row", [-1, -7, 9, 10**12, np.int64(-1)])
def test_a_row_that_is_not_there_is_no_token(row: int) -> None:
    automaton = lr(GRAMMAR)
    for ask in (automaton.pass_token, lambda _, token: automaton.read([token])):
        with pytest.raises(UnknownToken, match="ids are 0 to 8") as unknown:
            ask(automaton.start, row)
        assert unknown.value.token == row


def test_repr_tells_how_it_was_made() -> None:
    assert repr(lr(GRAMMAR)) == "BoundAutomaton(lr, Vocabulary(9 tokens of 6 kinds))"
    assert unrolled(GRAMMAR, 2).name == "unrolled(2)"
    one_token = Dfa(({0: 1}, {}), frozenset({1}))
    assert finite(one_token, Vocabulary({"A": ["a"]}), "mine").name == "mine"


@every_way
def test_the_empty_sentence_alone(way: Way) -> None:
    automaton = way(Grammar.read("start: "))
    assert automaton.accepts(automaton.start)
    assert automaton.tokens_to_accept(automaton.start) == 0
    permitted = automaton.next_tokens(automaton.start)
    assert (permitted.size, permitted.spans, permitted.ids.tolist()) == (0, (), [])
    with pytest.raises(TokenNotPermitted, match="the sentence is complete"):
        automaton.pass_token(automaton.start, "x")
