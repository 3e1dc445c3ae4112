"""`grammax ask`: the answer to a query, with its logical form and its meaning."""

from __future__ import annotations

from typing import Annotated

import typer

from grammax.cli.ask.one import ROWS, ask_one
from grammax.cli.named import domain_and_query
from grammax.cli.options import (
    Catalogue,
    Data,
    DomainName,
    Force,
    Json,
    Model,
    RowLimit,
    Table,
    Tables,
)


def ask_command(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[DATA] QUERY", help="A file, folder or URL of data; a query in English."
        ),
    ],
    rows: RowLimit = ROWS,
    best: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="Also show the N best readings.")
    ] = 1,
    csv: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the answer as CSV instead; - is stdout."),
    ] = None,
    sql: Annotated[bool, typer.Option("--sql", help="Also show the answer's SQL.")] = False,
    force: Force = False,
    table: Table = None,
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

    DATA is a table of your own: a CSV or Parquet file, a folder of them, a DuckDB or SQLite file,
    or a URL such as postgres://reader@db/films, whose password may be in $PGPASSWORD. It is only
    read. A folder that `grammax new DIR --from DATA` wrote is data, too.

    --tables answers queries of the domain from your tables: the file says which table and column
    holds each field; grammax.tables.sql.mapping describes it.

    \b
    Examples:
      grammax ask films.csv "the longest film"
      grammax ask shop.duckdb --table orders "how many orders per country"
      grammax ask "steel western europe not german"
      grammax ask "steel western europe not german" --rows 5 --best 3
      grammax ask "steel japan" --csv answer.csv
      grammax ask "steel or chemicals in asia" --json
      grammax ask "steel japan" --tables my-tables.toml
      grammax ask --domain rooms "attic friday"
    """
    if json and csv is not None:
        raise typer.BadParameter("give --json or --csv, not both", param_hint="--csv")
    name, query = domain_and_query(words, domain)
    code = ask_one(
        query or "", name, model, catalogue, data, tables, table,
        rows=rows, best=best, csv=csv, sql=sql, force=force, json=json,
    )  # fmt: skip
    if code:
        raise typer.Exit(code)
