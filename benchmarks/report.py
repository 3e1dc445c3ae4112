"""What every benchmark prints: a table for people, or one JSON object for programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from grammax.cli.bench.report import print_claims
from grammax.cli.terminal import print_json
from grammax.evaluation.benchmark import Claim as Claim
from grammax.evaluation.benchmark import Row as Row
from grammax.evaluation.benchmark import at_most as at_most
from grammax.evaluation.benchmark import benchmark_json, machine, machine_line


@dataclass(frozen=True, slots=True)
class Options:
    """The switches that every benchmark takes."""

    quick: bool
    json: bool
    given: argparse.Namespace  # all, with those of its own


def run(
    name: str,
    about: str,
    measure: Callable[[Options], tuple[list[Row], list[Claim]]],
    packages: Sequence[str] = (),
    threads: int = 1,
    chart: str | None = None,
    arguments: Callable[[argparse.ArgumentParser], None] = lambda _: None,
) -> None:
    """Parse the command line, measure, and print.

    `packages` are those whose versions matter, `chart` is the column that --chart draws, and
    `arguments` adds switches.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--quick", action="store_true", help="fewer repeats, under a minute")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    if chart is not None:
        parser.add_argument("--chart", type=Path, help=f"draw {chart}, as .png or .svg")
    arguments(parser)
    given = parser.parse_args()
    rows, claims = measure(Options(given.quick, given.json, given))
    on = machine(*packages, threads=threads)
    if chart is not None and given.chart is not None:
        draw(rows, chart, given.chart)
    if given.json:
        print_json(benchmark_json(name, on, rows, claims))
        return
    console = Console(width=max(Console().width, 120))
    console.print(machine_line(on), style="dim")
    for columns in dict.fromkeys(tuple(row) for row in rows):
        _print_rows(console, [row for row in rows if tuple(row) == columns])
    console.print()
    print_claims(claims)


def draw(rows: Sequence[Row], column: str, path: Path) -> None:
    """A bar for each row that has a number in a column, on a log scale."""
    from matplotlib.figure import Figure

    shown = [row for row in rows if isinstance(row.get(column), int | float)]
    values = [float(str(row[column])) for row in shown]
    figure = Figure(figsize=(7, 0.8 + 0.35 * len(shown)), layout="constrained")
    axes = figure.subplots()
    bars = axes.barh([str(row["name"]) for row in shown], values, color="#33608c", log=True)
    axes.bar_label(bars, [_shown(value) for value in values], padding=3)
    axes.set_xlim(min(values) / 2, max(values) * 3)
    axes.set_xlabel(column)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)


def progress(text: str) -> None:
    """Say on stderr what is being measured, where a person watches."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


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
