"""How the time of a query grows: with the vocabulary, the query, the logical form and the load.

A vocabulary grows by types and fields, each type keeping its size, or inside a type, whose rows
then have to be read. By types and fields it grows twice: with fields in sections, where no
permitted set grows, and with all fields in one list, as equity search has them. Inside a type it
is equity search's own catalogue: the queries that name a company, and the others.

The network is that of the package, a step a choice, with random weights for all that belongs to
tokens. Decoding computes all that it has to, and then follows the form of a test query, or one of
its shape. No names of tokens are looked up, since most of a million have none here. NSP multiplies
all rows at every token, in PyTorch (with its softmax) or tuned (NumPy, the best row only); the rest
of its network is grammax's. Throughput is that of the model in the package.

python benchmarks/scale.py [--quick] [--json] [--chart FILE]
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import torch
from report import Claim, Options, Row, progress, run
from scale_forms import by_length, by_words
from scale_ways import GRAMMAX, NSP, TUNED, Way, floor, random_weights, the_ways
from scale_worlds import Case, World, in_one_list, in_one_type, in_sections
from threadpoolctl import threadpool_limits

import grammax
from grammax.domains import load_domain
from grammax.domains.eqs.catalogue import DEFAULT_SIZE
from grammax.evaluation.benchmark import at_least, at_most
from grammax.language.domain import Pair
from grammax.reading.parse import QueryNotice

SIZES = (1_000, 10_000, DEFAULT_SIZE, 250_000, 1_000_000)
LARGE = 100_000  # tokens: from here on NSP is measured once
NSP_RATIO = "times faster than NSP"
GROWTHS: tuple[Callable[[int, Sequence[Pair]], World], ...] = (
    in_sections,
    in_one_list,
    in_one_type,
)
Found = tuple[list[Row], list[Claim]]


def main(options: Options) -> Found:
    """The sizes, the lengths, the load."""
    pairs = load_domain("eqs").pairs("test")
    rows = of_vocabularies(pairs, options.quick) + of_lengths(pairs, options.quick)
    queries = [pair.query for pair in pairs][: 128 if options.quick else None]
    more_rows, more_claims = of_load(queries, options.quick)
    progress("")
    return [*rows, *more_rows], [*size_claims(rows), *more_claims]


@dataclass(frozen=True, slots=True)
class Effort:
    """How many cases are measured, and how often."""

    cases: int
    turns: int
    nsp_cases: int  # some of those
    nsp_turns: int


def of_vocabularies(pairs: Sequence[Pair], quick: bool) -> list[Row]:
    """A row for each growth and size."""
    found: dict[str, list[Row]] = {}
    for make in GROWTHS:
        for tokens in SIZES[:3] if quick else SIZES:
            usual = Effort(101, 7, 9, 3 if tokens < LARGE else 1)
            effort = Effort(25, 5, 3, 1) if quick else usual
            progress(f"{make.__name__}: {tokens:,} tokens")
            world = make(tokens, pairs)
            weights = random_weights(world.vocabulary)
            ways = the_ways(world, weights)
            for name, cases in world.cases.items():
                chosen = spread(cases, effort.cases)
                taken = timed(ways, chosen, effort)
                rows = figures(f"{name}: {tokens:,}", taken, floor(world, weights, chosen))
                found.setdefault(name, []).extend(rows)
            del world, weights, ways
            gc.collect()
    return [row for rows in found.values() for row in rows]


def of_lengths(pairs: Sequence[Pair], quick: bool) -> list[Row]:
    """Queries of 5 to 50 words, and forms of 10 to 500 tokens, as equity search has them."""
    world = in_one_type(DEFAULT_SIZE, pairs)
    weights = random_weights(world.vocabulary)
    ways = the_ways(world, weights)
    effort = Effort(9, 5, 1, 1) if quick else Effort(9, 25, 3, 1)
    lengths = (10, 50) if quick else (10, 50, 100, 500)
    cases = by_words((5, 10, 20, 50), pairs, world) | by_length(lengths, pairs, world)
    rows: list[Row] = []
    for name, given in cases.items():
        progress(name)
        rows += figures(name, timed(ways, given, effort), floor(world, weights, given))
    return rows


def spread(cases: Sequence[Case], count: int) -> list[Case]:
    """Some of the cases, evenly from the shortest form to the longest."""
    count = min(count, len(cases))
    return [cases[(2 * place + 1) * len(cases) // (2 * count)] for place in range(count)]


def timed(ways: dict[str, Way], cases: Sequence[Case], effort: Effort) -> dict[str, float]:
    """The median of each way, in seconds.

    In turns; a case that does not count clears the caches of what the way before left there.
    """
    mine = spread(cases, effort.cases)
    for case in mine:
        ways[GRAMMAX].seconds(case)  # so that grammar, words and runs are known ground
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for turn in range(effort.turns):
        for name, way in ways.items():
            if name == GRAMMAX or turn < effort.nsp_turns:
                given = mine if name == GRAMMAX else spread(mine, effort.nsp_cases)
                way.seconds(given[len(given) // 2])
                seconds[name] += [way.seconds(case) for case in given]
    return {way: median(taken) for way, taken in seconds.items()}


def figures(name: str, taken: dict[str, float], least: dict[str, float]) -> list[Row]:
    """Milliseconds and ratios; and what has to be read."""
    times: Row = {
        "name": name,
        **{f"{way}, ms": 1e3 * seconds for way, seconds in taken.items()},
        NSP_RATIO: taken[NSP] / taken[GRAMMAX],
        "than tuned": taken[TUNED] / taken[GRAMMAX],
    }
    over = 1e3 * taken[GRAMMAX] / least["floor, ms"]
    return [times, {"name": f"{name}: the floor", **least, "over the floor": over}]


def size_claims(rows: Sequence[Row]) -> list[Claim]:
    """Of the growth in which permitted sets keep their size."""
    mine = [row for row in rows if str(row["name"]).startswith("types and fields:")]
    mine = [row for row in mine if NSP_RATIO in row]
    first, last = mine[0], mine[-1]
    one, other = (str(row["name"]).split(": ")[1] for row in (first, last))
    growth = float(str(last["grammax, ms"])) / float(str(first["grammax, ms"]))
    found = [at_most(f"grammax by types and fields, {other} / {one} tokens", growth, 1.5, "×")]
    if len(mine) == len(SIZES):
        faster = float(str(last[NSP_RATIO]))
        found.append(at_least(f"faster than NSP, {other} tokens", faster, 500, "×"))
    return found


def of_load(queries: Sequence[str], quick: bool) -> Found:
    """Queries a second of the shipped model: single calls from one and two threads, and batches."""
    parser = grammax.load("eqs")

    def single() -> None:
        for query in queries:
            parser.parse(query)

    def threads(count: int) -> None:
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(parser.parse, queries))

    ways: dict[str, Callable[[], object]] = {
        "parse, one thread": single,
        "parse, a pool of 1 thread": lambda: threads(1),
        "parse, a pool of 2 threads": lambda: threads(2),
        "parse_batch, one thread": lambda: parser.parse_batch(queries),
    }
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for turn in range(4 if quick else 16):  # the first warms up
        for name, way in ways.items():
            progress(f"{name}: turn {turn}")
            started = perf_counter()
            way()
            if turn:
                seconds[name].append(perf_counter() - started)
    rate = {way: len(queries) / median(taken) for way, taken in seconds.items()}
    alone = rate["parse, one thread"]
    rows: list[Row] = [
        {"name": way, "queries a second": found, "times single calls": found / alone}
        for way, found in rate.items()
    ]
    gain = rate["parse_batch, one thread"] / alone
    return rows, [at_least("parse_batch over single calls, one thread", gain, 3, "×")]


if __name__ == "__main__":
    torch.set_num_threads(1)
    threadpool_limits(1, user_api="blas")
    warnings.simplefilter("ignore", QueryNotice)
    with torch.inference_mode():
        run("scale", __doc__ or "", main, ["torch"], chart=NSP_RATIO)
