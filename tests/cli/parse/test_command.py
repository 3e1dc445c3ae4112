"""`grammax parse`, with the model that is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.tables.form.text import from_tokens, read

STEEL = "steel western europe not german"
LF = (
    "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY))) "
    "(FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE)) "
    "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
)


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["parse", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def reported(*arguments: str | Path) -> dict[str, Any]:
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    report: dict[str, Any] = json.loads(out)
    return report


def test_a_query_gives_its_logical_form_and_nothing_else() -> None:
    assert run(STEEL) == (0, f"{LF}\n", "")


def test_the_best_forms_come_with_shares_that_fall() -> None:
    code, out, err = run(STEEL, "--best", "3")
    assert (code, err) == (0, "")
    lines = [line.split("  ", 1) for line in map(str.strip, out.splitlines())]
    shares = [float(share.removesuffix("%")) for share, _ in lines]
    assert lines[0][1] == LF
    assert len({read(lf) for _, lf in lines}) == 3
    assert shares == sorted(shares, reverse=True)
    assert 50 < shares[0] <= 100 - shares[1]


def test_an_explanation_has_a_line_for_each_token() -> None:
    code, out, err = run(STEEL, "--explain")
    assert (code, err) == (0, "")
    form, header, _, *rows, last = out.splitlines()
    assert form == LF
    assert header.split() == ["token", "permitted", "rows", "words"]
    tokens = [row.split()[0] for row in rows if row.strip()]
    assert from_tokens(tokens) == read(LF)
    (german,) = (row.split() for row in rows if row.startswith("COU_GERMANY"))
    assert german[1] == german[2] != "0"  # all that is permitted is multiplied, and no more
    assert german[3:] == ["german"]
    assert rows[0].split() == ["(", "1", "0"]  # forced: it costs nothing and comes from no word
    assert last.startswith("confidence ")
    assert [part.split()[0] for part in last.split("  ")] == [
        "confidence",
        "read",
        "encode",
        "decode",
    ]


def test_json_holds_all_of_it() -> None:
    report = reported(STEEL, "--best", "2")
    assert report.keys() == {
        "text", "lf", "tokens", "confidence", "why", "uncovered", "best", "permitted", "scored",
        "words", "typos", "sources", "seconds", "version", "abstains",
        "unused", "concerned", "unread", "misfits", "missing", "contradictory",
        "notices",
    }  # fmt: skip
    assert (report["abstains"], report["why"], report["uncovered"]) == (False, None, [])
    assert (report["text"], report["lf"], report["words"]) == (STEEL, LF, STEEL.split())
    assert len(report["tokens"]) == len(report["sources"]) == len(report["scored"])
    assert [one.keys() for one in report["best"]] == [{"lf", "tokens", "probability"}] * 2
    assert report["best"][0]["tokens"] == report["tokens"]
    assert report["best"][0]["probability"] > report["best"][1]["probability"]
    assert report["seconds"].keys() == {"read", "encode", "decode"}
    assert 0 < report["confidence"] <= 1


def test_json_is_ascii_whatever_the_query() -> None:
    query = "steel in 東京 \U0001f600 \ud800"
    code, out, _ = run(query, "--json", "--force")
    assert (code, out.isascii()) == (0, True)
    assert json.loads(out)["text"] == query


@pytest.mark.parametrize("query", ["", " \t ", "\x00\x1b"])
def test_an_empty_query_is_refused(query: str) -> None:
    code, out, err = run(query)
    assert (code, out) == (1, "")
    assert "there is no word, digit or sign in it" in err


def test_an_unknown_domain_is_told_with_those_that_are() -> None:
    code, out, err = run(STEEL, "--domain", "eqss")
    assert (code, out) == (1, "")
    assert "unknown domain 'eqss'" in err
    assert "Did you mean eqs?" in err


def test_a_missing_model_and_one_that_is_none_are_told(tmp_path: Path) -> None:
    code, out, err = run(STEEL, "--model", tmp_path / "none.safetensors")
    assert (code, out) == (1, "")
    assert "none.safetensors: there is no such checkpoint" in err
    (tmp_path / "other").write_text("no model")
    code, out, err = run(STEEL, "--model", tmp_path / "other")
    assert (code, out) == (1, "")
    assert "is not a checkpoint of grammax" in err


def test_a_megabyte_is_cut_with_a_notice_and_parsed() -> None:
    code, out, err = run(f"{STEEL} " * 31_250)
    assert code == 3  # what was cut may have said more
    assert "too long: 200 of its words are read" in err
    assert read(out)


NONSENSE = "what is the meaning of life"


def test_where_the_parser_is_not_sure_the_exit_code_says_so() -> None:
    code, out, err = run(NONSENSE)
    assert code == 3
    assert read(out)
    assert err.splitlines()[0] == "This does not look like a query that can be answered here."
    assert run(NONSENSE, "--force")[0] == 0
    code, out, err = run(NONSENSE, "--json")
    assert (code, err, json.loads(out)["abstains"]) == (3, "", True)


@pytest.mark.parametrize("query", ["-5% margin of steel firms", "- steel", "-.5 growth", "-5%"])
def test_a_query_may_begin_with_a_dash(query: str) -> None:
    code, out, _ = run("--best", "2", query, "--force", "--json")
    assert code == 0
    assert json.loads(out)["text"] == query


@pytest.mark.parametrize("option", ["--bset", "-z", "--nonsense=1"])
def test_an_option_that_is_none_is_no_query(option: str) -> None:
    code, out, err = run(STEEL, option)
    assert (code, out) == (2, "")
    assert "No such option" in err


@pytest.mark.parametrize("count", ["0", "101", "some"])
def test_a_number_of_forms_that_cannot_be_is_refused(count: str) -> None:
    code, out, err = run(STEEL, "--best", count)
    assert (code, out) == (2, "")
    assert "--best" in err


def test_help_has_examples() -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert f'\n    grammax parse "{STEEL}"' in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--file", "queries.txt"], "with --file FILE and with --output FOLDER"),
        (["--file", "-", "-o", "out"], "with --file FILE and with --output FOLDER"),
        (["--file", "queries.txt", "-o", "out", "--best", "3"], "without --best and --data"),
    ],
)
def test_ray_goes_with_files_and_a_folder(options: list[str], message: str) -> None:
    code, out, err = run(*options, "--ray", "local")
    assert (code, out) == (2, "")
    assert message in " ".join(err.replace("│", " ").split())
