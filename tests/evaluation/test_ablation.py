"""Stages of a model over seeds: trained once, measured, and gone on with after an interruption."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from model.networks import SHORT, SMALL, few

from grammax.evaluation.ablation import STAGES, Stage, ablate
from grammax.training.run import Run

DOMAIN = few(16)
PAIRS = {"train": DOMAIN.train}
TINY_STAGES = (
    Stage("learnt", "learnt", replace(SMALL, rows="learnt"), SHORT),
    Stage("greedy", "ours", replace(SMALL, decisions_only=True), SHORT),
    Stage("beam", "ours", replace(SMALL, decisions_only=True), SHORT, beam=3),
)


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path / "cache"))


def test_each_training_is_made_once_and_told(tmp_path: Path) -> None:
    trained: list[str] = []
    told: list[tuple[str, int]] = []

    def train(run: Run) -> None:
        trained.append(run.folder.name)
        run.train()

    def done(stage: str, seed: int, exact: Mapping[str, float]) -> None:
        told.append((stage, seed))
        assert 0 <= exact["train"] <= 1

    arguments = (DOMAIN, tmp_path / "runs", (0, 1), PAIRS, train)
    found = ablate(*arguments, stages=TINY_STAGES, epochs=2, done=done)
    assert trained == ["learnt-0", "learnt-1", "ours-0", "ours-1"]
    assert told == [(stage, seed) for stage in ("learnt", "greedy", "beam") for seed in (0, 1)]
    assert [row.stage for row in found] == ["learnt", "greedy", "beam"]
    assert ablate(*arguments, stages=TINY_STAGES, epochs=2) == found
    assert len(trained) == 4


def test_what_was_interrupted_goes_on(tmp_path: Path) -> None:
    def interrupted(run: Run) -> None:
        def finished(_: object) -> None:
            raise KeyboardInterrupt

        run.train(finished=finished)

    stages = TINY_STAGES[:1]
    with pytest.raises(KeyboardInterrupt):
        ablate(DOMAIN, tmp_path, (0,), PAIRS, interrupted, stages=stages, epochs=3)
    began: list[int] = []

    def train(run: Run) -> None:
        began.append(run.trainer.epochs_done)
        run.train()

    ablate(DOMAIN, tmp_path, (0,), PAIRS, train, stages=stages, epochs=3)
    assert began == [1]


def test_each_stage_adds_one_thing_to_the_one_before() -> None:
    for before, after in pairwise(STAGES):
        changed = [
            name for name in ("model", "training", "beam")
            if getattr(before, name) != getattr(after, name)
        ]  # fmt: skip
        assert len(changed) == 1
