"""`grammax ask DATA QUERY` without options: what it prints is what Typer's way prints, sooner."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FILMS = Path(__file__).parents[3] / "examples" / "films.csv"
IMPORTED = """
import os, sys
from grammax.cli.main import main
os._exit = lambda code: print(*sorted(sys.modules), file=sys.stderr) or sys.exit(code)
sys.argv = ["grammax", "ask", *sys.argv[1:]]
main()
"""


def ask(*arguments: str | Path, code: int = 0) -> tuple[str, str]:
    ended = subprocess.run(
        [sys.executable, "-m", "grammax.cli.main", "ask", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == code, ended.stderr
    return ended.stdout, ended.stderr


def without_seconds(text: str) -> str:
    return "\n".join(line.partition(", in ")[0] for line in text.splitlines())


@pytest.mark.parametrize(
    ("query", "code"), [("how many films", 0), ("the price of tea in china", 3)]
)
def test_it_prints_what_the_command_prints(query, code) -> None:
    plain, told = ask(FILMS, query, code=code)
    other, other_told = ask(FILMS, query, "--rows", "20", code=code)
    assert without_seconds(plain) == without_seconds(other)
    assert told == other_told


def test_an_error_is_told_as_the_command_tells_it(tmp_path) -> None:
    nothing, told = ask(tmp_path / "films.csv", "how many", code=1)
    assert (nothing, told) == ("", f"There is no file {tmp_path / 'films.csv'}.\n")


def test_it_imports_neither_typer_nor_pandas_nor_other_domains() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTED, str(FILMS), "how many films"],
        capture_output=True,
        text=True,
        check=False,
        env={key: text for key, text in os.environ.items() if key != "GRAMMAX_TABLES"},
    )
    assert ended.returncode == 0, ended.stderr
    modules = {*ended.stderr.split()}
    assert "grammax.tables.own.domain" in modules
    unwanted = {"typer", "pandas", "pydantic", "torch", "numba", "grammax.domains.eqs.domain"}
    assert not modules & unwanted
