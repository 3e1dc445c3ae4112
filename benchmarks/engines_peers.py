"""xgrammar and llguidance over any grammar, for the benchmark of engines.

Rules are written as they are, and tokens by number. Each returns two functions of a sentence: one
that walks along it and gives the seconds of each step, and one that gives what it permits there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np
from peers_notation import plain_rules
from peers_xgrammar import _transformers as stand_in_for_transformers

from grammax.grammar import Grammar
from grammax.vocabulary import Vocabulary

Steps = tuple[
    Callable[[Sequence[int]], list[float]], Callable[[Sequence[int]], list[frozenset[int]]]
]
_UNLIMITED = 2**31


def xgrammar_steps(grammar: Grammar, vocabulary: Vocabulary) -> Steps:
    """The grammar in xgrammar's EBNF."""
    with stand_in_for_transformers():
        xgrammar: Any = import_module("xgrammar")
    torch: Any = import_module("torch")

    def token(kind: int) -> str:
        return f"Token({', '.join(map(str, vocabulary.permitted({kind})))})"

    lines = _lines(grammar, vocabulary, token, "::=")
    texts = [f"t{number}" for number in range(len(vocabulary))]
    end = len(texts)
    tokens = xgrammar.TokenizerInfo([*texts, "<end>"], stop_token_ids=[end])
    compiler = xgrammar.GrammarCompiler(tokens, max_threads=1, cache_enabled=False)
    compiled = compiler.compile_grammar("\n".join(lines), root_rule_name="start")
    matcher = xgrammar.GrammarMatcher(compiled)
    words = np.zeros((1, -(-(end + 1) // 32)), np.int32)
    fill = partial(matcher.fill_next_token_bitmask, torch.from_numpy(words))
    return _steps(words[0], end, matcher.reset, fill, matcher.accept_token)


def llguidance_steps(grammar: Grammar, vocabulary: Vocabulary) -> Steps:
    """The grammar in llguidance's variant of lark's notation."""
    llguidance: Any = import_module("llguidance")

    def token(kind: int) -> str:
        spans = vocabulary.spans(kind)
        return f"<[{','.join(f'{start}-{stop - 1}' for start, stop in spans)}]>"

    lines = ['%llguidance { "no_forcing": true }', *_lines(grammar, vocabulary, token, ":")]
    end = len(vocabulary)

    class Tokenizer:
        bos_token_id = None
        eos_token_id = end
        special_token_ids = (end,)
        tokens = (*(f"t{number}".encode() for number in range(end)), b"<end>")

        def __call__(self, _: bytes | str) -> Sequence[int]:
            return []

    made = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Tokenizer()), slices=[])
    limits = llguidance.LLParserLimits(
        max_items_in_row=_UNLIMITED,
        initial_lexer_fuel=_UNLIMITED,
        step_lexer_fuel=_UNLIMITED,
        step_max_items=_UNLIMITED,
        max_lexer_states=_UNLIMITED,
        max_grammar_size=_UNLIMITED,
    )
    text = llguidance.LLMatcher.grammar_from_lark("\n".join(lines))
    matcher = llguidance.LLMatcher(made, text, limits=limits, log_level=0)
    if matcher.is_error():
        raise RuntimeError(matcher.get_error())
    words = np.zeros(-(-(end + 1) // 32), np.int32)
    fill = partial(matcher.unsafe_compute_mask_ptr, words.ctypes.data, words.nbytes)
    return _steps(words, end, matcher.reset, fill, matcher.consume_token)


def _lines(
    grammar: Grammar, vocabulary: Vocabulary, token: Callable[[int], str], sign: str
) -> list[str]:
    """The rules, with names that every notation can read; sentences begin with `start`."""
    rules = plain_rules(grammar)
    names = {name: f"n{number}" for number, name in enumerate(rules)}
    names |= {kind: token(number) for number, kind in enumerate(vocabulary.kinds)}
    lines = [f"start {sign} {names[grammar.start]}"]
    for name, alternatives in rules.items():
        written = (" ".join(names[s] for s in symbols) or '""' for symbols in alternatives)
        lines.append(f"{names[name]} {sign} {' | '.join(written)}")
    return lines


def _steps(
    words: Any,
    end: int,
    reset: Callable[[], object],
    fill: Callable[[], object],
    accept: Callable[[int], object],
) -> Steps:
    def walk(sentence: Sequence[int]) -> list[float]:
        reset()
        times = []
        for token in sentence:
            begun = perf_counter()
            fill()
            accept(token)
            times.append(perf_counter() - begun)
        return times

    def masks(sentence: Sequence[int]) -> list[frozenset[int]]:
        reset()
        found = []
        for token in sentence:
            fill()
            bits = np.unpackbits(words.view(np.uint8), bitorder="little")
            found.append(frozenset(bits[:end].nonzero()[0].tolist()))
            accept(token)
        return found

    return walk, masks
