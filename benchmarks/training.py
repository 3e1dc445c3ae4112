"""Training under the grammar against training over all rows, batch by batch in one run.

All rows stand here twice: as PyTorch multiplies a matrix and takes its cross-entropy, which is the
paper's way, and as `--softmax full` does it, with what this project knows about rows.

python benchmarks/training.py [--quick] [--json]
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from statistics import fmean
from time import perf_counter

import numpy as np
import torch
from report import Claim, Row, progress, run
from report import Options as Switches
from torch import Tensor
from torch.nn import functional

from grammax.domains import load_domain
from grammax.evaluation.benchmark import at_least, at_most
from grammax.head.protocol import Options
from grammax.language.domain import Domain
from grammax.model.config import ModelConfig, RowsName, TrainingConfig
from grammax.model.rows import TrainableRows
from grammax.training.examples import Example, batches
from grammax.training.trainer import Trainer

MINUTES = 5.0
TIMES = 8.0
PLAIN, FULL, GRAMMAR = "all rows, plain PyTorch", "all rows, --softmax full", "--softmax grammar"
IN_A_ROW = {PLAIN: 2, FULL: 2, GRAMMAR: 6}  # the first of each finds a cold cache, and is left out


def main(switches: Switches) -> tuple[list[Row], list[Claim]]:
    """Time the batches of an epoch, as many as fit, all ways."""
    domain = load_domain("eqs")
    rows: list[Row] = []
    claims: list[Claim] = []
    for name in ("composed", "learnt"):
        seconds, batches_an_epoch = measure(domain, name, 2 if switches.quick else 12)
        for way, taken in seconds.items():
            rows.append(
                {
                    "name": f"{name} rows, {way}",
                    "s a batch": taken,
                    "s an epoch": taken * batches_an_epoch,
                    "grammar is faster": f"{taken / seconds[GRAMMAR]:.1f} ×",
                }
            )
            if way != GRAMMAR:
                claim = f"{name} rows: an epoch under the grammar against {way}"
                claims.append(at_least(claim, taken / seconds[GRAMMAR], TIMES, "×"))
        if name == ModelConfig().rows:
            minutes = seconds[GRAMMAR] * batches_an_epoch * TrainingConfig().epochs / 60
            claims.append(at_most("the epochs of the default model", minutes, MINUTES, "min"))
    return rows, claims


def measure(domain: Domain, rows: RowsName, count: int) -> tuple[dict[str, float], int]:
    """Mean seconds of a batch, each way; batches of an epoch."""
    ways = {
        way: Trainer(
            domain,
            ModelConfig(rows=rows, decisions_only=way == GRAMMAR),  # as `grammax train` does it
            TrainingConfig(softmax="grammar" if way == GRAMMAR else "full"),
        )
        for way in (PLAIN, FULL, GRAMMAR)
    }
    _make_plain(ways[PLAIN].network.rows)
    drawn: dict[str, list[list[Example]]] = {}
    for way, trainer in ways.items():
        trainer.network.train()
        random = np.random.default_rng(0)
        drawn[way] = batches(trainer.examples(way != GRAMMAR), trainer.config.batch, random)
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(count):
        progress(f"{rows} rows: {number} of {count}")
        for way, trainer in ways.items():
            first = number * IN_A_ROW[way]
            for place, batch in enumerate(drawn[way][first : first + IN_A_ROW[way]]):
                taken = _timed(trainer, batch)
                if place:
                    seconds[way].append(taken)
    return {way: fmean(taken) for way, taken in seconds.items()}, len(drawn[GRAMMAR])


def _make_plain(rows: TrainableRows) -> None:
    def losses(hidden: Tensor, options: Sequence[Options], targets: Tensor) -> Tensor:  # noqa: ARG001
        return functional.cross_entropy(rows.layer().every_row(hidden), targets, reduction="none")

    rows.losses = losses  # type: ignore[method-assign]


def _timed(trainer: Trainer, batch: list[Example]) -> float:
    started = perf_counter()
    trainer.learn(batch)
    return perf_counter() - started


if __name__ == "__main__":
    torch.set_num_threads(os.cpu_count() or 1)
    run("training", __doc__ or "", main, ["torch"], torch.get_num_threads())
