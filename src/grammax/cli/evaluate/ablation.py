"""The contribution of each part of the model: trainings, then a table and a chart."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from grammax.cli.evaluate.scope import Scope
from grammax.cli.terminal import new_table, print_json, print_message, print_result
from grammax.cli.train.progress import TrainingProgress
from grammax.evaluation.ablation import Ablated, ablate
from grammax.reading.parse import QueryNotice

if TYPE_CHECKING:
    from grammax.training.run import Run


def evaluate_ablation(
    scope: Scope, folder: Path, seeds: int, epochs: int | None, device: str
) -> None:
    """Train all stages with several seeds, measure them, and show the result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        found = ablate(
            scope.domain,
            folder,
            range(seeds),
            scope.pairs(),
            _train,
            epochs=epochs,
            device=device,
            done=_told,
        )
    if scope.json:
        print_json({"seeds": seeds, "stages": [asdict(row) for row in found]})
    else:
        _print(found, scope.splits, seeds)
    if scope.chart is not None:
        from grammax.cli.charts import draw_ablation

        draw_ablation(found, scope.chart)


def _train(run: Run) -> None:
    print_message(f"training {run.folder.name}", "dim")
    with TrainingProgress(run.trainer) as progress:
        run.train(progress.moved, progress.finished, calibrate=False)


def _told(stage: str, seed: int, exact: Mapping[str, float]) -> None:
    shares = ", ".join(f"{name} {share:.1%}" for name, share in exact.items())
    print_message(f"{stage}, seed {seed}: {shares}", "dim")


def _print(found: Sequence[Ablated], splits: Sequence[str], seeds: int) -> None:
    table = new_table("exact match %", *splits, numbers=splits)
    for row in found:
        spreads = (row.exact[name] for name in splits)
        table.add_row(
            row.stage, *(f"{100 * s.mean:.1f} ± {100 * s.deviation:.1f}" for s in spreads)
        )
    print_result(table)
    print_result(f"Mean ± standard deviation over {seeds} seeds.")
