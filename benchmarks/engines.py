"""Exact engines over public grammars of the size of C, Java, Python, SQL: ours, and others beside.

The grammars are those of tree-sitter's parsers, without their precedences, so nearly all of them
are ambiguous. Sentences are drawn from each grammar; all engines walk along the same ones, on one
thread. A step is what may come next, and moving on. *Cold* is the first walk along each sentence
after compiling, *warm* the second. Ours returns spans, or fills a bitmask as the others do; what
the others permit is compared with ours at each step of the first sentences. They are told tokens
by number, the best form that they have for tokens that are given.

    npm pack tree-sitter-c tree-sitter-java ... @derekstride/tree-sitter-sql  and unpack into FOLDER
    pip install --no-deps xgrammar==0.2.8 apache-tvm-ffi==0.1.15.post2 llguidance==1.9.1

python benchmarks/engines.py FOLDER [--quick] [--json]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import fmean, median
from time import perf_counter
from typing import Any

import numpy as np
import peers_alone  # noqa: F401 - before NumPy
from engines_grammars import grammars, read_grammar
from engines_peers import llguidance_steps, xgrammar_steps
from report import Claim, Options, Row, at_most, progress, run

from grammax import exact
from grammax.automaton import BoundAutomaton
from grammax.grammar import Grammar, Sampler

QUICK = ("c", "java", "json", "python")
NAMES = (*QUICK, "bash", "css", "go", "javascript", "lua", "php", "rust", "sql", "typescript")
PEERS = {"xgrammar": xgrammar_steps, "llguidance": llguidance_steps}
OURS, MASKED = "grammax", "grammax, bitmask"

Walk = Callable[[Sequence[int]], list[float]]  # a sentence → the seconds of its steps


@dataclass(frozen=True, slots=True)
class World:
    """A grammar, our automaton of it, and sentences as ids."""

    name: str
    grammar: Grammar
    automaton: BoundAutomaton[Any]
    sentences: list[list[int]]


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    rows: list[Row] = []
    wanted = QUICK if options.quick else NAMES
    for name, path in grammars(options.given.folder):
        if name in wanted:
            progress(f"reading {name}")
            rows += _measured(path, name, 20 if options.quick else 60)
    progress("")
    return rows, _claims(rows)


def _measured(path: Path, name: str, count: int) -> list[Row]:
    grammar = read_grammar(path)
    begun = perf_counter()
    automaton = exact(grammar)
    seconds = perf_counter() - begun
    world = World(name, grammar, automaton, _draw(grammar, automaton, count))
    rows = [_row(world, OURS, seconds, _our_walk(automaton, masked=False))]
    # A second automaton, for the first one has been everywhere already.
    rows.append(_row(world, MASKED, seconds, _our_walk(exact(grammar), masked=True)))
    for peer, prepare in PEERS.items():
        if not find_spec(peer):
            continue
        progress(f"{name}: {peer}")
        try:
            begun = perf_counter()
            walk, mask_after = prepare(grammar, automaton.vocabulary)
            seconds = perf_counter() - begun
            differing = _differing(world, mask_after)
            row = _row(world, peer, seconds, walk)
            rows.append({**row, "differing steps": differing})
        except Exception as error:
            rows.append({"name": f"{name}, {peer}", "failed": str(error)[:80]})
    return rows


def _draw(grammar: Grammar, automaton: BoundAutomaton[Any], count: int) -> list[list[int]]:
    """Different sentences of at least 8 tokens; files are lists, and most draws are short."""
    sampler, random = Sampler(grammar, max_depth=25, max_tokens=150), Random(1)
    found: dict[tuple[str, ...], None] = {}
    for _ in range(100 * count):
        sentence = sampler.draw(random)
        if len(sentence) >= 8:
            found[sentence] = None
        if len(found) == count:
            break
    return [automaton.vocabulary.ids(sentence) for sentence in found]


def _our_walk(automaton: BoundAutomaton[Any], masked: bool) -> Walk:
    mask = np.zeros(-(-len(automaton.vocabulary) // 32), np.int32)
    next_tokens, pass_token = automaton.next_tokens, automaton.pass_token

    def walk(sentence: Sequence[int]) -> list[float]:
        state, times = automaton.start, []
        for token in sentence:
            begun = perf_counter()
            permitted = next_tokens(state)
            if masked:
                permitted.fill_bitmask(mask)
            state = pass_token(state, token)
            times.append(perf_counter() - begun)
        return times

    return walk


def _row(world: World, engine: str, seconds: float, walk: Walk) -> Row:
    cold = [step for sentence in world.sentences for step in walk(sentence)]
    warm = [step for sentence in world.sentences for step in walk(sentence)]
    return {
        "name": f"{world.name}, {engine}",
        "automaton": world.automaton.name if engine in (OURS, MASKED) else "",
        "rules": len(world.grammar.rules),
        "steps": len(cold),
        "compile, s": round(seconds, 3),
        "cold mean, us": round(1e6 * fmean(cold), 2),
        "warm median, us": round(1e6 * median(warm), 2),
        "warm mean, us": round(1e6 * fmean(warm), 2),
    }


def _differing(world: World, mask_after: Callable[[Sequence[int]], list[frozenset[int]]]) -> int:
    """The steps of a few sentences at which a peer permits other tokens than ours."""
    differing = 0
    for sentence in world.sentences[:5]:
        state = world.automaton.start
        for token, permitted in zip(sentence, mask_after(sentence), strict=True):
            differing += permitted != frozenset(world.automaton.next_tokens(state))
            state = world.automaton.pass_token(state, token)
    return differing


def _claims(rows: Sequence[Row]) -> list[Claim]:
    ours = [row for row in rows if str(row["name"]).endswith(f", {OURS}")]
    general = [row for row in ours if row["automaton"] == "glr"]
    claims = [
        at_most("glr, warm, highest median", _largest(general, "warm median, us"), 2, "us"),
        at_most("glr, warm, highest mean", _largest(general, "warm mean, us"), 5, "us"),
        at_most("glr, cold, mean of the grammars", _mean(general, "cold mean, us"), 100, "us"),
    ]
    for column in ("warm median, us", "warm mean, us", "cold mean, us"):
        for peer in PEERS:
            behind = _behind(rows, peer, column)
            if behind is not None:
                claim = f"{peer} is ahead of grammax with a bitmask, {column}"
                claims.append(at_most(claim, behind, 0, "grammars"))
    return claims


def _figure(row: Row, column: str) -> float:
    figure = row[column]
    assert isinstance(figure, int | float)
    return figure


def _largest(rows: Sequence[Row], column: str) -> float:
    return max((_figure(row, column) for row in rows), default=0.0)


def _mean(rows: Sequence[Row], column: str) -> float:
    return fmean([_figure(row, column) for row in rows] or [0.0])


def _behind(rows: Sequence[Row], peer: str, column: str) -> int | None:
    by_name = {row["name"]: row for row in rows if column in row}
    pairs = [
        (_figure(row, column), _figure(by_name[f"{name}, {peer}"], column))
        for full, row in by_name.items()
        for name in (str(full).removesuffix(f", {MASKED}"),)
        if str(full).endswith(f", {MASKED}") and f"{name}, {peer}" in by_name
    ]
    return sum(theirs < mine for mine, theirs in pairs) if pairs else None


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="with the grammar.json files of tree-sitter")


if __name__ == "__main__":
    about = (__doc__ or "").split("\n", 1)[0]
    run("engines", about, measure, ("xgrammar", "llguidance"), arguments=_arguments)
