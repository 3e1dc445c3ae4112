"""The automaton of a grammar without some kinds accepts exactly the sentences without them."""

from __future__ import annotations

from random import Random

import pytest

from grammax import Grammar, exact
from grammax.automaton.grounded import AvailableTokens
from grammax.automaton.reduced import NothingLeft, reduced, without
from grammax.grammar.sample import Sampler

TEXT = """\
query: "find" condition? | "count" condition
condition: "(" field OP N ")" | "(" "in" PLACE ")" | "(" "not" condition ")" {more}
field: "price" | "mean" field
OP: "<" | ">"
N: "1" | "2"
PLACE: "rome" | "oslo"
"""


@pytest.mark.parametrize("more", ["", '| condition "and" condition'])
def test_what_is_left_are_the_sentences_without_some_kinds(more: str) -> None:
    grammar = Grammar.read(TEXT.format(more=more))
    whole = exact(grammar)
    assert whole.name == ("glr" if more else "lr")
    vocabulary = whole.vocabulary
    sampler = Sampler(grammar, max_depth=6)
    for names in (("N",), ("PLACE",), ("N", "PLACE")):
        missing = frozenset(map(vocabulary.kind_number, names))
        rest = without(whole, missing)
        assert without(whole, missing) is rest
        for seed in range(60):
            sentence = sampler.draw(Random(seed))
            lacks = any(vocabulary.kind_of(token) in missing for token in sentence)
            state = rest.start
            for token in sentence:
                permitted = rest.next_tokens(state)
                if token not in permitted:
                    state = None
                    break
                state = rest.pass_token(state, token)
            assert (state is not None and rest.accepts(state)) is not lacks


def test_no_prefix_leads_into_a_dead_end() -> None:
    whole = exact(Grammar.read(TEXT.format(more="")))
    vocabulary = whole.vocabulary
    there = vocabulary.ids(["rome"])
    kinds = {vocabulary.kind_number(name) for name in ("N", "PLACE")}
    rest = reduced(whole, AvailableTokens(there, kinds, reduces=True))
    state = rest.read(["count", "("])
    assert {*rest.next_tokens(state).tokens} == {"in", "not"}  # a field would need a number


def test_nothing_is_left_of_a_grammar_that_needs_a_kind() -> None:
    whole = exact(Grammar.read('query: "over" N\nN: "1" | "2"'))
    with pytest.raises(NothingLeft, match="every logical form needs N") as error:
        without(whole, frozenset((whole.vocabulary.kind_number("N"),)))
    assert error.value.kinds == ("N",)
