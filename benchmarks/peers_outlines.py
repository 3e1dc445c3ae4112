"""outlines-core as an engine of the comparison: bits from a finite automaton."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from time import perf_counter_ns
from typing import Any

import numpy as np
from peers_engine import Constraint, Engine, World, bit_constraint
from peers_notation import Signs, flat_expression


def engines() -> list[Engine]:
    """One regular expression: types are checked, nesting cannot be."""
    return [Engine("outlines-core", "outlines-core", _prepare, "nesting unchecked", exact=False)]


def _prepare(world: World) -> Callable[[], Constraint]:
    outlines: Any = import_module("outlines_core")
    vocabulary = world.vocabulary

    def choice(kind: str) -> str:
        texts = world.texts[slice(*vocabulary.span(vocabulary.kind_number(kind)))]
        return f"(?:{'|'.join(map(re.escape, texts))})"

    expression = flat_expression(world.grammar, Signs(choice, "(?:", "", "|"))

    def compiled() -> Constraint:
        ids = {text: [token] for token, text in enumerate(world.texts)}
        index = outlines.Index(expression, outlines.Vocabulary(world.end, ids))
        guide = outlines.Guide(index)
        words = np.zeros(world.words, np.int32)
        fill = partial(guide.write_mask_into, words.ctypes.data, words.size, words.itemsize)
        advance = guide.advance  # raises if the token may not come next

        def walk(form: Sequence[int]) -> list[int]:
            clock, times = perf_counter_ns, []
            guide.reset()
            for token in form:
                started = clock()
                fill()
                advance(token, False)
                times.append(clock() - started)
            return times

        return bit_constraint(world, words, guide, fill, lambda token: advance(token, False), walk)

    return compiled
