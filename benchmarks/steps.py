"""What the grammar costs: compiling, and `next_tokens` + `pass_token` at every step.

python benchmarks/steps.py [--quick] [--json]
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from itertools import chain
from statistics import mean, median
from time import perf_counter, perf_counter_ns
from typing import Any

from equity import sampled_forms, sized_lexicon, typed_and_untyped
from report import Claim, Options, Row, at_most, progress, run

from grammax.automaton import BoundAutomaton
from grammax.automaton.finite.engine import FiniteEngine
from grammax.automaton.lr.engine import LrEngine
from grammax.automaton.networks.superset import superset_engine
from grammax.automaton.networks.unrolled import UnrolledEngine
from grammax.automaton.walk import walk
from grammax.domains.eqs import paper as machines
from grammax.grammar import Grammar
from grammax.tables.lexicon import Lexicon
from grammax.vocabulary import Vocabulary
from grammax.vocabulary.layout import arrange

SIZES = {1_000: (100, 300), 56_209: (1_000, 1_500), 1_000_000: (1_000, 1_500)}
COMPILERS: dict[str, Callable[[Grammar], Any]] = {
    "superset": lambda grammar: superset_engine(grammar.productions),
    "unrolled(3)": lambda grammar: UnrolledEngine(grammar.productions, 3),
    "lr": lambda grammar: LrEngine.from_grammar(grammar),
}
Forms = Sequence[Sequence[int]]


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    """Every table, smallest work first."""
    repeats, count = (3, 100) if options.quick else (7, 331)
    worlds = {tokens: _World(tokens, *shape, count) for tokens, shape in SIZES.items()}
    rows: list[Row] = []
    claims: list[Claim] = []
    for part in (_compile_times, _permitted, _step_times, _prefix_times):
        found_rows, found_claims = part(worlds, repeats)
        rows += found_rows
        claims += found_claims
    progress("")
    return rows, claims


class _World:
    """The grammars, vocabulary and sample forms of one size, each part timed as it is made."""

    def __init__(self, tokens: int, types: int, fields: int, count: int) -> None:
        progress(f"building {tokens:,} tokens")
        self.lexicon: Lexicon = sized_lexicon(tokens, types, fields)
        begin = perf_counter()
        self.grammars = typed_and_untyped(self.lexicon)
        self.grammar_seconds = (perf_counter() - begin) / 2
        self.engines = {
            (name, typing): compiler(grammar)
            for typing, grammar in self.grammars.items()
            for name, compiler in COMPILERS.items()
        }
        kinds = self.grammars["typed"].kinds
        begin = perf_counter()
        sets = chain.from_iterable(engine.likely_sets() for engine in self.engines.values())
        layout = arrange(len(kinds), sets)
        self.layout_seconds = perf_counter() - begin
        begin = perf_counter()
        self.vocabulary = Vocabulary(kinds, layout)
        self.vocabulary_seconds = perf_counter() - begin
        paper = FiniteEngine(machines.paper(self.lexicon, self.vocabulary), "paper")
        self.engines["paper", "untyped"] = paper
        self.forms = self._ids(sampled_forms(self.grammars["typed"], count))
        self.paper_forms = self._ids(sampled_forms(self.grammars["typed"], count, of_paper=True))

    def automaton(self, name: str, typing: str = "typed") -> BoundAutomaton[Any]:
        return BoundAutomaton(self.engines[name, typing], self.vocabulary)

    def _ids(self, forms: Sequence[Sequence[str]]) -> Forms:
        return [self.vocabulary.ids(form) for form in forms]


def _compile_times(worlds: dict[int, _World], repeats: int) -> tuple[list[Row], list[Claim]]:
    sizes = [tokens for tokens in worlds if tokens > 1_000]
    times: dict[tuple[str, int], list[float]] = {}
    for _ in range(repeats):
        for name, compiler in COMPILERS.items():
            for tokens in sizes:
                progress(f"compiling {name} for {tokens:,} tokens")
                gc.collect()
                begin = perf_counter()
                compiler(_fresh(worlds[tokens].grammars["typed"]))
                times.setdefault((name, tokens), []).append(perf_counter() - begin)
    rows: list[Row] = []
    claims = []
    for name in COMPILERS:
        small, large = (median(times[name, tokens]) for tokens in sizes)
        rows.append(
            {
                "name": f"compile {name}",
                "seconds_56_209_tokens": small,
                "seconds_1_000_000_tokens": large,
                "ratio": large / small,
            }
        )
        claims.append(at_most(f"compile {name}, 56,209 tokens", small, 1.0, "s"))
        claims.append(
            at_most(f"compile {name}, 1,000,000 / 56,209 tokens", large / small, 1.5, "×")
        )
    for what in ("grammar", "layout", "vocabulary"):
        small, large = (getattr(worlds[tokens], f"{what}_seconds") for tokens in sizes)
        rows.append(
            {
                "name": f"build {what}",
                "seconds_56_209_tokens": small,
                "seconds_1_000_000_tokens": large,
                "ratio": large / small,
            }
        )
    return rows, claims


def _fresh(grammar: Grammar) -> Grammar:
    """The same grammar with nothing remembered from an earlier compilation."""
    return Grammar(grammar.start, grammar.rules, grammar.kinds)


def _permitted(worlds: dict[int, _World], repeats: int) -> tuple[list[Row], list[Claim]]:
    """Permitted tokens and spans per step, on forms that all automata cover and on all forms."""
    del repeats
    world = worlds[56_209]
    rows: list[Row] = []
    for name, typing in sorted(world.engines, key=lambda key: (key[1] == "typed", key)):
        automaton = world.automaton(name, typing)
        sets = [_walk(automaton, form) for form in world.paper_forms]
        flat = list(chain.from_iterable(sets))
        whole = flat
        if name != "paper":
            whole = list(chain.from_iterable(_walk(automaton, form) for form in world.forms))
        spans = [len(permitted.spans) for permitted in whole]
        rows.append(
            {
                "name": f"{name}, {typing}",
                "permitted_on_paper_forms": mean(permitted.size for permitted in flat),
                "permitted_on_all_forms": mean(p.size for p in whole) if name != "paper" else "–",
                "spans_mean": mean(spans),
                "spans_most": max(spans),
            }
        )
    worst_mean = max(float(str(row["spans_mean"])) for row in rows)
    worst = max(int(str(row["spans_most"])) for row in rows)
    return rows, [
        at_most("spans of a permitted set, mean over steps, worst automaton", worst_mean, 3, ""),
        at_most("spans of a permitted set, most", worst, 8, ""),
    ]


def _walk(automaton: BoundAutomaton[Any], form: Sequence[int]) -> list[Any]:
    *steps, last = walk(automaton, form)
    assert automaton.accepts(last.state), "the automaton must accept every sampled form"
    return [step.permitted for step in steps]


def _step_times(worlds: dict[int, _World], repeats: int) -> tuple[list[Row], list[Claim]]:
    """Nanoseconds for each step, clock overhead subtracted; passes interleaved."""
    automata = {
        (name, tokens): worlds[tokens].automaton(name) for tokens in worlds for name in COMPILERS
    }
    cold = {
        key: mean(_timed_steps(_rebound(automaton), worlds[key[1]].forms))
        for key, automaton in automata.items()
    }
    samples: dict[tuple[str, int], list[float]] = {key: [] for key in automata}
    loops: dict[tuple[str, int], list[float]] = {key: [] for key in automata}
    for (_, tokens), automaton in automata.items():
        _timed_steps(automaton, worlds[tokens].forms)  # to make the states and permitted sets
    for _ in range(repeats):
        for (name, tokens), automaton in automata.items():
            progress(f"stepping {name} over {tokens:,} tokens")
            samples[name, tokens] += _timed_steps(automaton, worlds[tokens].forms)
            loops[name, tokens].append(_timed_loop(automaton, worlds[tokens].forms))
    rows: list[Row] = []
    claims = []
    for (name, tokens), steps in samples.items():
        steps.sort()
        rows.append(
            {
                "name": f"step {name}, {tokens:,} tokens",
                "median_us": median(steps) / 1e3,
                "mean_us": mean(steps) / 1e3,
                "p99_us": steps[len(steps) * 99 // 100] / 1e3,
                "loop_mean_us": median(loops[name, tokens]) / 1e3,
                "first_pass_mean_us": cold[name, tokens] / 1e3,
                "steps": len(steps),
            }
        )
    for name in COMPILERS:
        middle = {tokens: median(samples[name, tokens]) / 1e3 for tokens in worlds}
        limit = 1.5 if name == "lr" else 1.0
        claims.append(at_most(f"step {name}, median", middle[56_209], limit, "µs"))
        ratio = mean(samples[name, 56_209]) / 1e3 / middle[56_209]
        claims.append(at_most(f"step {name}, mean / median", ratio, 2, "×"))
        growth = middle[1_000_000] / middle[1_000]
        claims.append(at_most(f"step {name}, 1,000,000 / 1,000 tokens", growth, 1.5, "×"))
    return rows, claims


def _rebound(automaton: BoundAutomaton[Any]) -> BoundAutomaton[Any]:
    """The automaton as it is before its first step: nothing remembered."""
    fresh: Any = automaton.engine
    if isinstance(fresh, LrEngine):
        fresh = LrEngine(fresh.tables)
    elif isinstance(fresh, UnrolledEngine):
        fresh = UnrolledEngine(fresh.productions, fresh.depth)
    return BoundAutomaton(fresh, automaton.vocabulary)


def _timed_steps(automaton: BoundAutomaton[Any], forms: Forms) -> list[float]:
    next_tokens, pass_token = automaton.next_tokens, automaton.pass_token
    clock = perf_counter_ns
    found: list[float] = []
    gc.disable()
    for form in forms:
        state = automaton.start
        for token in form:
            begin = clock()
            next_tokens(state)
            state = pass_token(state, token)
            found.append(clock() - begin)
    gc.enable()
    overhead = _clock_overhead()
    return [max(0.0, nanoseconds - overhead) for nanoseconds in found]


def _timed_loop(automaton: BoundAutomaton[Any], forms: Forms) -> float:
    """Nanoseconds a step, the loop around it included and no clock within."""
    next_tokens, pass_token = automaton.next_tokens, automaton.pass_token
    begin = perf_counter_ns()
    for form in forms:
        state = automaton.start
        for token in form:
            next_tokens(state)
            state = pass_token(state, token)
    return (perf_counter_ns() - begin) / sum(map(len, forms))


def _clock_overhead() -> float:
    clock = perf_counter_ns
    empty = []
    for _ in range(1000):
        begin = clock()
        empty.append(clock() - begin)
    return median(empty)


def _prefix_times(worlds: dict[int, _World], repeats: int) -> tuple[list[Row], list[Claim]]:
    """Steps of a constraint after prefixes of 10 and of 10,000 tokens, flat and nested."""
    world = worlds[56_209]
    id_of = world.vocabulary.id
    flat = [id_of("("), id_of("AND")]
    nested = [id_of("("), id_of("NOT")]
    atom = world.vocabulary.ids(["(", "FLD_T1_0", "EQ", "T1_0", ")"])
    prefixes = {
        "10 tokens, flat": [*flat, *atom, *atom],
        "10,000 tokens, flat": [*flat, *atom * 2000],
        "10 tokens, nested": nested * 5,
        "10,000 tokens, nested": nested * 5000,
    }
    samples: dict[tuple[str, str], list[float]] = {}
    automata = {name: world.automaton(name) for name in COMPILERS}
    first = {name: _first_read(automata[name], nested * 5000) for name in COMPILERS}
    states = {
        (name, prefix): automaton.read(tokens)
        for name, automaton in automata.items()
        for prefix, tokens in prefixes.items()
    }
    for _ in range(repeats * 50):
        for (name, prefix), state in states.items():
            steps = _steps_from(automata[name], state, atom)
            samples.setdefault((name, prefix), []).extend(steps)
    rows: list[Row] = []
    claims = []
    for name in COMPILERS:
        middle = {prefix: median(samples[name, prefix]) / 1e3 for prefix in prefixes}
        rows.append({"name": f"step {name} after", **middle, "first_read_nested_us": first[name]})
        for shape in ("flat", "nested"):
            ratio = middle[f"10,000 tokens, {shape}"] / middle[f"10 tokens, {shape}"]
            claims.append(
                at_most(f"step {name}, after 10,000 / 10 tokens, {shape}", ratio, 1.5, "×")
            )
    return rows, claims


def _first_read(automaton: BoundAutomaton[Any], tokens: Sequence[int]) -> float:
    """Microseconds a step along a prefix that was never read before."""
    fresh = _rebound(automaton)
    state = fresh.start
    begin = perf_counter_ns()
    for token in tokens:
        fresh.next_tokens(state)
        state = fresh.pass_token(state, token)
    return (perf_counter_ns() - begin) / len(tokens) / 1e3


def _steps_from(automaton: BoundAutomaton[Any], state: Any, tokens: Sequence[int]) -> list[float]:
    clock, found = perf_counter_ns, []
    automaton.next_tokens(state)
    for token in tokens:
        begin = clock()
        automaton.next_tokens(state)
        state = automaton.pass_token(state, token)
        found.append(float(clock() - begin))
    overhead = _clock_overhead()
    return [max(1.0, nanoseconds - overhead) for nanoseconds in found]


if __name__ == "__main__":
    run("steps", __doc__ or "", measure)
