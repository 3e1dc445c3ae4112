"""`grammax serve` under load: 16 clients on loopback, sharing the cores with the service.

python benchmarks/service.py [--quick] [--json] [--chart FILE]

First as fast as they are answered, then at a steady rate, then at that rate while others, from a
process of their own, send 10 kB of random bytes, malformed JSON, huge bodies, or a byte a second.
At a rate a request is timed from when it was due, so one that had to wait is not let off. Last come
queries that are answered, and not only parsed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import uvloop
from report import Claim, Options, Row, progress, run
from service_clients import disturbing, load
from service_process import Service, served

from grammax.domains import load_domain
from grammax.evaluation.benchmark import at_least, at_most

CLIENTS = 16
WORKERS = 2
RATE = 510.0
FLAT = 1.05  # times the memory at the start


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """All loads on one service, one after the other."""
    progress("starting")
    queries = [pair.query for pair in load_domain("eqs").pairs("test")]
    seconds = 5.0 if options.quick else 60.0
    with served(WORKERS) as service:
        uvloop.run(load(service.port, "/parse", queries, CLIENTS, 5.0))  # warms up
        progress("as fast as they are answered")
        fastest, _ = measured("as fast as answered", service, queries, seconds)
        progress(f"{RATE:g} a second")
        steady, _ = measured(f"{RATE:g} a second", service, queries, seconds, RATE)
        progress("with nuisance")
        name = f"{RATE:g} a second, with nuisance"
        disturbed, told = measured(name, service, queries, seconds, RATE, disturb=True)
        progress("answers")
        uvloop.run(load(service.port, "/ask", queries, CLIENTS, 5.0))  # columns are in memory
        asked, _ = measured("/ask, as answered", service, queries, seconds / 3, path="/ask")
    rows = [fastest, steady, disturbed, asked]
    claims = [at_least("requests a second, as fast as answered", _number(fastest), 500, "/s")]
    for row, what in ((steady, ""), (disturbed, ", with nuisance")):
        p99 = float(str(row["p99 ms"]))
        claims += [
            at_least(f"requests a second{what}", _number(row), 500, "/s"),
            at_most(f"p99 at that rate{what}", p99, 20, "ms"),
        ]
    claims.append(at_most("errors", sum(int(str(row["errors"])) for row in rows), 0, ""))
    grown = float(str(disturbed["MB at end"])) / float(str(fastest["MB at start"]))
    claims.append(at_most("memory at the end, times that at the start", grown, FLAT, ""))
    claims += [
        at_least("answers a second, as fast as answered", _number(asked), 400, "/s"),
        at_most("p99 of answers", float(str(asked["p99 ms"])), 60, "ms"),
    ]
    broken = sum(count for status, count in told.items() if status.split()[-1].startswith("5"))
    claims.append(at_most("5xx that nuisance was told", broken, 0, ""))
    return [*rows, *({"nuisance was told": s, "times": n} for s, n in told.most_common())], claims


def measured(
    name: str,
    service: Service,
    queries: Sequence[str],
    seconds: float,
    rate: float | None = None,
    disturb: bool = False,
    path: str = "/parse",
) -> tuple[Row, Counter[str]]:
    """A row for a load, and what nuisance was told meanwhile."""
    told: Counter[str] = Counter()
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        if disturb:
            pool.submit(disturbing, service.port, 0.0).result()  # the process is there
        memory, cpu = service.megabytes, service.cpu_seconds
        others = pool.submit(disturbing, service.port, seconds) if disturb else None
        timed = uvloop.run(load(service.port, path, queries, CLIENTS, seconds, rate))
        spent = service.cpu_seconds - cpu
        if others is not None:
            told = others.result()
    row: Row = {
        **timed.row(name, seconds),
        "ms of CPU each": 1e3 * spent / len(timed.seconds),
        "MB at start": memory,
        "MB at end": service.megabytes,
    }
    return row, told


def _number(row: Row) -> float:
    return float(str(row["a second"]))


if __name__ == "__main__":
    run(
        "service",
        __doc__ or "",
        main,
        packages=("starlette", "uvicorn", "numba"),
        threads=WORKERS,
        chart="p99 ms",
    )
