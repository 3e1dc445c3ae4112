"""From a file to the first answer: `grammax ask FILE "..."` in a fresh process, and its memory.

Nothing is known of the data beforehand: it is opened, inspected and asked. The model's own cache
exists already, as after the first use of grammax on a machine. The tables are made by this program,
from a seed (`first_answer_tables`); each answer is compared with DuckDB's. A second process tells
where the time goes (imports, opening, which loads CSV files, inspection, the domain with its names,
the model, parsing, answering) and how much memory it had at most. It runs on Linux.

python benchmarks/first_answer.py [--quick] [--json] [--only NAME]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

import duckdb
from first_answer_tables import orders, postgres, write, write_folder
from report import Claim, Options, Row, at_most, progress, run

QUERY = "how many orders per country"
EXPECTED = "SELECT country, count(*) FROM ({}) GROUP BY country"
STAGES = """
import json, sys
from time import perf_counter
from grammax.cli.ask import one, report
import rich.console, rich.table
import ibis, grammax.parser, grammax.tables.own.folder as folder
from grammax.tables.inspect.inspection import inspect_data
from grammax.tables.inspect.source import open_data
from grammax.tables.own.domain import OwnTable
data, query = sys.argv[1:]
ibis.duckdb
times = [perf_counter()]
source = open_data(data)
times.append(perf_counter())
description = inspect_data(source)
times.append(perf_counter())
domain = OwnTable(source, description).domain()
times.append(perf_counter())
parser = grammax.parser.load(domain, compiled=False).owning(domain)
times.append(perf_counter())
parsed = parser.parse(query)
times.append(perf_counter())
rows = parser.answers.answer(parsed.tokens, 100).rows
times.append(perf_counter())
stages = [after - before for before, after in zip(times, times[1:])]
parser.close()
with open("/proc/self/status") as status:
    [peak] = [int(line.split()[1]) for line in status if line.startswith("VmHWM")]
print(json.dumps({"stages": stages, "rows": rows, "megabytes": peak / 1024}))
"""
NAMES = ("open", "inspect", "domain", "model", "parse", "answer")
MEMORY = 1_000  # MB


class Case(NamedTuple):
    """Data of so many rows, and the seconds that are permitted, if that is claimed."""

    name: str
    rows: int
    file: str
    seconds: float | None = None
    quick: bool = True


CASES = (
    Case("CSV", 100_000, "orders.csv", 10),
    Case("Parquet", 1_000_000, "orders.parquet"),
    Case("Parquet", 10_000_000, "many/orders.parquet", 60, quick=False),
    Case("DuckDB", 1_000_000, "orders.duckdb"),
    Case("SQLite", 1_000_000, "orders.sqlite"),
    Case("PostgreSQL", 1_000_000, "postgres", quick=False),
    Case("folder of 4 tables", 1_000_000, "shop"),
)


class Process(NamedTuple):
    """What a process took."""

    seconds: float
    processor: float  # seconds in user and system mode
    output: str


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Ask each table in fresh processes, interleaved."""
    asked = options.given.only
    cases = [
        case
        for case in CASES
        if (case.quick or not options.quick) and asked.lower() in case.name.lower()
    ]
    repeats = 1 if options.quick else 3
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        data = {}
        for case in cases:
            progress(f"making {shown(case)}")
            data[case] = stack.enter_context(made(case, Path(folder)))
        progress("preparing the model")
        first = write(100, Path(folder) / "films.csv")
        started("-m", "grammax.cli.main", "ask", str(first), "how many")
        taken: dict[Case, list[Process]] = {case: [] for case in cases}
        staged: dict[Case, list[Process]] = {case: [] for case in cases}
        for number in range(repeats):
            for case in cases:
                progress(f"{number + 1} of {repeats}: {shown(case)}")
                arguments = (data[case], QUERY)
                taken[case].append(started("-m", "grammax.cli.main", "ask", *arguments))
                staged[case].append(started("-c", STAGES, *arguments))
        rows = [row(case, taken[case], staged[case]) for case in cases]
    return rows, [*claims(cases, rows)]


@contextmanager
def made(case: Case, folder: Path) -> Iterator[str]:
    """The path or URL of a case's data."""
    path = folder / case.file
    path.parent.mkdir(exist_ok=True)
    if case.name == "PostgreSQL":
        with postgres(case.rows, folder) as url:
            yield url
    elif path.suffix:
        yield str(write(case.rows, path))
    else:
        yield str(write_folder(case.rows, path))


def row(case: Case, taken: list[Process], staged: list[Process]) -> Row:
    """The medians of a case, after a look at its answers."""
    found = [json.loads(process.output) for process in staged]
    for each in found:
        answered = {country: int(count) for country, count in each["rows"]}
        if case.file != "shop" and answered != expected(case.rows):
            raise SystemExit(f"{shown(case)}: the answer is {answered}")
    stages = [median(each) for each in zip(*(each["stages"] for each in found), strict=True)]
    whole = median(process.seconds for process in taken)
    of_stages = median(process.seconds for process in staged)
    start = of_stages - sum(stages)
    return {
        "name": shown(case),
        "seconds": whole,
        "of processor": median(process.processor for process in taken),
        "resident, MB": max(each["megabytes"] for each in found),
        "start and imports": start,
        **dict(zip(NAMES, stages, strict=True)),
    }


def expected(rows: int) -> dict[str, int]:
    """The orders per country."""
    return dict(duckdb.execute(EXPECTED.format(orders(rows))).fetchall())


def claims(cases: list[Case], rows: list[Row]) -> Iterator[Claim]:
    for case, found in zip(cases, rows, strict=True):
        if case.seconds is not None:
            seconds = float(str(found["seconds"]))
            yield at_most(f"{shown(case)}, to the first answer", seconds, case.seconds, "s")
        if case.name == "SQLite":
            # One thread works all the time; other programs disturb the clock, but not this.
            taken = float(str(found["of processor"]))
            yield at_most(f"{shown(case)}, to the first answer", taken, 12, "s of processor")
    most = max(float(str(found["resident, MB"])) for found in rows)
    yield at_most("memory of any of these processes, resident", most, MEMORY, "MB")


def shown(case: Case) -> str:
    return f"{case.name}, {case.rows:,} rows"


def started(*arguments: str) -> Process:
    """Run Python to its end, and see what it took."""
    with tempfile.TemporaryFile("w+") as output:
        begun = perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments], stdout=output, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"python {' '.join(arguments)[-200:]} ended with {process.returncode}")
        output.seek(0)
        return Process(seconds, usage.ru_utime + usage.ru_stime, output.read())


def switches(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", default="", help="only data whose name contains this")


if __name__ == "__main__":
    run("first_answer", __doc__ or "", main, packages=("duckdb", "ibis-framework"),
        threads=os.cpu_count() or 1, chart="seconds", arguments=switches)  # fmt: skip
