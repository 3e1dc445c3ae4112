"""Machines built by hand."""

import pytest

from grammax.automaton import Dfa, Machine
from grammax.errors import AutomatonError, UnknownToken, VocabularyError
from grammax.vocabulary import Vocabulary

VOCABULARY = Vocabulary({"DIGIT": "0123456789", "MINUS": "-", ",": ",", "[": "[", "]": "]"})
NUMBER = Machine("NUMBER", ((0, "-", 1), (0, "DIGIT", 2), (1, "DIGIT", 2), (2, "DIGIT", 2)), {2})


def accepts(dfa: Dfa, text: str) -> bool:
    return dfa.accepts(VOCABULARY.kind_of(token) for token in text)


def test_arcs_are_labelled_with_kinds_and_tokens() -> None:
    dfa = NUMBER.dfa(VOCABULARY)
    assert accepts(dfa, "-12")
    assert not accepts(dfa, "1-2")
    assert not accepts(dfa, "")


def test_a_machine_on_an_arc_is_copied_for_each_use() -> None:
    pair = Machine(
        "PAIR", ((0, "[", 1), (1, NUMBER, 2), (2, ",", 3), (3, NUMBER, 4), (4, "]", 5)), {5}
    )
    dfa = pair.dfa(VOCABULARY)
    assert accepts(dfa, "[1,-23]")
    assert not accepts(dfa, "[1,2,3]")
    assert not accepts(dfa, "[1]")


def test_several_final_states_all_lead_on() -> None:
    either = Machine("EITHER", ((0, "DIGIT", 1), (0, "-", 2)), {1, 2})
    pair = Machine("PAIR", ((0, either, 1), (1, either, 2)), {2}).dfa(VOCABULARY)
    assert all(accepts(pair, text) for text in ("1-", "-1", "11", "--"))
    assert not accepts(pair, "1")


def test_a_loop_inside_a_machine_does_not_leak_out() -> None:
    # The machine loops at its start and at its end; joined carelessly, "1,1" would read as "11,".
    looping = Machine("LOOPING", ((0, "DIGIT", 0), (0, "-", 1), (1, "DIGIT", 1)), {1})
    dfa = Machine("OUTER", ((0, looping, 1), (0, ",", 1), (1, "]", 2)), {2}).dfa(VOCABULARY)
    assert accepts(dfa, "1-1]")
    assert accepts(dfa, ",]")
    assert not accepts(dfa, "1,]")
    assert not accepts(dfa, ",1]")


def test_union_accepts_what_either_accepts() -> None:
    comma = Machine("COMMA", ((0, ",", 1),), {1})
    dfa = (NUMBER | comma).dfa(VOCABULARY)
    assert dfa.equivalent(NUMBER.dfa(VOCABULARY) | comma.dfa(VOCABULARY))


def test_a_label_that_is_neither_kind_nor_token_is_named() -> None:
    with pytest.raises(UnknownToken, match=r"machine BAD has an arc 'DIGITS'.*did you mean DIGIT"):
        Machine("BAD", ((0, "DIGITS", 1),), {1}).dfa(Vocabulary({"DIGIT": ["DIGIT"], "A": ["a"]}))


def test_a_token_within_a_larger_kind_cannot_be_told_apart() -> None:
    with pytest.raises(VocabularyError, match=r"tells the token '7' apart.*DIGIT"):
        Machine("SEVEN", ((0, "7", 1),), {1}).dfa(VOCABULARY)


@pytest.mark.parametrize("final", [set(), {7}])
def test_final_states_must_be_states(final: set[int]) -> None:
    with pytest.raises(AutomatonError, match="final states"):
        Machine("BAD", ((0, "-", 1),), final)
