"""What it costs to know names: a query with composed rows and matches against learnt rows alone.

Both ways read the same queries and take the same tokens, so that they differ in nothing else: a
head finds its own best token, and the corpus's is taken in its place. The network with learnt rows
is untrained, which takes the same time.

python benchmarks/names.py [--quick] [--json] [--chart FILE]
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from report import Claim, Options, Row, at_most, progress, run
from scale_ways import Told
from threadpoolctl import threadpool_limits

from grammax.domains import load_domain, shipped_model
from grammax.language.domain import Domain, Pair
from grammax.model.config import ModelConfig, TrainingConfig
from grammax.runtime.parser import RuntimeParser
from grammax.training.checkpoint import save_checkpoint
from grammax.training.examples import examples
from grammax.training.trainer import Trainer

LEARNT, COMPOSED = "learnt rows, no names", "composed rows and matches, as shipped"
TIMES = 1.15  # at most, of the time of learnt rows
TOGETHER = 16  # queries that one way parses before it is the other's turn


class Way:
    """A parser that takes the tokens it is told."""

    def __init__(self, domain: Domain, path: Path) -> None:
        parser = RuntimeParser.load(path, domain, compiled=True)
        self._told = Told(parser.head)
        self._told.wanted = iter([0])  # for the call that compiles
        weights, automaton = parser.weights, parser.automaton
        self._parser = RuntimeParser(weights, automaton, self._told, compiled=True)
        self._examples = {
            pair.query: examples([pair], weights.reader, automaton, True)[0].targets
            for pair in domain.pairs("test")
        }

    def seconds(self, pair: Pair) -> float:
        """How long a query takes."""
        self._told.wanted = iter(self._examples[pair.query])
        started = perf_counter()
        found = self._parser.parse(pair.query)
        taken = perf_counter() - started
        assert found.tokens == pair.tokens
        return taken


def main(switches: Options) -> tuple[list[Row], list[Claim]]:
    """Both ways in turn, some queries at a time."""
    domain = load_domain("eqs")
    pairs = domain.pairs("test")[: 40 if switches.quick else None]
    with TemporaryDirectory() as folder, threadpool_limits(1):
        path = Path(folder) / "learnt.safetensors"
        model = ModelConfig(rows="learnt", decisions_only=True)
        save_checkpoint(path, Trainer(domain, model, TrainingConfig()), [], final=True)
        ways = {LEARNT: Way(domain, path), COMPOSED: Way(domain, shipped_model("eqs"))}
        taken = measure(ways, pairs, 1 if switches.quick else 5)
    rows: list[Row] = [
        {
            "name": name,
            "p50, ms": 1e3 * median(times),
            "mean, ms": 1e3 * float(np.mean(times)),
            "p99, ms": 1e3 * float(np.quantile(times, 0.99)),
        }
        for name, times in taken.items()
    ]
    middle = {name: median(times) for name, times in taken.items()}
    claim = "a query with composed rows and matches against one with learnt rows, p50"
    return rows, [at_most(claim, middle[COMPOSED] / middle[LEARNT], TIMES, "×")]


def measure(ways: dict[str, Way], pairs: Sequence[Pair], repeats: int) -> dict[str, list[float]]:
    """The seconds of each way and query; the first round warms up."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for repeat in range(repeats + 1):
        for start in range(0, len(pairs), TOGETHER):
            progress(f"round {repeat} of {repeats}, query {start} of {len(pairs)}")
            for name, way in ways.items():
                times = [way.seconds(pair) for pair in pairs[start : start + TOGETHER]]
                taken[name] += times if repeat else []
    return taken


if __name__ == "__main__":
    run("names", str(__doc__), main, ("numpy", "numba"), chart="p50, ms")
