"""Training under the grammar against training over all rows, batch by batch in one run.

python benchmarks/training.py [--quick] [--json]
"""

from __future__ import annotations

from statistics import fmean
from time import perf_counter

import numpy as np
from report import Claim, Options, Row, progress, run

from grammax.benchmark import at_least, at_most
from grammax.domain import Domain
from grammax.domains import load_domain
from grammax.model.config import ModelConfig, RowsName, TrainingConfig
from grammax.model.examples import Example, batches
from grammax.model.training import Trainer

MINUTES = 5.0
TIMES = 8.0


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Time the batches of an epoch, as many as fit, each both ways."""
    domain = load_domain("eqs")
    count = 2 if options.quick else 12
    rows: list[Row] = []
    claims: list[Claim] = []
    for name in ("composed", "learnt"):
        full, under, batches_an_epoch = measure(domain, name, count)
        epochs = TrainingConfig().epochs
        minutes = under * batches_an_epoch * epochs / 60
        rows.append(
            {
                "name": f"{name} rows",
                "full, s a batch": full,
                "grammar, s a batch": under,
                "times faster": full / under,
                "grammar, s an epoch": under * batches_an_epoch,
                f"grammar, minutes for {epochs} epochs": minutes,
            }
        )
        claims.append(
            at_least(f"an epoch under the grammar, {name} rows", full / under, TIMES, "×")
        )
        if name == ModelConfig().rows:
            claims.append(at_most("the default model trains", minutes, MINUTES, "min"))
    return rows, claims


def measure(domain: Domain, rows: RowsName, count: int) -> tuple[float, float, int]:
    """Mean seconds of a batch over all rows and under the grammar; batches of an epoch."""
    ways = {
        True: Trainer(domain, ModelConfig(rows=rows), TrainingConfig(softmax="full")),
        False: Trainer(domain, ModelConfig(rows=rows), TrainingConfig()),
    }
    drawn = {}
    for everything, trainer in ways.items():
        trainer.network.train()
        random = np.random.default_rng(0)
        drawn[everything] = batches(trainer.examples(everything), trainer.config.batch, random)
    seconds: dict[bool, list[float]] = {True: [], False: []}
    for number in range(count + 1):
        progress(f"{rows} rows: batch {number} of {count}")
        for everything, given in drawn.items():
            # The grammar's batches are fast, so more of them are measured.
            for batch in given[number : number + 1] if everything else _several(given, number):
                seconds[everything].append(_timed(ways[everything], batch))
    full, under = (fmean(taken[1:]) for taken in seconds.values())  # the first warms up
    return full, under, len(drawn[False])


def _several(given: list[list[Example]], number: int) -> list[list[Example]]:
    return given[5 * number : 5 * number + 5]


def _timed(trainer: Trainer, batch: list[Example]) -> float:
    started = perf_counter()
    trainer.learn(batch)
    return perf_counter() - started


if __name__ == "__main__":
    run("training", __doc__ or "", main)
