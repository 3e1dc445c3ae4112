"""`grammax grammar induce`: a grammar to begin with, where there are only pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grammax.cli.terminal import new_table, print_json, print_lines, print_message, print_result


def induce_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with a domain.toml.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where to [the folder's]."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the pairs are, if not where it says.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Write over a grammar that is there.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Propose a grammar for the logical forms of the training pairs, which must have brackets.

    Heads keep the numbers of arguments that they were seen with, and what was met in the same place
    may stand for each other. How many logical forms of the other splits it accepts is measured.

    \b
    Examples:
      grammax grammar induce mine
      grammax grammar induce domains/geo --data ~/data/geoquery -o - | less
    """
    from grammax.automaton.compile import lr
    from grammax.errors import GrammarError, GrammaxError
    from grammax.folder.coverage import coverage
    from grammax.folder.induce import induce
    from grammax.folder.pairs import read_pairs
    from grammax.folder.settings import read_settings
    from grammax.grammar import Grammar

    settings = read_settings(folder, data)
    target = output or settings.grammar
    shown = str(target) == "-"
    if not shown and target.exists() and not overwrite:
        raise GrammaxError(f"{target} is there already. Give --overwrite, or another -o FILE.")
    forms = {}
    for name, path in settings.splits.items():
        lines, problems = read_pairs(path, settings.notation)
        if problems:
            raise GrammarError(problems)
        forms[name] = [line.pair.tokens for line in lines]
    text = induce(forms["train"])
    if shown:
        print_lines([text])
        return
    automaton = lr(Grammar.read(text))
    target.write_text(text, encoding="utf-8", newline="\n")
    measured = {name: coverage(some, automaton) for name, some in forms.items()}
    if json:
        splits = {name: found._asdict() for name, found in measured.items()}
        print_json({"grammar": str(target), "splits": splits})
        return
    numbers = ("forms", "accepted %", "with unknown tokens", "permitted a step")
    table = new_table("split", *numbers, numbers=numbers)
    for name, found in measured.items():
        share, permitted = f"{100 * found.accepted:.2f}", f"{found.permitted:.1f}"
        table.add_row(name, f"{found.forms:,}", share, f"{found.unknown:,}", permitted)
    print_result(table)
    print_message(f"{target}: {len(automaton.vocabulary):,} tokens", "dim")
