from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from grammax import Grammar, earley
from grammax.cli.grammar.notation import split_tokens

Run = Callable[..., Result]


def test_every_line_is_a_sentence_that_can_be_read_back(run: Run, equity: Path) -> None:
    automaton = earley(Grammar.open(equity))
    result = run("sample", equity, "-n", "50")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 50
    for line in lines:
        assert automaton.accepts(automaton.read(split_tokens(line)))
    assert '"new zealand"' in result.stdout
    assert "COU_日本" in result.stdout


def test_the_seed_decides(run: Run, equity: Path) -> None:
    first, again, other = (run("sample", equity, "--seed", seed).stdout for seed in "778")
    assert first == again != other
    assert len(first.splitlines()) == 5


def test_the_depth_is_bounded(run: Run, equity: Path) -> None:
    lines = run("sample", equity, "--max-depth", "2", "-n", "20").stdout.splitlines()
    assert max(len(split_tokens(line)) for line in lines) == 5


def test_all_sentences_up_to_a_length_are_listed_once(run: Run, equity: Path) -> None:
    lines = run("sample", equity, "--all", "5").stdout.splitlines()
    assert len(lines) == len(set(lines)) == 2 * 2 * 5
    assert run("sample", equity, "--all", "5", "-n", "3").stdout.splitlines() == lines[:3]
    assert run("sample", equity, "--all", "4").stdout == ""


def test_kinds_instead_of_tokens(run: Run, equity: Path) -> None:
    assert run("sample", equity, "--all", "5", "--kinds").stdout == (
        '"(" FIELD OPERATOR COUNTRY ")"\n'
    )
    drawn = run("sample", equity, "--kinds").stdout
    assert len(drawn.splitlines()) == 5
    assert '"(" FIELD OPERATOR COUNTRY ")"' in drawn


def test_json_holds_the_tokens(run: Run, equity: Path) -> None:
    sentences = json.loads(run("sample", equity, "--json", "--all", "5").stdout)["sentences"]
    assert ["(", "FLD_LISTING", "NEQ", "COU_日本", ")"] in sentences
    assert ["(", "FLD_LISTING", "NEQ", 'a"b', ")"] in sentences


def test_the_empty_sentence_is_an_empty_line(run: Run) -> None:
    assert run("sample", "-", "-n", "2", stdin="start:\n").stdout == "\n\n"
