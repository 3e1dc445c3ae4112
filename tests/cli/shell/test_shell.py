"""`grammax shell`: by a pipe, by a prompt, and once by a terminal."""

from __future__ import annotations

import json
import os
import re
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.cli.shell.command import converse, history_path
from grammax.cli.shell.forms import continuations
from grammax.cli.shell.prompt import PlainPrompt
from grammax.cli.shell.session import COMMANDS, Session, Settings, help_text
from grammax.cli.shell.toolkit import FormCompleter, QueryCompleter, ToolkitPrompt
from grammax.language.capabilities import Explainable
from grammax.parser import Parser, load

JAPAN = "(FLD_DOMICILE EQ enumValue(COU_JAPAN))"
NONSENSE = "what is the meaning of life"


@pytest.fixture(scope="module")
def parser() -> Iterator[Parser]:
    with load("eqs") as loaded:
        yield loaded


@pytest.fixture
def domain(parser: Parser) -> Any:
    return parser.domain


@pytest.fixture(autouse=True)
def _home(parser: Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAMMAX_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("grammax.cli.shell.command.load_parser", lambda *_: parser)


def piped(text: str | bytes, *options: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["shell", "--rows", "2", *options], input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_lines_of_a_pipe_are_answered_one_by_one() -> None:
    code, out, err = piped("steel japan\n\n:rows 1\nreturn on capital sp500\n")
    assert (code, err) == (0, "")
    assert out.startswith("> steel japan\n(AND (FLD_DOMICILE EQ enumValue(COU_JAPAN)) ")
    assert "2 of 3 rows, in " in out
    assert "\n> return on capital sp500\n" in out
    assert "1 of 503 rows, in " in out


def test_errors_are_said_and_end_nothing() -> None:
    given = (
        b"\x00\n:foo\n:rows 0\n:best x\n:lf\n:9\n:explain\n(FLD_X\n\n(a))\ncaf\xe9\nsteel japan\n"
    )
    code, out, err = piped(given)
    assert code == 1
    assert "2 of 3 rows" in out
    for told in (
        "there is no word, digit or sign in it",
        "there is no command :foo; :help lists them.",
        ":rows takes a number from 1 to 1,000,000, such as :rows 5.",
        ":best takes a number from 1 to 100",
        "cannot be edited through a pipe; give :lf a whole form",
        "nothing was asked yet.",
        "line 11: not UTF-8: byte 0xe9 at position 4",
    ):
        assert told in err
    assert "bug" not in err
    assert "Traceback" not in err


def test_a_logical_form_may_take_several_lines() -> None:
    code, out, err = piped("(FLD_DOMICILE EQ\n  COU_JAPAN)\n:lf (FLD_DOMICILE EQ COU_JAPAN)\n")
    assert (code, err) == (0, "")
    assert out.count(f"{JAPAN}\ncompanies domiciled in Japan\n") == 2


def test_a_form_that_makes_no_sense_is_told_with_what_does() -> None:
    code, _, err = piped("(FLD_DOMICILE EQ COU_JAPN)\n")
    assert code == 1
    assert "There is no value COU_JAPN." in err
    assert "Did you mean COU_JAPAN?" in err


def test_an_abstention_offers_readings_to_choose_from() -> None:
    code, out, err = piped(f"{NONSENSE}\n")
    assert code == 3
    first = re.search(r"Closest readings\n  1  (.+)\n +(\(.+\))\n  2  ", out)
    assert first is not None
    assert "This does not look like a query that can be answered here." in err
    code, out, err = piped(f"{NONSENSE}\n:1\n:7\n")
    assert code == 1
    meaning, form = first.groups()
    assert f"{form}\n{meaning}\n" in out
    assert "there is no reading 7; the readings are 1 to 3." in err


def test_json_is_a_line_for_each() -> None:
    code, out, err = piped(f"steel japan\n{JAPAN}\n{NONSENSE}\n:json\n:quit\nsteel", "--json")
    assert (code, err) == (3, "")
    query, form, unsure = map(json.loads, out.splitlines())
    assert query["text"] == "steel japan"
    assert form["paraphrase"] == "companies domiciled in Japan"
    assert form["answer"]["total"] == 226
    assert (unsure["abstains"], unsure["answer"]) == (True, None)


def test_help_names_every_command_and_explain_every_token(domain: Explainable) -> None:
    code, out, _ = piped(":help\nsteel japan\n:explain\n:\n")
    assert code == 0
    assert out.startswith(help_text(domain))
    assert all(f"\n{command} " in out for command in COMMANDS)
    assert "SEC_GICS_STEEL" in out.split("permitted")[1]


def test_a_bug_is_said_and_ends_nothing(parser: Parser, capsys: Any) -> None:
    session = Session(parser, Settings(), lambda _: str(1 / 0))
    assert session.handle(":lf")
    assert "This is a bug in grammax: ZeroDivisionError" in capsys.readouterr().err


def test_ctrl_c_gives_up_an_answer_and_ends_a_pipe(parser: Parser, capsys: Any) -> None:
    def interrupted(_: str) -> str:
        raise KeyboardInterrupt

    session = Session(parser, Settings(), interrupted)
    assert session.handle(":lf")
    session.domain = Interrupting()  # type: ignore[assignment]
    assert session.handle("(x)")
    assert capsys.readouterr().err == "Interrupted.\n"
    session.settings = Settings(lines=True)
    with pytest.raises(KeyboardInterrupt):
        session.handle("(x)")


class Interrupting:
    def read(self, text: str) -> Any:
        raise KeyboardInterrupt


# The prompt of a terminal.


@contextmanager
def terminal() -> Iterator[PipeInput]:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


def typed(parser: Parser, text: str, history: Path) -> None:
    """A conversation in which these keys are pressed; Ctrl-D at the end."""
    with terminal() as keys:
        keys.send_text(f"{text}\x04")
        prompt = ToolkitPrompt(parser.domain, history)  # type: ignore[arg-type]
        session = Session(parser, Settings(rows=1), prompt.form)
        converse(session, prompt)


def test_a_conversation(parser: Parser, tmp_path: Path, capsys: Any) -> None:
    typed(parser, "nonsense\x03steel japan\r", tmp_path / "kept")
    out, err = capsys.readouterr()
    assert "1 of 3 rows" in out
    assert err == ""
    assert (tmp_path / "kept").read_text().splitlines()[-1] == "+steel japan"
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o600
    typed(parser, "\x1b[A\r", tmp_path / "kept")  # the history of the last one: arrow up
    assert "1 of 3 rows" in capsys.readouterr().out


def test_a_form_is_edited(parser: Parser, tmp_path: Path, capsys: Any) -> None:
    back = "\x7f" * len("JAPAN))")
    typed(parser, f"{JAPAN}\r:lf\r{back}FRANCE))\r:lf\r\x03:quit\r", tmp_path / "kept")
    out, err = capsys.readouterr()
    assert "companies domiciled in France" in out
    assert err == ""


def test_lines_that_are_pasted_are_answered_each(
    parser: Parser, tmp_path: Path, capsys: Any
) -> None:
    typed(parser, "\x1b[200~steel japan\nreturn on capital sp500\x1b[201~\r", tmp_path / "kept")
    out, err = capsys.readouterr()
    assert err == ""
    assert "1 of 3 rows" in out
    assert "1 of 503 rows" in out


def test_a_history_that_cannot_be_kept_stops_nothing(parser: Parser, capsys: Any) -> None:
    for path in (Path("/dev/null/kept"), Path("/dev/full")):
        typed(parser, ":json\r", path)
    assert capsys.readouterr().err == ""


def test_the_history_is_with_the_users_data(tmp_path: Path) -> None:
    assert history_path("eqs") == tmp_path / "home" / "eqs-history"
    assert history_path("my/rooms") == tmp_path / "home" / "rooms-history"


def completed(completer: Completer, text: str) -> list[tuple[str, str]]:
    """Each completion: the text with it, and what is said of it."""
    found = completer.get_completions(Document(text), CompleteEvent())
    return [
        (text[: len(text) + one.start_position] + one.text, one.display_meta_text) for one in found
    ]


def test_queries_are_completed_by_names(domain: Explainable) -> None:
    found = completed(QueryCompleter(domain), "steel in germ")
    assert ("steel in Germany", "country") in found
    assert completed(QueryCompleter(domain), "") == []
    assert completed(QueryCompleter(domain), ":r") == [(":rows", "")]
    assert (":lf (FLD_DOMICILE EQ COU_JAPAN", "Japan") in completed(
        QueryCompleter(domain), ":lf (FLD_DOMICILE EQ japan"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "("),
        ("(AND (FLD_DOMICILE EQ western eu", "(AND (FLD_DOMICILE EQ COU_WESTERN_EUROPE"),
        ("(FLD_DOMICILE ", "(FLD_DOMICILE EQ"),
        ("(FLD_DOMICILE is n", "(FLD_DOMICILE NEQ"),
        ("(market ca", "(FLD_MKT_CAP"),
        ("(NOT (FLD_DOMICILE EQ enumValue(", "(NOT (FLD_DOMICILE EQ enumValue(COU_EUROPE"),
        ("(FLD_DOMICILE EQ enumValue(COU_JAPAN) ", "(FLD_DOMICILE EQ enumValue(COU_JAPAN) )"),
        ("(FLD_MKT_CAP(LAST Q", "(FLD_MKT_CAP(LAST QUARTER"),
        ("(FLD_MKT_CAP GR 10.5 bil", "(FLD_MKT_CAP GR 10.5 BILLION"),
        ("(FLD_EPS LE -1.5", "(FLD_EPS LE -1.5"),
    ],
)
def test_forms_are_completed_by_what_the_grammar_permits(
    domain: Explainable, text: str, expected: str
) -> None:
    found = [form for form, _ in completed(FormCompleter(domain), text)]
    if text != expected:
        assert expected in found


