"""Options that several commands share, and the constructor of a group of commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grammax.cli.main import TABLES_VARIABLE as TABLES_VARIABLE

DomainName = Annotated[
    str,
    typer.Option("--domain", metavar="NAME", help="Name or folder of the domain, or data."),
]
Model = Annotated[
    Path | None,
    typer.Option(
        "--model", metavar="FILE", help="A checkpoint; by default the one shipped or trained last."
    ),
]
Catalogue = Annotated[
    Path | None,
    typer.Option(
        "--catalogue",
        metavar="FILE",
        help="File of added and removed values; by default that of `grammax catalogue`.",
    ),
]
Tables = Annotated[
    Path | None,
    typer.Option(
        "--tables",
        metavar="FILE",
        envvar=TABLES_VARIABLE,
        show_envvar=False,
        help=f"Answer from your own tables, as FILE maps them [${TABLES_VARIABLE}].",
    ),
]
Table = Annotated[
    str | None,
    typer.Option("--table", metavar="NAME", help="A table, where the data has several."),
]
Force = Annotated[
    bool, typer.Option("--force", help="Use the likeliest reading where the parser abstains.")
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Folder of the data sets; replaces $GRAMMAX_DATA in domain.toml.",
    ),
]
RowLimit = Annotated[int, typer.Option("--rows", metavar="N", min=1, help="At most N rows.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def new_group(summary: str) -> typer.Typer:
    """A group of commands, listed by its own help."""
    return typer.Typer(
        help=summary, no_args_is_help=True, add_completion=False, rich_markup_mode=None
    )
