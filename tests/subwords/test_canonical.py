"""Canonical spelling, held to texts that are written out and tokenized."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from laws.grammars import automata, draws, every_file, grammar_of, random_grammars
from subwords.laws import canonical_texts, is_sentence, next_ids, random_states, written
from subwords.tokenizers import deepseek, no_words, qwen, tiny, words

from grammax import Automaton, Grammar, glr, lr
from grammax.errors import ForeignState
from grammax.grammar.sample import sentences
from grammax.subwords import NotCanonical, SubwordNotPermitted, Subwords, constraint, subwords
from grammax.vocabulary.rows import Rows

NAMES = """
start: NAME | NAME "of" start
NAME: "al" | "alpha" | "alphabet" | "b" | "gamma"
"""


def assert_complete(
    automaton: Automaton, tokenizer: Subwords, grammar: Grammar, length: int, prefix: str = ""
) -> None:
    """Every token that continues a spelled sentence is permitted."""
    made = constraint(automaton, tokenizer, prefix=prefix, spelling="canonical")
    texts = canonical_texts(tokenizer, sentences(grammar, length), prefix, " ")
    for begin, expected in next_ids(texts).items():
        state = made.start()
        for token in begin:
            state = made.advance(state, token)
        assert expected <= {*made.rows(state)}, tokenizer.decode(begin)


def assert_sound(automaton: Automaton, tokenizer: Subwords, prefix: str = "") -> None:
    """What is permitted can be completed to a sentence, spelled as the tokenizer spells it."""
    made = constraint(automaton, tokenizer, prefix=prefix, spelling="canonical")
    for ids, state in random_states(made, count=3, most=8):
        for token in made.rows(state):
            after = made.advance(state, token)
            rest = b"" if made.is_done(after) else written(made, after, tokenizer)
            begun = tokenizer.decode([*ids, *([] if token == made.eos else [token])])
            assert begun is not None
            text = begun + rest
            assert is_sentence(automaton, text, prefix, " "), text
            assert tokenizer.encode([text.decode()])[0][: len(ids)] == ids


@given(random_grammars(), st.data())
@settings(max_examples=20)
def test_random_grammars(grammar: Grammar, data: st.DataObject) -> None:
    automaton = data.draw(st.sampled_from(automata(grammar)), label="automaton")
    assert_complete(automaton, words(), grammar, length=4)
    assert_sound(automaton, words())


@given(random_grammars())
@settings(max_examples=20)
def test_random_grammars_after_a_prefix(grammar: Grammar) -> None:
    assume(() not in sentences(grammar, 0))
    for prefix in (" ", " alp: "):
        assert_complete(glr(grammar), words(), grammar, length=3, prefix=prefix)
        assert_sound(glr(grammar), words(), prefix)


@every_file
def test_grammars_of_the_repository(path: Path) -> None:
    automaton = glr(grammar_of(path))
    for tokenizer in (qwen(), words()):
        made = constraint(automaton, tokenizer, spelling="canonical")
        for _, state in random_states(made, count=4, most=10):
            assert made.needed(state) is not None
            assert set(made.forced(state)[:1]) <= {*made.rows(state)}
        for sentence in draws(grammar_of(path), 5):
            (ids,) = canonical_texts(tokenizer, [sentence], "", " ")
            state = made.start()
            for token in ids:
                state = made.advance(state, token)
            assert made.is_done(state)


def test_a_name_that_begins_another_is_read_both_ways() -> None:
    letters = subwords(tiny(merges=()))
    made = constraint(lr(Grammar.read(NAMES)), letters, prefix=" ")
    state = made.start()
    for token in b" al":
        state = made.advance(state, token)
    assert {*made.rows(state)} == {*b"p ", made.eos}
    assert made.needed(state) == 1
    for token in b"pha":
        state = made.advance(state, token)
    assert {*made.rows(state)} == {*b"b ", made.eos}


def test_names_with_spaces_keep_several_readings() -> None:
    grammar = Grammar.read('start: "a" "b" "c" | "a b" "b" | "a"')
    tokenizer = words()
    made = constraint(glr(grammar), tokenizer)
    (ids,) = tokenizer.encode(["a b"])
    state = made.start()
    for token in ids:
        state = made.advance(state, token)
    permitted = {tokenizer.bytes_of[token] for token in made.rows(state)}
    assert permitted == {b" c", b" b"}


def test_rows_are_one_object_wherever_they_are_the_same_choice() -> None:
    made = constraint(lr(Grammar.read(NAMES)), words(), prefix=" ")
    state = begin = made.start()
    for token in words().encode([" b of"])[0]:
        state = made.advance(state, token)
    assert made.rows(state) is made.rows(begin)


def test_forced_runs_are_what_must_come() -> None:
    made = constraint(lr(Grammar.read('start: "alphabet" ("b" | "c") "gamma"')), qwen())
    run = made.forced(made.start())
    assert qwen().decode(run) == b"alphabet"
    state = made.start()
    for token in run:
        assert made.rows(state) == Rows.from_ids([token])
        state = made.advance(state, token)
    assert made.forced(state) == ()
    (c,) = qwen().encode([" c"])[0]
    last = made.advance(state, c)
    run = made.forced(last)
    assert qwen().decode(run[:-1]) == b" gamma"
    assert run[-1] == made.eos
    for token in run:
        last = made.advance(last, token)
    assert made.is_done(last)
    assert made.forced(last) == ()
    assert not made.rows(last)
    assert made.needed(last) == 0


def test_the_end_is_a_row_where_the_text_may_end() -> None:
    made = constraint(lr(Grammar.read('start: "a" start | "b"')), words())
    (b,) = words().encode(["b"])[0]
    state = made.advance(made.start(), b)
    assert {*made.rows(state)} == {made.eos}
    with pytest.raises(SubwordNotPermitted, match="not permitted here"):
        made.advance(made.start(), made.eos)
    with pytest.raises(SubwordNotPermitted, match="after the end"):
        made.advance(made.advance(state, made.eos), b)


def test_a_grammar_with_the_empty_sentence_may_end_at_once() -> None:
    made = constraint(lr(Grammar.read('start: ["a"]')), words())
    assert made.eos in made.rows(made.start())
    assert made.needed(made.start()) == 1
    assert made.rows(made.start()).size == 2


@pytest.mark.parametrize("token", [-1, 10**9, 0])
def test_other_tokens_are_refused_and_change_nothing(token: int) -> None:
    made = constraint(lr(Grammar.read('start: "a" | "b"')), qwen())
    state = made.start()
    before = made.rows(state)
    with pytest.raises(SubwordNotPermitted) as caught:
        made.advance(state, token)
    assert caught.value.rows is before is made.rows(state)


def test_states_of_another_constraint_are_refused() -> None:
    one, other = (constraint(lr(Grammar.read('start: "a" | "b"')), words()) for _ in range(2))
    for ask in (other.rows, other.needed, lambda state: other.advance(state, 1)):
        with pytest.raises(ForeignState):
            ask(one.start())


def test_both_real_tokenizers_spell_words_canonically() -> None:
    for tokenizer in (qwen(), deepseek()):
        made = constraint(lr(Grammar.read(NAMES)), tokenizer, spelling="canonical")
        text = b"alphabet of gamma of al"
        state = made.start()
        (ids,) = tokenizer.encode([text.decode()])
        for token in ids:
            state = made.advance(state, token)
        assert made.eos in made.rows(state)


def test_a_tokenizer_whose_pieces_go_over_spaces_is_found() -> None:
    automaton = lr(Grammar.read('start: "b" "c" | "c" "b"'))
    made = constraint(automaton, no_words())
    assert made.spelling == "bytes"
    assert "given the whole text" in made.reason
    with pytest.raises(NotCanonical, match="given the whole text"):
        constraint(automaton, no_words(), spelling="canonical")
    assert constraint(automaton, words()).reason == ""
