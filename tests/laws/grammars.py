"""Grammars to hold automata to: random ones, and all that are in the repository."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from grammax import Grammar, earley, glr, lr, superset
from grammax.automaton import BoundAutomaton
from grammax.automaton.networks.unrolled import UnrolledEngine
from grammax.errors import ConflictError
from grammax.grammar import Sampler
from grammax.grammar.expressions import Choice, Concatenation, Reference, Repeat, TokenText
from grammax.vocabulary import Vocabulary

FOLDER = Path(__file__).parent.parent / "fixtures" / "grammars"
FILES = sorted(FOLDER.glob("*.lark"))
every_file = pytest.mark.parametrize(
    "path",
    # A grammar of the size of SQL costs twenty times as much.
    [pytest.param(p, marks=pytest.mark.slow) if p.stem == "sql" else p for p in FILES],
    ids=lambda path: path.stem,
)

KINDS = {"A": ("a", "alpha"), "B": ("b",), "C": ("c", "gamma", "γ")}
RULES = ("start", "left", "right", "middle")

_BOUNDS = ((0, 1), (0, None), (1, None), (0, 2), (2, 2), (1, 3), (2, None))
_LARGEST = 14  # plain rules; with many more, `unrolled(3)` may keep 10,000 stacks apart


@st.composite
def random_grammars(draw: st.DrawFn) -> Grammar:
    """Small grammars with left recursion, cycles, empty rules and repetitions of all of them."""
    return _drawn(draw, lambda symbols: st.lists(_parts(symbols), max_size=3))


@st.composite
def grammars_without_empty_rules(draw: st.DrawFn) -> Grammar:
    """Small grammars in which every rule takes at least one token; recursion as it comes."""
    return _drawn(draw, lambda symbols: st.lists(symbols, min_size=1, max_size=3))


def _drawn(
    draw: st.DrawFn, alternatives: Callable[[st.SearchStrategy], st.SearchStrategy]
) -> Grammar:
    names = RULES[: draw(st.integers(1, len(RULES)))]
    options = st.lists(alternatives(_symbols(names)), min_size=1, max_size=3)
    # Most recursive grammars drawn at random derive nothing; a way out of each rule keeps them.
    ways_out = zip(names, ("A", "B", "C", "A"), strict=False)
    rules = {name: [*draw(options), [way_out]] for name, way_out in ways_out}
    grammar = Grammar.from_rules(rules, KINDS)
    assume(len(grammar.rules) <= _LARGEST)
    return grammar


@cache
def _symbols(names: tuple[str, ...]) -> st.SearchStrategy:
    """Rules twice as often as kinds: it is recursion that makes a grammar hard."""
    references = st.sampled_from((*names, *names, *KINDS)).map(Reference)
    return st.one_of(references, references, st.sampled_from("()").map(TokenText))


@cache
def _parts(symbols: st.SearchStrategy) -> st.SearchStrategy:
    larger = st.recursive(symbols, _larger, max_leaves=3)
    return st.one_of(symbols, symbols, larger)


def _larger(parts: st.SearchStrategy) -> st.SearchStrategy:
    return st.one_of(
        st.lists(parts, max_size=2).map(lambda found: Concatenation(tuple(found))),
        st.lists(parts, min_size=1, max_size=2).map(lambda found: Choice(tuple(found))),
        st.builds(lambda part, bounds: Repeat(part, *bounds), parts, st.sampled_from(_BOUNDS)),
    )


def automata(grammar: Grammar) -> list[BoundAutomaton]:
    """Every automaton of a grammar, `lr` only where it is LR(1)."""
    made = [superset(grammar), *(unrolled_without_limit(grammar, depth) for depth in range(4))]
    made += [glr(grammar), earley(grammar)]
    with suppress(ConflictError):
        made.append(lr(grammar))
    return made


def unrolled_without_limit(grammar: Grammar, depth: int) -> BoundAutomaton:
    """`unrolled`, however many configurations a state has; its distances are exact then."""
    engine = UnrolledEngine(grammar.productions, depth, most_configurations=1 << 60)
    return BoundAutomaton(engine, Vocabulary(grammar.kinds))


@cache
def grammar_of(path: Path) -> Grammar:
    """The grammar of a file, read once."""
    return Grammar.open(path)


@cache
def automata_of(path: Path) -> tuple[BoundAutomaton, ...]:
    """The automata of a file, compiled once: those of SQL take most of a second."""
    return tuple(automata(grammar_of(path)))


def draws(grammar: Grammar, count: int, max_depth: int = 8, seed: int = 1) -> list[tuple[str, ...]]:
    """Sentences drawn at random, the same ones in every run."""
    sampler = Sampler(grammar, max_depth=max_depth, max_tokens=60)
    random = Random(seed)
    return [sampler.draw(random) for _ in range(count)]