def test_what_is_offered_is_permitted(domain: Explainable) -> None:
    automaton = domain.automaton(domain.grammars[-1])
    for begun in ("", "(", "(AND (", "(FLD_DOMICILE EQ ", "(top ", "(FLD_PRICE GR 1 "):
        tokens = begun.replace("(", "( ").split()
        permitted = automaton.next_tokens(automaton.read(domain.vocabulary.ids(tokens)))
        found = [one.token for one in continuations(begun, domain, 50)]
        assert found
        assert all(token in permitted for token in found)
        assert len(found) == min(50, permitted.size)


@pytest.mark.parametrize("text", [")))", "\x00", "( (", "enumValue(", "a" * 9_999, "(" * 5_000])
def test_no_text_is_too_odd_to_complete(domain: Explainable, text: str) -> None:
    completed(FormCompleter(domain), text)
    completed(QueryCompleter(domain), text)


def test_without_prompt_toolkit_lines_are_read_plainly(
    parser: Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    lines: Any = iter([KeyboardInterrupt, "steel japan", ":lf", JAPAN, EOFError])

    def typing(_: str) -> str:
        line = next(lines)
        if isinstance(line, str):
            return line
        raise line

    monkeypatch.setattr("builtins.input", typing)
    prompt = PlainPrompt(tmp_path / "new" / "history")
    session = Session(parser, Settings(rows=1), prompt.form)
    converse(session, prompt)
    out, err = capsys.readouterr()
    assert err == ""
    assert "1 of 3 rows" in out
    assert "1 of 226 rows" in out


@pytest.mark.slow
@pytest.mark.parametrize("with_toolkit", [True, False])
def test_in_a_terminal(tmp_path: Path, with_toolkit: bool) -> None:
    """A pseudo-terminal: Tab completes, Ctrl-C gives up a line, Ctrl-D leaves."""
    import pty

    hide = "" if with_toolkit else "sys.modules['prompt_toolkit'] = None; "
    code = f"import sys; {hide}sys.argv[1:] = ['shell', '--rows', '1']; "
    code += "from grammax.cli.main import main; main()"
    environment = {**os.environ, "GRAMMAX_HOME": str(tmp_path), "TERM": "xterm"}
    child, number = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-c", code], environment)
    seen = read_until(number, "ask>")
    time.sleep(0.5)  # a prompt is shown a moment before it listens
    os.write(number, b"rubbish\x03")
    seen += read_until(number, "ask>")
    os.write(number, b"steel japan\r")
    seen += read_until(number, "rows, in")
    os.write(number, b":lf (FLD_DOMICILE EQ COU_JAPN)\r")
    seen += read_until(number, "Did you mean COU_JAPAN?")
    if with_toolkit:
        os.write(number, b":qu\t")
        seen += read_until(number, ":quit")
        os.write(number, b"\x03")
    time.sleep(0.5)
    os.write(number, b"\x04")
    _, status = os.waitpid(child, 0)
    os.close(number)
    assert os.waitstatus_to_exitcode(status) == 0
    assert "Traceback" not in seen
    assert "steel japan" in (tmp_path / "eqs-history").read_text()


def read_until(number: int, text: str, seconds: float = 60) -> str:
    seen, end = "", time.monotonic() + seconds
    while text not in seen:
        ready, _, _ = select.select([number], [], [], max(0, end - time.monotonic()))
        assert ready, f"{text!r} did not come: {seen[-2000:]!r}"
        seen += os.read(number, 65_536).decode(errors="replace")
        if "\x1b[6n" in seen[-200:]:  # where is the cursor? asked by prompt_toolkit
            os.write(number, b"\x1b[1;1R")
    return seen
