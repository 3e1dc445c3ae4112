"""What every benchmark prints: a table for people, or one JSON object for programs."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that the project says of itself, with what was measured."""

    claim: str
    target: str
    measured: str
    met: bool


def at_most(claim: str, measured: float, limit: float, unit: str) -> Claim:
    """A claim that a figure is not above a limit."""
    return Claim(claim, f"≤ {limit:g} {unit}", f"{measured:.3g} {unit}", measured <= limit)


@dataclass(frozen=True, slots=True)
class Options:
    """The switches that every benchmark takes."""

    quick: bool
    json: bool


def run(name: str, about: str, measure: Callable[[Options], tuple[list[Row], list[Claim]]]) -> None:
    """Parse the command line, measure, and print."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--quick", action="store_true", help="fewer repeats, under a minute")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    given = parser.parse_args()
    rows, claims = measure(Options(given.quick, given.json))
    if given.json:
        result = {
            "benchmark": name,
            "machine": machine(),
            "rows": rows,
            "claims": [asdict(claim) for claim in claims],
        }
        json.dump(result, sys.stdout, indent=2, ensure_ascii=False)
        print()
        return
    console = Console(width=max(Console().width, 120))
    console.print("  ".join(f"{key}: {value}" for key, value in machine().items()), style="dim")
    for columns in dict.fromkeys(tuple(row) for row in rows):
        _print_rows(console, [row for row in rows if tuple(row) == columns])
    _print_claims(console, claims)


def progress(text: str) -> None:
    """Say on stderr what is being measured, where a person watches."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    cpu = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        lines = information.read_text().splitlines()
        cpu = next((line.split(":")[1].strip() for line in lines if "model name" in line), cpu)
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "threads": 1,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "grammax": version("grammax"),
    }


def _print_rows(console: Console, rows: Sequence[Row]) -> None:
    table = Table(show_edge=False, header_style="bold")
    for column in rows[0]:
        number = isinstance(rows[0][column], int | float)
        table.add_column(column.replace("_", " "), justify="right" if number else "left")
    for row in rows:
        table.add_row(*(_shown(value) for value in row.values()))
    console.print()
    console.print(table)


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _print_claims(console: Console, claims: Sequence[Claim]) -> None:
    table = Table(show_edge=False, header_style="bold", title="Claims", title_justify="left")
    for column in ("claim", "target", "measured", "met"):
        table.add_column(column)
    for claim in claims:
        table.add_row(claim.claim, claim.target, claim.measured, "yes" if claim.met else "NO")
    console.print()
    console.print(table)
