"""`grammax grammar induce`: a first grammar, induced from pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
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
    from grammax.folder.induce.proposal import Proposal, Tried
    from grammax.folder.open_kinds import FilledKind


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
    scopes: Annotated[
        bool,
        typer.Option(
            "--scopes/--no-scopes", help="Try to permit variables only where they are bound."
        ),
    ] = True,
    json: Json = False,
) -> None:
    """Propose a grammar for the logical forms of the training pairs, which must have brackets.

    A head takes the numbers of arguments that occur in the pairs, and tokens that occur as the same
    argument become one kind; those of the folder's tables keep their kinds. The share of each
    split's logical forms that the grammar accepts is printed. Warnings name the pairs that alone
    make one type of two that look different.

    Stricter grammars are tried: whole forms may be of several types; where heads bind variables, as
    in ( lambda $0 e ( state $0 ) ), a variable is permitted only where it is bound. Such a grammar
    is proposed if it accepts forms that it was not induced from as before; its gain is printed.

    The proposal accepts every training pair; else nothing is written, and the exit code is 1.

    \b
    Examples:
      grammax grammar induce mine
      grammax grammar induce domains/geo --data ~/data -o - | less
    """
    from grammax.errors import GrammarError, GrammaxError, Location, Problem
    from grammax.folder.data import read_pairs
    from grammax.folder.fillable import settable_kinds
    from grammax.folder.induce import propose
    from grammax.folder.settings import read_settings
    from grammax.grammar import Grammar

    settings = read_settings(folder, data)
    target = output or settings.grammar
    shown = str(target) == "-"
    if not shown and target.exists() and not overwrite:
        raise GrammaxError(f"{target} exists already. Give --overwrite, or another -o FILE.")
    with late_progress(None) as progress:
        progress("reading the pairs and inducing a grammar", 0)
        proposal = propose(settings, scopes)
    if proposal.problems:
        raise GrammarError(
            [
                Problem(
                    "induced",
                    f"the induced grammar refuses {len(proposal.problems):,} of its training pairs",
                    "Nothing was written. Correct these pairs, or write the grammar by hand.",
                    Location(str(target)),
                ),
                *proposal.problems,
            ]
        )
    if shown:
        print_lines([proposal.text])
    else:
        target.write_text(proposal.text, encoding="utf-8", newline="\n")
        if json:
            print_json(_report(target, proposal))
            return
        _print(proposal.splits)
        for tried in proposal.tried:
            print_message(_gain(tried), "dim")
    for problem in proposal.merged:
        print_message(str(problem), "yellow")
    if not shown:
        print_message(f"written: {target}", "dim")
        pairs = read_pairs(settings.path("train"), settings.notation)[0]
        _print_fillable(settable_kinds(Grammar.read(proposal.text), [line.pair for line in pairs]))


def _report(target: Path, proposal: Proposal) -> dict[str, object]:
    return {
        "grammar": str(target),
        "exact": proposal.exact,
        "splits": _figures(proposal.splits),
        "tried": [
            {
                "stricter": str(tried.way),
                "proposed": tried.proposed,
                "before": _figures(tried.before),
                "after": _figures(tried.after),
                "accepted_of_left_out": dict(zip(("before", "after"), tried.left_out, strict=True)),
            }
            for tried in proposal.tried
        ],
        "merged": [asdict(problem) for problem in proposal.merged],
    }


def _figures(measured: Mapping[str, Coverage]) -> dict[str, object]:
    return {name: found._asdict() for name, found in measured.items()}


def _gain(tried: Tried) -> str:
    """What a stricter grammar gains, in words."""
    split = [*tried.before][-1]
    before, after = tried.before[split], tried.after[split]
    gain = f"{before.permitted:.2f} → {after.permitted:.2f} tokens per step on {split}"
    shares = (f"{100 * share:.2f}" for share in tried.left_out)
    kept = f"{' → '.join(shares)} % of forms left out are accepted"
    return f"{tried.way}: {gain}, {kept}: {'proposed' if tried.proposed else 'not proposed'}"


def _print_fillable(kinds: Sequence[FilledKind]) -> None:
    if kinds:
        said = (
            "Queries mention the tokens of these kinds, so domain.toml may let queries fill them:"
        )
        print_message(said, "dim")
        lines = (f"  {kind.kind} = {kind.to_setting()}" for kind in kinds)
        print_message("\n".join(["  [filled]", *lines]), "dim")
    alike = Counter(replace(kind, kind="N") for kind in kinds)
    for kind, count in alike.items():
        if count > 1:
            whole = replace(kind, listed="no").to_setting()
            said = f"To make one kind of the {count} that are alike, write N = {whole} instead"
            print_message(f"{said}, and run the command again with --overwrite.", "dim")


def _print(measured: Mapping[str, Coverage]) -> None:
    numbers = ("forms", "accepted %", "with unknown tokens", "permitted per step", "of")
    table = new_table("split", *numbers, numbers=numbers)
    for name, found in measured.items():
        share, permitted = f"{100 * found.accepted:.2f}", f"{found.permitted:.2f}"
        counts = (f"{found.forms:,}", share, f"{found.unknown:,}", permitted, f"{found.tokens:,}")
        table.add_row(name, *counts)
    print_result(table)
