"""Spelling in bytes, held to plain texts and to the masks of xgrammar and llguidance."""

from __future__ import annotations

import llguidance as ll
import numpy as np
import pytest
import tiktoken
import xgrammar as xgr
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.grammars import FOLDER, automata, grammar_of, random_grammars
from llguidance.tiktoken import lltokenizer_from_encoding
from subwords.laws import is_sentence, next_ids_in_bytes, random_states, written
from subwords.tokenizers import EVERY_BYTE, deepseek, no_words, qwen, qwen_encoding, tiny, words

from grammax import Grammar, exact, glr, lr
from grammax.grammar.sample import sentences
from grammax.subwords import Subwords, TokenizerError, constraint, subwords
from grammax.vocabulary.rows import Rows

SEPARATORS = (" ", "", ", ")
FILMS = Grammar.read(
    """
    start: "(" "genre" GENRE ")" | "(" "and" start start ")" | "title" TITLE
    GENRE: "drama" | "dramatic" | "comédie" | "映画" | "western"
    TITLE: "Alien" | "Aliens" | "Alien 3" | "The Thing"
    """
)


@given(random_grammars(), st.data())
@settings(max_examples=20)
def test_random_grammars(grammar: Grammar, data: st.DataObject) -> None:
    """All and only the tokens that continue a text to the beginning of a sentence."""
    automaton = data.draw(st.sampled_from(automata(grammar)), label="automaton")
    separator = data.draw(st.sampled_from(SEPARATORS), label="separator")
    made = constraint(automaton, no_words(), separator=separator, spelling="bytes")
    texts = [separator.join(sentence).encode() for sentence in sentences(grammar, 4)]
    seed = data.draw(st.integers(0, 9), label="seed")
    for ids, state in random_states(made, count=3, most=6, seed=seed):
        begin = no_words().decode(ids)
        assert begin is not None
        found = {*made.rows(state)}
        assert next_ids_in_bytes(no_words(), texts, begin) <= found
        for token in found - {made.eos}:
            after = made.advance(state, token)
            text = begin + (no_words().bytes_of[token] or b"") + written(made, after, no_words())
            assert separator or text  # without a separator the names cannot be told apart again
            assert not separator or is_sentence(automaton, text, "", separator), text


@pytest.mark.parametrize("separator", SEPARATORS)
def test_a_finite_grammar_has_exactly_the_rows_of_its_texts(separator: str) -> None:
    grammar = Grammar.read('start: "(" ("a" | "alpha" | "al") ")" ["(" "b" ")"] | "()" "gamma"')
    texts = [separator.join(sentence).encode() for sentence in sentences(grammar, 9)]
    for tokenizer in (no_words(), words()):
        made = constraint(glr(grammar), tokenizer, separator=separator, spelling="bytes")
        for ids, state in random_states(made, count=20, most=20):
            expected = next_ids_in_bytes(tokenizer, texts, tokenizer.decode(ids) or b"")
            assert {*made.rows(state)} == expected


