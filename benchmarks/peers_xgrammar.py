"""xgrammar as an engine of the comparison: bits from a pushdown automaton with a cache."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from os.path import commonprefix
from types import ModuleType
from typing import Any

import numpy as np
from peers_engine import Constraint, Engine, World, bit_constraint
from peers_notation import Signs, factored

_ALTERNATIVES = 3000  # with 6,000 a step was measured to take a hundred times as long


def engines() -> list[Engine]:
    """Over token ids, its best form for a vocabulary of whole words, and over text."""
    return [
        Engine("xgrammar, ids", "xgrammar", partial(_prepare, _ids)),
        Engine("xgrammar, text", "xgrammar", partial(_prepare, _text), minutes=True),
    ]


def _prepare(kind_rule: Callable[[World, int], str], world: World) -> Callable[[], Constraint]:
    with _transformers():
        xgrammar: Any = import_module("xgrammar")
    torch: Any = import_module("torch")
    torch.set_num_threads(1)
    kinds = {kind: f"k{number}" for number, kind in enumerate(world.vocabulary.kinds)}
    rules = factored(world.grammar, Signs(lambda name: kinds.get(name, name)))
    lines = [f"{name} ::= {body}" for name, body in rules.items()]
    lines += [f"k{number} ::= {kind_rule(world, number)}" for number in range(len(kinds))]
    text = "\n".join(lines)

    def compiled() -> Constraint:
        tokens = xgrammar.TokenizerInfo([*world.texts, "<end>"], stop_token_ids=[world.end])
        compiler = xgrammar.GrammarCompiler(tokens, max_threads=1, cache_enabled=False)
        grammar = compiler.compile_grammar(text, root_rule_name=world.grammar.start)
        matcher = xgrammar.GrammarMatcher(grammar)
        words = np.zeros((1, world.words), np.int32)
        fill = partial(matcher.fill_next_token_bitmask, torch.from_numpy(words))
        return bit_constraint(world, words[0], matcher, fill, matcher.accept_token)

    return compiled


def _ids(world: World, kind: int) -> str:
    return f"Token({', '.join(map(str, range(*world.vocabulary.span(kind))))})"


def _text(world: World, kind: int) -> str:
    return _choice(sorted(world.texts[slice(*world.vocabulary.span(kind))]))


def _choice(texts: Sequence[str]) -> str:
    """One of many texts, as a trie whose leaves are not too large."""
    shared = commonprefix(texts) if len(texts) > 1 else ""  # noqa: RUF071 - not of paths
    rests = [text[len(shared) :] for text in texts]
    if len(texts) <= _ALTERNATIVES:
        inner = " | ".join(f'"{rest}"' for rest in rests)
    else:
        groups = groupby(rests, key=lambda rest: rest[0])
        inner = " | ".join(_choice(list(group)) for _, group in groups)
    return f'"{shared}" ({inner})' if shared else f"({inner})"


@contextmanager
def _transformers() -> Iterator[None]:
    """Stands in for transformers, of which xgrammar needs three names to be imported."""
    if find_spec("transformers"):
        yield
        return
    module: Any = ModuleType("transformers")
    for name in ("PreTrainedTokenizerBase", "PreTrainedTokenizerFast", "LogitsProcessor"):
        setattr(module, name, type(name, (), {}))
    sys.modules["transformers"] = module
    try:
        yield
    finally:
        del sys.modules["transformers"]
