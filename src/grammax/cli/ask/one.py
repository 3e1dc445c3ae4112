"""One query, answered and printed: what `grammax ask` does. It needs no Typer."""

from __future__ import annotations

import sys
from pathlib import Path

from grammax.cli.exit_codes import ABSTAINED
from grammax.cli.loading import asked, explainable, load_parser, sql_of
from grammax.cli.terminal import print_json, print_lines, print_message

ROWS = 20


def ask_one(
    query: str,
    domain: str,
    model: Path | None = None,
    catalogue: Path | None = None,
    data: Path | None = None,
    tables: Path | None = None,
    table: str | None = None,
    *,
    rows: int = ROWS,
    best: int = 1,
    csv: str | None = None,
    sql: bool = False,
    force: bool = False,
    json: bool = False,
) -> int:
    """Print the answer to a query; the result is the exit code."""
    from grammax.cli.ask import report

    with load_parser(domain, model, catalogue, data, tables, table) as parser:
        language = explainable(parser)
        found = asked(parser, query, rows, best=best, force=force)
        query_text = sql_of(parser, found) if sql else None
    if json:
        shown = {} if query_text is None else {"sql": query_text}
        print_json(report.answered_json(found, language) | shown)
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
        if query_text is not None:
            print_lines(["", query_text])
    return ABSTAINED if found.answer is None else 0
