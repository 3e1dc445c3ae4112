"""The latency of a whole query, from text to logical form, one thread, all ways in one run.

NSP is the paper's baseline: the network in PyTorch, with all rows multiplied at each step and no
grammar. "NSP, tuned" is the same network in NumPy with the fastest full output layer that we know
of, and "rows in parts" adds what composed rows allow. grammax is the same network under the typed
grammar. These share the weights that `grammax bench` trains, for which all rows competed.
"grammax, shipped" is the model of the package, which takes one step per choice. A search is one
call of compiled code where Numba is installed, except in the last row; NSP, tuned, runs in NumPy.

What was loaded is kept from the garbage collector (`gc.freeze`), as the service does. The rows
"under load" are measured again while another process streams memory, and the cost is that
of a million queries on two cores, at the price of a core that `PRICE` gives.

python benchmarks/latency.py [--quick] [--json] [--chart FILE]
"""

from __future__ import annotations

import gc
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from operator import ne
from statistics import fmean
from time import perf_counter
from typing import Any

import numpy as np
import torch
from latency_stages import floor, stages
from numpy.typing import NDArray
from report import Claim, Options, Row, progress, run
from threadpoolctl import threadpool_limits

from grammax.domains import load_domain, shipped_bench_network, shipped_model
from grammax.evaluation.benchmark import at_least, at_most
from grammax.evaluation.paper.network import stored_path
from grammax.head.every_row import EveryRow
from grammax.head.spans import Spans
from grammax.language.domain import Domain
from grammax.model.checkpoint import load_network
from grammax.model.parser import TorchParser, output_layer
from grammax.reading.parse import QueryNotice
from grammax.runtime.parser import RuntimeParser
from grammax.runtime.weights import Weights, load_weights
from grammax.search import Unconstrained

