"""Batches of queries on a GPU: read already, and from text on all cores.

python benchmarks/gpu.py [--quick] [--json] [--device NAME] [--workers N] [--eager]

A batch of queries that were read is prepared on the host, sent, encoded, decoded and read back;
each stage is timed apart, and "device" is all of it but what the host does before and after. The
lower bound is what the network has to multiply and read, for the choices of these queries alone,
at the speed of a large product and of a copy on the same device. Every sentence is compared with
that of the CPU. From text, every core has a process that reads, decodes on the device and writes.
"""

from __future__ import annotations

import argparse
import gc
import os
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from multiprocessing import get_context
from statistics import median
from time import perf_counter
from typing import NamedTuple

import torch
from report import Claim, Options, Row, at_most, progress, run

from grammax.domains import load_domain, trained_model
from grammax.evaluation.benchmark import at_least
from grammax.parser import Parser
from grammax.reading.parse import QueryNotice
from grammax.reading.reader import Query
from grammax.runtime.device.network import exact
from grammax.runtime.device.search import DeviceSearch
from grammax.runtime.parser import RuntimeParser
from grammax.search import Decoded

SIZES = (64, 256, 1_024)
CHUNK = 512  # texts that a process parses at a time
STAGES = ("prepare", "send", "encode", "search", "read", "write")


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """From text first: processes are forked before this one uses the device."""
    given = options.given
    warnings.simplefilter("ignore", QueryNotice)
    progress("loading")
    domain = load_domain("eqs")
    pairs = [*domain.pairs("test"), *domain.pairs("train")]
    texts = [pair.query for pair in pairs[: SIZES[-1] * (1 if options.quick else 2)]]
    parser = Parser(domain, trained_model(domain), compiled=False)
    text_rows, text_claims = from_text(parser, texts, given.device, given.workers, options.quick)
    runtime = RuntimeParser.load(trained_model(domain), domain, compiled=False)
    search = DeviceSearch(
        runtime.search.one,  # type: ignore[arg-type]
        runtime.automaton,  # type: ignore[arg-type]
        runtime.decode_batch,
        given.device,
        graphs=False if given.eager else None,
    )
    rows, claims = from_queries(runtime, search, texts, 5 if options.quick else 30)
    progress("")
    return rows + text_rows, claims + text_claims


# Queries that were read


def from_queries(
    parser: RuntimeParser, search: DeviceSearch, texts: Sequence[str], repeats: int
) -> tuple[list[Row], list[Claim]]:
    """Batches of each size, and whether all sentences are those of the CPU."""
    progress("decoding on the CPU")
    queries = [parser.read(text) for text in texts]
    wanted = parser.decode_batch(queries)
    progress("filling the tables of the device")
    wrong = sum(map(_differ, search.decode(queries), wanted))
    before = search.left
    wrong += sum(map(_differ, search.decode(queries), wanted))
    left = search.left - before
    speeds = device_speeds(search)
    rows = [
        measured(search, queries[:size], wanted[:size], repeats, speeds)
        for size in SIZES
        if size <= len(queries)
    ]
    largest = rows[-1]
    claims = [
        at_least(
            f"decoded at batch {largest['batch']:,}", _number(largest, "decoded_per_s"), 1e5, "/s"
        ),
        at_most("sentences that differ from the CPU's", wrong, 0, ""),
        at_most("queries left to the CPU by a device that has seen them", left, 0, ""),
    ]
    return rows, claims


def measured(
    search: DeviceSearch,
    queries: Sequence[Query],
    wanted: Sequence[Decoded],
    repeats: int,
    speeds: Speeds,
) -> Row:
    """One size of batch: medians of each stage, and of all together without waits in between."""
    progress(f"batches of {len(queries):,}")
    times: dict[str, list[float]] = {name: [] for name in (*STAGES, "device")}
    rounds = 0
    gc.collect()
    for _ in range(3 + repeats):
        rounds = _stages(search, queries, times)
        _together(search, queries, times)
    spent = {name: median(found[3:]) for name, found in times.items()}
    choices = sum(scored > 0 for each in wanted for scored in each.scored)
    bound = lower_bound(search, queries, wanted, rounds, speeds)
    return {
        "batch": len(queries),
        "decoded_per_s": len(queries) / spent["device"],
        "choices_per_s": choices / spent["device"],
        "rounds": rounds,
        "round_us": 1e6 * spent["search"] / rounds,
        **{f"{name}_ms": 1e3 * spent[name] for name in STAGES},
        "device_ms": 1e3 * spent["device"],
        "bound_ms": 1e3 * bound,
        "times_bound": spent["device"] / bound,
    }


def _stages(search: DeviceSearch, queries: Sequence[Query], times: dict[str, list[float]]) -> int:
    """Decode with a wait after each stage; returns the number of rounds."""
    with exact():
        clock = _Clock(search, times)
        prepared = search.prepare(queries)
        batch = search.batch(prepared)
        clock.stop("prepare")
        batch.send(prepared)
        clock.stop("send")
        batch.encode()
        clock.stop("encode")
        rounds = batch.search()
        clock.stop("search")
        result = batch.read(len(queries))
        clock.stop("read")
        search.decoded(queries, result)
        clock.stop("write")
    return rounds


def _together(
    search: DeviceSearch, queries: Sequence[Query], times: dict[str, list[float]]
) -> None:
    with exact():
        prepared = search.prepare(queries)
        batch = search.batch(prepared)
        clock = _Clock(search, times)
        batch.send(prepared)
        batch.encode()
        batch.search()
        batch.read(len(queries))
        clock.stop("device")