class Xgrammar:
    """The masks of xgrammar, for the same grammar in its notation."""

    def __init__(self, grammar: Grammar, tokenizer: Subwords) -> None:
        info = xgr.TokenizerInfo(
            [piece or b"" for piece in tokenizer.bytes_of],
            vocab_type=xgr.VocabType.RAW,
            stop_token_ids=[tokenizer.eos],
        )
        compiled = xgr.GrammarCompiler(info).compile_grammar(grammar.to_gbnf(" "))
        self._matcher = xgr.GrammarMatcher(compiled)
        self._size = tokenizer.size

    def rows(self, ids: list[int]) -> Rows:
        matcher = self._matcher.fork()
        assert all(matcher.accept_token(token) for token in ids)
        mask = np.full((1, -(-self._size // 32)), -1, np.int32)
        matcher.fill_next_token_bitmask(mask)
        return Rows.from_bitmask(mask[0], self._size)


class Llguidance:
    """The masks of llguidance, for the same grammar in its notation."""

    def __init__(self, grammar: Grammar, tokenizer: tiktoken.Encoding) -> None:
        self._tokenizer = lltokenizer_from_encoding(tokenizer)
        read = ll.LLMatcher.grammar_from_lark(grammar.to_lark(" "))
        self._matcher = ll.LLMatcher(self._tokenizer, read)
        assert not self._matcher.is_error(), self._matcher.get_error()

    def rows(self, ids: list[int]) -> Rows:
        matcher = self._matcher.deep_copy()
        assert matcher.consume_tokens(ids)
        mask = np.frombuffer(matcher.compute_bitmask(), np.int32)
        return Rows.from_bitmask(mask, self._tokenizer.vocab_size)


@pytest.mark.parametrize("name", ["films", "arithmetic", "equity", "lists", "beyond_lalr", "json"])
def test_rows_are_those_of_xgrammar_and_llguidance(name: str) -> None:
    grammar = FILMS if name == "films" else grammar_of(FOLDER / f"{name}.lark")
    made = constraint(exact(grammar), qwen(), spelling="bytes")
    xgrammar, llguidance = Xgrammar(grammar, qwen()), Llguidance(grammar, qwen_encoding())
    several = 0
    for ids, state in random_states(made, count=6, most=25):
        rows = made.rows(state)
        assert rows == xgrammar.rows(ids), qwen().decode(ids)
        # Where the text is forced, llguidance permits only how the tokenizer would spell it.
        theirs = llguidance.rows(ids)
        several += theirs.size > 1
        assert rows == theirs if theirs.size > 1 else {*theirs} <= {*rows}, qwen().decode(ids)
    assert several


def test_a_token_may_span_several_names() -> None:
    made = constraint(lr(Grammar.read('start: "b" "c" | "c" "b"')), no_words())
    found = {no_words().bytes_of[token]: token for token in made.rows(made.start())}
    assert {*found} == {b"b", b"b ", b"b c", b"c"}
    assert {*made.rows(made.advance(made.start(), found[b"b c"]))} == {made.eos}
    assert made.needed(made.start()) == 2


def test_a_text_before_the_first_name() -> None:
    grammar = Grammar.read('start: "alpha" "b"')
    for tokenizer in (words(), no_words()):
        made = constraint(lr(grammar), tokenizer, prefix="gamma: ", spelling="bytes")
        assert written(made, made.start(), tokenizer) == b"gamma: alpha b"


def test_texts_are_not_normalised() -> None:
    """Whatever the spelling is, what is written has the bytes of the names."""
    grammar = Grammar.read('start: "cafe\u0301" | "(a(b)c)" | "映画"')
    for tokenizer in (qwen(), deepseek(), words()):
        for spelling in ("auto", "bytes"):
            made = constraint(lr(grammar), tokenizer, spelling=spelling)
            for ids, state in random_states(made, count=5, most=20):
                text = (tokenizer.decode(ids) or b"") + written(made, state, tokenizer)
                assert is_sentence(made.automaton, text, "", " "), text


def test_needed_counts_the_longest_tokens() -> None:
    made = constraint(lr(Grammar.read('start: "alpha" "gamma"')), qwen(), spelling="bytes")
    letters = subwords(tiny(merges=()))
    slow = constraint(lr(Grammar.read('start: "alpha" "gamma"')), letters, spelling="bytes")
    assert made.needed(made.start()) == 3
    assert slow.needed(slow.start()) == len("alpha gamma") + 1


def test_a_tokenizer_without_a_byte_is_refused() -> None:
    lacking = tiny(alphabet=[one for one in EVERY_BYTE if one != b"z"], merges=("al",))
    fine = constraint(lr(Grammar.read('start: "al"')), lacking, spelling="bytes")
    assert fine.needed(fine.start()) == 2
    with pytest.raises(TokenizerError, match="no token for the byte 0x7A, which ' jazz' needs"):
        constraint(lr(Grammar.read('start: "al" | "jazz"')), lacking, spelling="bytes")


def test_why_bytes_are_used_is_said() -> None:
    made = constraint(lr(Grammar.read('start: "b" "c"')), no_words())
    assert (made.spelling, bool(made.reason)) == ("bytes", True)
    asked = constraint(lr(Grammar.read('start: "b" "c"')), no_words(), spelling="bytes")
    assert (asked.spelling, asked.reason) == ("bytes", "")
