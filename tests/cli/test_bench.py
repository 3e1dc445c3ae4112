"""`grammax bench`, with a small catalogue and a network that has hardly learnt it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch", reason="the table is measured with PyTorch")

from evaluation.paper.small import SHORT, SMALL, small_domain, small_rows, small_table

from grammax.cli.app import app
from grammax.cli.bench.report import WIDTH
from grammax.cli.charts import draw_table
from grammax.language.domain import Domain
from grammax.training.checkpoint import save_checkpoint
from grammax.training.trainer import Trainer

FEW = ("--queries", "1", "--runs", "1")


@pytest.fixture(autouse=True)
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Trainer]:
    """The trainings that were begun; the cache is the test's own."""
    begun: list[Trainer] = []

    def new_trainer(domain: Domain, device: str) -> Trainer:
        begun.append(Trainer(domain, SMALL, SHORT))
        return begun[-1]

    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("grammax.domains.load_domain", lambda name, data: small_domain())
    monkeypatch.setattr("grammax.evaluation.paper.network.new_trainer", new_trainer)
    return begun


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["bench", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def written(path: Path, **changes: Any) -> Path:
    """A checkpoint of a network that was not trained."""
    trainer = Trainer(small_domain(), replace(SMALL, **changes), replace(SHORT, full_epochs=0))
    save_checkpoint(path, trainer, [], final=True)
    return path


def test_json_has_the_rows_and_claims_and_the_network_is_trained_once(
    trained: list[Trainer], tmp_path: Path
) -> None:
    code, out, err = run(*FEW, "--json")
    assert code == 0
    kept = tmp_path / "cache" / f"bench-eqs-{small_domain().version}.safetensors"
    assert f"which is then stored: {kept}" in err
    report = json.loads(out)
    assert list(report) == ["benchmark", "machine", "rows", "claims"]
    assert report["machine"]["threads"] == 1
    assert report["machine"]["torch"]
    assert [row["name"] for row in report["rows"]] == [row.name for row in small_rows()]
    assert all((row["queries"], len(row["by_run"])) == (1, 1) for row in report["rows"])
    assert report["rows"][3]["paper"]["seconds"] == 0.252
    assert report["rows"][-1]["paper"] is None
    assert {"claim", "target", "measured", "met"} == set(report["claims"][0])
    shared = report["rows"][0]["shared_queries"]  # those whose forms the paper's language has
    assert len(report["claims"]) == 5 + (shared > 0)
    code, again, err = run(*FEW, "--json")
    assert (code, err, len(trained)) == (0, "", 1)
    choices = ("permitted", "multiplied", "exact_match_percent", "ungrammatical")
    for one, other in zip(report["rows"], json.loads(again)["rows"], strict=True):
        assert [one[key] for key in choices] == [other[key] for key in choices]
    assert run(*FEW, "--train", "--json")[0] == 0
    assert len(trained) == 2


def test_an_installation_without_the_network_of_the_table_says_where_it_is(
    trained: list[Trainer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "bench.safetensors"
    monkeypatch.setattr("grammax.domains.shipped_bench_network", lambda name: missing)
    code, _, err = run(*FEW)
    said = " ".join(err.split())
    assert (code, trained) == (1, [])
    assert "a wheel leaves it out" in said
    assert "src/grammax/domains/eqs/bench.safetensors of the source" in said
    assert run(*FEW, "--train")[0] == 0
    assert run(*FEW)[0] == 0


def test_the_table_has_every_row_footnotes_and_claims() -> None:
    code, out, _ = run("--queries", "2", "--runs", "1")
    assert code == 0
    lines = out.splitlines()
    places = [next(i for i, x in enumerate(lines) if x.startswith(r.name)) for r in small_rows()]
    assert places == sorted(places)
    assert "0.252 ± 0.000" in lines[places[3]]
    assert max(map(len, lines[1 : places[-1] + 30])) <= WIDTH
    assert "Queries: 2; runs: 1." in out
    assert "accepted: paper accepts only" in out
    assert "accepted: lr" not in out
    assert "Table 1 of Xiao, Teichmann and Arkoudas (2019)" in out
    claims = [line for line in lines if line.startswith("Spans, lr is right")]
    assert claims[0].split()[-1] == "NO"


def test_a_quick_run_has_fewer_queries_and_runs_and_is_drawn_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grammax.cli.bench.command._QUICK_QUERIES", 1)
    rows = json.loads(run("--quick", "--json", "--chart", tmp_path / "table.png")[1])["rows"]
    assert all((row["queries"], len(row["by_run"])) == (1, 2) for row in rows)
    assert (tmp_path / "table.png").exists()


@pytest.mark.parametrize(("name", "begins"), [("a.png", b"\x89PNG"), ("b.svg", b"<?xml")])
def test_a_chart_is_a_picture_of_its_suffix(tmp_path: Path, name: str, begins: bytes) -> None:
    table = list(small_table().values())
    draw_table(table, [f"{row.speedup}" for row in table], tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_a_chart_that_cannot_be_drawn_is_refused_before_anything_is_measured(
    tmp_path: Path, trained: list[Trainer]
) -> None:
    code, _, err = run("--chart", tmp_path / "table.pdf")
    assert code == 2
    assert "a chart is .png or .svg" in err
    code, _, err = run("--chart", tmp_path / "none" / "table.png")
    assert (code, err) == (1, f"{tmp_path / 'none'}: there is no such folder\n")
    assert not trained


def test_a_given_network_is_measured_and_what_it_has_not_seen_is_said(
    tmp_path: Path, trained: list[Trainer]
) -> None:
    path = written(tmp_path / "model.safetensors")
    code, _, err = run("--model", path, *FEW)
    assert code == 0
    assert "trained under a grammar to the end, so NSP" in err
    assert not trained


def test_networks_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "model.safetensors", decisions_only=True)
    code, _, err = run("--model", path)
    assert code == 1
    assert "works under one grammar alone" in err
    code, _, err = run("--model", tmp_path / "none.safetensors")
    assert (code, err) == (1, f"{tmp_path / 'none.safetensors'}: there is no such checkpoint\n")
    code, _, err = run("--model", path, "--train")
    assert code == 2
    assert "--train trains the network of the domain" in err


def test_help_has_examples_and_an_unknown_domain_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\n    grammax bench --quick" in run("--help")[1]
    monkeypatch.undo()
    code, _, err = run("eqss")
    assert code == 1
    assert "unknown domain 'eqss'" in err
