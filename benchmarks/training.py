"""Training under the grammar against training over all rows, batch by batch in one run.

All rows stand here twice: as PyTorch multiplies a matrix and takes its cross-entropy, which is the
paper's way, and as `--softmax full` does it, with what this project knows about rows.

Then the recipe of the equity domain: what drawing a pair and a step take, the least that its
products could take, and the pairs per second of whole epochs; with --against also those of another
checkout of this project, in turn, each in a process of its own.

python benchmarks/training.py [--quick] [--json] [--device cuda] [--against CHECKOUT] [--recipe]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import Any

import numpy as np
import torch
from report import Claim, Row, progress, run
from report import Options as Switches
from torch import Tensor
from torch.nn import functional
from training_stages import stages

from grammax.domains import load_domain
from grammax.evaluation.benchmark import at_least, at_most
from grammax.language.domain import Domain
from grammax.model.choices import Choices
from grammax.model.config import ModelConfig, RowsName, TrainingConfig
from grammax.model.rows import TrainableRows
from grammax.training.examples import batches
from grammax.training.stream import Step
from grammax.training.trainer import Trainer

MINUTES = 5.0
TIMES = 8.0
FASTER = {"cpu": 3.0, "cuda": 20.0}  # than the other checkout
ABOVE_LEAST = 1.5
QUICK_PAIRS = 2_048
HERE = Path(__file__).parent
PLAIN, FULL, GRAMMAR = "all rows, plain PyTorch", "all rows, --softmax full", "--softmax grammar"
IN_A_ROW = {PLAIN: 2, FULL: 2, GRAMMAR: 6}  # the first of each finds a cold cache, and is left out


def main(switches: Switches) -> tuple[list[Row], list[Claim]]:
    """Time the recipe of the domain and, on a CPU, the batches of an epoch, all ways."""
    rows, claims = recipe(switches)
    if switches.given.recipe or switches.given.device != "cpu":
        return rows, claims
    domain = load_domain("eqs")
    for name in ("composed", "learnt"):
        seconds, batches_an_epoch = measure(domain, name, 2 if switches.quick else 12)
        for way, taken in seconds.items():
            rows.append(
                {
                    "name": f"{name} rows, {way}",
                    "s per batch": taken,
                    "s per epoch": taken * batches_an_epoch,
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


def recipe(switches: Switches) -> tuple[list[Row], list[Claim]]:
    """The stages of the default recipe, and whole epochs, here and in another checkout."""
    device, against = switches.given.device, switches.given.against
    progress("the stages of the default recipe")
    pairs = QUICK_PAIRS if switches.quick else None
    rows, distance = stages(device, 8 if switches.quick else 40, pairs)
    claims = [at_most("a step against its products", distance, ABOVE_LEAST, "×")]
    checkouts = {"this checkout": HERE.parent}
    if against is not None:
        checkouts["the other checkout"] = against
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in checkouts}
    for number in range(1 if switches.quick else 3):
        for name, folder in checkouts.items():
            progress(f"epochs of {name}, run {number + 1}")
            found[name].append(epochs(folder, device, pairs))
    for name, runs in found.items():
        figures = {key: median(run[key] for run in runs) for key in runs[0]}
        rows.append({"name": f"epochs of {name}", **figures})
    if against is not None:
        mine, other = (
            median(run["pairs per second, last epoch"] for run in runs) for runs in found.values()
        )
        least = FASTER.get(device, FASTER["cuda"])
        claims.append(
            at_least("pairs per second against the other checkout", mine / other, least, "×")
        )
    return rows, claims


def epochs(folder: Path, device: str, pairs: int | None) -> dict[str, Any]:
    """Two epochs in a process of their own, with the sources of a checkout."""
    command = [sys.executable, str(HERE / "training_rate.py"), "--device", device]
    if pairs is not None:
        command += ["--pairs", str(pairs)]
    sources = {**os.environ, "PYTHONPATH": str(folder / "src")}
    done = subprocess.run(command, env=sources, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def switches(parser: argparse.ArgumentParser) -> None:
    """The switches of this benchmark."""
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--against", type=Path, help="another checkout, trained in turn")
    parser.add_argument("--recipe", action="store_true", help="only the recipe of the domain")


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
    drawn: dict[str, list[Step]] = {}
    for way, trainer in ways.items():
        trainer.network.train()
        random, maker = np.random.default_rng(0), trainer.maker()
        grouped = batches(trainer.examples(way != GRAMMAR), trainer.config.batch, random)
        drawn[way] = [maker.step(batch, random) for batch in grouped[: count * IN_A_ROW[way]]]
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    pool = ThreadPoolExecutor(1) if torch.get_num_threads() > 1 else None
    torch.set_num_threads(1)  # as a training does it: one thread for each part of a batch
    for number in range(count):
        progress(f"{rows} rows: {number} of {count}")
        for way, trainer in ways.items():
            first = number * IN_A_ROW[way]
            for place, batch in enumerate(drawn[way][first : first + IN_A_ROW[way]]):
                taken = _timed(trainer, batch, pool)
                if place:
                    seconds[way].append(taken)
    torch.set_num_threads(os.cpu_count() or 1)
    grammar = ways[GRAMMAR]
    return {way: fmean(taken) for way, taken in seconds.items()}, -(
        -grammar.pairs // grammar.config.batch
    )


def _make_plain(rows: TrainableRows) -> None:
    def losses(hidden: Tensor, choices: Choices[Tensor]) -> Tensor:
        assert choices.many is not None, "all rows compete at every step"
        scores = rows.layer().every_row(hidden.index_select(0, choices.many.members))
        return functional.cross_entropy(scores, choices.many.wanted, reduction="none")

    rows.losses = losses  # type: ignore[method-assign]


def _timed(trainer: Trainer, step: Step, pool: ThreadPoolExecutor | None) -> float:
    started = perf_counter()
    trainer.learn(step, pool)
    return perf_counter() - started


if __name__ == "__main__":
    torch.set_num_threads(os.cpu_count() or 1)
    run("training", __doc__ or "", main, ["torch"], torch.get_num_threads(), arguments=switches)
