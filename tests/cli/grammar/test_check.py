from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

Run = Callable[..., Result]


def test_problems_have_place_severity_and_hint(run: Run, broken: Path) -> None:
    result = run("check", broken)
    assert (result.exit_code, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    assert lines[0] == (f"{broken}:1:8: error: the kind FIELDS is used in start but not defined")
    assert lines[1] == "    Did you mean FIELD?"
    assert lines[-1] == "2 errors, 0 warnings"


def test_the_summary_counts_and_names_the_lr_method(run: Run, equity: Path) -> None:
    result = run("check", equity)
    assert result.exit_code == 0
    summary = result.stdout.splitlines()[-1].split()
    assert summary[:5] == ["query", "5", "6", "12", "yes:"]
    assert "LALR(1)" in summary[5]


def test_a_conflict_is_shown_and_is_no_error(run: Run, ambiguous: Path) -> None:
    result = run("check", ambiguous, "--strict")
    assert result.exit_code == 0
    assert "no: after x + x, before +, 2 ways fit" in result.stdout
    assert 'complete start: start "+" start' in result.stdout


def test_strict_lets_warnings_count(run: Run, declared: Path) -> None:
    assert run("check", declared).exit_code == 0
    assert "1 warning\n" in run("check", declared).stdout
    assert run("check", declared, "--strict").exit_code == 1


def test_a_table_gives_tokens(run: Run, declared: Path, tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("kind,token\nNAME,Zoë\nNAME,Ann\n", encoding="utf-8")
    result = run("check", declared, "--tokens", table, "--strict", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["summary"]["tokens"] == 2


def test_a_table_without_the_columns_is_explained(run: Run, declared: Path, tmp_path: Path) -> None:
    table = tmp_path / "names.tsv"
    table.write_text("name\nAnn\n", encoding="utf-8")
    result = run("check", declared, "--tokens", table)
    assert result.exit_code == 1
    assert "must name the columns" in result.stderr


def test_json_lists_problems_and_counts(run: Run, broken: Path) -> None:
    report = json.loads(run("check", broken, "--json").stdout)
    assert (report["errors"], report["warnings"], report["summary"]) == (2, 0, None)
    first = report["problems"][0]
    assert first["location"] == {"file": str(broken), "line": 1, "column": 8}
    assert (first["code"], first["severity"]) == ("undefined", "error")


def test_json_tells_the_conflict(run: Run, ambiguous: Path) -> None:
    summary = json.loads(run("check", ambiguous, "--json").stdout)["summary"]
    assert summary["lr_method"] is None
    assert summary["lr_conflict"]["prefix"] == ["x", "+", "x"]
    assert summary["lr_conflict"]["lookahead"] == "+"


def test_stdin_is_read_for_a_dash(run: Run) -> None:
    result = run("check", "-", stdin="start: thing\n")
    assert result.exit_code == 1
    assert "<stdin>:1:8: error: the rule thing is used" in result.stdout


def test_text_that_is_not_utf_8_is_a_problem(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "latin.lark"
    file.write_bytes('start: "é"'.encode("latin-1"))
    assert "byte 8 is not UTF-8" in run("check", file).stdout
    assert (
        "<stdin>: error: byte 8 is not UTF-8" in run("check", "-", stdin=file.read_bytes()).stdout
    )


def test_another_start_is_taken_or_refused(run: Run, equity: Path) -> None:
    assert run("check", equity, "--start", "constraint").exit_code == 0
    result = run("check", equity, "--start", "constrain")
    assert result.exit_code == 1
    assert "Did you mean constraint?" in result.stdout


def test_a_line_of_a_megabyte_is_read(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "long.lark"
    file.write_text(f'start: "{"x" * 1_000_000}" // {"y" * 1_000_000}\n', encoding="utf-8")
    assert run("check", file).exit_code == 0
    assert len(run("next", file).stdout) < 1000


def test_control_characters_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "escape.lark"
    file.write_text('start: "\\x1b[31m" "a"\n', encoding="utf-8")
    for arguments in (["check"], ["sample"], ["next"]):
        assert "\x1b" not in run(*arguments, file).output
    assert "\x1b" not in run("next", file, "b\x1bc").output


def test_problems_are_listed_in_the_order_of_the_file(run: Run) -> None:
    result = run("check", "-", stdin='start: NAME\nunused: "x"\n%declare NAME\n')
    places = [line.split(" ")[0] for line in result.stdout.splitlines() if "warning:" in line]
    assert places == ["<stdin>:2:1:", "<stdin>:3:10:"]
