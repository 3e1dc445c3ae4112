"""A training and its folder: a checkpoint and a log after every epoch, a model at the end."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")

import json  # noqa: E402
from pathlib import Path  # noqa: E402

from model.networks import a_trainer, few, same_weights  # noqa: E402

from grammax.model.checkpoint import load_network  # noqa: E402
from grammax.model.header import Epoch, read_header  # noqa: E402
from grammax.training.run import CHECKPOINT, LOG, MODEL, FolderInUse, Run  # noqa: E402
from grammax.training.trainer import Trainer  # noqa: E402

FEW = few(16)


def make() -> Trainer:
    return a_trainer(FEW)


def logged(folder: Path) -> list[Epoch]:
    lines = (folder / LOG).read_text(encoding="utf-8").splitlines()
    return [Epoch(**json.loads(line)) for line in lines]


def test_a_training_leaves_a_checkpoint_a_log_and_a_model(tmp_path: Path) -> None:
    told: list[Epoch] = []
    run = Run.begin(tmp_path / "run", make)
    model = run.train(finished=told.append)
    folder = run.folder
    assert model == folder / MODEL
    assert {path.name for path in folder.iterdir()} == {CHECKPOINT, LOG, MODEL}
    assert [epoch.number for epoch in told] == [1, 2, 3]
    assert logged(folder) == told == list(read_header(folder / CHECKPOINT).epochs)
    assert same_weights(load_network(folder / CHECKPOINT, FEW), run.trainer.network)
    assert model.stat().st_size < (folder / CHECKPOINT).stat().st_size / 2


def test_an_interrupted_training_goes_on_from_its_last_whole_epoch(tmp_path: Path) -> None:
    whole = Run.begin(tmp_path / "whole", make)
    whole.train()
    run = Run.begin(tmp_path / "broken", make)

    def interrupt(done: int, loss: float) -> None:
        if run.trainer.epochs_done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.train(interrupt)
    assert not (run.folder / MODEL).exists()
    resumed = Run.go_on(run.folder, FEW)
    assert [epoch.number for epoch in resumed.epochs] == [1, 2]
    resumed.train()
    assert [epoch.number for epoch in logged(run.folder)] == [1, 2, 3]
    assert same_weights(resumed.trainer.network, whole.trainer.network)
    finished = [load_network(each.folder / MODEL, FEW) for each in (resumed, whole)]
    assert same_weights(*finished)


def test_a_finished_training_goes_on_with_nothing(tmp_path: Path) -> None:
    run = Run.begin(tmp_path, make)
    run.train()
    again = Run.go_on(tmp_path, FEW)
    again.train(finished=lambda _: pytest.fail("an epoch too many"))
    assert same_weights(again.trainer.network, run.trainer.network)


def test_a_training_that_is_there_is_overwritten_only_if_wanted(tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"weeks of work")
    with pytest.raises(FolderInUse, match=r"holds a training already.*--resume.*--overwrite"):
        Run.begin(tmp_path, lambda: pytest.fail("made for nothing"))
    assert (tmp_path / CHECKPOINT).read_bytes() == b"weeks of work"
    Run.begin(tmp_path, make, overwrite=True).train()
    assert len(read_header(tmp_path / CHECKPOINT).epochs) == 3


def test_a_folder_without_a_training_cannot_go_on(tmp_path: Path) -> None:
    with pytest.raises(FolderInUse, match="holds no training to go on with"):
        Run.go_on(tmp_path, FEW)
