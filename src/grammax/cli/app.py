"""The whole command line; a new subject is one `add_typer` below."""

from __future__ import annotations

from typing import Annotated

import typer

from grammax import __version__
from grammax.cli import bench, catalogue, eqs, evaluate, grammar, parse, train
from grammax.cli.commands import Commands

app = typer.Typer(
    cls=Commands,
    help="Neural parsing that is always grammatical.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(grammar.app, name="grammar")
app.add_typer(eqs.app, name="eqs")
app.add_typer(catalogue.app, name="catalogue")
app.command("parse", context_settings={"ignore_unknown_options": True})(parse.parse_command)
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
