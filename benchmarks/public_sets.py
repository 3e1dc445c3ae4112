"""Exact match on the public sets, trained anew with several seeds: mean and deviation.

The domains are those of examples/domains, all with one recipe; what each says of its training is in
its domain.toml. Their pairs are read from $GRAMMAX_DATA. Trainings are kept in build/public and go
on where they were interrupted: a seed takes minutes, with ATIS and WikiSQL hours. On a GPU several
trainings at a time (--jobs) take little longer than one.

python benchmarks/public_sets.py [--quick] [--json] [--domains geo jobs] [--seeds 5] [--device cuda]
    [--jobs 8]
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from report import Claim, Options, Row, progress, run

from grammax.evaluation.ablation import Stage, ablate
from grammax.evaluation.benchmark import at_least
from grammax.folder import FolderDomain
from grammax.model.config import ModelConfig, TrainingConfig, from_json
from grammax.training.run import Run

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "domains"
OVERNIGHT = sorted(f"overnight/{folder.name}" for folder in (EXAMPLES / "overnight").iterdir())
DOMAINS = ("geo", "atis", "jobs", "geo-lambda", *OVERNIGHT)
# seq2seq with attention (Dong & Lapata 2016), and the best before large language models
PUBLISHED: Mapping[str, tuple[float, float]] = {
    "geo": (84.6, 90.4),
    "atis": (84.2, 91.3),
    "jobs": (87.1, 95.7),
}
WANTED: Mapping[str, float] = {"geo": 90, "atis": 89, "jobs": 95, "geo-lambda": 87}
QUICK = 3  # epochs


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Train, or go on, and measure domain by domain."""
    given = options.given
    rows: list[Row] = []
    claims: list[Claim] = []
    seeds = range(1 if options.quick else given.seeds)
    if given.jobs > 1:
        _train_together(given.domains, seeds, options.quick, given.device, given.jobs)
    for name in given.domains:
        domain, ordered = FolderDomain(EXAMPLES / name), FolderDomain(EXAMPLES / name)
        ordered.settings = replace(
            domain.settings, any_order=frozenset(), nested_any_order=frozenset()
        )
        stage = _stage(domain, name, options.quick)
        (found, *_), (as_written, *_) = (
            ablate(
                each,
                ROOT / "build" / "public",
                seeds,
                {"test": domain.pairs("test")},
                _train,
                stages=[stage],
                device=given.device,
            )
            for each in (domain, ordered)
        )
        mean, deviation = (100 * share for share in found.exact["test"])
        row: Row = {"name": name, "pairs": len(domain.pairs("test")), "exact match, %": mean}
        written = {"in the order written, %": 100 * as_written.exact["test"][0]}
        published = PUBLISHED.get(name, ("", ""))
        rows.append(
            {
                **row,
                "deviation": deviation,
                **written,
                "seq2seq": published[0],
                "best": published[1],
            }
        )
        if name in WANTED and not options.quick:
            claims.append(at_least(f"{name}: exact match", mean, WANTED[name], "%"))
    overnight = [float(str(row["exact match, %"])) for row in rows if row["name"] in OVERNIGHT]
    if len(overnight) == len(OVERNIGHT) and not options.quick:
        mean = sum(overnight) / len(overnight)
        claims.append(at_least("overnight: exact match, mean of the domains", mean, 66, "%"))
    return rows, claims


def _stage(domain: FolderDomain, name: str, quick: bool) -> Stage:
    training = from_json(TrainingConfig, domain.training)
    stage = Stage(name, name, ModelConfig(decisions_only=True), training)
    if quick:
        stage = replace(stage, training=replace(training, epochs=QUICK), folder=f"quick/{name}")
    return stage


def _train_together(
    names: Sequence[str], seeds: Sequence[int], quick: bool, device: str, jobs: int
) -> None:
    """Train all domains and seeds in some processes; those with the most pairs begin first."""
    largest = sorted(names, key=lambda name: -len(FolderDomain(EXAMPLES / name).pairs("train")))
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        started = {
            pool.submit(_train_alone, name, seed, quick, device): f"{name}, seed {seed}"
            for name in largest
            for seed in seeds
        }
        for done, each in enumerate(as_completed(started), 1):
            each.result()
            progress(f"{done} of {len(started)} trainings: {started[each]}")


def _train_alone(name: str, seed: int, quick: bool, device: str) -> None:
    domain = FolderDomain(EXAMPLES / name)
    stage = _stage(domain, name, quick)
    ablate(domain, ROOT / "build" / "public", [seed], {}, _train, stages=[stage], device=device)


def _train(training: Run) -> None:
    """All epochs that are left."""
    where, total = training.folder.name, training.trainer.config.epochs
    training.train(
        finished=lambda epoch: progress(f"{where}: epoch {epoch.number} of {total}"),
        calibrate=False,
    )


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which domains, how often, and where."""
    parser.add_argument("--domains", nargs="+", default=list(DOMAINS), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="of each [3]")
    parser.add_argument("--device", default="cpu", metavar="NAME", help="cpu, cuda ...")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="trainings at a time [1]")


if __name__ == "__main__":
    run("public", __doc__ or "", main, ["torch"], arguments=arguments)
