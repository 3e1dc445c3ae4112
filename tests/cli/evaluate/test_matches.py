"""`grammax evaluate`, with a small model of a small catalogue."""

from __future__ import annotations

import json
import sys
import warnings
from contextlib import nullcontext
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch", reason="models are evaluated with PyTorch")

from grammax.cli.app import app
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.domain import equity_search
from grammax.language.domain import Tokens
from grammax.model.checkpoint import load_network
from grammax.model.config import ModelConfig, TrainingConfig
from grammax.model.parser import TorchParser
from grammax.reading.parse import QueryNotice
from grammax.tables.domain import TableDomain
from grammax.training.checkpoint import save_checkpoint
from grammax.training.trainer import Trainer

SMALL = {"words": 16, "encoder": 16, "tokens": 16, "hidden": 48, "spelling": 32, "budget": 40}
EPOCHS = 20
DOMAIN = equity_search(load_catalogue(1_000), train=24, test=6, hard=0).with_parts(written=tuple)


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["evaluate", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def measured(*arguments: str | Path) -> Any:
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.fixture(autouse=True)
def _small_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grammax.domains.load_domain", lambda *_: DOMAIN)


@pytest.fixture(scope="module")
def trainer() -> Trainer:
    """One that has learnt some of its pairs by heart."""
    config = TrainingConfig(
        epochs=EPOCHS, batch=4, learning_rate=0.02, dropout=0.0, p_unknown=0.0, held_out=0.0
    )
    made = Trainer(DOMAIN, ModelConfig(**SMALL), config)
    for _ in range(EPOCHS):
        made.run()
    return made


@pytest.fixture(scope="module")
def model(trainer: Trainer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "small.safetensors"
    save_checkpoint(path, trainer, [])
    return path


def test_exact_match_is_that_of_the_parser(trainer: Trainer, model: Path) -> None:
    pairs = DOMAIN.pairs("train")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = TorchParser.for_domain(trainer.network, DOMAIN).parse_batch(
            [pair.query for pair in pairs]
        )
    right = sum(DOMAIN.same(f.tokens, p.tokens) for f, p in zip(found, pairs, strict=True))
    assert 0 < right < 24
    report = measured("--model", model, "--split", "train", "--no-denotation")
    (split,) = report["splits"]
    assert (split["split"], split["queries"]) == ("train", 24)
    assert split["exact"]["value"] == right / 24
    assert split["exact"]["low"] < right / 24 < split["exact"]["high"]
    assert sum(split["mistakes"].values()) == 24 - right
    assert (split["ungrammatical"], split["denotation"]) == (0, None)


def test_all_splits_but_train_are_measured_under_the_tightest_grammar(model: Path) -> None:
    report = measured("eqs", "--model", model, "--no-denotation", "--limit", "4")
    assert [(split["split"], split["queries"]) for split in report["splits"]] == [
        ("test", 4),
        ("unseen_values", 0),
        ("unseen_fields", 0),
        ("unseen_compositions", 0),
    ]
    assert (report["domain"], report["version"]) == ("eqs", DOMAIN.version)
    assert (report["model"], report["grammar"], report["beam"]) == (str(model), "lr", 1)


@pytest.mark.parametrize("grammar", ["none", "superset-untyped"])
def test_under_a_looser_grammar_or_none_predictions_may_be_ungrammatical(
    model: Path, grammar: str
) -> None:
    report = measured("--model", model, "--split", "test", "--grammar", grammar, "--no-denotation")
    (split,) = report["splits"]
    assert report["grammar"] == grammar
    assert split["ungrammatical"] == split["mistakes"]["ungrammatical"] > 0


def test_a_beam_is_searched(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[int] = []
    best = TorchParser.best

    def spy(parser: TorchParser, text: str, count: int) -> Any:
        widths.append(count)
        return best(parser, text, count)

    monkeypatch.setattr(TorchParser, "best", spy)
    options = ("--split", "test", "--limit", "2", "--no-denotation")
    assert measured("--model", model, *options, "--beam", "3")["beam"] == 3
    assert widths == [3, 3]


def test_denotations_are_asked_of_the_domain(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Alike:
        def same(self, one: Tokens, other: Tokens) -> bool:
            return True

    monkeypatch.setattr(TableDomain, "answers", lambda _: nullcontext(Alike()))
    (split,) = measured("--model", model, "--split", "test")["splits"]
    assert split["exact"]["value"] < 1
    assert split["denotation"] == {"value": 1.0, "low": 1.0, "high": 1.0}


def test_tables_show_shares_and_mistakes(model: Path) -> None:
    code, out, err = run("--model", model, "--split", "train", "--split", "test", "--no-denotation")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split("  ")[0] == "split"
    (train,) = (line for line in lines if line.startswith("train"))
    assert train.split()[1] == "24"
    assert train.split()[3].startswith("[")
    assert train.split()[4:6] == ["–", "0"]
    (header,) = (line for line in lines if line.startswith("mistake"))
    assert header.split() == ["mistake", "train", "test"]
    assert f"eqs {DOMAIN.version}, {model}, grammar lr, greedy" in lines[-1]


def test_errors_are_written_as_json_lines(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    options = ("--split", "train", "--no-denotation", "--errors", path)
    (split,) = measured("--model", model, *options)["splits"]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == sum(split["mistakes"].values())
    assert rows[0].keys() == {
        "split", "query", "expected", "predicted", "exact", "denotation", "grammatical",
        "well_typed", "mistake",
    }  # fmt: skip
    assert {row["exact"] for row in rows} == {False}
    assert {row["split"] for row in rows} == {"train"}


@pytest.mark.parametrize(
    ("split", "suffix", "opening"),
    [("train", "png", b"\x89PNG\r\n\x1a\n"), ("unseen_values", "svg", b"<?xml")],
)
def test_a_picture_is_drawn_even_of_an_empty_split(
    model: Path, tmp_path: Path, split: str, suffix: str, opening: bytes
) -> None:
    path = tmp_path / f"shares.{suffix}"
    options = ("--split", split, "--limit", "4", "--no-denotation")
    measured("--model", model, *options, "--picture", path)
    assert path.read_bytes().startswith(opening)


def test_by_default_the_shipped_model_is_measured(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grammax.domains.__file__", str(tmp_path / "__init__.py"))
    (tmp_path / "eqs").mkdir()
    copyfile(model, tmp_path / "eqs" / "model.safetensors")
    report = measured("--split", "test", "--limit", "1", "--no-denotation")
    assert report["model"] == "model.safetensors"


def test_a_missing_model_is_explained(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run("--model", model.with_name("none.safetensors"))
    assert (code, out) == (1, "")
    assert "none.safetensors: there is no such checkpoint" in err
    monkeypatch.setattr("grammax.domains.__file__", str(model))
    code, out, err = run()
    assert (code, out) == (1, "")
    assert "no model comes with the domain 'eqs'" in err
    assert "grammax train" in err
    assert "--model" in err


@pytest.mark.parametrize(
    ("option", "given", "message"),
    [
        ("--split", "tset", "eqs has no split 'tset'; there is train, test, unseen_values"),
        ("--split", "tset", "Did you mean test"),
        ("--grammar", "superst", "eqs has no grammar 'superst'; there is paper, superset-untyped"),
        ("--grammar", "superst", "none. Did you mean superset"),
        ("--picture", "shares.bmp", "ends in '.bmp'; a chart is .png or .svg"),
        ("--beam", "0", "--beam"),
        ("--limit", "0", "--limit"),
    ],
)
def test_wrong_options_are_explained(model: Path, option: str, given: str, message: str) -> None:
    code, out, err = run("--model", model, option, given)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


@pytest.mark.parametrize("option", ["--errors", "--picture"])
def test_a_missing_folder_is_noticed_before_the_work(tmp_path: Path, option: str) -> None:
    code, out, err = run("--model", "none", option, tmp_path / "none" / "x.png")
    assert (code, out) == (1, "")
    assert err == f"{tmp_path / 'none'}: there is no such folder\n"


def test_a_missing_matplotlib_is_noticed_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    code, out, err = run("--model", "none", "--picture", tmp_path / "x.png")
    assert (code, out) == (2, "")
    assert 'pip install "grammax[plot]"' in err


@pytest.mark.parametrize("other", ["lr", "none"])
def test_decisions_can_only_be_taken_under_the_grammar_of_the_training(
    tmp_path: Path, other: str
) -> None:
    path = tmp_path / "decisions.safetensors"
    trained = "superset"
    config = TrainingConfig(grammar=trained, held_out=0.0)
    model = ModelConfig(**SMALL, decisions_only=True)
    save_checkpoint(path, Trainer(DOMAIN, model, config), [])
    options = ("--model", path, "--split", "test", "--limit", "1", "--no-denotation")
    code, out, err = run(*options, "--grammar", other)
    assert (code, out) == (1, "")
    assert f"cannot decode under '{other}'. Leave --grammar out." in " ".join(err.split())
    assert measured(*options, "--grammar", trained)["grammar"] == trained
    assert measured(*options)["grammar"] == trained


def test_notices_about_single_queries_are_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "short.safetensors"
    model = ModelConfig(**SMALL, longest_query=2)
    save_checkpoint(path, Trainer(DOMAIN, model, TrainingConfig(held_out=0.0)), [])
    with pytest.warns(QueryNotice, match="2 of its words are read"):
        TorchParser.for_domain(load_network(path, DOMAIN), DOMAIN).read(
            DOMAIN.pairs("test")[0].query
        )
    assert measured("--model", path, "--split", "test", "--limit", "1", "--no-denotation")


def test_help_has_examples() -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert "\n    grammax evaluate eqs --split test" in out
