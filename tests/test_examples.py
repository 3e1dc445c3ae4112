"""The examples run, and the documents say what is there."""

import doctest
import re
import runpy
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grammax.cli.app import app

ROOT = Path(__file__).parent.parent
NAMES = (
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"),
    *("docs/equity-search.md", "docs/performance.md", "docs/accuracy.md"),
    "docs/operations.md",
)
NOT_HERE = ("teach", "train", "evaluate", "bench", "serve", "shell", "new")  # minutes, or a person
DOCUMENTS = [ROOT / name for name in NAMES]


def test_the_demo_shows_a_prefix_what_may_follow_and_an_illegal_token(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runpy.run_path(str(ROOT / "examples" / "engine.py"), run_name="__main__")
    shown = capsys.readouterr().out
    assert "( AND ( FLD_DOMICILE EQ …\n        COUNTRY: 10 tokens" in shown
    assert "LS cannot follow" in shown
    assert "Permitted here: EQUALITY (2: EQ, NEQ)." in shown


def test_python_in_the_readme_runs_as_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 5
    assert not failed


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_make_command_in_a_document_exists(document: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"`?\bmake ([a-z-]+)\b", _commands(document)))
    assert named <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_named_in_a_document_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"\b(?:benchmarks|deploy|examples|docs|src|tests)/[\w./@-]*\w", text)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def _grammax_commands() -> list[str]:
    """Those of the documents that can be run here, each once."""
    text = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    commands = re.findall(r"^(grammax .*)$", text, re.MULTILINE)
    # Some write a picture of the repository, or need tables of one's own.
    elsewhere = re.compile(rf" -o |my-tables.toml|^grammax ({'|'.join(NOT_HERE)})")
    return [command for command in dict.fromkeys(commands) if not elsewhere.search(command)]


def test_the_documents_have_commands() -> None:
    assert len(_grammax_commands()) > 8


@pytest.mark.parametrize("command", _grammax_commands())
def test_grammax_commands_in_the_documents_run(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(app, shlex.split(command, comments=True)[1:])
    assert done.exit_code == 0, f"{command}: {done.stderr}"


def _commands(document: Path) -> str:
    """The code of a document: what stands in back-ticks or in a block."""
    text = document.read_text(encoding="utf-8")
    blocks = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`[^`\n]+`", text)])
