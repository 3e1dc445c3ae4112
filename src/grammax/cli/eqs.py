"""`grammax eqs`: equity search without the neural parser: logical forms, names, answers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

import typer

from grammax.cli.eqs_reports import (
    CheckReport,
    FindReport,
    print_check,
    print_found,
)
from grammax.cli.reports import NextReport, explanation_json, print_next
from grammax.cli.terminal import plain, print_json, print_result
from grammax.domains.eqs.lf_text import prefix_tokens, read

app = typer.Typer(
    help="Search equities: read, check and run logical forms, and look up names.",
    no_args_is_help=True,
)

Form = Annotated[
    str,
    typer.Argument(
        metavar="LF", help="A logical form, such as '(FLD_DOMICILE EQ enumValue(COU_JAPAN))'."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Size = Annotated[
    int,
    typer.Option(
        "--size", metavar="N", min=1_000, max=1_000_000, help="How many tokens the catalogue has."
    ),
]
DEFAULT_SIZE = 56_209


@app.command("check")
def check_command(lf: Form, size: Size = DEFAULT_SIZE, json: Json = False) -> None:
    """Check a logical form: its syntax, its names, and its types.

    The exit code is 1 if it is not right. What is right is printed over several lines, with what
    it means in English.

    \b
    Examples:
      grammax eqs check '(FLD_DOMICILE EQ enumValue(COU_GERMANY))'
      grammax eqs check '(FLD_DOMICILE GE 2)'
    """
    from grammax.domains.eqs.catalogue import load_catalogue

    report = CheckReport.of(read(lf), load_catalogue(size))
    if json:
        print_json(asdict(report))
    else:
        print_check(report)
    if report.problems:
        raise typer.Exit(1)


@app.command("next")
def next_command(
    prefix: Annotated[
        str, typer.Argument(metavar="PREFIX", help="The beginning of a logical form.")
    ] = "",
    grammar: Annotated[
        Literal["lr", "superset", "unrolled", "paper"],
        typer.Option(help="Which grammar answers, from exact to loose."),
    ] = "lr",
    untyped: Annotated[
        bool, typer.Option("--untyped", help="Any value after any field of its sort.")
    ] = False,
    token: Annotated[
        str | None,
        typer.Option(metavar="T", help="Explain why the token T may or may not come next."),
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many kinds the table shows.")
    ] = 40,
    size: Size = DEFAULT_SIZE,
    json: Json = False,
) -> None:
    """Show what may follow the beginning of a logical form, by kind, with counts.

    \b
    Examples:
      grammax eqs next
      grammax eqs next "(AND (FLD_DOMICILE EQ"
      grammax eqs next "(FLD_DOMICILE" --token GE
    """
    from grammax.domains.eqs.automata import eqs_automaton
    from grammax.domains.eqs.catalogue import load_catalogue

    automaton = eqs_automaton(load_catalogue(size), grammar, typed=not untyped)
    words = prefix_tokens(prefix)
    if token is not None:
        explanation = automaton.explain(words, token)
        if json:
            print_json(explanation_json(automaton, explanation))
        else:
            print_result(plain(str(explanation)))
        return
    report = NextReport.of(automaton, words)
    if json:
        print_json(asdict(report))
    else:
        print_next(report, limit)


@app.command("find")
def find_command(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What people call it.")],
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many matches.")] = 10,
    size: Size = DEFAULT_SIZE,
    json: Json = False,
) -> None:
    """Look up fields, values and currencies by name or alias.

    Case, punctuation, plural and one typo do not matter.

    \b
    Examples:
      grammax eqs find "market cap"
      grammax eqs find germny
    """
    from grammax.domains.eqs.catalogue import load_catalogue
    from grammax.domains.eqs.find import Finder

    catalogue = load_catalogue(size)
    report = FindReport.of(text, Finder(catalogue).find(text, count), catalogue)
    if json:
        print_json(asdict(report))
    else:
        print_found(report)
    if not report.matches:
        raise typer.Exit(1)
