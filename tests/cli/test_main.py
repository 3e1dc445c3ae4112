"""What holds for every command: the entry point, exit codes, and no traceback for users."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from grammax import __version__
from grammax.cli.main import domain_here

Run = Callable[..., Result]

COMMANDS = ("check", "sample", "next", "draw", "compare")


def grammax(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grammax.cli.main", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload, no-any-return]


def test_version_is_that_of_the_package() -> None:
    assert grammax("--version").stdout == f"grammax {__version__}\n"


@pytest.mark.parametrize("package", ["typer", "rich"])
def test_a_missing_package_is_one_line_that_says_what_to_install(package: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from grammax.cli import main; main.main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert package in done.stderr
    assert 'pip install "grammax[cli]"' in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"\n    grammax grammar {command} " in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file_a_directory_and_a_missing_table_are_one_line(
    run: Run, command: str, equity: Path
) -> None:
    folder = equity.parent
    for arguments in (
        [folder / "none.lark"],
        [folder],
        [equity, "--tokens", folder / "none.tsv"],
    ):
        result = run(command, *arguments)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr in (
            f"{arguments[-1]}: No such file or directory\n",
            f"{arguments[-1]}: Is a directory\n",
        )


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_a_broken_grammar_lists_all_its_problems_on_stderr(
    run: Run, command: str, broken: Path
) -> None:
    result = run(command, broken)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{broken}:1:8: error: the kind FIELDS is used" in result.stderr
    assert f"{broken}:1:19: error: the rule value is used" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["sample", "-n", "-1"],
        ["next", "--automaton", "ll"],
        ["next", "--limit", "0"],
        ["draw", "--automaton", "earley"],
        ["nonsense"],
    ],
)
def test_wrong_usage_exits_with_2(run: Run, equity: Path, arguments: list[str]) -> None:
    result = run(*arguments, equity)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage:" in result.stderr


def test_a_closed_pipe_ends_in_silence(equity: Path) -> None:
    command = [sys.executable, "-m", "grammax.cli.main", "grammar", "sample", equity, "-n", "9999"]
    writer = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    with writer:
        assert writer.stdout
        assert writer.stderr
        assert writer.stdout.readline().startswith("( ")
        writer.stdout.close()
        assert writer.stderr.read() == ""


def test_a_terminal_that_lacks_a_character_shows_its_number(equity: Path) -> None:
    environment = {"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    done = grammax("grammar", "next", equity, "( FLD_LISTING EQ", env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "COU_\\u65e5\\u672c" in done.stdout


def test_a_bug_of_ours_keeps_its_traceback(
    run: Run, equity: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grammax.cli.grammar.commands.split_tokens", lambda _: 1 / 0)
    assert isinstance(run("next", equity).exception, ZeroDivisionError)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["parse", "free rooms"], "grammax parse --domain . ..."),
        (["ask", "free rooms", "--json"], "grammax ask --domain . ..."),
        (["shell"], "grammax shell --domain . ..."),
        (["train", "--epochs", "3"], "grammax train . ..."),
        (["serve"], "grammax serve . ..."),
        (["train", "."], None),
        (["train", "eqs"], None),
        (["parse", "--domain", "eqs", "free rooms"], None),
        (["parse", "--domain=.", "free rooms"], None),
        (["ask", "domain.toml", "free rooms"], None),
        (["ask", "sqlite:///a.db", "free rooms"], None),
        (["parse", "--help"], None),
        (["parse", "x" * 5000], "grammax parse --domain . ..."),
        (["check"], None),
        ([], None),
    ],
)
def test_a_folder_that_is_a_domain_is_not_overlooked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], hint: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    assert domain_here(arguments) is None
    (tmp_path / "domain.toml").write_text("", "utf-8")
    found = domain_here(arguments)
    assert (found is None) == (hint is None)
    assert hint is None or f"`{hint}`" in str(found)
