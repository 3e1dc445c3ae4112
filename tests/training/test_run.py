"""A training and its folder: a checkpoint and a log after every epoch, a model at the end."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")

import json  # noqa: E402
from dataclasses import replace  # noqa: E402
from pathlib import Path  # noqa: E402

from model.networks import SHORT, SMALL, a_trainer, few, same_weights  # noqa: E402
from model.tiny import TINY, TinyDomain  # noqa: E402

from grammax.confidence import stored_calibration  # noqa: E402
from grammax.language.domain import Pair  # noqa: E402
from grammax.model import checkpoint  # noqa: E402
from grammax.model.checkpoint import load_network  # noqa: E402
from grammax.model.header import Epoch, read_header  # noqa: E402
from grammax.runtime import weights  # noqa: E402
from grammax.runtime.parser import RuntimeParser  # noqa: E402
from grammax.training.calibration import watched  # noqa: E402
from grammax.training.run import (  # noqa: E402
    CHECKPOINT,
    LOG,
    MODEL,
    FolderInUse,
    Run,
    train,
)
from grammax.training.second import CalibrationNotice, _folds  # noqa: E402
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
    resumed = Run.resume(run.folder, FEW)
    assert [epoch.number for epoch in resumed.epochs] == [1, 2]
    resumed.train()
    assert [epoch.number for epoch in logged(run.folder)] == [1, 2, 3]
    assert same_weights(resumed.trainer.network, whole.trainer.network)
    finished = [load_network(each.folder / MODEL, FEW) for each in (resumed, whole)]
    assert same_weights(*finished)


def test_a_finished_training_goes_on_with_nothing(tmp_path: Path) -> None:
    run = Run.begin(tmp_path, make)
    run.train()
    again = Run.resume(tmp_path, FEW)
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
    with pytest.raises(FolderInUse, match="holds no training to continue"):
        Run.resume(tmp_path, FEW)


class Abstaining(TinyDomain):
    """The tiny domain, with texts to abstain on."""

    def out_of_domain(self, split: str) -> tuple[str, ...]:
        return ("what is the weather in oslo", "hello there", "a recipe for bread with nuts")


def test_the_model_is_calibrated_with_what_was_held_out(tmp_path: Path) -> None:
    model = Run.begin(tmp_path, lambda: a_trainer(Abstaining(TINY.grammar, TINY.train))).train()
    found = stored_calibration(read_header(model))
    assert found is not None
    assert read_header(model).uncalibrated is None
    assert found.least_query > 0


def test_the_model_file_and_its_cache_are_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    write = checkpoint.write_atomic
    monkeypatch.setattr(
        checkpoint,
        "write_atomic",
        lambda path, data: (written.append(path.name), write(path, data)),
    )
    model = Run.begin(tmp_path, lambda: a_trainer(TINY)).train()
    assert written.count(MODEL) == 1
    monkeypatch.setattr(weights, "_rows", lambda *_: pytest.fail("made twice"))
    RuntimeParser.load(model, TINY).parse("german steel")


def test_where_nothing_is_held_out_the_development_split_calibrates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class WithDev(Abstaining):
        splits = ("train", "dev", "test")

        def pairs(self, split: str) -> tuple[Pair, ...]:
            return super().pairs("test" if split == "dev" else split)

    monkeypatch.setattr("grammax.training.second._ENOUGH", 2)
    monkeypatch.setattr("grammax.training.second._second_trainer", lambda *_: pytest.fail("again"))
    domain = WithDev(TINY.grammar, TINY.train, TINY.test)
    config = replace(SHORT, held_out=0.0)
    model = Run.begin(tmp_path, lambda: a_trainer(domain, config=config)).train()
    assert stored_calibration(read_header(model)) is not None


@pytest.mark.parametrize(
    ("pairs", "left_out"), [(10, [3, 3, 2, 2]), (199, [50, 50, 50, 49]), (200, [50]), (600, [60])]
)
def test_second_networks_leave_out_fifty_pairs_or_all_in_turn(
    pairs: int, left_out: list[int]
) -> None:
    given = [Pair(f"query {number}", ()) for number in range(pairs)]
    folds = _folds(given, seed=0)
    assert [len(fold) for fold in folds] == left_out
    found = [pair for fold in folds for pair in fold]
    assert len({*found}) == len(found)
    assert {*found} <= {*given}


def test_a_few_held_out_pairs_do_not_calibrate_alone(tmp_path: Path) -> None:
    config = replace(SHORT, held_out=0.1)
    domain = Abstaining(TINY.grammar, TINY.train)
    run = Run.begin(tmp_path, lambda: a_trainer(domain, config=config))
    found = stored_calibration(read_header(run.train()))
    assert found is not None
    assert found.pairs == len(run.trainer.training) + len(run.trainer.held_out)


def test_where_there_is_no_such_split_a_second_network_calibrates(tmp_path: Path) -> None:
    domain, config = Abstaining(TINY.grammar, TINY.train), replace(SHORT, held_out=0.0, epochs=6)
    run = Run.begin(tmp_path, lambda: a_trainer(domain, config=config))
    run.train_epochs()
    told: list[str] = []
    model = run.finish(told.append)
    assert told[0] == "calibrating"
    pairs = len(run.trainer.training)
    assert told[-1] == f"calibrating: epoch 6 of 6 without {pairs // 4} pairs (4 of 4)"
    assert run.trainer.held_out == []
    found = stored_calibration(read_header(model))
    assert found is not None
    assert found.pairs == pairs
    parser = RuntimeParser.load(model, domain)
    (query,) = watched(parser, ["german steel"])
    (other,) = watched(parser, ["tell me about the old clocks on the wall"])
    assert found.judge(*query).confidence > found.judge(*other).confidence


def test_where_rules_are_known_some_are_left_out_of_a_shorter_training(tmp_path: Path) -> None:
    class Worded(Abstaining):
        def rules(self, split: str) -> list[frozenset[str]]:
            return [frozenset({f"rule {index}"}) for index in range(len(self.pairs(split)))]

        def near_misses(self, split: str) -> tuple[str, ...]:
            return ("suppliers of german steel", "why did french banks fall")

    domain, config = Worded(TINY.grammar, TINY.train), replace(SHORT, epochs=6)
    run = Run.begin(tmp_path, lambda: a_trainer(domain, config=config))
    run.train_epochs()
    told: list[str] = []
    model = run.finish(told.append)
    assert told == ["calibrating"] + [
        f"calibrating: epoch {epoch} of 2 without some phrasing rules" for epoch in (1, 2)
    ]
    assert stored_calibration(read_header(model)) is not None


def test_too_few_pairs_to_calibrate_are_told(tmp_path: Path) -> None:
    config = replace(SHORT, held_out=0.0, epochs=1)
    run = Run.begin(tmp_path, lambda: a_trainer(few(7), config=config))
    with pytest.warns(CalibrationNotice, match=r"never abstains: 7 pairs are too few"):
        model = run.train()
    header = read_header(model)
    assert header.confidence is None
    assert header.uncalibrated is not None
    assert "7 pairs" in header.uncalibrated


def test_a_model_is_trained_in_one_call(tmp_path: Path) -> None:
    model = train(Abstaining(TINY.grammar, TINY.train), tmp_path, SMALL, SHORT)
    assert stored_calibration(read_header(model)) is not None
