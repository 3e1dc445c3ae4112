"""`grammax parse`: the logical form of a query."""

from __future__ import annotations

import warnings
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grammax.cli.catalogue import changed_domain
from grammax.cli.terminal import (
    late_progress,
    new_table,
    plain,
    print_json,
    print_lines,
    print_message,
    print_result,
)

if TYPE_CHECKING:
    from grammax.parser import Parsed


def parse_command(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What you look for, in English.")],
    domain: Annotated[
        str, typer.Option(metavar="NAME", help="The language of the logical form.")
    ] = "eqs",
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A checkpoint; by default the model that is shipped."),
    ] = None,
    catalogue: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Changes of values and fields; by default those that `grammax catalogue` keeps.",
        ),
    ] = None,
    best: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="So many logical forms, best first.")
    ] = 1,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also what each token came from, and what it cost.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Parse a query: its logical form, always grammatical and well typed.

    The first run with a model prepares it, in a few seconds, and keeps that in the cache folder.

    \b
    Examples:
      grammax parse "steel western europe not german"
      grammax parse "top 10 european tech firms by p/b ratio" --best 3
      grammax parse "auto nysex last quarter mcap > $1bn" --explain
    """
    from grammax.model.parse import QueryNotice
    from grammax.parser import load

    with late_progress(1) as progress:
        progress("preparing the model, once", 0)
        parser = load(changed_domain(domain, catalogue) or domain, model)
    with warnings.catch_warnings(record=True) as notices:
        warnings.simplefilter("always", QueryNotice)
        found = parser.parse(query, best)
    for notice in notices:
        print_message(str(notice.message), "yellow")
    if json:
        print_json(asdict(found) | {"seconds": found.seconds._asdict()} | _best(found))
        return
    if best > 1:
        print_lines(f"{one.confidence:6.1%}  {one.lf}" for one in found.best)
    else:
        print_lines([found.lf])
    if explain:
        _explain(found)


def _best(found: Parsed) -> dict[str, object]:
    return {"best": [alternative._asdict() for alternative in found.best]}


def _explain(found: Parsed) -> None:
    table = new_table("token", "permitted", "rows", "words", numbers=("permitted", "rows"))
    steps = zip(found.tokens, found.permitted, found.scored, strict=False)
    for place, (token, permitted, scored) in enumerate(steps):
        words = plain(" ".join(found.words_of(place)))
        table.add_row(plain(token), f"{permitted:,}", f"{scored:,}", words)
    print_result(table)
    spent = "  ".join(f"{name} {1000 * s:.2f} ms" for name, s in found.seconds._asdict().items())
    print_lines([f"confidence {found.confidence:.1%}  {spent}"])
