"""An hour of honest load on `grammax serve` with faults: what was acknowledged, memory, errors.

python benchmarks/soak.py [--minutes 60] [--quick] [--json]

Two workers on loopback get 40 requests a second, most of which ask; others correct, and a client
with the token changes the catalogue. Where the package of a PostgreSQL server is installed, that
server answers. Meanwhile workers are killed and stopped, files cannot be written, the catalogue
changes several times a second, the server is stopped and started again, and the service's clock
jumps by a day and back (where there is a C compiler, for soak_clock.c). A request whose connection
broke off is repeated. At the end the service is stopped, and its files must have all that was
acknowledged: each correction, a line of the audit for each answer, and each change of the
catalogue.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter

from report import Claim, Options, Row, progress, run
from service_process import private_megabytes, served
from soak_clients import Client, Ledger, Phase, asking, changing
from soak_faults import CLOCK, FAULTS, STORE, Target, clock_environment, ids_in, workers_of
from soak_store import market_server

import grammax
from grammax.domains import load_domain
from grammax.evaluation.benchmark import at_most
from grammax.language.changes_file import read_changes
from grammax.tables.query.source import StoreError

WORKERS = 2
CLIENTS = 8
RATE = 40.0
TOKEN = "a token for loopback only"
WARM_SECONDS = 20.0
PAUSES = {"the catalogue changes often": 0.1}  # seconds between two changes; else 3
QUICK = 3.0  # minutes
FLAT = 1.25  # times the memory of a worker after the first round


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Faults in turn until the time is over; then the files are compared with the ledger."""
    minutes = QUICK if options.quick else float(options.given.minutes)
    ledger = Ledger()
    with (
        tempfile.TemporaryDirectory(prefix="grammax-soak-") as name,
        market_server(Path(name)) as stored,
    ):
        folder = Path(name)
        files = {what: folder / f"{what}.jsonl" for what in ("catalogue", "corrections", "audit")}
        arguments = [part for what, path in files.items() for part in (f"--{what}", str(path))]
        server, mapping = stored or (None, None)
        if mapping is not None:
            arguments += ["--tables", str(mapping)]
        progress("choosing queries that can be answered")
        queries = answered_queries(mapping)
        clock = folder / "clock"
        progress("starting")
        environment = clock_environment(clock)
        with variables({"GRAMMAX_TOKEN": TOKEN, **environment}):
            started = served(WORKERS, "--quiet", *arguments)
            service = started.__enter__()
        try:
            without = {*(() if environment else (CLOCK,)), *(() if server else (STORE,))}
            faults = [each for each in FAULTS if each not in without]
            target = Target(service.process, clock, server)
            memory = asyncio.run(soak(service.port, target, queries, minutes, faults, ledger))
        finally:
            started.__exit__(None, None, None)
        lost = losses(ledger, files)
    for bug in ledger.bugs:
        print(bug, file=sys.stderr)
    phases = ledger.phases.values()
    statuses = [item for phase in phases for item in phase.statuses.items()]
    claims = [
        at_most("acknowledged corrections that are lost", lost["corrections"], 0, ""),
        at_most("acknowledged changes that are lost", lost["catalogue"], 0, ""),
        at_most("answers without a line of the audit", lost["audit"], 0, ""),
        at_most("5xx other than 503", sum(n for s, n in statuses if s >= 500 and s != 503), 0, ""),
        at_most("503 without a reason", sum(phase.reasons[""] for phase in phases), 0, ""),
        at_most("requests without an answer", sum(phase.unanswered for phase in phases), 0, ""),
        at_most("memory of a worker, last round against first", memory[-1] / memory[0], FLAT, "x"),
    ]
    acknowledged: Row = {
        "minutes": minutes,
        "answers in the audit": len(ledger.audited),
        "corrections": len(ledger.corrections),
        "values added and kept": len(ledger.added),
        "added and removed": len(ledger.removed),
        "not acknowledged": len(ledger.unsure),
        "rounds of faults": len(memory),
        "MB of a worker, first round": memory[0],
        "last round": memory[-1],
    }
    return [*(row(name, phase) for name, phase in ledger.phases.items()), acknowledged], claims


