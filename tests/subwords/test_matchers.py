"""Matchers of other engines as constraints: same masks, immutable states."""

from __future__ import annotations

import json
import re
from typing import Any

import llguidance as ll
import numpy as np
import pytest
import xgrammar as xgr
from hypothesis import given, settings
from hypothesis import strategies as st
from llguidance.tiktoken import lltokenizer_from_encoding
from subwords.laws import random_states
from subwords.tokenizers import tiny

from grammax.errors import ForeignState
from grammax.subwords import (
    MatcherConstraint,
    MatcherError,
    SubwordNotPermitted,
    from_llguidance,
    from_xgrammar,
    subwords,
)
from grammax.vocabulary.rows import Rows

REGEX = "(ab|cd)+e?"
TINY = tiny(merges=("ab", "cda", "be"))
SCHEMA = {
    "type": "object",
    "properties": {"genre": {"enum": ["drama", "western"]}, "year": {"type": "integer"}},
    "required": ["genre", "year"],
    "additionalProperties": False,
}
"""A finite set of genres and any year."""


def xgrammar_matcher(compile_what: str, given: str) -> Any:
    tokenizer = subwords(TINY)
    info = xgr.TokenizerInfo(
        [piece or b"" for piece in tokenizer.bytes_of],
        vocab_type=xgr.VocabType.RAW,
        stop_token_ids=[tokenizer.eos],
    )
    return getattr(xgr.GrammarCompiler(info), compile_what)(given)


def of_regex(engine: str) -> MatcherConstraint:
    if engine == "xgrammar":
        return from_xgrammar(xgrammar_matcher("compile_regex", REGEX))
    tokenizer = lltokenizer_from_encoding(TINY)
    return from_llguidance(
        ll.LLMatcher(tokenizer, ll.LLMatcher.grammar_from_regex(REGEX)), tokenizer
    )


engines = pytest.mark.parametrize("engine", ["xgrammar", "llguidance"])


@engines
@settings(max_examples=20)
@given(seed=st.integers(0, 1000))
def test_texts_match_and_states_never_change(engine: str, seed: int) -> None:
    tokenizer = subwords(TINY)
    made = of_regex(engine)
    seen = []
    for ids, state in random_states(made, count=2, most=12, seed=seed):
        text = (tokenizer.decode(ids) or b"").decode()
        assert (tokenizer.eos in made.rows(state)) == bool(re.fullmatch(REGEX, text))
        seen.append((ids, state, [*made.rows(state)]))
    anew = of_regex(engine)
    for ids, state, rows in seen:
        assert [*made.rows(state)] == rows
        same = anew.start()
        for token in ids:
            same = anew.advance(same, token)
        assert [*anew.rows(same)] == rows


@engines
def test_what_every_constraint_does(engine: str) -> None:
    made = of_regex(engine)
    state = made.start()
    assert made.size == TINY.n_vocab
    assert made.needed(state) is None
    assert made.forced(state) == ()
    token = TINY.encode_single_token(b"ab")
    after = made.advance(state, token)
    assert made.advance(state, token) is after
    with pytest.raises(SubwordNotPermitted):
        made.advance(after, TINY.encode_single_token(b"b"))
    done = made.advance(after, made.stops[0])
    assert made.is_done(done)
    assert not made.rows(done)
    assert made.forced(done) == ()
    assert made.needed(done) == 0
    with pytest.raises(SubwordNotPermitted, match="after the end"):
        made.advance(done, token)
    with pytest.raises(ForeignState):
        of_regex(engine).rows(state)


@engines
def test_one_permitted_token_is_forced(engine: str) -> None:
    made = of_regex(engine)
    state = made.start()
    for text in (b"ab", b"e"):
        state = made.advance(state, TINY.encode_single_token(text))
    assert made.forced(state) == made.stops


def test_the_masks_are_those_of_the_matcher_and_it_is_left_alone() -> None:
    tokenizer = lltokenizer_from_encoding(TINY)
    matcher = ll.LLMatcher(tokenizer, ll.LLMatcher.grammar_from_regex(REGEX))
    made = from_llguidance(matcher, tokenizer)
    expected = Rows.from_bitmask(np.frombuffer(matcher.compute_bitmask(), np.int32), made.size)
    assert made.rows(made.start()) == expected
    made.advance(made.start(), TINY.encode_single_token(b"c"))
    assert np.frombuffer(matcher.compute_bitmask(), np.int32)[: made.size // 32].any()
    matcher.consume_token(TINY.encode_single_token(b"c"))
    assert made.rows(made.start()) == expected


@engines
def test_json_schemas_come_from_the_engines(engine: str) -> None:
    if engine == "xgrammar":
        made = from_xgrammar(xgrammar_matcher("compile_json_schema", json.dumps(SCHEMA)))
    else:
        tokenizer = lltokenizer_from_encoding(TINY)
        read = ll.LLMatcher.grammar_from_json_schema(json.dumps(SCHEMA))
        made = from_llguidance(ll.LLMatcher(tokenizer, read), tokenizer)
    state = made.start()
    text = b""
    while not made.is_done(state) and len(text) < 300:
        token = made.rows(state).ids[-1]  # the end as soon as it may come
        state = made.advance(state, int(token))
        text += subwords(TINY).bytes_of[token] or b""
    found = json.loads(text)
    assert found["genre"] in ("drama", "western")
    assert isinstance(found["year"], int)


def test_a_grammar_that_the_engine_refuses_is_an_error() -> None:
    tokenizer = lltokenizer_from_encoding(TINY)
    bad = ll.LLMatcher(tokenizer, ll.LLMatcher.grammar_from_regex("(ab"), log_level=0)
    with pytest.raises(MatcherError, match=r"llguidance: .*invalid regex"):
        from_llguidance(bad, tokenizer)
