"""The list of commands: imported on demand, each described by its own first sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from grammax.cli.app import ENTRIES, app

UNNEEDED = ("torch", "ibis", "duckdb", "matplotlib", "rich.table", "rich.progress", "starlette")


def imported(*arguments: str) -> list[str]:
    """Those of the costly modules that a command imports."""
    code = (
        f"import sys; sys.argv[1:] = {list(arguments)}\n"
        "from grammax.cli.main import main\n"
        "try:\n    main()\n"
        f"except SystemExit:\n    sys.stderr.write(' '.join(set({UNNEEDED}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout
    return done.stderr.split()


@pytest.mark.parametrize("name", ENTRIES)
def test_the_summary_of_a_command_is_the_first_sentence_of_its_help(name: str) -> None:
    command = get_command(app).commands[name]  # type: ignore[attr-defined]
    assert command.get_short_help_str(200).rstrip(".") == ENTRIES[name].summary.rstrip(".")


@pytest.mark.parametrize("arguments", [("--help",), ("parse", "steel japan"), ("parse", "-h")])
def test_a_start_imports_only_what_it_needs(arguments: tuple[str, ...]) -> None:
    assert imported(*arguments) == []


def test_an_unknown_command_is_told_with_those_that_are_similar() -> None:
    result = CliRunner().invoke(app, ["pasre"])
    assert result.exit_code == 2
    assert "Did you mean 'parse'" in result.stderr
