"""`grammax grammar induce`: a first grammar, induced from pairs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grammax.cli.options import Data, Json
from grammax.cli.terminal import (
    late_progress,
    new_table,
    print_json,
    print_lines,
    print_message,
    print_result,
)

if TYPE_CHECKING:
    from grammax.folder.coverage import Coverage


def induce_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with a domain.toml.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Output file [the grammar of the folder]."
        ),
    ] = None,
    data: Data = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Overwrite an existing grammar.")
    ] = False,
    json: Json = False,
) -> None:
    """Propose a grammar for the logical forms of the training pairs, which must have brackets.

    A head takes the numbers of arguments that occur in the pairs, and tokens that occur as the same
    argument become one kind. The share of each split's logical forms that the grammar accepts is
    printed; the exit code is 1 if it refuses a training pair.

    \b
    Examples:
      grammax grammar induce mine
      grammax grammar induce domains/geo --data ~/data -o - | less
    """
    from grammax.errors import GrammarError, GrammaxError, Location, Problem
    from grammax.folder.induce import propose
    from grammax.folder.settings import read_settings

    settings = read_settings(folder, data)
    target = output or settings.grammar
    shown = str(target) == "-"
    if not shown and target.exists() and not overwrite:
        raise GrammaxError(f"{target} exists already. Give --overwrite, or another -o FILE.")
    with late_progress(None) as progress:
        progress("reading the pairs and inducing a grammar", 0)
        proposal = propose(settings)
    if shown:
        print_lines([proposal.text])
    else:
        target.write_text(proposal.text, encoding="utf-8", newline="\n")
        if json:
            splits = {name: found._asdict() for name, found in proposal.splits.items()}
            print_json({"grammar": str(target), "exact": proposal.exact, "splits": splits})
        else:
            _print(proposal.splits)
            print_message(f"written: {target}", "dim")
    if proposal.problems:
        raise GrammarError(
            [
                Problem(
                    "induced",
                    f"the induced grammar refuses {len(proposal.problems):,} of its training pairs",
                    "Correct the grammar by hand, and run `grammax check` on the folder.",
                    Location(str(target)),
                ),
                *proposal.problems,
            ]
        )


def _print(measured: Mapping[str, Coverage]) -> None:
    numbers = ("forms", "accepted %", "with unknown tokens", "permitted per step", "of")
    table = new_table("split", *numbers, numbers=numbers)
    for name, found in measured.items():
        share, permitted = f"{100 * found.accepted:.2f}", f"{found.permitted:.2f}"
        counts = (f"{found.forms:,}", share, f"{found.unknown:,}", permitted, f"{found.tokens:,}")
        table.add_row(name, *counts)
    print_result(table)
