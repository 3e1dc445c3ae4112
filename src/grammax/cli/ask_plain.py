"""`grammax ask` for a domain that has answers but no English: a logical form and its answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import typer

from grammax.cli.exit_codes import ABSTAINED
from grammax.cli.loading import NotExplainable, told_on_stderr
from grammax.cli.terminal import new_table, plain, print_json, print_message, print_result
from grammax.parser import Parser


def ask_plain(parser: Parser, query: str, rows: int, *, anyway: bool, as_json: bool) -> None:
    """Print the logical form and the answer; the exit code is 3 where the parser is not sure."""
    from grammax.reading.parse import QueryNotice

    store = parser.domain.answers()
    if store is None:
        raise NotExplainable(
            f"the domain {parser.domain.name!r} has nothing that answers: no `answers` in its "
            f"settings names an installed one. Use `grammax parse`."
        )
    with told_on_stderr(QueryNotice):
        found = parser.parse(query)
    answer = None
    if not found.abstains or anyway:
        with store as answers:
            answer = answers.answer(found.tokens, rows)
    if as_json:
        known = json.loads(json.dumps(answer, default=str))
        told = {"confidence": found.confidence, "abstains": found.abstains, "why": found.why}
        print_json({"text": found.text, "lf": found.lf, **told, "answer": known})
    else:
        print_result(plain(found.lf, "cyan"))
    if found.abstains and not anyway:
        print_message(f"The parser is not sure ({found.why}).", "yellow")
        raise typer.Exit(ABSTAINED)
    if not as_json:
        _print_answer(answer)


def _print_answer(answer: Any) -> None:
    """Rows that are mappings as a table, others line by line, and anything else as it is."""
    if not isinstance(answer, list | tuple):
        print_result(plain(str(answer)))
    elif answer and all(isinstance(row, Mapping) for row in answer):
        columns = list(dict.fromkeys(str(key) for row in answer for key in row))
        table = new_table(*columns)
        for row in answer:
            table.add_row(*(plain(str(row.get(column, "–"))) for column in columns))
        print_result(table)
    else:
        for row in answer:
            print_result(plain(str(row)))
        if not answer:
            print_result(plain("Nothing satisfies this."))