def answered_queries(mapping: Path | None) -> list[str]:
    """Queries of the test set that the tables can answer."""
    pairs = load_domain("eqs").pairs("test")
    if mapping is None:
        return [pair.query for pair in pairs]
    found = []
    with grammax.load("eqs", tables=mapping) as parser:
        for pair in pairs:
            with suppress(StoreError):
                parser.answers.answer(pair.tokens, 1)
                found.append(pair.query)
    return found


async def soak(
    port: int,
    target: Target,
    queries: Sequence[str],
    minutes: float,
    faults: Sequence[str],
    ledger: Ledger,
) -> list[float]:
    """Load and faults; the memory of a worker after each round of faults, in MB."""
    clients = [Client(port, ledger, TOKEN) for _ in range(CLIENTS + 1)]
    ledger.phase = "the start"
    work = [
        asyncio.create_task(asking(client, queries, CLIENTS / RATE, 7 * number))
        for number, client in enumerate(clients[:-1])
    ]
    work.append(asyncio.create_task(changing(clients[-1], PAUSES)))
    await asyncio.sleep(WARM_SECONDS)
    begin, taken = perf_counter(), list[float]()
    while perf_counter() < begin + 60 * minutes:
        for name in faults:
            fault, seconds = FAULTS[name]
            progress(f"{(perf_counter() - begin) / 60:.0f} of {minutes:g} minutes: {name}")
            ledger.phase = name
            with fault(target):
                await asyncio.sleep(seconds)
            if any(task.done() for task in work):
                break
        ledger.phase = faults[0]
        await asyncio.sleep(FAULTS[faults[0]][1])
        taken.append(megabytes(target.supervisor))
    for task in work:
        task.cancel()
    for ended in await asyncio.gather(*work, return_exceptions=True):
        if not isinstance(ended, asyncio.CancelledError):
            raise SystemExit(f"a client failed: {ended!r}")
    for client in clients:
        client.close()
    return taken


def losses(ledger: Ledger, files: Mapping[str, Path]) -> dict[str, int]:
    """How much of what was acknowledged is not in the files."""
    stored = {value.token for value in read_changes(files["catalogue"], "eqs").added}
    return {
        "corrections": len(ledger.corrections - ids_in(files["corrections"], "id")),
        "audit": len(ledger.audited - ids_in(files["audit"], "request_id")),
        "catalogue": len(ledger.added - stored) + len(ledger.removed & stored),
    }


def row(name: str, phase: Phase) -> Row:
    """What clients saw in one phase, all its times together."""
    ordered = sorted(phase.seconds) or [0.0]
    reasons = ", ".join(f"{code} {number}" for code, number in phase.reasons.most_common())
    return {
        "while": name,
        "requests": phase.requests,
        "200, 201": phase.statuses[200] + phase.statuses[201],
        "503": phase.statuses[503],
        "reasons": reasons,
        "other": sum(n for status, n in phase.statuses.items() if status not in (200, 201, 503)),
        "repeated": phase.broken,
        "p50 ms": 1e3 * ordered[len(ordered) // 2],
        "p99 ms": 1e3 * ordered[int(0.99 * len(ordered))],
    }


def megabytes(supervisor: int) -> float:
    """Memory of a worker that it shares with no other, on average."""
    found = []
    for worker in workers_of(supervisor):
        with suppress(OSError):
            found.append(private_megabytes(worker))
    return sum(found) / len(found)


@contextmanager
def variables(values: Mapping[str, str]) -> Iterator[None]:
    """Variables of the environment, for processes that are started in the block."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=60.0, help="how long [60]")


if __name__ == "__main__":
    run(
        "soak",
        __doc__ or "",
        main,
        packages=("starlette", "uvicorn", "gunicorn", "numba"),
        threads=WORKERS,
        arguments=arguments,
    )
