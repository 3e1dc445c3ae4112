"""llguidance as an engine of the comparison: bits from an Earley parser over a trie of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from peers_engine import Constraint, Engine, World, bit_constraint
from peers_notation import Signs, factored

_UNLIMITED = 2**31


def engines() -> list[Engine]:
    """Over ranges of token ids, and over text with its limits raised.

    With forcing on, a mask at a forced token is that of the first choice after it.
    """
    return [
        Engine("llguidance, ids", "llguidance", partial(_prepare, False), "forcing off"),
        Engine("llguidance, text", "llguidance", partial(_prepare, True), "limits raised"),
    ]


class _Tokenizer:
    """What llguidance asks of a tokenizer; it never has text to split here."""

    bos_token_id = None

    def __init__(self, world: World) -> None:
        self.eos_token_id = world.end
        self.special_token_ids = [world.end]
        self.tokens = [*(text.encode() for text in world.texts), b"<end>"]

    def __call__(self, _: bytes | str) -> Sequence[int]:
        return []


def _prepare(of_text: bool, world: World) -> Callable[[], Constraint]:
    llguidance: Any = import_module("llguidance")
    vocabulary = world.vocabulary
    number_of = {kind: number for number, kind in enumerate(vocabulary.kinds)}

    def name_of(symbol: str) -> str:
        if symbol not in number_of:
            return "start" if symbol == world.grammar.start else symbol
        start, stop = vocabulary.span(number_of[symbol])
        return f"K{number_of[symbol]}" if of_text else f"<[{start}-{stop - 1}]>"

    rules = factored(world.grammar, Signs(name_of))
    lines = ['%llguidance { "no_forcing": true }']
    lines += [f"{name_of(name)}: {body}" for name, body in rules.items()]
    if of_text:
        for number in range(len(vocabulary.kinds)):
            texts = world.texts[slice(*vocabulary.span(number))]
            lines.append(f"K{number}: " + " | ".join(f'"{text}"' for text in texts))
    text = "\n".join(lines)

    def compiled() -> Constraint:
        tokens = llguidance.LLTokenizer(llguidance.TokenizerWrapper(_Tokenizer(world)), slices=[])
        limits = llguidance.LLParserLimits(
            max_items_in_row=_UNLIMITED,
            initial_lexer_fuel=_UNLIMITED,
            step_lexer_fuel=_UNLIMITED,
            step_max_items=_UNLIMITED,
            max_lexer_states=_UNLIMITED,
            max_grammar_size=_UNLIMITED,
        )
        grammar = llguidance.LLMatcher.grammar_from_lark(text)
        matcher = llguidance.LLMatcher(tokens, grammar, limits=limits, log_level=0)
        if matcher.is_error():
            raise RuntimeError(matcher.get_error())
        words = np.zeros(world.words, np.int32)
        fill = partial(matcher.unsafe_compute_mask_ptr, words.ctypes.data, words.nbytes)
        return bit_constraint(world, words, matcher, fill, matcher.consume_token)

    return compiled
