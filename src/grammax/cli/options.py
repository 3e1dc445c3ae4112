"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DomainName = Annotated[
    str, typer.Option("--domain", metavar="NAME", help="The language of the logical form.")
]
Model = Annotated[
    Path | None,
    typer.Option(
        "--model", metavar="FILE", help="A checkpoint; by default the model that is shipped."
    ),
]
Catalogue = Annotated[
    Path | None,
    typer.Option(
        "--catalogue",
        metavar="FILE",
        help="Changes of values and fields; by default those that `grammax catalogue` keeps.",
    ),
]
Anyway = Annotated[
    bool, typer.Option("--anyway", help="Take the likeliest reading where the parser abstains.")
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Where pairs are: what $GRAMMAX_DATA is in a domain.toml [that variable].",
    ),
]
RowLimit = Annotated[int, typer.Option("--rows", metavar="N", min=1, help="So many rows at most.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
