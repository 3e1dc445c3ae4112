"""The EQS domain: loading the catalogue, building its grammars, what they permit, the corpus.

python benchmarks/eqs.py [--quick] [--json]
"""

from __future__ import annotations

import subprocess
import sys
from statistics import mean, median
from time import perf_counter
from typing import Any

from report import Claim, Options, Row, at_most, progress, run

from grammax.automaton import BoundAutomaton
from grammax.automaton.walk import walk
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.paper import EquityGrammar, equity_automaton
from grammax.domains.eqs.words import EQUITY_STYLE
from grammax.errors import TokenNotPermitted
from grammax.tables.automata import table_vocabulary
from grammax.tables.corpus.corpus import Corpus, generate, leaks

GRAMMARS: tuple[tuple[EquityGrammar, bool], ...] = (
    ("paper", False),
    ("superset", False),
    ("unrolled", False),
    ("lr", False),
    ("superset", True),
    ("unrolled", True),
    ("lr", True),
)
_LOAD = (
    "from time import perf_counter as now; import grammax.domains.eqs.catalogue as c; "
    "begin = now(); c.load_catalogue(); print(now() - begin)"
)


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    """Every table."""
    repeats = 3 if options.quick else 9
    progress("loading")
    load = median(_load_seconds() for _ in range(repeats))
    catalogue = load_catalogue()
    begin = perf_counter()
    corpus = generate(catalogue, EQUITY_STYLE)
    corpus_seconds = perf_counter() - begin
    rows: list[Row] = [
        {"name": "load the catalogue", "seconds": load, "tokens": len(catalogue)},
        {"name": "lay out the vocabulary", "seconds": _layout_seconds(), "tokens": len(catalogue)},
        {"name": "generate the corpus", "seconds": corpus_seconds, "tokens": len(catalogue)},
    ]
    claims = [
        Claim("tokens of the catalogue", "56,209", f"{len(catalogue):,}", len(catalogue) == 56_209),
        at_most("load the catalogue", load, 0.3, "s"),
        at_most("pairs leaked between splits", len(leaks(corpus)), 0, ""),
    ]
    if not options.quick:
        seconds = _many_pairs_seconds()
        rows.append({"name": "50,000 pairs", "seconds": seconds, "tokens": len(catalogue)})
        claims.append(at_most("50,000 pairs", seconds, 60, "s"))
    for name, typed in GRAMMARS:
        found, more = _grammar(name, typed, corpus, repeats)
        rows.append(found)
        claims += more
    progress("")
    return rows, claims


def _load_seconds() -> float:
    """In a process of its own, as nothing is loaded twice."""
    done = subprocess.run([sys.executable, "-c", _LOAD], capture_output=True, text=True, check=True)
    return float(done.stdout)


def _layout_seconds() -> float:
    begin = perf_counter()
    table_vocabulary(load_catalogue())
    return perf_counter() - begin


def _many_pairs_seconds() -> float:
    progress("generating 50,000 pairs")
    begin = perf_counter()
    generate(load_catalogue(), EQUITY_STYLE, seed=1, train=50_000, test=1, hard=0)
    return perf_counter() - begin


def _grammar(
    name: EquityGrammar, typed: bool, corpus: Corpus, repeats: int
) -> tuple[Row, list[Claim]]:
    title = f"{name}, {'typed' if typed else 'untyped'}"
    progress(f"building {title}")
    catalogue = load_catalogue()
    times = []
    for _ in range(repeats):
        begin = perf_counter()
        automaton = equity_automaton(catalogue, name, typed)
        times.append(perf_counter() - begin)
    walks = [_walk(automaton, pair.tokens) for pair in corpus.test]
    covered = [sizes for sizes in walks if sizes is not None]
    permitted = mean(size for sizes in covered for size, _ in sizes)
    spans = [count for sizes in covered for _, count in sizes]
    row: Row = {
        "name": title,
        "build_seconds": median(times),
        "covered": len(covered),
        "permitted_mean": permitted,
        "spans_mean": mean(spans),
        "spans_most": max(spans),
    }
    claims = [
        at_most(f"build {title}", median(times), 1.0, "s"),
        at_most(f"spans of {title}, mean", mean(spans), 3, ""),
        at_most(f"spans of {title}, most", max(spans), 8, ""),
    ]
    if (name, typed) == ("lr", True):
        claims.append(at_most("permitted tokens a step, typed lr", permitted, 600, ""))
        whole = len(covered) == len(corpus.test)
        claims.append(Claim("test forms that typed lr covers", "all", str(len(covered)), whole))
    return row, claims


def _walk(automaton: BoundAutomaton[Any], tokens: tuple[str, ...]) -> list[tuple[int, int]] | None:
    """Permitted tokens and spans at each step, or None if the form is not covered."""
    try:
        *steps, last = walk(automaton, tokens)
    except TokenNotPermitted:
        return None
    found = [(step.permitted.size, len(step.permitted.spans)) for step in steps]
    return found if automaton.accepts(last.state) else None


if __name__ == "__main__":
    run("eqs", __doc__ or "", measure)
