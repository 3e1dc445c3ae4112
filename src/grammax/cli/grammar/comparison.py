"""Measure each automaton of a grammar on sampled sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from time import perf_counter
from typing import Any, Final, final

from grammax import earley, glr, lr, superset, unrolled
from grammax.automaton import BoundAutomaton, Engine, State, bind
from grammax.automaton.earley import EarleyEngine
from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.networks.subsets import SubsetEngine
from grammax.automaton.networks.unrolled import UnrolledEngine
from grammax.automaton.walk import walk
from grammax.errors import ConflictError
from grammax.grammar import Grammar
from grammax.vocabulary import Vocabulary

Progress = Callable[[str, int], None]
Compile = Callable[[Grammar, Vocabulary | None], BoundAutomaton[Any]]

COMPILERS: Final[Mapping[str, Compile]] = {
    "superset": superset,
    "unrolled": lambda grammar, vocabulary: unrolled(grammar, 3, vocabulary),
    "lr": lr,
    "glr": glr,
    "earley": earley,
}
"""The constructions, loosest first."""


@final
@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one automaton; None where unknown.

    A step is `next_tokens` and `pass_token`, on states that were seen before. The median is taken
    over sentences, each with its mean time per step: a clock at every step would cost as much as
    the step.
    """

    automaton: str
    kinds: int
    states: int | None = None
    method: str | None = None
    compile_ms: float | None = None
    mean_permitted: float | None = None
    max_permitted: int | None = None
    mean_spans: float | None = None
    median_step_us: float | None = None
    conflict: str | None = None


def compare(
    grammar: Grammar, sentences: Sequence[Sequence[str]], progress: Progress
) -> Iterator[Row]:
    """One row per automaton; `progress` gets its name and each sentence that it has read."""
    vocabulary = Vocabulary(grammar.kinds)
    for name, compile_ in COMPILERS.items():
        progress(name, 0)
        row = Row(name, kinds=len(grammar.kinds))
        fresh = replace(
            grammar
        )  # results cached on the rules by one automaton must not help another
        begun = perf_counter()
        try:
            engine = compile_(fresh, vocabulary).engine
        except ConflictError as error:
            progress(name, len(sentences))
            yield replace(row, conflict=error.problems[0].message)
            continue
        row = replace(row, automaton=engine.name, compile_ms=1e3 * (perf_counter() - begun))
        row = _walk(row, bind(engine, grammar, None), sentences, progress)
        yield replace(row, states=_states(engine), method=_method(engine))


def _walk(
    row: Row,
    automaton: BoundAutomaton[Any],
    sentences: Sequence[Sequence[str]],
    progress: Progress,
) -> Row:
    sizes: list[int] = []
    spans: list[int] = []
    seconds: list[float] = []
    for sentence in sentences:
        ids = automaton.vocabulary.ids(sentence)
        *steps, _ = walk(automaton, ids)
        sizes += [step.permitted.size for step in steps]
        spans += [len(step.permitted.spans) for step in steps]
        if ids:
            seconds.append(_seconds_per_step(automaton, ids))
        progress(row.automaton, 1)
    if not sizes:
        return row
    return replace(
        row,
        mean_permitted=fmean(sizes),
        max_permitted=max(sizes),
        mean_spans=fmean(spans),
        median_step_us=1e6 * median(seconds),
    )


def _seconds_per_step(automaton: BoundAutomaton[Any], ids: Sequence[int]) -> float:
    next_tokens, pass_token, state = automaton.next_tokens, automaton.pass_token, automaton.start
    begun = perf_counter()
    for token in ids:
        next_tokens(state)
        state = pass_token(state, token)
    return (perf_counter() - begun) / len(ids)


def _method(engine: Engine[Any]) -> str | None:
    match engine:
        case LrEngine():
            return engine.tables.method
        case SubsetEngine() | UnrolledEngine():
            return engine.method
        case _:
            return None


def _states(engine: Engine[Any]) -> int | None:
    """The number of states, or of those visited so far; None for Earley (one per prefix)."""
    if isinstance(engine, EarleyEngine):
        return None
    if isinstance(engine, LrEngine):
        return len(engine.tables.goto)
    made: dict[int, State] = {id(engine.start): engine.start}
    waiting: list[State] = [engine.start]
    while waiting:
        for state in waiting.pop().moves.values():
            if id(state) not in made:
                made[id(state)] = state
                waiting.append(state)
    return len(made)
