"""The grammar under other engines: compiling it, its steps, its masks, and whole queries.

All have the same typed grammar, the same 56,209 tokens, and walk along the same logical forms, the
EQS test set's, on one thread. A peer multiplies all rows of the output layer (fp32, 300 dimensions,
NumPy) and masks the scores; grammax multiplies the permitted rows. Only the output layer is timed,
for the network before it is the same. A forced token needs no scores, so nobody is made to score
one; what a query costs if they are scored all the same, as they mostly are, is a column of its own.
What an engine permits is compared with grammax lr after every prefix, the last included. Memory is
that of the compiled grammar with its tokens, once warm.

The engines, which grammax itself does not need (--no-deps, for xgrammar would bring triton, 1 GB,
and transformers; it needs torch, pydantic and apache-tvm-ffi):

pip install --no-deps xgrammar==0.2.8 apache-tvm-ffi==0.1.15.post2 \\
    llguidance==1.9.1 outlines-core==0.2.14

python benchmarks/peers.py [--quick] [--json] [--chart FILE]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from statistics import fmean, median
from time import perf_counter

import peers_alone  # noqa: F401 - before NumPy
import peers_grammax
import peers_lark
import peers_llguidance
import peers_outlines
import peers_xgrammar
from peers_engine import Engine, World, eqs_world, hidden_vectors
from peers_measure import Measured, compile_and_check, time_steps
from peers_queries import time_queries
from report import Claim, Options, Row, at_most, progress, run

from grammax.evaluation.benchmark import at_least

FAMILIES = (peers_grammax, peers_xgrammar, peers_llguidance, peers_outlines, peers_lark)
ENGINES = tuple(chain.from_iterable(family.engines() for family in FAMILIES))
OURS = "grammax lr"
QUERY, IN_FULL = "query, ms", "every token, ms"


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    """Compile and check one after the other, then time side by side."""
    repeats, seconds, count = (2, 3.0, 8) if options.quick else (5, 20.0, 66)
    world = eqs_world(60 if options.quick else None)
    found, failures = _compiled(world, seconds / 2, options.quick)
    able = [one for one in found if one.forms]
    for number in range(repeats):
        for one in able:
            progress(f"stepping, run {number + 1} of {repeats}: {one.engine.name}")
            time_steps(one, seconds / 2 / repeats)
    forms = [form for form in world.forms if all(form in one.forms for one in able)]
    differing = time_queries(able, world, forms[:count], repeats // 2 + 1)
    progress("")
    rows = [*map(_constraint_row, found), *_query_rows(able), _layer_row(world), *failures]
    return rows, _claims(able, differing)


def _compiled(world: World, seconds: float, quick: bool) -> tuple[list[Measured], list[Row]]:
    """All engines that can be had, ours first, and a row for each that cannot."""
    found: list[Measured] = []
    failures: list[Row] = []
    for engine in ENGINES:
        why = _missing(engine)
        if why is None and engine.minutes and quick:
            why = "takes minutes to compile; measured without --quick"
        if why is None:
            progress(f"compiling {engine.name}")
            truth = found[0].constraint if found else None
            try:
                found.append(compile_and_check(engine, world, truth, seconds))
            except Exception as error:  # engines raise what they like
                why = f"{type(error).__name__}: {error}"[:200]
        if why is not None:
            failures.append({"name": engine.name, "not_measured": why})
    return found, failures


def _missing(engine: Engine) -> str | None:
    try:
        version(engine.package)
    except PackageNotFoundError:
        return "not installed"
    return None


def _constraint_row(one: Measured) -> Row:
    steps = sorted(one.steps)
    return {
        "name": one.engine.name,
        "compile_s": one.compile_seconds,
        "memory_mb": one.megabytes,
        "median_us": median(steps) if steps else "–",
        "mean_us": fmean(steps) if steps else "–",
        "p99_us": steps[len(steps) * 99 // 100] if steps else "–",
        "steps": len(steps),
        "checked": one.checked,
        "differs": one.differs,
        "note": one.engine.note or "–",
    }


def _query_rows(able: Sequence[Measured]) -> list[Row]:
    ours = able[0]
    return [
        {
            "name": one.engine.name,
            "mask_us": one.mask,
            "steps_scored": one.scored,
            QUERY: median(one.queries),
            "mean, ms": fmean(one.queries),
            IN_FULL: median(one.queries_in_full) if one.queries_in_full else "–",
            "times_ours": median(one.queries) / median(ours.queries),
            "by_mean": fmean(one.queries) / fmean(ours.queries),
        }
        for one in able
    ]


def _layer_row(world: World) -> Row:
    """The full output layer by itself, for comparison with the bandwidth of the machine."""
    (hidden,) = hidden_vectors(world, 1)
    times = []
    for _ in range(30):
        begin = perf_counter()
        world.rows.dot(hidden)
        times.append(perf_counter() - begin)
    gigabytes = world.rows.nbytes / 1e9 / median(times)
    return {"name": "all rows, no mask", "us": median(times) * 1e6, "gb_per_s": gigabytes}


def _claims(able: Sequence[Measured], differing: int) -> list[Claim]:
    ours = next(one for one in able if one.engine.name == OURS)
    peers = [one for one in able if one.engine.package != "grammax"]
    queries = {one.engine.name: one.queries for one in peers}
    every = {one.engine.name: one.queries_in_full for one in peers}
    steps = {one.engine.name: one.steps for one in peers}
    claims = _times("query, choices scored", ours.queries, queries, 50)
    claims += _times("query, every token scored", ours.queries, every, 50)
    claims += _times("step", ours.steps, steps, 2)
    wrong = sum(one.differs for one in able if one.engine.exact)
    claims.append(at_most("steps at which an exact engine differs from ours", wrong, 0, ""))
    claims.append(at_most("choices of an exact engine that are not ours", differing, 0, ""))
    return claims


def _times(
    what: str, ours: list[float], theirs: Mapping[str, list[float]], limit: float
) -> list[Claim]:
    """That we are so many times faster than the fastest of them, by median and by mean."""
    claims = []
    averages: dict[str, Callable[[list[float]], float]] = {"median": median, "mean": fmean}
    for name, average in averages.items():
        fastest = min(theirs, key=lambda peer: average(theirs[peer]))
        times = average(theirs[fastest]) / average(ours)
        claims.append(at_least(f"{what}, {fastest} / ours, {name}", times, limit, "×"))
    return claims


if __name__ == "__main__":
    installed = {engine.package for engine in ENGINES if _missing(engine) is None} - {"grammax"}
    run("peers", __doc__ or "", measure, sorted(installed), chart=QUERY)
