"""`grammax ask`: a query's answer, with what was understood of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from grammax.cli.exit_codes import ABSTAINED
from grammax.cli.loading import explainable, load_parser, opened_store, told_on_stderr
from grammax.cli.options import Catalogue, Data, DomainName, Force, Json, Model, RowLimit
from grammax.cli.terminal import print_json
from grammax.language.capabilities import Explainable


def ask_command(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What you look for, in English.")],
    rows: RowLimit = 20,
    best: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="Also show so many readings.")
    ] = 1,
    csv: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the answer as CSV instead; - is stdout."),
    ] = None,
    force: Force = False,
    domain: DomainName = "eqs",
    model: Model = None,
    catalogue: Catalogue = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Answer a query in English.

    Prints its logical form, what that means in English, and a table.

    Where the parser is not sure it says what it did not understand and what may be meant; the
    exit code is then 3. Columns marked * hold generated numbers, no facts. Of a domain that is a
    folder there is the logical form, and what its `answers` find.

    \b
    Examples:
      grammax ask "steel western europe not german"
      grammax ask "top 10 european tech firms by p/b ratio" --rows 5 --best 3
      grammax ask "return on capital sp500" --csv answer.csv
      grammax ask "auto nysex last quarter mcap > $1bn" --json
    """
    from grammax.cli.ask.report import (
        print_answer,
        print_offer,
        report_json,
        save_csv,
        understood,
        write_csv,
    )
    from grammax.reading.parse import QueryNotice

    if json and csv is not None:
        raise typer.BadParameter("give --json or --csv, not both", param_hint="--csv")
    with load_parser(domain, model, catalogue, data) as parser:
        if not isinstance(parser.domain, Explainable):
            from grammax.cli.ask_plain import ask_plain

            if csv is not None or best > 1:
                raise typer.BadParameter(f"{domain} has no English: leave out --csv and --best")
            ask_plain(parser, query, rows, anyway=force, as_json=json)
            return
        speaker = explainable(parser)
        with told_on_stderr(QueryNotice):
            found = understood(parser.parse(query, best), speaker)
        if found.parsed.abstains and not force:
            if json:
                print_json(report_json(found, None))
            else:
                print_offer(found)
            raise typer.Exit(ABSTAINED)
        with opened_store(speaker) as store:
            table = store.answer(found.parsed.tokens, rows)
    if json:
        print_json(report_json(found, table))
    elif csv == "-":
        write_csv(table, sys.stdout)
        sys.stdout.flush()
    elif csv is not None:
        save_csv(table, Path(csv))
    else:
        print_answer(found, table, many=best > 1)
