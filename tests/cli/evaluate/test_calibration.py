"""`grammax evaluate --calibration`, with a small model of a small catalogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch", reason="models are trained with PyTorch")

from grammax.cli.app import app
from grammax.confidence import Calibration
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.domain import equity_search
from grammax.files import CACHE_VARIABLE
from grammax.model.config import ModelConfig, TrainingConfig
from grammax.training.checkpoint import save_checkpoint
from grammax.training.trainer import Trainer

SMALL = {"words": 16, "encoder": 16, "tokens": 16, "hidden": 48, "spelling": 32, "budget": 40}
DOMAIN = equity_search(load_catalogue(1_000), train=40, test=6, hard=0).with_parts(written=tuple)


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["evaluate", "--calibration", *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(autouse=True)
def _small_domain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("grammax.domains.load_domain", lambda *_: DOMAIN)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


def a_model(folder: Path, held_out: float) -> Path:
    config = TrainingConfig(
        epochs=4, batch=4, learning_rate=0.02, p_recombine=0.0, held_out=held_out
    )
    trainer = Trainer(DOMAIN, ModelConfig(**SMALL), config)
    for _ in range(4):
        trainer.run()
    path = folder / "small.safetensors"
    save_checkpoint(path, trainer, [])
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_model(tmp_path_factory.mktemp("model"), 0.2)


def test_tables_show_errors_and_what_abstaining_costs(model: Path) -> None:
    code, out, err = run("--model", model, "--limit", "5")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert "ECE 10 bins" in lines[0]
    (test,) = (line for line in lines if line.startswith("test"))
    assert test.split()[1] == "5"
    (empty,) = (line for line in lines if line.startswith("unseen_values"))
    assert empty.split()[1:4] == ["0", "–", "–"]
    assert " of 5 abstained" in lines[-2]
    assert lines[-1].startswith(f"eqs {DOMAIN.version}, {model}")


def test_json_holds_bins_curves_and_the_calibration(model: Path) -> None:
    code, out, err = run("--model", model, "--split", "test", "--limit", "4", "--json")
    assert (code, err) == (0, "")
    report: Any = json.loads(out)
    (split,) = report["splits"]
    assert (split["queries"], len(split["bins"]), len(split["curve"]["risk"])) == (4, 10, 4)
    assert report["out_of_domain"] == 4
    assert isinstance(Calibration.from_json(report["calibration"]), Calibration)


@pytest.mark.parametrize(("suffix", "opening"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_chart_is_drawn(model: Path, tmp_path: Path, suffix: str, opening: bytes) -> None:
    path = tmp_path / f"confidence.{suffix}"
    code, _, err = run("--model", model, "--limit", "3", "--chart", path)
    assert (code, err) == (0, "")
    assert path.read_bytes().startswith(opening)


def test_a_model_whose_training_held_nothing_out_is_explained(tmp_path: Path) -> None:
    code, out, err = run("--model", a_model(tmp_path, 0.0))
    assert (code, out) == (1, "")
    assert "no pairs were held out" in err


@pytest.mark.parametrize("option", [("--beam", "3"), ("--grammar", "lr"), ("--errors", "x")])
def test_what_does_not_go_with_it_is_refused(model: Path, option: tuple[str, str]) -> None:
    code, out, err = run("--model", model, *option)
    assert (code, out) == (2, "")
    assert "leave out --grammar" in " ".join(err.split())
