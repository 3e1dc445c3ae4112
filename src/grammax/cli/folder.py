"""`grammax new` and `grammax check`: create and check a domain of one's own."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grammax.cli.options import Data, Json
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
    from grammax.folder import Checked

_SHOWN = 20  # problems of a severity


def new_command(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder to create or complete.")
    ],
    json: Json = False,
) -> None:
    """Create a small example domain in a folder.

    It has settings, a grammar, a table of tokens, and pairs, and can be trained at once.

    In a folder that has files but no domain.toml, only a domain.toml is written, with settings for
    the pairs found there. Nothing is overwritten.

    \b
    Examples:
      grammax new rooms
      grammax check rooms && grammax train rooms && grammax parse --domain rooms "attic friday"
    """
    from grammax.folder.new import next_step, write_example

    files = write_example(folder)
    if json:
        print_json({"files": [str(path) for path in files]})
        return
    print_lines(map(str, files))
    print_message(f"Next: {next_step(folder)}.", "dim")


def check_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with a domain.toml.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """Check the folder of a domain.

    Settings, grammar, tables, and every logical form of every split are checked. All problems are
    listed with file and line; the exit code is 1 if one is an error.

    \b
    Examples:
      grammax check rooms
      grammax check domains/geo --data ~/data --json
    """
    from grammax.folder import check_folder

    with late_progress(None) as progress:
        checked = check_folder(folder, data, progress)
    if json:
        print_json(asdict(checked))
    else:
        _print_splits(checked)
        _print_problems(checked)
    if checked.errors:
        raise typer.Exit(1)


def _print_splits(checked: Checked) -> None:
    numbers = ["pairs", "tokens", "unseen", "longest", "accepted %", "permitted per step"]
    named = any(facts.named is not None for facts in checked.splits.values())
    numbers += ["named %"] if named else []
    table = new_table("split", *numbers, numbers=numbers)
    for name, facts in checked.splits.items():
        counts = (facts.pairs, facts.tokens, facts.unseen, facts.longest)
        shares = [f"{100 * facts.accepted:.2f}", f"{facts.permitted:.2f}"]
        shares += ["" if facts.named is None else f"{100 * facts.named:.2f}"] * named
        table.add_row(name, *(f"{count:,}" for count in counts), *shares)
    print_result(table)
    holds = f"{checked.vocabulary:,} tokens of {checked.kinds:,} kinds"
    grammars = ", ".join(checked.grammars)
    print_result(plain(f"{checked.name} {checked.version}: {holds}; grammars {grammars}"))


def _print_problems(checked: Checked) -> None:
    for severity, colour in (("error", "red"), ("warning", "yellow")):
        found = [problem for problem in checked.problems if problem.severity == severity]
        for problem in found[:_SHOWN]:
            print_message(str(problem), colour)
        if len(found) > _SHOWN:
            rest = f"... and {len(found) - _SHOWN:,} more {severity}s; --json lists all"
            print_message(rest, colour)
