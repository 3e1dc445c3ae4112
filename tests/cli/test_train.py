"""`grammax train`, on a tiny domain."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch", reason="training needs PyTorch")

from model.networks import few, same_weights

from grammax.cli.app import app
from grammax.model.checkpoint import load_network
from grammax.model.header import read_header
from grammax.training.trainer import Diverged, Trainer

DOMAIN = few(16)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr("grammax.domains.load_domain", lambda *_: DOMAIN)
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str | Path) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, ["train", *map(str, arguments)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.stdout, result.stderr

    return invoke


def test_a_training_fills_its_folder_and_says_how_it_went(run: Run, tmp_path: Path) -> None:
    code, out, err = run("tiny", "--epochs", "2", "--held-out", "0.25", "--json")
    assert code == 0
    report: dict[str, Any] = json.loads(out)
    names = ["model.safetensors", "checkpoint.safetensors", "log.jsonl", "curve.png"]
    assert report["files"] == [str(Path("runs/tiny") / name) for name in names]
    assert all((tmp_path / file).stat().st_size for file in report["files"])
    assert (tmp_path / "runs/tiny/curve.png").read_bytes().startswith(b"\x89PNG")
    lines = (tmp_path / "runs/tiny/log.jsonl").read_text(encoding="utf-8").splitlines()
    log = [json.loads(line) for line in lines]
    assert [epoch["number"] for epoch in log] == [1, 2]
    said = (report["epochs"], report["loss"], report["accuracy"])
    assert said == (2, log[1]["loss"], log[1]["accuracy"])
    assert "epoch 1/2" in err
    assert "held-out" in err


def test_a_folder_in_use_is_not_overwritten_unasked(run: Run) -> None:
    assert run("--epochs", "1", "-o", "here")[0] == 0
    code, _, err = run("--epochs", "1", "-o", "here")
    assert code == 1
    assert "--resume" in err
    assert "--overwrite" in err
    assert run("--epochs", "1", "-o", "here", "--overwrite")[0] == 0


def test_teachers_are_reported_and_go_on_after_an_interruption(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--teachers", "2", "--epochs", "2", "--held-out", "0")
    code, _, err = run(*options, "-o", "whole")
    assert code == 0
    assert "teacher 2 of 2: epoch 1 of 2" in err
    train = Trainer.run

    def interrupted(self: Trainer, *arguments: Any) -> Any:
        if self.epochs_done == 1:
            raise KeyboardInterrupt
        return train(self, *arguments)

    monkeypatch.setattr(Trainer, "run", interrupted)
    code, _, err = run(*options, "-o", "broken")
    assert code == 130
    assert "The same command, without --overwrite, continues" in err
    monkeypatch.setattr(Trainer, "run", train)
    code, _, err = run(*options, "-o", "broken")
    assert code == 0
    assert "teacher 1 of 2: epoch 1 of 2" not in err
    one, other = (
        load_network(Path(f) / "checkpoint.safetensors", DOMAIN) for f in ("whole", "broken")
    )
    assert same_weights(one, other)


def test_an_interrupted_training_is_resumed_to_the_same_weights(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("--epochs", "3", "-o", "whole")[0] == 0
    train = Trainer.run

    def interrupted(self: Trainer, *arguments: Any) -> Any:
        if self.epochs_done == 2:
            raise KeyboardInterrupt
        return train(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "run", interrupted)
        code, _, err = run("--epochs", "3", "-o", "broken")
    assert code == 130
    assert "2 of 3 epochs" in err
    assert run("--resume", "-o", "broken")[0] == 0
    one, other = (load_network(Path(f) / "model.safetensors", DOMAIN) for f in ("whole", "broken"))
    assert same_weights(one, other)


def test_resuming_with_other_settings_is_refused(run: Run) -> None:
    assert run("--epochs", "1", "-o", "here")[0] == 0
    code, _, err = run("--resume", "-o", "here", "--batch", "3")
    assert code == 2
    assert "--batch is 3" in err
    assert run("--resume", "-o", "here", "--epochs", "1")[0] == 0
    code, _, err = run("--resume", "-o", "nowhere")
    assert code == 1
    assert "checkpoint.safetensors" in err


def test_glove_of_other_dimensions_is_projected_and_said_so(run: Run, tmp_path: Path) -> None:
    lines = "german 0.1 0.2 0.3\nsteel 0.3 0.2 0.1\nunrelated 1 1 1\n"
    with gzip.open(tmp_path / "glove.gz", "wt") as file:
        file.write(lines)
    code, _, err = run("--epochs", "1", "--glove", "glove.gz", "-o", "here")
    assert code == 0
    assert "vectors for 2 of" in err
    assert "3 dimensions projected" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--dropout", "1.5"), "dropout is 1.5"),
        (("--learning-rate", "0"), "learning_rate is 0"),
        (("--full-epochs", "9", "--epochs", "2"), "full_epochs is 9"),
        (("--glove", "none.txt"), "none.txt"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    run: Run, arguments: tuple[str, ...], said: str
) -> None:
    code, _, err = run(*arguments)
    assert code == 1
    assert said in err
    assert "Traceback" not in err


def test_a_training_that_diverges_stops_and_keeps_what_it_had(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train = Trainer.run

    def diverging(self: Trainer, *arguments: Any) -> Any:
        if self.epochs_done == 1:
            raise Diverged("the loss became nan")
        return train(self, *arguments)

    monkeypatch.setattr(Trainer, "run", diverging)
    code, _, err = run("--epochs", "3", "-o", "here")
    assert code == 1
    assert "the loss became nan" in err
    assert (tmp_path / "here/checkpoint.safetensors").exists()
    assert (tmp_path / "here/curve.png").exists()


def test_corrections_are_learnt_from_and_bad_ones_told(run: Run, tmp_path: Path) -> None:
    good = "( FLD_SECTOR EQ SEC_SOFTWARE )"
    rows = [
        {"query": "zebra things", "tokens": good.split()},
        {"query": "odd", "tokens": ["(", "FLD_SECTOR", "EQ", "COU_JAPAN", ")"]},
    ]
    rest = {"id": "1", "time": "2026-11-16T00:00:00Z", "lf": good, "version": "one"}
    lines = [json.dumps({**rest, **row}) for row in rows]
    (tmp_path / "fixed.jsonl").write_text("\n".join([*lines, '{"torn']), encoding="utf-8")
    code, _, err = run("--epochs", "1", "--corrections", "fixed.jsonl", "-o", "here")
    assert code == 0
    assert "1 corrections to learn from" in err
    assert "line 3: skipped" in err
    assert "no such logical form: 'odd'" in err
    words = load_network(tmp_path / "here/model.safetensors", DOMAIN).reader.words
    assert "zebra" in words
    code, _, err = run("--epochs", "1", "-o", "here", "--resume")
    assert code == 1
    assert "other pairs" in err


def test_a_model_that_cannot_be_calibrated_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = replace(DOMAIN, train=DOMAIN.train[:7])
    monkeypatch.setattr("grammax.domains.load_domain", lambda *_: few)
    code, _, err = run("--epochs", "1", "--held-out", "0", "-o", "here")
    assert code == 0
    assert "the model is not calibrated, so its parser never abstains: 7 pairs are too few" in err
    assert read_header(tmp_path / "here/model.safetensors").uncalibrated is not None


def test_a_training_that_holds_nothing_out_is_calibrated_too(run: Run, tmp_path: Path) -> None:
    code, _, err = run("--epochs", "1", "--held-out", "0", "-o", "here")
    assert code == 0
    assert "not calibrated" not in err
    assert read_header(tmp_path / "here/model.safetensors").confidence is not None
