"""`grammax ask`, with the model that is shipped and the market of grammax."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.cli.ask.report import NOTE, print_abstention, readable_cell
from grammax.cli.loading import NotExplainable, explainable
from grammax.parser import Parser

STEEL = "steel western europe not german"
LF = (
    "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY))) "
    "(FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE)) "
    "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
)
NONSENSE = "what is the meaning of life"


@pytest.fixture(autouse=True)
def _loaded_once(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grammax.cli.ask.one.load_parser", lambda *_: parser)


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["ask", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_a_query_gives_its_form_its_meaning_and_its_answer() -> None:
    code, out, err = run(STEEL, "--rows", "5")
    assert (code, err) == (0, "")
    form, meaning, _, header, _, *rows = out.splitlines()
    assert form == LF
    assert meaning == "companies domiciled in Western Europe, except Germany, in the steel sector"
    assert header.split() == ["Ticker", "Name", "Country", "of", "domicile", "Sector"]
    assert [row.split()[0] for row in rows[:2]] == ["VOE.VI", "MT.AS"]  # the largest
    assert rows[-3].startswith("5 of 6 rows, in ")
    assert rows[-2] == "Sorted by market capitalisation, largest first."


def test_generated_numbers_are_marked_and_told() -> None:
    code, out, _ = run("market cap sp500", "--rows", "2")
    assert code == 0
    assert "Market capitalisation (USD)*" in out
    assert out.splitlines()[-1] == NOTE
    assert NOTE not in run(STEEL)[1]


def test_json_holds_all_of_it() -> None:
    code, out, err = run("steel germny mcap", "--json", "--rows", "1")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report.keys() == {
        "text", "lf", "paraphrase", "confidence", "abstains", "why", "not_understood",
        "notices", "typos", "best", "version", "seconds", "answer",
    }  # fmt: skip
    assert report["typos"] == {"germny": "germany"}
    answer = report["answer"]
    assert answer.keys() == {"columns", "rows", "total", "more", "note", "notes", "summary"}
    assert (answer["note"], len(answer["rows"]), answer["more"]) == (NOTE, 1, True)
    assert answer["columns"][0]["label"] == "Ticker"
    assert isinstance(answer["rows"][0][2], float)


def test_a_typo_that_was_put_right_is_told() -> None:
    assert run("steel germny")[2] == "Read 'germny' as 'germany'.\n"


def test_csv_has_numbers_in_full(tmp_path: Path) -> None:
    code, out, err = run("market cap sp500", "--rows", "3", "--csv", "-")
    assert (code, err) == (0, "")
    header, *rows = csv.reader(io.StringIO(out))
    assert header[:3] == ["Ticker", "Name", "Market capitalisation (USD)*"]
    assert len(rows) == 3
    assert float(rows[0][2]) > 1e6
    assert run("market cap sp500", "--rows", "3", "--csv", tmp_path / "a.csv")[:2] == (0, "")
    assert (tmp_path / "a.csv").read_text() == out


def test_the_best_readings_come_with_what_they_mean() -> None:
    code, out, _ = run(STEEL, "--best", "2", "--rows", "1")
    assert code == 0
    readings = out.split("\nReadings\n")[1].splitlines()
    assert readings[0].split() == ["1", *out.splitlines()[1].split()]
    assert readings[1].strip() == LF
    assert readings[2].startswith("  2  ")


def test_where_the_parser_abstains_readings_are_offered() -> None:
    code, out, err = run(NONSENSE)
    assert code == 3
    assert err.splitlines()[0] == "This does not look like a query that can be answered here."
    lines = out.splitlines()
    assert lines[0] == "Closest readings"
    assert lines[1].startswith("  1  ")
    assert lines[2].strip().startswith("(")
    assert len(lines) == 1 + 2 * 3
    code, out, err = run(NONSENSE, "--json")
    report = json.loads(out)
    assert (code, err, report["answer"], report["abstains"]) == (3, "", None, True)
    assert report["why"] == "out of domain"
    assert {"meaning", "life"} & set(report["not_understood"])
    assert report["notices"][0] == "This does not look like a query that can be answered here."
    assert all(one["paraphrase"] for one in report["best"])


def test_a_reading_that_is_its_own_meaning_is_printed_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    best = [("SELECT name FROM court", ("a",), 0.9), ("SELECT city FROM player", ("b",), 0.1)]
    parsed: Any = SimpleNamespace(notices=(), typos=(), best=best)
    meanings = {("a",): "SELECT name FROM court", ("b",): "cities of players"}
    language: Any = SimpleNamespace(paraphrase=meanings.get)
    print_abstention(parsed, language)
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "Closest readings",
        "  1  SELECT name FROM court",
        "  2  cities of players",
        "     SELECT city FROM player",
    ]


def test_force_answers_what_is_likeliest() -> None:
    code, out, err = run(NONSENSE, "--force")
    assert code == 0
    assert out.startswith("(")
    assert re.search(r"\brows?, in \d+ ms|Nothing satisfies this", out)
    assert "This does not look like a query that can be answered here." in err
    assert run(NONSENSE, "--anyway")[0] == 0  # its name in earlier releases


def test_what_is_wrong_is_said() -> None:
    assert run(STEEL, "--json", "--csv", "-")[0] == 2
    assert run(STEEL, "--rows", "0")[0] == 2
    code, out, err = run("")
    assert (code, out) == (1, "")
    assert "there is no word, digit or sign in it" in err
    code, out, err = run(STEEL, "--csv", "nowhere/a.csv")
    assert (code, out, err) == (1, "", "nowhere/a.csv: No such file or directory\n")


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (2.5e12, "2.5 tn"), (-1.25e9, "-1.25 bn"), (7_000_000, "7 m"), (999_999.4, "999,999"),
        (1234.0, "1,234"), (12.3456, "12.35"), (0.0, "0"), (None, "–"), (("a", "b"), "a, b"),
    ],
)  # fmt: skip
def test_numbers_are_as_people_read_them(cell: object, shown: str) -> None:
    assert readable_cell(cell) == shown


def test_a_domain_without_english_is_told() -> None:
    silent: Any = SimpleNamespace(domain=SimpleNamespace(name="rooms"))
    with pytest.raises(NotExplainable, match="the domain 'rooms' has no answers in English"):
        explainable(silent)
