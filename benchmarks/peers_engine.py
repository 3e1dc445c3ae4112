"""What the benchmark asks of an engine: compile, then at each step what may come next, and move on.

An engine's permitted set comes as it gives it: spans of rows, a bit for each token, or names of
kinds. Bits are applied to scores by NumPy, faster than by the functions that come with the engines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grammax.domains import load_domain
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.grammar import Grammar
from grammax.tables import grammar as grammars
from grammax.vocabulary import Span, Vocabulary

Array = NDArray[np.float32]
Words = NDArray[np.int32]  # 32 tokens each, the first token the lowest bit
Forms = Sequence[Sequence[int]]
Walk = Callable[[Sequence[int]], list[int]]


class Rejected(Exception):
    """An engine refused a token of a logical form."""


@dataclass(frozen=True)
class World:
    """The grammar, the tokens, the logical forms and the output layer that all engines share."""

    grammar: Grammar
    vocabulary: Vocabulary
    forms: Forms
    rows: Array  # (V + 1, d): the last is the end's
    bias: Array  # (V + 1)

    @property
    def end(self) -> int:
        """The id of the end."""
        return len(self.vocabulary)

    @property
    def words(self) -> int:
        """How many int32 hold a bit for each row."""
        return -(-len(self.rows) // 32)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The tokens as text: a space after each, so that none begins another."""
        return tuple(f"{token} " for token in self.vocabulary.tokens)

    def bits(self, spans: Sequence[Span]) -> Words:
        """The rows of some spans as bits."""
        flags = np.zeros(self.words * 32, np.bool_)
        for start, stop in spans:
            flags[start:stop] = True
        return np.packbits(flags, bitorder="little").view(np.int32)


def eqs_world(count: int | None = None, dimensions: int = 300) -> World:
    """Typed equity search; the first `count` of its test forms in a random order."""
    domain = load_domain("eqs")
    vocabulary = domain.vocabulary
    forms = [vocabulary.ids(pair.tokens) for pair in domain.pairs("test")]
    Random(0).shuffle(forms)
    draw = np.random.default_rng(0)
    # By columns: OpenBLAS then multiplies all rows twice as fast as row by row.
    rows = draw.standard_normal((dimensions, len(vocabulary) + 1), np.float32).T
    bias = draw.standard_normal(len(rows), np.float32)
    grammar = grammars.grammar(load_catalogue().lexicon, typed=True)
    return World(grammar, vocabulary, forms[:count], rows, bias)


def hidden_vectors(world: World, count: int) -> Array:
    """What the network would give the output layer, (count, d)."""
    return np.random.default_rng(1).standard_normal((count, world.rows.shape[1]), np.float32)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A compiled grammar. What `constrain` returns is the engine's own, and `Any` here.

    `choose` gives the best permitted row of a hidden vector; None stands for the full output layer
    and `mask`. `walk` times the steps of a form, in nanoseconds, by calling the engine's own
    functions: the ones above, put around them, would be a quarter of the fastest engine's time.
    """

    start: Callable[[], Any]
    constrain: Callable[[Any], Any]
    advance: Callable[[Any, int], Any]
    bits: Callable[[Any, Any], Words]
    forced: Callable[[Any, Any], bool]
    mask: Callable[[Any, Array], None] | None = None
    choose: Callable[[Any, Any, Array], int] | None = None
    walk: Walk | None = None


@dataclass(frozen=True, slots=True)
class Engine:
    """`prepare` imports the engine and writes the grammar down; what it returns compiles it."""

    name: str
    package: str
    prepare: Callable[[World], Callable[[], Constraint]]
    note: str = ""
    exact: bool = True
    minutes: bool = False  # to compile
    in_python: bool = False


def bit_constraint(
    world: World,
    words: Words,
    matcher: Any,
    fill: Callable[[], object],
    accept: Callable[[int], object],
    walk: Walk | None = None,
) -> Constraint:
    """The constraint of a matcher that is moved on in place and fills `words`."""
    rows = len(world.rows)
    bytes_ = words.view(np.uint8)

    def start() -> Any:
        matcher.reset()
        return matcher

    def constrain(_: Any) -> Words:
        fill()
        return words

    def advance(state: Any, token: int) -> Any:
        if accept(token) is False:
            raise Rejected(token)
        return state

    def walk_in_place(form: Sequence[int]) -> list[int]:
        clock, times = perf_counter_ns, []
        matcher.reset()
        for token in form:
            started = clock()
            fill()
            accept(token)
            times.append(clock() - started)
        return times

    def forced(_: Any, found: Words) -> bool:
        return int(np.bitwise_count(found).sum()) == 1

    def mask(_: Words, scores: Array) -> None:
        forbidden = np.unpackbits(~bytes_, count=rows, bitorder="little").view(np.bool_)
        np.copyto(scores, -np.inf, where=forbidden)

    return Constraint(
        start=start,
        constrain=constrain,
        advance=advance,
        bits=lambda _, found: found,
        forced=forced,
        mask=mask,
        walk=walk or walk_in_place,
    )
