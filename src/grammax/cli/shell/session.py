"""One line of a conversation after the other: queries, logical forms and commands.

A query is English. What begins with a parenthesis is a logical form, and with a colon a command.
Whatever goes wrong is said, and the conversation goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Final, Self, final

from grammax.cli.ask.report import (
    Understood,
    print_answer,
    print_offer,
    print_table,
    report_json,
    table_json,
    understood,
)
from grammax.cli.errors import failure_from
from grammax.cli.exit_codes import ABSTAINED, DONE, ERROR
from grammax.cli.loading import explainable, opened_store, told_on_stderr
from grammax.cli.parse.report import print_explained
from grammax.cli.terminal import plain, print_json, print_lines, print_message, print_result
from grammax.errors import GrammaxError
from grammax.language.answer import Answer, Answers
from grammax.language.domain import Tokens
from grammax.parser import Parser
from grammax.reading.parse import QueryNotice
from grammax.text import nearest

HELP: Final = """\
Ask in English:  steel western europe not german
What begins with a parenthesis is a logical form:  (FLD_DOMICILE EQ COU_JAPAN)

:N          answer reading N of those that were offered
:lf         change the last logical form, and answer it; Tab shows what the grammar permits
:lf FORM    answer a logical form
:explain    how the last query was understood
:best N     show N readings of each query
:rows N     show N rows of an answer
:json       print JSON, or no more
:help       this
:quit       leave, as Ctrl-D does; Ctrl-C gives up a line"""
COMMANDS: Final = (":best", ":explain", ":help", ":json", ":lf", ":quit", ":rows")
_OFFER: Final = "Say :1 to take the first, :lf to change it, or ask again."
_MOST_BEST: Final = 100

Edit = Callable[[str], str]


class WrongCommand(GrammaxError):
    """A command of the shell that is none, or that something is missing for."""


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """How answers are shown."""

    rows: int = 20
    best: int = 1
    json: bool = False
    lines: bool = False  # from a pipe: JSON is then on one line each, and no one is spoken to


@final
class Session:
    """What was said so far; `edit` lets a person change a text."""

    def __init__(self, parser: Parser, settings: Settings, edit: Edit) -> None:
        self.domain = explainable(parser)
        self.settings = settings
        self.code = DONE  # for scripts: whether there was an error, or the parser abstained
        self._parser = parser
        self._edit = edit
        self._opened = ExitStack()
        self._store: Answers | None = None
        self._last: Understood | None = None
        self._form: str = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()

    def handle(self, text: str) -> bool:
        """Do what a text says; False if it says to leave. Only a reader that is gone ends it.

        Ctrl-C gives up what is under way, and ends what comes from a pipe.
        """
        try:
            return self._handled(text)
        except KeyboardInterrupt:
            if self.settings.lines:
                raise
            print_message("Interrupted.", "yellow")
        except Exception as error:
            failure = failure_from(error)
            if failure is None and isinstance(error, BrokenPipeError):
                raise
            bug = f"This is a bug in grammax: {type(error).__name__}: {error}"
            self.refuse(failure.message if failure else bug)
        return True

    def refuse(self, message: str) -> None:
        """Say that something was wrong."""
        self.code = ERROR
        print_message(message, "red")

    def _handled(self, text: str) -> bool:
        text = text.strip()
        if text.startswith(":"):
            return self._command(*(text[1:].split(maxsplit=1) or ["help"]))
        if text.startswith("("):
            self._answer_form(text)
        else:
            for query in filter(None, map(str.strip, text.splitlines())):
                self._answer_query(query)
        return True

    def _command(self, name: str, argument: str = "") -> bool:
        if name in ("quit", "q", "exit"):
            return False
        if name.isascii() and name.isdigit():
            self._choose(int(name))
        elif name in ("help", "h", "?"):
            print_lines([HELP])
        elif name == "lf":
            self._answer_form(argument or self._edited())
        elif name == "explain":
            print_explained(self._asked().parsed)
        elif name == "json":
            self.settings = replace(self.settings, json=not self.settings.json)
        elif name == "best":
            self.settings = replace(self.settings, best=_number(name, argument, _MOST_BEST))
        elif name == "rows":
            self.settings = replace(self.settings, rows=_number(name, argument, 1_000_000))
        else:
            close = nearest(f":{name}", COMMANDS)
            hint = f" Did you mean {' or '.join(close)}?" if close else ""
            raise WrongCommand(f"there is no command :{name:.40}; :help lists them.{hint}")
        return True

    def _answer_query(self, query: str) -> None:
        with told_on_stderr(QueryNotice):
            parsed = self._parser.parse(query, self.settings.best)
        found = self._last = understood(parsed, self.domain)
        self._form = parsed.lf
        if parsed.abstains:
            self.code = self.code or ABSTAINED
            if self.settings.json:
                self._print_json(report_json(found, None))
            else:
                print_offer(found)
                if not self.settings.lines:
                    print_message(_OFFER, "yellow")
            return
        table = self._table(parsed.tokens)
        if self.settings.json:
            self._print_json(report_json(found, table))
        else:
            print_answer(found, table, many=self.settings.best > 1)

    def _answer_form(self, text: str) -> None:
        if not text.strip():
            return
        self._form = text
        tokens = self.domain.read(text)
        self.domain.require_meaning(tokens)
        form, meaning = self.domain.text(tokens), self.domain.paraphrase(tokens)
        self._form = form
        table = self._table(tokens)
        if self.settings.json:
            self._print_json({"lf": form, "paraphrase": meaning, "answer": table_json(table)})
            return
        print_result(plain(form, "cyan"))
        print_result(plain(f"{meaning}\n", "italic"))
        print_table(table)

    def _choose(self, number: int) -> None:
        readings = self._asked().readings
        if not 1 <= number <= len(readings):
            raise WrongCommand(f"there is no reading {number}: there is 1 to {len(readings)}.")
        self._answer_form(readings[number - 1].lf)

    def _edited(self) -> str:
        try:
            return self._edit(self._form)
        except (KeyboardInterrupt, EOFError):
            return ""

    def _asked(self) -> Understood:
        if self._last is None:
            raise WrongCommand("nothing was asked yet.")
        return self._last

    def _table(self, tokens: Tokens) -> Answer:
        if self._store is None:
            self._store = self._opened.enter_context(opened_store(self.domain))
        return self._store.answer(tokens, self.settings.rows)

    def _print_json(self, value: dict[str, Any]) -> None:
        if self.settings.lines:
            print_lines([json.dumps(value)])
        else:
            print_json(value)


def _number(name: str, argument: str, most: int) -> int:
    try:
        number = int(argument)
    except ValueError:
        number = 0
    if not 1 <= number <= most:
        raise WrongCommand(f":{name} takes a number from 1 to {most:,}, such as :{name} 5.")
    return number
