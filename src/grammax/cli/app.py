"""The whole command line; a new subject is one `add_typer` below."""

from __future__ import annotations

from typing import Annotated

import typer

from grammax import __version__
from grammax.cli import (
    ask,
    bench,
    catalogue,
    eqs,
    evaluate,
    folder,
    grammar,
    parse,
    serve,
    shell,
    train,
)
from grammax.cli.commands import Commands
from grammax.cli.completion import complete_values
from grammax.cli.exit_codes import EXAMPLES, EXIT_CODES
from grammax.cli.parse_query import QueryCommand

app = typer.Typer(
    cls=Commands,
    help="Neural parsing that is always grammatical.",
    epilog=f"{EXAMPLES}\n{EXIT_CODES}",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("ask", cls=QueryCommand)(ask.ask_command)
app.command("shell")(shell.shell_command)
app.command("parse", cls=QueryCommand)(parse.parse_command)
app.add_typer(grammar.app, name="grammar")
app.add_typer(eqs.app, name="eqs")
app.add_typer(catalogue.app, name="catalogue")
app.command("serve")(serve.serve_command)
app.command("new")(folder.new_command)
app.command("check")(folder.check_command)
app.command("evaluate")(evaluate.evaluate_command)
app.command("train")(train.train_command)
app.command("bench")(bench.bench_command)


def _print(wanted: bool) -> None:
    if wanted:
        typer.echo(f"grammax {__version__}")
        raise typer.Exit


_Version = Annotated[
    bool, typer.Option("--version", help="Show it and exit.", callback=_print, is_eager=True)
]


@app.callback()
def _options(version: _Version = False) -> None:
    pass


complete_values(app)
