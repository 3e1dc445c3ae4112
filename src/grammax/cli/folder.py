"""`grammax new` and `grammax check`: a domain of one's own, begun and checked."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from grammax.cli.terminal import (
    late_progress,
    new_table,
    plain,
    print_json,
    print_lines,
    print_message,
    print_result,
)

_SHOWN = 20  # problems of a sort


def new_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Made by this; not there yet.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write a small domain that works: settings, grammar, table of tokens, and pairs.

    \b
    Examples:
      grammax new rooms
      grammax check rooms && grammax train rooms && grammax parse --domain rooms "attic friday"
    """
    from grammax.folder import write_example

    files = write_example(folder)
    if json:
        print_json({"files": [str(path) for path in files]})
        return
    print_lines(map(str, files))
    print_message(
        f"Next: grammax check {folder}, then grammax train {folder} and grammax parse --domain "
        f"{folder}; all of it is yours to edit.",
        "dim",
    )


def check_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with a domain.toml.")],
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the pairs are, if not where it says.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a domain: settings, grammar, tables, and every logical form of every split.

    All problems are told, with file and line; the exit code is 1 if one is an error.

    \b
    Examples:
      grammax check rooms
      grammax check domains/geo --data ~/data/geoquery --json
    """
    from grammax.folder import check_folder

    with late_progress(1) as progress:
        progress(f"checking {folder}", 0)
        checked = check_folder(folder, data)
    if json:
        print_json(asdict(checked))
    else:
        numbers = ("pairs", "tokens", "unseen", "longest", "permitted a step")
        table = new_table("split", *numbers, numbers=numbers)
        for name, facts in checked.splits.items():
            counts = (facts.pairs, facts.tokens, facts.unseen, facts.longest)
            table.add_row(name, *(f"{count:,}" for count in counts), f"{facts.permitted:.1f}")
        print_result(table)
        print_result(
            plain(
                f"{checked.name} {checked.version}: {checked.vocabulary:,} tokens of "
                f"{checked.kinds:,} kinds; grammars {', '.join(checked.grammars)}"
            )
        )
        for severity, colour in (("error", "red"), ("warning", "yellow")):
            found = [problem for problem in checked.problems if problem.severity == severity]
            for problem in found[:_SHOWN]:
                print_message(str(problem), colour)
            if len(found) > _SHOWN:
                rest = f"... and {len(found) - _SHOWN:,} {severity}s more; --json has them all"
                print_message(rest, colour)
    if checked.errors:
        raise typer.Exit(1)
