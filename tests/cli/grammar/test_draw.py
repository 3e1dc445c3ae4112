from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]


@pytest.mark.parametrize("automaton", ["superset", "unrolled", "lr"])
def test_dot_goes_to_stdout(run: Run, equity: Path, automaton: str) -> None:
    result = run("draw", equity, "--automaton", automaton, "--limit", "20")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("digraph")
    assert result.stdout.endswith("}\n")
    assert "OPERATOR" in result.stdout


def test_the_suffix_decides_the_format(run: Run, equity: Path, tmp_path: Path) -> None:
    path = tmp_path / "equity.dot"
    assert run("draw", equity, "-o", path).output == ""
    assert path.read_text(encoding="utf-8") == run("draw", equity).stdout


def test_an_unknown_format_and_a_missing_folder_are_explained(
    run: Run, equity: Path, tmp_path: Path
) -> None:
    for path, message in (("x.bmp", "pictures are"), ("none/x.dot", "No such file or directory")):
        result = run("draw", equity, "-o", tmp_path / path)
        assert (result.exit_code, result.stdout) == (1, "")
        assert message in result.stderr


def test_a_conflict_is_explained(run: Run, ambiguous: Path) -> None:
    result = run("draw", ambiguous, "--automaton", "lr")
    assert result.exit_code == 1
    assert "not LR(1)" in result.stderr