NSP, TUNED, PARTS = "NSP, PyTorch", "NSP, tuned", "NSP, tuned, rows in parts"
PYTORCH, GRAMMAX, SHIPPED = "grammax, PyTorch", "grammax", "grammax, shipped"
PLAIN = "grammax, shipped, not compiled"
SAME = (
    (NSP, TUNED),
    (NSP, PARTS),
    (PYTORCH, GRAMMAX),
    (SHIPPED, PLAIN),
)  # weights and grammar, so choices too
COMPILED = find_spec("numba") is not None
PRICE = 0.04  # dollars per core and hour, as clouds rent them by the hour
LOADED = (NSP, GRAMMAX, SHIPPED)
BLOCK = 16  # queries that each way parses in turn, as a service would: NSP empties all caches
Parser = TorchParser | RuntimeParser
Vector = NDArray[np.float32]


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Parse the test queries all ways, interleaved, then look at stages and bytes."""
    domain = load_domain("eqs")
    queries = [pair.query for pair in domain.pairs("test")][: 25 if options.quick else None]
    ways = the_ways(domain)
    gc.collect()
    gc.freeze()
    seconds, different = times(ways, queries, 1 if options.quick else 3)
    rows = [figures(way, taken, seconds[NSP]) for way, taken in seconds.items()]
    with streaming():
        some = queries[: 16 if options.quick else 96]
        loaded, _ = times({way: ways[way] for way in LOADED}, some, 1)
    rows += [figures(f"{way}, under load", taken, loaded[NSP]) for way, taken in loaded.items()]
    rows += [cost(way, fmean(seconds[way])) for way in (NSP, SHIPPED)]
    for way in (GRAMMAX, SHIPPED, PLAIN):
        parser = ways[way]
        assert isinstance(parser, RuntimeParser)
        rows += [*stages(way, parser, queries), floor(way, parser, queries, p50(seconds[way]))]
    wrong = at_most("choices that differ from PyTorch's", different, 0, "")
    return rows, [*claims(seconds, loaded), *near_the_floor(rows), wrong]


def times(
    ways: dict[str, Parser], queries: Sequence[str], rounds: int
) -> tuple[dict[str, list[float]], int]:
    """Seconds of each query, each way, in turn; and how many choices differ that should not."""
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    different = 0
    for number in range(rounds + 1):  # the first warms up
        for first in range(0, len(queries), BLOCK):
            progress(f"run {number} of {rounds}: query {first + 1}")
            found: dict[str, list[tuple[str, ...]]] = {way: [] for way in ways}
            for way, parser in ways.items():
                for query in queries[first : first + BLOCK]:
                    started = perf_counter()
                    parsed = parser.parse(query)
                    if number:
                        seconds[way].append(perf_counter() - started)
                    found[way].append(parsed.tokens)
            for one, other in SAME:
                if one in ways and other in ways:
                    different += sum(map(ne, found[one], found[other]))
    return seconds, different


@contextmanager
def streaming() -> Iterator[None]:
    """Another process copies memory, more than any cache holds, as long as this lasts."""
    code = "import numpy as np\na = np.ones(1 << 26)\nb = a.copy()\nwhile True: np.copyto(b, a)"
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def cost(way: str, mean: float) -> Row:
    """What a million queries cost on two cores, each query on one of them."""
    hours = 1e6 * mean / 3600
    return {
        "name": f"{way}: a million queries",
        "core hours": hours,
        "hours on two cores": hours / 2,
        f"dollars, at {PRICE} per core and hour": hours * PRICE,
    }


def the_ways(domain: Domain) -> dict[str, Parser]:
    """One parser per row; all but the shipped ones share their weights."""
    path = stored_path(domain, None, shipped_bench_network(domain.name))
    if path is None:
        raise SystemExit("The network of the table is missing: run `grammax bench --train` once.")
    network, weights = load_network(path, domain), load_weights(path, domain)
    exact, free = domain.automaton(domain.grammars[-1]), Unconstrained(domain.vocabulary)
    shipped = load_weights(shipped_model(domain.name), domain)
    with torch.inference_mode():
        layer = output_layer(network)
    return {
        NSP: TorchParser(network, free, EveryRow(layer)),
        TUNED: RuntimeParser(weights, free, FullLayer(weights, in_parts=False)),
        PARTS: RuntimeParser(weights, free, FullLayer(weights, in_parts=True)),
        PYTORCH: TorchParser(network, exact, Spans(layer)),
        GRAMMAX: RuntimeParser(weights, exact, compiled=COMPILED),
        SHIPPED: RuntimeParser(shipped, exact, compiled=COMPILED),
        PLAIN: RuntimeParser(shipped, exact),
    }


class FullLayer:
    """All rows in NumPy, as fast as we can: one product, one argmax, and no probabilities."""

    memory_bytes = 0

    def __init__(self, weights: Weights, in_parts: bool) -> None:
        rows = weights.rows
        self.tokens = self.end = len(rows.whole) - 1
        self._rows = np.asfortranarray(rows.whole)  # by columns: twice as fast as by rows
        self._bias = np.array(rows.bias)
        self._spelt, self._parts = rows.spelt, weights.parts if in_parts else None

    def scores(self, hidden: Vector, options: object) -> Best:  # noqa: ARG002
        """The scores of all rows."""
        if self._parts is not None:
            return Best(self._parts.products(hidden, self._spelt, (0, len(self._rows))))
        scores = self._rows @ hidden
        scores += self._bias
        return Best(scores)

    def scores_of(self, hidden: Vector, options: Sequence[Any]) -> Any:
        """Nothing here asks for batches."""
        raise NotImplementedError


class Best:
    """The scores of all rows, of which the best is asked for."""

    def __init__(self, values: Vector) -> None:
        self._values = values
        self.size = len(values)

    def best(self, count: int, among: Any = None) -> list[tuple[int, float]]:  # noqa: ARG002
        """The best id."""
        if among is None:
            return [(int(self._values.argmax()), 0.0)]
        ids = np.concatenate([np.arange(*span) for span in among])
        return [(int(ids[self._values[ids].argmax()]), 0.0)]


def p50(taken: Sequence[float]) -> float:
    """The median."""
    return float(np.percentile(taken, 50))


def figures(way: str, taken: Sequence[float], baseline: Sequence[float]) -> Row:
    """Percentiles in ms, and how many times faster than the baseline."""
    p99 = float(np.percentile(taken, 99))
    return {
        "name": way,
        "p50, ms": 1e3 * p50(taken),
        "mean, ms": 1e3 * fmean(taken),
        "p99, ms": 1e3 * p99,
        "p99 / p50": p99 / p50(taken),
        "times faster than NSP": p50(baseline) / p50(taken),
    }


def claims(seconds: dict[str, list[float]], loaded: dict[str, list[float]]) -> list[Claim]:
    """Medians over medians."""
    found = []
    for way, times_faster in ((GRAMMAX, 100), (SHIPPED, 300)):
        mine = p50(seconds[way])
        p99 = float(np.percentile(seconds[way], 99))
        found += [
            at_least(f"{way}: faster than NSP", p50(seconds[NSP]) / mine, times_faster, "×"),
            at_least(f"{way}: faster than NSP, tuned", p50(seconds[TUNED]) / mine, 40, "×"),
            at_most(f"{way}: p99 over p50", p99 / mine, 3, "×"),
        ]
    under_load = p50(loaded[NSP]) / p50(loaded[SHIPPED])
    return [*found, at_least(f"{SHIPPED}: faster than NSP, under load", under_load, 150, "×")]


def near_the_floor(rows: Sequence[Row]) -> list[Claim]:
    """How near the shipped model comes to its floor."""
    (row,) = (row for row in rows if row["name"] == f"{SHIPPED}: the floor")
    distance: Any = row["p50 over the floor"]
    return [at_most(f"{SHIPPED}: p50 over the floor", distance, 2, "×")]


if __name__ == "__main__":
    torch.set_num_threads(1)
    threadpool_limits(1, user_api="blas")
    warnings.simplefilter("ignore", QueryNotice)
    run("latency", __doc__ or "", main, ["torch"], chart="p50, ms")
