"""What scripts rely on: exit codes, no traceback whatever is given, examples, and completion."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.main import get_command
from typer.testing import CliRunner

from grammax.cli import exit_codes
from grammax.cli.app import app, set_apart
from grammax.cli.errors import failure_from
from grammax.cli.loading import load_parser
from grammax.parser import Parser

STEEL = "steel western europe not german"
CODES = (exit_codes.DONE, exit_codes.ERROR, exit_codes.USAGE, exit_codes.ABSTAINED)
QUICK = (("ask",), ("parse",), ("shell",), ("eqs", "check"), ("eqs", "next"), ("eqs", "find"))


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """All commands, as they are typed."""
    command = command or get_command(app)
    for name, inner in sorted(command.commands.items()):
        if hasattr(inner, "commands"):
            yield from commands(inner, (*path, name))
        else:
            yield (*path, name)


COMMANDS = [*commands()]


def run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def process(
    arguments: Sequence[str | bytes | Path], **options: Any
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "grammax.cli.main", *arguments]
    settled = {"capture_output": True, "timeout": 120, "stdin": subprocess.DEVNULL, **options}
    return subprocess.run(command, **settled)


@pytest.fixture(autouse=True)
def _loaded_once(parser: Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def loaded(domain: str, *given: Path | None) -> Parser:
        usual = domain == "eqs" and not any(given)
        return parser if usual else load_parser(domain, *given)

    monkeypatch.setenv("GRAMMAX_HOME", str(tmp_path / "home"))
    for module in ("ask.one", "parse.command", "shell.command"):
        monkeypatch.setattr(f"grammax.cli.{module}.load_parser", loaded)


def test_the_help_lists_every_exit_code() -> None:
    code, out, _ = run("--help")
    assert code == 0
    numbers = [value for value in vars(exit_codes).values() if isinstance(value, int)]
    listed = re.findall(r"^ +(\d+)  ", out.split("Exit codes:")[1], re.MULTILINE)
    assert [int(number) for number in listed] == numbers == [0, 1, 2, 3, 130]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_an_example_of_itself(command: tuple[str, ...]) -> None:
    code, out, _ = run(*command, "--help")
    assert code == 0
    examples = out.split("Examples:")[1].split("Options:")[0]
    assert f"grammax {' '.join(command)}" in examples


def test_each_code_is_given() -> None:
    assert run("parse", STEEL)[0] == exit_codes.DONE
    assert run("parse", "")[0] == exit_codes.ERROR
    assert run("parse")[0] == exit_codes.USAGE
    assert run("ask", "what is the meaning of life")[0] == exit_codes.ABSTAINED


def test_ctrl_c_gives_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Any:
        raise KeyboardInterrupt

    for command, module in (("ask", "one"), ("parse", "one"), ("shell", "command")):
        monkeypatch.setattr(f"grammax.cli.{command}.{module}.load_parser", interrupted)
        arguments = [] if command == "shell" else ["steel"]
        assert run(command, *arguments)[0] == exit_codes.INTERRUPTED


def test_a_missing_extra_is_wrong_usage_and_other_errors_are_bugs() -> None:
    missing = failure_from(ModuleNotFoundError(name="duckdb.engine"))
    assert missing is not None
    assert (missing.code, 'pip install "grammax[eqs]"' in missing.message) == (2, True)
    assert failure_from(ModuleNotFoundError(name="grammax.gone")) is None
    assert failure_from(ZeroDivisionError()) is None
    assert failure_from(BrokenPipeError()) is None


def test_queries_are_set_apart_only_where_they_look_like_options() -> None:
    for arguments in (["steel"], ["--best", "3", "a b"], ["--", "-5%"], ["-o", "x"], ["-h"]):
        assert set_apart(arguments) == arguments
    assert set_apart(["-o", "x", "-5 of all"]) == ["-o", "x", "--", "-5 of all"]


# Whatever is given, something is said and nothing is raised.


@pytest.fixture
def odd_files(tmp_path: Path) -> list[Path]:
    binary, empty, secret = tmp_path / "binary", tmp_path / "empty", tmp_path / "a" / "b"
    binary.write_bytes(bytes(range(256)) * 9)
    empty.touch()
    return [tmp_path / "none", tmp_path, binary, empty, secret, Path("/dev/null"), binary / "x"]


OF_FILES = [
    ("parse", "--file"), ("parse", STEEL, "--model"), ("parse", STEEL, "--domain"),
    ("shell", "--model"), ("grammar", "next"), ("catalogue", "add"),
    *(
        pytest.param(arguments, marks=pytest.mark.slow)
        for arguments in (
            ("parse", STEEL, "--catalogue"), ("ask", STEEL, "--model"), ("grammar", "check"),
            ("ask", STEEL, "--catalogue"), ("catalogue", "remove", "--file"),
            ("catalogue", "list", "--catalogue"), ("catalogue", "search", "x", "--catalogue"),
            ("evaluate", "--model"), ("evaluate",), ("bench", "--model"),
            ("eqs", "run", "(top 5 FLD_MKT_CAP)", "--tables"),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize("arguments", OF_FILES, ids=" ".join)
def test_odd_files_are_told(arguments: tuple[str, ...], odd_files: list[Path]) -> None:
    for path in odd_files:
        code, out, err = run(*arguments, path)
        assert code in CODES
        assert "Traceback" not in err
        assert out or err


@pytest.mark.parametrize(
    "target", ["nowhere/x", "/dev/full", "/dev/null/x", "."], ids=["none", "full", "file", "dir"]
)
def test_a_place_that_cannot_be_written_to_is_told(target: str, tmp_path: Path) -> None:
    queries = tmp_path / "queries"
    queries.write_text("steel\n")
    for arguments in (
        ["parse", "--file", queries, "-o", target],
        ["ask", STEEL, "--csv", target],
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (1, "")
        assert err.startswith(f"{target}: ")


ARGUMENTS = st.one_of(
    st.sampled_from(
        [
            "--json", "--best", "0", "1", "101", "x", "--rows", "--file", "-o", "-", "--csv", "--",
            "--domain", "eqs", "nothing", "--model", "/dev/null", "--catalogue", "--force", "-5%",
            "--overwrite", "--explain", "--help", "-h", STEEL, "", "(", "(top 5 FLD_MKT_CAP)",
            "--token", "--limit", "-n", "--size", "--sql", "--dialect", "/", ".", "\udcff",
        ]
    ),
    st.text(max_size=20),
)  # fmt: skip
SAFE = [*QUICK, *(command for command in COMMANDS if command[0] in ("grammar", "catalogue"))]


@given(st.sampled_from(SAFE), st.lists(ARGUMENTS, max_size=5))
@settings(max_examples=20)
def test_no_arguments_raise(command: tuple[str, ...], arguments: list[str]) -> None:
    if {"-o", "--output", "--csv", "--overwrite"} & {argument[:11] for argument in arguments}:
        arguments = [a for a in arguments if not a.startswith(("-o", "--o", "--c"))]
    code, _, err = run(*command, *arguments)
    assert code in CODES
    assert "Traceback" not in err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_option_that_is_none_is_wrong_usage(command: tuple[str, ...]) -> None:
    code, out, err = run(*command, "--no-such-option")
    assert (code, out) == (2, "")
    assert "No such option" in err


# In a process of its own.


def test_a_full_disk_is_told_once() -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(["--help"], capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"No space left on device\n")


def test_a_closed_stdout_is_told_and_a_closed_stderr_stops_nothing() -> None:
    shell = f"exec {sys.executable} -m grammax.cli.main"
    told = subprocess.run(["sh", "-c", f"{shell} --help >&-"], capture_output=True, check=False)
    assert (told.returncode, told.stderr) == (1, b"Bad file descriptor\n")
    both = subprocess.run(["sh", "-c", f"{shell} nothing <&- >&- 2>&-"], check=False)
    assert both.returncode == 2


def test_a_bug_is_said_in_words_and_shown_if_asked_for() -> None:
    code = (
        "from grammax.cli import app, main\n"
        "def broken(**_): raise ZeroDivisionError('oh')\n"
        "app.app = broken; main.main()"
    )
    for variable, told in (
        ("", b"This is a bug in grammax: ZeroDivisionError: oh"),
        ("1", b"Trace"),
    ):
        environment = {**os.environ, "GRAMMAX_TRACEBACK": variable}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, env=environment, check=False
        )
        assert done.returncode == 1
        assert done.stderr.startswith(told)


C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.slow
@pytest.mark.parametrize("locale", [{}, C_LOCALE], ids=["as it is", "C"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", b"\xff\xfe steel japan", "--rows", "2"],
        ["ask", "steel japan", "--rows", "2"],
        ["ask", "société générale", "--best", "3"],
        ["ask", b"steel", "--csv", b"nowhere/\xff"],
        ["parse", b"\xff", "--json"],
        ["parse", "--file", b"\xff"],
        ["parse", "東京", "--explain", "--force"],
        ["parse", b"steel", "--domain", b"\xff"],
        ["grammar", "check", b"\xff.lark"],
        ["catalogue", "search", b"\xff"],
        ["eqs", "check", b"(\xff)"],
        ["eqs", "find", "東京"],
        [b"\xff"],
    ],
    ids=repr,
)
def test_no_bytes_and_no_locale_give_a_traceback(
    arguments: list[str | bytes], locale: dict[str, str]
) -> None:
    done = process([os.fsencode(a) for a in arguments], env={**os.environ, **locale})
    assert done.returncode in CODES
    assert b"Traceback" not in done.stderr
    assert b"bug in grammax" not in done.stderr
    assert done.stdout or done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("redirected", [">/dev/full", ">&-", ">/dev/full 2>/dev/full", "2>&-"])
@pytest.mark.parametrize(
    "command",
    [
        "ask 'steel japan'", "ask 'steel japan' --json", "ask 'steel japan' --csv -", "parse steel",
        "parse steel --json", "parse --file /etc/hostname", "--version", "--show-completion",
        "eqs find japan", "catalogue search japan",
    ],
)  # fmt: skip
def test_no_place_for_results_gives_a_traceback(command: str, redirected: str) -> None:
    shell = f"exec {sys.executable} -m grammax.cli.main {command} {redirected}"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=120, check=False)
    assert done.returncode in CODES
    assert (done.returncode == 1) or redirected == "2>&-" or command == "--show-completion"
    for wrong in (b"Traceback", b"Exception ignored", b"bug in grammax"):
        assert wrong not in done.stderr


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_ends_a_batch_in_silence(tmp_path: Path) -> None:
    queries = tmp_path / "queries"
    queries.write_text("steel japan\n" * 5_000)
    shell = f"{sys.executable} -m grammax.cli.main parse --file {queries} | head -n 1"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=120, check=False)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


# Completion by the shell of the system.


def completed(words: str) -> list[str]:
    environment = {
        **os.environ,
        "_GRAMMAX_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    done = process([], env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().split()


def test_values_are_completed() -> None:
    assert "test" in completed("grammax evaluate --split t")


@pytest.mark.slow
def test_domains_grammars_and_splits_are_completed() -> None:
    assert completed("grammax as") == ["ask"]
    assert completed("grammax parse --domain e") == ["eqs"]
    assert completed("grammax train e") == ["eqs"]
    assert completed("grammax catalogue search --domain ") == ["eqs"]
    assert completed("grammax evaluate eqs --grammar su") == ["superset-untyped", "superset"]
    assert completed("grammax evaluate --grammar n") == ["none"]
    assert completed("grammax evaluate nowhere --grammar s") == []
    assert completed("grammax eqs next --grammar u") == ["unrolled"]
    assert completed("grammax eqs corpus --split tr") == ["train"]
    named = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # by the argument
    shown = process(["--show-completion", "bash"], env=named)
    assert "_grammax_completion" in shown.stdout.decode()
