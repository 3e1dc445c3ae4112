"""The examples run, and the documents say what is there."""

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NAMES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/equity-search.md")
NOT_HERE = ("train", "evaluate", "bench", "serve", "shell", "new")  # minutes, or a person
DOCUMENTS = [ROOT / name for name in NAMES]


def test_the_demo_shows_a_prefix_what_may_follow_and_an_illegal_token(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runpy.run_path(str(ROOT / "examples" / "engine.py"), run_name="__main__")
    shown = capsys.readouterr().out
    assert "( AND ( FLD_DOMICILE EQ …\n        COUNTRY: 10 tokens" in shown
    assert "LS cannot follow" in shown
    assert "Permitted here: EQUALITY (2: EQ, NEQ)." in shown


def test_python_in_the_readme_runs_as_shown() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "doctest", "README.md"], cwd=ROOT, capture_output=True, text=True
    )
    assert ">>> " in (ROOT / "README.md").read_text(encoding="utf-8")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_make_command_in_a_document_exists(document: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"`?\bmake ([a-z-]+)\b", _commands(document)))
    assert named <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_named_in_a_document_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"\b(?:benchmarks|examples|docs|src|tests)/[\w./-]*\w", text)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_grammax_commands_in_the_documents_run() -> None:
    text = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    commands = re.findall(r"^(grammax .*)$", text, re.MULTILINE)
    program = shutil.which("grammax", path=str(Path(sys.executable).parent))
    assert program
    assert len(commands) > 8
    for command in commands:
        if re.search(rf" -o |my-tables.toml|^grammax ({'|'.join(NOT_HERE)})", command):
            continue  # writes a picture of the repository, or needs tables of one's own
        done = subprocess.run(
            command.replace("grammax", program, 1),
            shell=True, cwd=ROOT, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}: {done.stderr}"


def _commands(document: Path) -> str:
    """The code of a document: what stands in back-ticks or in a block."""
    text = document.read_text(encoding="utf-8")
    blocks = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`[^`\n]+`", text)])
