"""How long large grammars take to compile, and the memory that each automaton takes.

Each grammar of a folder (tree-sitter's, see `engines_grammars`), and generated ones of 20,000 and
100,000 rules (`engines_generated`), are compiled by each engine in a process of its own, which then
takes 50 random steps. Seconds are of the processor, memory is what the process has more than before
it read the grammar, at its peak. Without a folder the generated ones are compiled alone.

    pip download --no-deps --no-binary :all: tree-sitter-language-pack==0.9.0   and unpack it

python benchmarks/engines_compile.py [FOLDER] [--largest 60] [--quick] [--json]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import process_time
from typing import Any

import peers_alone  # noqa: F401 - before NumPy
from engines_generated import SHAPES
from engines_grammars import grammars, read_grammar
from report import Claim, Options, Row, at_most, progress, run

from grammax import Grammar, exact, superset, unrolled
from grammax.automaton import BoundAutomaton

ENGINES: dict[str, Callable[[Grammar], BoundAutomaton[Any]]] = {
    "exact": exact,
    "superset": superset,
    "unrolled": unrolled,
}
SECONDS, MEGABYTES = 5.0, 500.0
GENERATED = {20_000: (2.0, 500.0), 100_000: (10.0, 2000.0)}  # rules: seconds, megabytes
STEPS = 50
LONGEST = 300  # seconds, before an engine is given up


def compiled(source: str, engine: str) -> dict[str, Any]:
    """What one engine needs for one grammar; called in a process of its own."""
    before = getrusage(RUSAGE_SELF).ru_maxrss
    shape, _, rules = source.partition(":")
    grammar = SHAPES[shape](int(rules)) if shape in SHAPES else read_grammar(Path(source))
    begun = process_time()
    automaton = ENGINES[engine](grammar)
    seconds = process_time() - begun
    random, state = Random(0), automaton.start
    for _ in range(STEPS):
        permitted = automaton.next_tokens(state)
        if not permitted.size:
            break
        state = automaton.pass_token(state, int(random.choice(permitted.ids)))
        automaton.tokens_to_accept(state)
    walked = process_time() - begun - seconds
    megabytes = (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024
    return {"rules": len(grammar.rules), "seconds": seconds, "walked": walked, "MB": megabytes}


def measure(options: Options) -> tuple[list[Row], list[Claim]]:
    given = options.given
    public: list[tuple[str, str]] = []
    if given.folder is not None:
        found = sorted(grammars(given.folder), key=lambda pair: pair[1].stat().st_size)[::-1]
        largest = found[: 5 if options.quick else given.largest]
        public = [(name, str(path)) for name, path in largest]
    rows = _rows(public)
    claims = _claims(rows, SECONDS, MEGABYTES) if public else []
    for count, (seconds, megabytes) in GENERATED.items():
        if count > 20_000 and options.quick:
            break
        made = _rows([(f"{shape} {count:,}", f"{shape}:{count}") for shape in SHAPES])
        rows += made
        claims += _claims(made, seconds, megabytes, f"{count:,} rules, ")
    progress("")
    return rows, claims


def _rows(sources: Sequence[tuple[str, str]]) -> list[Row]:
    """One row for each name and grammar, and each engine."""
    rows: list[Row] = []
    for name, source in sources:
        for engine in ENGINES:
            progress(f"{name}: {engine}")
            command = [sys.executable, __file__, source, "--engine", engine]
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=LONGEST, check=True
                )
            except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
                told = getattr(error, "stderr", None) or "took too long"
                rows.append({"name": f"{name}, {engine}", "failed": str(told).strip()[-80:]})
                continue
            told = json.loads(done.stdout)
            rows.append(
                {
                    "name": f"{name}, {engine}",
                    "rules": told["rules"],
                    "compile, s": round(told["seconds"], 2),
                    f"{STEPS} steps, s": round(told["walked"], 2),
                    "memory, MB": round(told["MB"], 1),
                }
            )
    return rows


def _claims(
    rows: Sequence[Row], most_seconds: float, most_megabytes: float, which: str = ""
) -> list[Claim]:
    """The slowest and the largest of each engine."""
    claims = [at_most(f"{which}grammars that fail", sum("failed" in row for row in rows), 0, "")]
    for engine in ENGINES:
        mine = [r for r in rows if str(r["name"]).endswith(f", {engine}") and "failed" not in r]
        seconds = [float(str(row["compile, s"])) for row in mine]
        memory = [float(str(row["memory, MB"])) for row in mine]
        if mine:
            claims += [
                at_most(
                    f"{which}{engine}: median of {len(mine)} grammars",
                    median(seconds),
                    most_seconds,
                    "s",
                ),
                at_most(f"{which}{engine}: slowest", max(seconds), most_seconds, "s"),
                at_most(f"{which}{engine}: largest", max(memory), most_megabytes, "MB"),
            ]
    return claims


def arguments(parser: argparse.ArgumentParser) -> None:
    about = "with the grammar.json files of tree-sitter"
    parser.add_argument("folder", type=Path, nargs="?", help=about)
    parser.add_argument("--largest", type=int, default=60, help="so many of its grammars")
    parser.add_argument("--engine", choices=ENGINES, help=argparse.SUPPRESS)


if __name__ == "__main__":
    if "--engine" in sys.argv:
        print(json.dumps(compiled(sys.argv[1], sys.argv[-1])))
    else:
        run("engines_compile", (__doc__ or "").split("\n", 1)[0], measure, arguments=arguments)
