from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]

AUTOMATA = ("lr", "glr", "superset", "unrolled", "earley")


@pytest.mark.parametrize("automaton", AUTOMATA)
def test_what_may_follow_is_shown_by_kind(run: Run, equity: Path, automaton: str) -> None:
    result = run("next", equity, "( FLD_LISTING EQ", "--automaton", automaton)
    assert (result.exit_code, result.stderr) == (0, "")
    assert 'COUNTRY       5  COU_GERMANY COU_日本 "new zealand" "a\\"b" ...' in result.stdout
    assert f"Permitted by {automaton}" in result.stdout
    assert "5 of 12 tokens, in 1 span." in result.stdout
    assert "may not end here: it takes at least 2 more tokens." in result.stdout


def test_an_empty_prefix_is_the_beginning(run: Run, equity: Path) -> None:
    for prefix in ([], [""], ["  "]):
        assert "1 of 12 tokens" in run("next", equity, *prefix).stdout


def test_a_complete_sentence_may_end(run: Run, equity: Path) -> None:
    result = run("next", equity, '( FLD_LISTING EQ "new zealand" )')
    assert "0 of 12 tokens" in result.stdout
    assert "The sentence may end here.\n" in result.stdout


def test_json_is_complete(run: Run, equity: Path) -> None:
    report = json.loads(run("next", equity, "( FLD_LISTING EQ", "--json").stdout)
    (kind,) = report.pop("kinds")
    assert kind["tokens"] == ["COU_GERMANY", "COU_日本", "new zealand", 'a"b', "COU_PERU"]
    assert report == {
        "automaton": "lr",
        "prefix": ["(", "FLD_LISTING", "EQ"],
        "permitted": 5,
        "vocabulary": 12,
        "spans": 1,
        "may_end": False,
        "tokens_to_accept": 2,
    }


@pytest.mark.parametrize("automaton", AUTOMATA)
def test_an_illegal_token_is_explained_with_a_caret(run: Run, equity: Path, automaton: str) -> None:
    result = run("next", equity, "( FLD_LISTING LT", "--automaton", automaton)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith('LT cannot follow "( FLD_LISTING" (token 3).\n')
    assert "    ( FLD_LISTING LT\n                  ^^\n" in result.stderr
    assert "Permitted here: OPERATOR (2: EQ, NEQ)." in result.stderr


@pytest.mark.parametrize("token", ["EQQ", "new zealand", '"new zealand"'])
def test_a_token_is_explained_without_failing(run: Run, equity: Path, token: str) -> None:
    result = run("next", equity, "( FLD_LISTING", "--token", token)
    assert (result.exit_code, result.stderr) == (0, "")
    text = token.strip('"')
    assert result.stdout.startswith(f"{text} cannot follow")


def test_an_explanation_comes_as_json(run: Run, equity: Path) -> None:
    result = run("next", equity, "( FLD_LISTING", "--token", "NEQ", "--json")
    report = json.loads(result.stdout)
    assert report["is_permitted"]
    assert report["kind"] == "OPERATOR"
    assert report["text"].startswith('NEQ can follow "( FLD_LISTING"')


def test_a_grammar_with_a_conflict_is_read_by_glr(run: Run, ambiguous: Path) -> None:
    result = run("next", ambiguous, "x", "--json")
    assert (json.loads(result.stdout)["automaton"], result.stderr) == ("glr", "")


def test_lr_that_was_asked_for_is_not_replaced(run: Run, ambiguous: Path) -> None:
    result = run("next", ambiguous, "x", "--automaton", "lr")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "not LR(1): after x + x, before +" in result.stderr


def test_many_kinds_are_cut_at_the_limit(run: Run) -> None:
    grammar = "start: " + " | ".join(f'"t{number}"' for number in range(100)) + "\n"
    assert "... and 60 more kinds" in run("next", "-", stdin=grammar).stdout
    assert "more kind" not in run("next", "-", "--limit", "100", stdin=grammar).stdout
    assert len(json.loads(run("next", "-", "--json", stdin=grammar).stdout)["kinds"]) == 100


@pytest.mark.parametrize("arguments", [['"open'], ['"a"b'], ["", "--token", '"a" "b"']])
def test_a_string_that_is_not_json_is_a_wrong_usage(
    run: Run, equity: Path, arguments: list[str]
) -> None:
    result = run("next", equity, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Invalid value" in result.stderr


def test_a_prefix_may_begin_with_a_dash(run: Run) -> None:
    result = run("next", "-", "--json", "--", "- 5", stdin='start: "-" "5"\n')
    assert json.loads(result.stdout)["may_end"]
