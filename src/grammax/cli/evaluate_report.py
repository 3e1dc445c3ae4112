"""An evaluation as tables for people, and its mistakes as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from grammax.cli.terminal import new_table, plain, print_result
from grammax.evaluation import Outcome, Report, Share


def print_evaluation(report: Report) -> None:
    """A row for each split, the mistakes by sort, and what was measured."""
    numbers = ("queries", "exact match %", "denotation %", "ungrammatical", "ill typed")
    table = new_table("split", *numbers, numbers=numbers)
    for split in report.splits:
        table.add_row(
            split.split,
            f"{split.queries:,}",
            _share(split.exact),
            _share(split.denotation),
            f"{split.ungrammatical:,}",
            f"{split.ill_typed:,}",
        )
    print_result(table)
    if report.mistakes:
        names = [split.split for split in report.splits]
        table = new_table("mistake", *names, numbers=names)
        for sort in report.mistakes:
            counts = (f"{split.mistakes.get(sort, 0):,}" for split in report.splits)
            table.add_row(plain(sort), *counts)
        print_result(table)
    how = "greedy" if report.beam == 1 else f"beam {report.beam}"
    print_result(
        plain(
            f"{report.domain} {report.version}, {report.model}, grammar {report.grammar}, {how}; "
            f"95 % intervals in brackets."
        )
    )


def write_errors(path: Path, outcomes: Mapping[str, Sequence[Outcome]]) -> None:
    """Write every outcome that is not an exact match, with its split, as a line of JSON."""
    with path.open("w", encoding="utf-8") as file:
        for split, judged in outcomes.items():
            for outcome in judged:
                if not outcome.exact:
                    row = {"split": split, **asdict(outcome)}
                    file.write(f"{json.dumps(row, ensure_ascii=False)}\n")


def _share(share: Share | None) -> str:
    """A share in percent with its interval.

    >>> _share(Share(0.5, 0.4, 0.6))
    '50.0 [40.0–60.0]'
    """
    if share is None:
        return "–"
    return f"{share.value:.1%} [{share.low:.1%}–{share.high:.1%}]".replace("%", "")
