"""`grammax shell`: a conversation, in a terminal or through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from grammax.cli.options import Catalogue, DomainName, Json, Model, RowLimit
from grammax.cli.parse_lines import Line, read_lines
from grammax.cli.parse_load import load_parser
from grammax.cli.terminal import plain, print_message, print_result
from grammax.files import data_folder

if TYPE_CHECKING:
    from grammax.cli.shell_session import Session
    from grammax.language.capabilities import Explainable
    from grammax.parser import Parser


class Prompter(Protocol):
    """What asks a person."""

    def query(self) -> str: ...

    def form(self, text: str) -> str: ...


def shell_command(
    rows: RowLimit = 20,
    best: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="Show so many readings.")
    ] = 1,
    domain: DomainName = "eqs",
    model: Model = None,
    catalogue: Catalogue = None,
    json: Json = False,
) -> None:
    """Ask one query after the other; names are completed while you type.

    :help lists the commands, :lf changes the last logical form with what its grammar permits, and
    Ctrl-D leaves. The history is kept with the user's data, or in $GRAMMAX_HOME.

    Lines from a pipe are answered one by one. The exit code is then 1 if there was an error in
    one of them, else 3 if the parser abstained from one.

    \b
    Examples:
      grammax shell
      grammax shell --rows 5 --best 3
      printf 'steel japan\\n:rows 3\\nreturn on capital sp500\\n' | grammax shell
      grammax shell --json < queries.txt
    """
    from grammax.cli.shell_session import Session, Settings

    parser = load_parser(domain, model, catalogue)
    if not sys.stdin.isatty():
        with parser, Session(parser, Settings(rows, best, json, lines=True), _edit_none) as session:
            read_all(session, read_lines(sys.stdin.buffer))
        raise typer.Exit(session.code)
    prompt = _prompter(parser, history_path(parser.domain.name))
    with parser, Session(parser, Settings(rows, best, json), prompt.form) as session:
        print_message("Ask in English; :help tells more, Ctrl-D leaves.", "dim")
        converse(session, prompt)


def converse(session: Session, prompt: Prompter) -> None:
    """Answer what a person asks until they leave."""
    while True:
        try:
            text = prompt.query()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if not session.handle(text):
            return


def read_all(session: Session, lines: Iterable[Line]) -> None:
    """Answer lines that are all there; a logical form may go on over several of them."""
    form = ""
    for line in lines:
        if line.problem and line.text.strip():
            session.refuse(f"line {line.number:,}: {line.problem}")
            continue
        form = f"{form}\n{line.text}" if form else line.text
        if form.lstrip().startswith("(") and _is_open(form) and line.text.strip():
            continue
        if not _said(session, form):
            return
        form = ""
    _said(session, form)


def history_path(domain: str) -> Path:
    """Where the history is kept: beside the changes of the catalogue."""
    return data_folder() / f"{Path(domain).name}-history"


def _said(session: Session, text: str) -> bool:
    if text.strip() and not session.settings.json and not text.lstrip().startswith(":"):
        print_result(plain(f"> {text.strip()}", "bold"))
    return session.handle(text)


def _is_open(form: str) -> bool:
    return form.count("(") > form.count(")")


def _edit_none(text: str) -> str:
    from grammax.cli.shell_session import WrongCommand

    raise WrongCommand(f"there is no one to change the form {text!r:.60}; give it to :lf whole.")


def _prompter(parser: Parser, history: Path) -> Prompter:
    from grammax.cli.parse_load import spoken

    speaker: Explainable = spoken(parser)
    try:
        from grammax.cli.shell_prompt import Prompt
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "prompt_toolkit":
            raise
        from grammax.cli.shell_plain import PlainPrompt

        print_message('For completion: pip install "grammax[cli]"', "dim")
        return PlainPrompt(history)
    return Prompt(speaker, history)
