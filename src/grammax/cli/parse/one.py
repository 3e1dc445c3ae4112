"""One query, parsed and printed: what `grammax parse` does without --file. It needs no Typer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grammax.cli.exit_codes import ABSTAINED
from grammax.cli.loading import load_parser, notices_on_stderr
from grammax.cli.parse.report import parsed_json, print_explained, print_remarks
from grammax.cli.terminal import print_json, print_lines

if TYPE_CHECKING:
    from grammax.parser import Parsed


def parse_one(
    query: str,
    domain: str = "eqs",
    model: Path | None = None,
    catalogue: Path | None = None,
    data: Path | None = None,
    table: str | None = None,
    *,
    best: int = 1,
    explain: bool = False,
    force: bool = False,
    json: bool = False,
) -> int:
    """Print the logical form of a query; the result is the exit code."""
    from grammax.reading.parse import QueryNotice

    with (
        load_parser(domain, model, catalogue, data, None, table) as parser,
        notices_on_stderr(QueryNotice),
    ):
        parsed = parser.parse(query, best)
    _print(parsed, best, explain, json)
    if not json:
        print_remarks(parsed)
    return ABSTAINED if parsed.abstains and not force else 0


def _print(parsed: Parsed, best: int, explain: bool, json: bool) -> None:
    if json:
        print_json(parsed_json(parsed))
        return
    if best > 1:
        print_lines(f"{one.probability:6.1%}  {one.lf}" for one in parsed.best)
    else:
        print_lines([parsed.lf])
    if explain:
        print_explained(parsed)
