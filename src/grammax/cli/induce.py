"""`grammax grammar induce`: a grammar to begin with, where there are only pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    from grammax.folder.settings import Settings
    from grammax.language.domain import Tokens


def induce_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with a domain.toml.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where to [the folder's]."),
    ] = None,
    data: Data = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Write over a grammar that is there.")
    ] = False,
    json: Json = False,
) -> None:
    """Propose a grammar for the logical forms of the training pairs, which must have brackets.

    Heads keep the numbers of arguments that they were seen with, and what was met in the same place
    may stand for each other. How many logical forms of the other splits it accepts is measured.

    \b
    Examples:
      grammax grammar induce mine
      grammax grammar induce domains/geo --data ~/data -o - | less
    """
    from grammax.errors import GrammaxError
    from grammax.folder.induce import induce
    from grammax.folder.settings import read_settings

    settings = read_settings(folder, data)
    target = output or settings.grammar
    if str(target) == "-":
        print_lines([induce(_forms(settings)["train"])])
        return
    if target.exists() and not overwrite:
        raise GrammaxError(f"{target} is there already. Give --overwrite, or another -o FILE.")
    with late_progress(None) as progress:
        progress("reading the pairs", 0)
        forms = _forms(settings)
        text = induce(forms["train"])
        progress("measuring", 0)
        measured = _measured(text, forms)
    target.write_text(text, encoding="utf-8", newline="\n")
    if json:
        splits = {name: found._asdict() for name, found in measured.items()}
        print_json({"grammar": str(target), "splits": splits})
    else:
        _print(measured)
        print_message(f"written: {target}", "dim")


def _forms(settings: Settings) -> dict[str, list[Tokens]]:
    """The logical forms of every split; `GrammarError` tells every line that has none."""
    from grammax.errors import GrammarError
    from grammax.folder.induce import without_tree
    from grammax.folder.pairs import read_pairs

    forms = {}
    for name in settings.splits:
        path = settings.path(name)
        lines, problems = read_pairs(path, settings.notation)
        problems += without_tree(lines, path) if name == "train" else []
        if problems:
            raise GrammarError(problems)
        forms[name] = [line.pair.tokens for line in lines]
    return forms


def _measured(text: str, forms: Mapping[str, Sequence[Tokens]]) -> dict[str, Coverage]:
    from grammax.automaton.compile import lr
    from grammax.folder.coverage import coverage
    from grammax.grammar import Grammar

    automaton = lr(Grammar.read(text))
    return {name: coverage(some, automaton) for name, some in forms.items()}


def _print(measured: Mapping[str, Coverage]) -> None:
    numbers = ("forms", "accepted %", "with unknown tokens", "permitted a step", "of")
    table = new_table("split", *numbers, numbers=numbers)
    for name, found in measured.items():
        share, permitted = f"{100 * found.accepted:.2f}", f"{found.permitted:.2f}"
        counts = (f"{found.forms:,}", share, f"{found.unknown:,}", permitted, f"{found.tokens:,}")
        table.add_row(name, *counts)
    print_result(table)
