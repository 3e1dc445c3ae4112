from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Run = Callable[..., Result]

NAMES = ["superset", "unrolled(3)", "lr", "glr", "earley"]


def compared(run: Run, file: Path, *arguments: str) -> tuple[Any, dict[str, Any]]:
    result = run("compare", file, "-n", "20", "--json", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    report = json.loads(result.stdout)
    return report, {row["automaton"]: row for row in report["rows"]}


def test_every_automaton_has_a_row(run: Run, equity: Path) -> None:
    report, rows = compared(run, equity)
    assert list(rows) == NAMES
    assert (report["sentences"], report["vocabulary"]) == (20, 12)
    assert report["steps"] > 20
    for row in rows.values():
        assert row["kinds"] == 6
        assert row["compile_ms"] > 0
        assert row["median_step_us"] > 0
        assert 1 <= row["mean_spans"] <= 3
        assert 1 <= row["mean_permitted"] <= row["max_permitted"] <= 12


def test_looser_automata_permit_no_less(run: Run, equity: Path) -> None:
    _, rows = compared(run, equity)
    permitted = [rows[name]["mean_permitted"] for name in NAMES]
    assert permitted == sorted(permitted, reverse=True)
    assert rows["lr"]["mean_permitted"] == rows["earley"]["mean_permitted"]
    assert rows["glr"]["mean_permitted"] == rows["earley"]["mean_permitted"]


def test_states_are_those_of_the_table_or_those_made(run: Run, equity: Path) -> None:
    _, rows = compared(run, equity)
    assert (rows["lr"]["method"], rows["earley"]["states"]) == ("LALR(1)", None)
    summary = json.loads(run("check", equity, "--json").stdout)["summary"]
    assert rows["lr"]["states"] == summary["lr_states"]
    assert rows["superset"]["states"] == run("draw", equity).stdout.count("tooltip=")
    assert rows["unrolled(3)"]["states"] > rows["superset"]["states"]


def test_the_seed_decides_what_is_read(run: Run, equity: Path) -> None:
    steps = [compared(run, equity, "--seed", seed)[0]["steps"] for seed in ("3", "3", "4")]
    assert steps[0] == steps[1] != steps[2]


def test_a_conflict_is_said_in_its_row(run: Run, ambiguous: Path) -> None:
    _, rows = compared(run, ambiguous)
    assert "after x + x, before +" in rows["lr"]["conflict"]
    assert rows["lr"]["median_step_us"] is None
    assert rows["earley"]["median_step_us"] > 0
    lines = run("compare", ambiguous, "-n", "5").stdout.splitlines()
    (row,) = (line for line in lines if line.startswith("lr "))
    assert row.split() == ["lr", "conflict", "2", *"–––––"]


def test_a_table_is_not_cut_where_there_is_no_terminal(
    run: Run, equity: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    result = run("compare", equity, "-n", "5")
    header, _, *rows = result.stdout.splitlines()
    assert header.split()[:3] == ["automaton", "states", "kinds"]
    assert [row.split()[0].strip(",") for row in rows[: len(NAMES)]] == NAMES
    assert "\x1b" not in result.stdout


def test_sentences_without_tokens_have_no_steps(run: Run) -> None:
    report = json.loads(run("compare", "-", "--json", stdin="start:\n").stdout)
    assert report["steps"] == 0
    assert {row["median_step_us"] for row in report["rows"]} == {None}


@pytest.mark.parametrize("count", ["0", "many"])
def test_at_least_one_sentence_is_drawn(run: Run, equity: Path, count: str) -> None:
    assert run("compare", equity, "-n", count).exit_code == 2
