"""`grammax shell`: a conversation, in a terminal or through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grammax.cli.loading import explainable, load_parser
from grammax.cli.named import named_once
from grammax.cli.options import Catalogue, Data, DomainName, Json, Model, RowLimit, Table, Tables
from grammax.cli.parse.files import Line, read_lines
from grammax.cli.terminal import plain, print_message, print_result
from grammax.files import data_folder

if TYPE_CHECKING:
    from grammax.cli.shell.prompt import Prompt
    from grammax.cli.shell.session import Session


def shell_command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="A file, folder or URL of data, or a domain."),
    ] = None,
    rows: RowLimit = 20,
    best: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="Show N readings of each query.")
    ] = 1,
    table: Table = None,
    tables: Tables = None,
    domain: DomainName = "eqs",
    model: Model = None,
    catalogue: Catalogue = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Ask queries in a conversation.

    Names are completed while you type. :help lists the commands, :lf edits the last logical form
    with what its grammar permits, and Ctrl-D leaves. The history is stored with the user's data,
    or in $GRAMMAX_HOME.

    Lines from a pipe are answered one by one. The exit code is then 1 if one of them had an error,
    else 3 if the parser abstained on one.

    \b
    Examples:
      grammax shell
      grammax shell films.csv
      grammax shell --rows 5 --best 3
      grammax shell --tables my-tables.toml
      printf 'steel japan\\n:rows 3\\nsteel or chemicals in asia\\n' | grammax shell
      grammax shell --json < queries.txt
    """
    from grammax.cli.shell.prompt import new_prompt
    from grammax.cli.shell.session import Session, Settings

    given = named_once(name, domain)
    with load_parser(given, model, catalogue, data, tables, table) as parser:
        if not sys.stdin.isatty():
            session = Session(parser, Settings(rows, best, json, lines=True), _edit_none)
            read_all(session, read_lines(sys.stdin.buffer))
            raise typer.Exit(session.code)
        prompt = new_prompt(explainable(parser), history_path(parser.domain.name))
        print_message("Ask in English; :help lists the commands, Ctrl-D leaves.", "dim")
        if parser.domain.about and (samples := parser.samples):
            print_message(f"Such as: {'; '.join(samples[:3])}", "dim")
        converse(Session(parser, Settings(rows, best, json), prompt.form), prompt)


def converse(session: Session, prompt: Prompt) -> None:
    """Answer a person until they leave."""
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
    """Answer the lines of a pipe; a logical form may extend over several of them."""
    form = ""
    for line in lines:
        if line.problem and line.text.strip():
            session.refuse(f"line {line.number:,}: {line.problem}")
            continue
        form = f"{form}\n{line.text}" if form else line.text
        if form.lstrip().startswith("(") and _is_open(form) and line.text.strip():
            continue
        if not _echo_and_handle(session, form):
            return
        form = ""
    _echo_and_handle(session, form)


def history_path(domain: str) -> Path:
    """The file of the history: beside the changes of the catalogue."""
    return data_folder() / f"{Path(domain).name}-history"


def _echo_and_handle(session: Session, text: str) -> bool:
    if text.strip() and not session.settings.json and not text.lstrip().startswith(":"):
        print_result(plain(f"> {text.strip()}", "bold"))
    return session.handle(text)


def _is_open(form: str) -> bool:
    return form.count("(") > form.count(")")


def _edit_none(text: str) -> str:
    from grammax.cli.shell.session import WrongCommand

    raise WrongCommand(
        f"the form {text!r:.60} cannot be edited through a pipe; give :lf a whole form."
    )
