"""Batches on Ray: queries a second by one process and by two, and with one that is killed.

python benchmarks/batches.py [--queries 100000] [--only NAME] [--quick] [--json]

The queries of the test set in turn, each with a number of its own, in files of Parquet. Ray runs on
this machine alone. The rate is that between the first and the last finished block, so it leaves out
how long processes take to start, which has a column of its own; the processors' time includes it.
After each run every row must be in the output once, with the logical form that a parser in this
process gives.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

import pyarrow as pa
import pyarrow.parquet as pq
from report import Claim, Options, Row, progress, run
from service_process import cpu_seconds

import grammax
from grammax.domains import load_domain
from grammax.evaluation.benchmark import at_least, at_most
from grammax.parser.each import parse_each
from grammax.ray import Progress, parse_files

RUNS = {"one": 1, "two": 2, "killed": 2}  # processes
QUICK = 20_000
FILES = 4
BLOCKS = 40  # in all


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """One process, two, and two of which one is killed, over the same files; or some of these."""
    count = QUICK if options.quick else int(options.given.queries)
    pairs = [pair.query for pair in load_domain("eqs").pairs("test")]
    with grammax.load("eqs", compiled=True) as parser:  # compiles once, for all processes
        parsed = {
            text: found if isinstance(found, str) else found.lf
            for text, found in zip(pairs, parse_each(parser, pairs), strict=True)
        }
    texts = [*islice(cycle(pairs), count)]
    with tempfile.TemporaryDirectory(prefix="grammax-batches-") as name:
        folder = Path(name)
        write_queries(folder / "queries", texts)
        chosen = options.given.only or [*RUNS]
        rows = [measured(kind, RUNS[kind], folder, texts, parsed) for kind in chosen]
    found = {str(row["name"]): row for row in rows}
    claims = [] if len(found) < len(RUNS) else efficiency(found)
    for what in ("missing", "twice", "other forms"):
        claims.append(at_most(what, sum(int(str(row[what])) for row in rows), 0, ""))
    return rows, claims


def efficiency(found: Mapping[str, Row]) -> list[Claim]:
    """What two processes do, against one."""
    rate = {name: float(str(row["a second"])) for name, row in found.items()}
    cpu = {name: float(str(row["ms of CPU each"])) for name, row in found.items()}
    return [
        at_least("two processes against one, each", rate["two"] / rate["one"] / 2, 0.85, "x"),
        at_most(
            "processors' time of a query, two against one", cpu["two"] / cpu["one"], 1 / 0.85, "x"
        ),
        at_least("with one killed, against two", rate["killed"] / rate["two"], 0.5, "x"),
    ]


def write_queries(folder: Path, texts: Sequence[str]) -> None:
    """The queries in some files."""
    folder.mkdir()
    size = -(-len(texts) // FILES)
    for number in range(FILES):
        rows = range(number * size, min((number + 1) * size, len(texts)))
        table = pa.table({"id": rows, "query": [texts[row] for row in rows]})
        pq.write_table(table, folder / f"queries-{number}.parquet", row_group_size=10_000)


def measured(
    name: str,
    workers: int,
    folder: Path,
    texts: Sequence[str],
    parsed: dict[str, str],
) -> Row:
    """A run of the whole input, and what its output lacks."""
    progress(name)
    began = perf_counter()
    times: list[tuple[float, int]] = []
    killed: list[int] = []
    cpu: dict[int, float] = {}

    def tell(now: Progress) -> None:
        cpu.update((process, cpu_seconds(process)) for process in processes())
        if now.queries:
            times.append((perf_counter() - began, now.queries))
        if name == "killed" and not killed and now.blocks > BLOCKS // 4:
            killed.extend(processes()[:1])
            os.kill(killed[0], signal.SIGKILL)

    output = folder / name
    given = str(folder / "queries" / "*.parquet")
    rows = -(-len(texts) // BLOCKS)
    parse_files(given, output, workers=workers, rows=rows, tell=tell)
    (first, before), (last, after) = times[0], times[-1]
    table = pa.concat_tables(pq.read_table(path) for path in sorted(output.glob("*.parquet")))
    ids = table["id"].to_pylist()
    forms = zip(ids, table["lf"].to_pylist(), table["error"].to_pylist(), strict=True)
    return {
        "name": name,
        "queries": len(texts),
        "a second": (after - before) / (last - first),
        "ms of CPU each": 1e3 * sum(cpu.values()) / after,
        "s": last,
        "s until the first block": first,
        "killed": len(killed),
        "missing": len(texts) - len({*ids}),
        "twice": len(ids) - len({*ids}),
        "other forms": sum(parsed[texts[row]] != (lf or error) for row, lf, error in forms),
    }


def processes() -> list[int]:
    """The processes of Ray that parse, of this program alone."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError, ValueError):
            if b"ray::_Actor" in path.read_bytes() and _is_ours(int(path.parent.name)):
                found.append(int(path.parent.name))
    return found


def _is_ours(process: int) -> bool:
    while process > 1:
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        if process == os.getpid():
            return True
    return False


def arguments(parser: argparse.ArgumentParser) -> None:
    """How many queries."""
    parser.add_argument("--only", nargs="+", choices=RUNS, metavar="NAME", help=", ".join(RUNS))
    parser.add_argument("--queries", type=int, default=100_000, help="how many [100000]")


if __name__ == "__main__":
    run("batches", __doc__ or "", main, packages=("ray", "numba"), threads=2, arguments=arguments)
