"""`grammax catalogue`: changes are made whole or not at all, kept, and used by `grammax parse`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.files import HOME_VARIABLE

TABLE = "kind,name,aliases\ncountry,Wakanda,wakandan\ncompany,Vibranium Mining,vibranium\n"


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which changes are kept by default."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "data"))
    return tmp_path / "data" / "eqs-changes.jsonl"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return written(tmp_path / "values.csv", TABLE)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(map(str, arguments)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def reported(*arguments: str | Path, code: int = 0) -> dict[str, Any]:
    found, out, err = run(*arguments, "--json")
    assert (found, err) == (code, "")
    assert out.isascii()
    report: dict[str, Any] = json.loads(out)
    return report


def test_what_is_added_is_kept_and_parsed_and_what_is_removed_is_not(
    table: Path, kept: Path
) -> None:
    code, out, err = run("catalogue", "add", table)
    assert (code, out) == (0, "")
    assert "2 added; version " in err
    assert kept.is_file()
    steel = "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL))"
    lf = f"(AND (FLD_DOMICILE EQ enumValue(COU_WAKANDA)) {steel})"
    assert run("parse", "wakandan steel") == (0, f"{lf}\n", "")
    report = reported("parse", "wakandan steel")
    assert (report["lf"], "+" in report["version"]) == (lf, True)
    code, _, err = run("catalogue", "remove", "COU_WAKANDA", "COU_FRANCE")
    assert code == 0
    assert "2 removed; version " in err
    assert "COU_WAKANDA" not in run("parse", "wakandan steel")[1]
    assert "COU_FRANCE" not in run("parse", "french steel", "--best", "5")[1]


def test_changes_can_be_kept_elsewhere(table: Path, kept: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.jsonl"
    assert run("catalogue", "add", table, "--catalogue", mine)[0] == 0
    assert not kept.exists()
    assert "COU_WAKANDA" in run("parse", "wakandan steel", "--catalogue", mine)[1]
    assert "COU_WAKANDA" not in run("parse", "wakandan steel")[1]
    assert len(reported("catalogue", "list", "--catalogue", mine)["added"]) == 2
    code, _, err = run("parse", "steel", "--catalogue", tmp_path / "none.jsonl")
    assert code == 1
    assert "none.jsonl: No such file" in err


def test_a_table_with_mistakes_changes_nothing_and_all_lines_are_told(
    table: Path, kept: Path, tmp_path: Path
) -> None:
    run("catalogue", "add", table)
    before = kept.read_bytes()
    bad = written(
        tmp_path / "bad.csv",
        "kind,name,token\ncountry,Atlantis,\nplanet,Mars,\ncountry,Wakanda,\ncity,,\n"
        "country,Utopia,COU_FRANCE\ncity,x,y,z\n",
    )
    code, out, err = run("catalogue", "add", bad)
    assert (code, out) == (1, "")
    lines = err.splitlines()
    assert lines[0] == "nothing was changed:"
    assert [line.partition(": ")[0].rpartition("line ")[2] for line in lines[1:]] == list("34567")
    assert kept.read_bytes() == before
    report = reported("catalogue", "add", bad, code=1)
    assert [problem["where"][-1] for problem in report["problems"]] == list("34567")
    assert kept.read_bytes() == before


def test_reports_in_json(table: Path, kept: Path) -> None:
    added = reported("catalogue", "add", table)
    assert added.keys() == {"file", "version", "seconds", "added", "removed", "back"}
    assert [value["token"] for value in added["added"]] == ["COU_WAKANDA", "ISS_VIBRANIUM_MINING"]
    removed = reported("catalogue", "remove", "COU_FRANCE", "COU_WAKANDA")
    assert {*removed["removed"]} == {"COU_FRANCE", "COU_WAKANDA"}
    assert removed["version"] != added["version"]
    listed = reported("catalogue", "list")
    assert listed["file"] == str(kept)
    assert [value["name"] for value in listed["added"]] == ["Vibranium Mining"]
    assert listed["removed"] == ["COU_FRANCE"]
    found = reported("catalogue", "search", "vibranium")
    assert found["found"][0] == {
        "token": "ISS_VIBRANIUM_MINING",
        "kind": "ISSUER_VALUE",
        "name": "Vibranium Mining",
        "aliases": ["vibranium"],
        "added": True,
    }
    refused = reported("catalogue", "remove", "COU_FRANCE", code=1)
    assert refused["problems"][0]["message"] == "COU_FRANCE was removed already."


def test_what_was_removed_comes_back_as_it_was(kept: Path, tmp_path: Path) -> None:
    from grammax.domains.eqs.catalogue import load_catalogue

    run("catalogue", "remove", "STY_VALUE")
    name, *aliases = load_catalogue().wordings("STY_VALUE")
    row = {"kind": "STYLE", "name": name, "aliases": aliases, "token": "STY_VALUE"}
    again = written(tmp_path / "again.jsonl", json.dumps(row))
    code, _, err = run("catalogue", "add", again)
    assert code == 0
    assert "1 brought back; version " in err
    assert reported("catalogue", "list")["removed"] == []


def test_lists_and_searches_are_tables(table: Path) -> None:
    code, out, err = run("catalogue", "list")
    assert (code, out) == (0, "")
    assert "Nothing was added or removed" in err
    run("catalogue", "add", table)
    run("catalogue", "remove", "COU_FRANCE")
    code, out, _ = run("catalogue", "list")
    assert code == 0
    assert ["added", "COU_WAKANDA", "COUNTRY_VALUE", "Wakanda", "wakandan"] in [
        line.split() for line in out.splitlines()
    ]
    assert ["removed", "COU_FRANCE"] in [line.split() for line in out.splitlines()]
    code, out, _ = run("catalogue", "search", "wakandan")
    assert code == 0
    assert out.splitlines()[2].split() == [
        "COU_WAKANDA", "COUNTRY_VALUE", "Wakanda", "wakandan", "added",
    ]  # fmt: skip
    code, out, err = run("catalogue", "search", "qqqqqqqqq")
    assert (code, out) == (1, "")
    assert "Nothing in the catalogue is similar to" in err


def test_tokens_to_remove_may_come_from_a_file(tmp_path: Path) -> None:
    tokens = written(tmp_path / "gone.txt", "COU_FRANCE\n\n COU_ITALY \n")
    assert run("catalogue", "remove", "COU_SPAIN", "--file", tokens)[0] == 0
    assert {*reported("catalogue", "list")["removed"]} == {"COU_FRANCE", "COU_ITALY", "COU_SPAIN"}
    code, _, err = run("catalogue", "remove")
    assert code == 2
    assert "give tokens to remove" in err


def test_a_damaged_file_of_changes_and_a_missing_table_are_told(kept: Path, tmp_path: Path) -> None:
    code, _, err = run("catalogue", "add", tmp_path / "none.csv")
    assert code == 1
    assert "none.csv: No such file" in err
    kept.parent.mkdir()
    kept.write_text("no changes")
    for command in (
        ["catalogue", "list"],
        ["parse", "steel"],
        ["catalogue", "remove", "COU_FRANCE"],
    ):
        code, out, err = run(*command)
        assert (code, out) == (1, "")
        assert "eqs-changes.jsonl, line 1: not a change that grammax has stored" in err


@pytest.mark.parametrize("command", ["add", "remove", "list", "search"])
def test_help_has_examples(command: str) -> None:
    code, out, _ = run("catalogue", command, "--help")
    assert code == 0
    assert f"\n    grammax catalogue {command}" in out
