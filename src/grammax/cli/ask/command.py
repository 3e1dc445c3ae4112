"""`grammax ask`: the answer to a query, with its logical form and its meaning."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from grammax.cli.exit_codes import ABSTAINED
from grammax.cli.loading import asked, explainable, load_parser
from grammax.cli.options import Catalogue, Data, DomainName, Force, Json, Model, RowLimit, Tables
from grammax.cli.terminal import print_json, print_message


def ask_command(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A query in English.")],
    rows: RowLimit = 20,
    best: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="Also show the N best readings.")
    ] = 1,
    csv: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the answer as CSV instead; - is stdout."),
    ] = None,
    force: Force = False,
    tables: Tables = None,
    domain: DomainName = "eqs",
    model: Model = None,
    catalogue: Catalogue = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Answer a query in English.

    Prints the logical form, what it means in English, and the answer as a table. Columns marked *
    hold generated numbers, not facts. Where the parser abstains, the words that it did not
    understand and the likeliest readings are printed instead, and the exit code is 3.

    --tables answers from your own tables: Parquet or CSV files, DuckDB, PostgreSQL and others. The
    file says which table and column holds each field; grammax.tables.sql.mapping describes it.

    \b
    Examples:
      grammax ask "steel western europe not german"
      grammax ask "steel western europe not german" --rows 5 --best 3
      grammax ask "steel japan" --csv answer.csv
      grammax ask "steel or chemicals in asia" --json
      grammax ask "steel japan" --tables my-tables.toml
      grammax ask --domain rooms "attic friday"
    """
    from grammax.cli.ask import report

    if json and csv is not None:
        raise typer.BadParameter("give --json or --csv, not both", param_hint="--csv")
    with load_parser(domain, model, catalogue, data, tables) as parser:
        language = explainable(parser)
        found = asked(parser, query, rows, best=best, force=force)
    if json:
        print_json(report.answered_json(found, language))
    elif found.answer is None:
        report.print_abstention(found.parsed, language)
        print_message("Rephrase the query, or add --force to use the first reading.", "dim")
    elif csv == "-":
        report.write_csv(found.answer, sys.stdout)
        sys.stdout.flush()
    elif csv is not None:
        report.save_csv(found.answer, Path(csv))
    else:
        report.print_answered(found, language, show_best=best > 1)
    if found.answer is None:
        raise typer.Exit(ABSTAINED)