class _Clock:
    """Times stages, each until the device has done its work."""

    def __init__(self, search: DeviceSearch, times: dict[str, list[float]]) -> None:
        self._wait = _waiting(search.model.device)
        self._times = times
        self._wait()
        self._started = perf_counter()

    def stop(self, name: str) -> None:
        self._wait()
        self._times[name].append(perf_counter() - self._started)
        self._started = perf_counter()


def _waiting(device: torch.device) -> Callable[[], None]:
    return torch.cuda.synchronize if device.type == "cuda" else lambda: None


# The lower bound


class Speeds(NamedTuple):
    """Of large operations on the device, in single precision."""

    operations: float  # per second
    read: float  # bytes per second


def device_speeds(search: DeviceSearch) -> Speeds:
    """A product of large matrices, and a copy of a large array, of which half is reading."""
    device = search.model.device
    small = device.type == "cpu"
    size = 512 if small else 8_192
    with exact():
        matrix = torch.rand(size, size, device=device)
        array = torch.rand((1 << 22) if small else (1 << 28), device=device)
        other = torch.empty_like(array)
        product = _fastest(device, lambda: torch.mm(matrix, matrix))
        copy = _fastest(device, lambda: other.copy_(array))
    return Speeds(2 * size**3 / product, 2 * 4 * len(array) / copy)


def _fastest(device: torch.device, work: Callable[[], object]) -> float:
    wait, found = _waiting(device), []
    for _ in range(6):
        wait()
        started = perf_counter()
        work()
        wait()
        found.append(perf_counter() - started)
    return min(found)


def lower_bound(
    search: DeviceSearch,
    queries: Sequence[Query],
    wanted: Sequence[Decoded],
    rounds: int,
    speeds: Speeds,
) -> float:
    """Seconds for the products, or for reading what they multiply, whichever takes longer.

    Words and rows of a query are read at each of its choices, weights once for each round.
    """
    net = search.model.network
    e, learnt, hidden, width = net.size, net.learnt, net.rows.shape[1], net.vectors.shape[1]
    word = search.model.words.width
    encoder, decoder = 8 * e * (word - learnt + e), 8 * e * (width + 2 * e)
    linear, keys = 2 * e * (learnt + 2), 2 * e * (2 * e + learnt)
    per_word = 2 * e + hidden + learnt
    multiplied = weights = 0
    for query, decoded in zip(queries, wanted, strict=True):
        words, choices = len(query.ids), sum(scored > 0 for scored in decoded.scored)
        multiplied += words * (encoder + keys) + choices * (decoder + linear)
        weights += choices * words * per_word + sum(decoded.scored) * hidden
    multiplied += weights
    read = weights + rounds * (decoder + linear) + encoder + keys
    seconds: float = max(2 * multiplied / speeds.operations, 4 * read / speeds.read)
    return seconds


# From text

_parser: Parser | None = None  # of a process
_device = "cpu"


def from_text(
    parser: Parser, texts: Sequence[str], device: str, workers: int, quick: bool
) -> tuple[list[Row], list[Claim]]:
    """Texts per second with a process per core, to logical forms alone and to whole results."""
    global _parser, _device
    _parser, _device = parser, device
    progress(f"starting {workers} processes")
    chunks = [texts[at : at + CHUNK] for at in range(0, len(texts), CHUNK)]
    count = max(len(chunks), (4 if quick else 12) * workers)
    rows: list[Row] = []
    context = get_context("fork")
    barrier = context.Barrier(workers)
    with ProcessPoolExecutor(workers, context, _begin, (barrier, chunks)) as pool:
        list(pool.map(_warm, range(workers)))
        for name, work in (("to logical forms", _forms), ("to whole results", _results)):
            progress(f"from text {name}")
            started = perf_counter()
            found = sum(pool.map(work, islice(cycle(chunks), count)))
            seconds = perf_counter() - started
            rows.append(
                {
                    "from_text": name,
                    "workers": workers,
                    "queries": found,
                    "seconds": seconds,
                    "queries_per_s": found / seconds,
                    "ms_per_query_and_core": 1e3 * workers * seconds / found,
                }
            )
    name = f"from text {rows[0]['from_text']}, {workers} processes"
    return rows, [at_least(name, _number(rows[0], "queries_per_s"), 1e4, "/s")]


def _begin(barrier: object, chunks: Sequence[Sequence[str]]) -> None:
    """Each process fills its tables and records its graphs before the first is measured."""
    global _barrier
    _barrier = barrier
    warnings.simplefilter("ignore", QueryNotice)
    torch.set_num_threads(1)
    for chunk in (*chunks, *chunks):
        _forms(chunk)


def _warm(_: int) -> None:
    """Wait until all processes have begun."""
    _barrier.wait(timeout=150)  # type: ignore[attr-defined]


def _forms(texts: Sequence[str]) -> int:
    assert _parser is not None
    return len(_parser._runtime.parse_batch(texts, _device))


def _results(texts: Sequence[str]) -> int:
    assert _parser is not None
    return len(_parser.parse_batch(texts, device=_device))


_barrier: object = None


def _differ(found: Decoded, wanted: Decoded) -> bool:
    return found.tokens != wanted.tokens


def _number(row: Row, column: str) -> float:
    return float(str(row[column]))


def _arguments(parser: argparse.ArgumentParser) -> None:
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--device", default="cuda", help="that decodes [cuda]")
    parser.add_argument("--workers", type=int, default=cores, help="processes [one for each core]")
    parser.add_argument("--eager", action="store_true", help="record no CUDA graphs")


if __name__ == "__main__":
    run("gpu", __doc__ or "", main, packages=("numpy", "torch"), arguments=_arguments)
