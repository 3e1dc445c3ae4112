"""The command line run inside this process, and grammars to run it on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grammax.cli.app import app
from grammax.parser import Parser, load

EQUITY = """
query: constraint
constraint: "(" FIELD OPERATOR COUNTRY ")"
          | "(" "AND" constraint constraint+ ")"
FIELD: "FLD_DOMICILE" | "FLD_LISTING"
OPERATOR: "EQ" | "NEQ"
COUNTRY: "COU_GERMANY" | "COU_日本" | "new zealand" | "a\\"b" | "COU_PERU"
"""

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    def run_command(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, ["grammar", *map(str, arguments)], input=stdin)

    return run_command


@pytest.fixture(scope="session")
def parser() -> Parser:
    """That of equity search, loaded once for all commands."""
    return load("eqs")


@pytest.fixture
def equity(tmp_path: Path) -> Path:
    return _written(tmp_path / "equity.lark", EQUITY)


@pytest.fixture
def ambiguous(tmp_path: Path) -> Path:
    return _written(tmp_path / "ambiguous.lark", 'start: start "+" start | "x"\n')


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return _written(tmp_path / "broken.lark", 'start: FIELDS "=" value\nFIELD: "a"\n')


@pytest.fixture
def declared(tmp_path: Path) -> Path:
    return _written(tmp_path / "declared.lark", "start: NAME+\n%declare NAME\n")


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
