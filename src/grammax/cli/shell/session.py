"""`Session`: handles each line of a conversation: a query, a logical form or a command.

A query is English, a line that begins with a parenthesis is a logical form, and one that begins
with a colon is a command. Errors are reported, and the conversation continues.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, final

from grammax.cli.ask.report import (
    answer_json,
    answered_json,
    print_abstention,
    print_answer,
    print_answered,
    print_form,
)
from grammax.cli.errors import failure_from
from grammax.cli.exit_codes import ABSTAINED, DONE, ERROR
from grammax.cli.loading import answered, asked, explainable
from grammax.cli.parse.report import print_explained
from grammax.cli.terminal import plain, print_json, print_lines, print_message, print_result
from grammax.errors import GrammaxError
from grammax.language.domain import Domain
from grammax.parser import Parsed, Parser
from grammax.text import did_you_mean, nearest

_HELP: Final = """\
A line that begins with a parenthesis is a logical form.

:N          answer reading N of those that were offered
:lf         edit the last logical form, and answer it; Tab shows what the grammar permits
:lf FORM    answer a logical form
:explain    how the last query was understood
:best N     show N readings of each query
:rows N     show at most N rows of an answer
:json       switch JSON on or off
:help       this text
:quit       leave, like Ctrl-D; Ctrl-C abandons a line"""
COMMANDS: Final = (":best", ":explain", ":help", ":json", ":lf", ":quit", ":rows")
_OFFER: Final = "Type :1 to take the first, :lf to edit it, or ask again."
_MOST_BEST: Final = 100
_MOST_ROWS: Final = 1_000_000

Edit = Callable[[str], str]


class WrongCommand(GrammaxError):
    """A command of the shell that does not exist, or that cannot be carried out now."""


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """How answers are shown."""

    rows: int = 20
    best: int = 1
    json: bool = False
    lines: bool = False  # from a pipe: one JSON object per line, and no prompts


@final
class Session:
    """A conversation with a parser; `edit` lets a person edit a text."""

    def __init__(self, parser: Parser, settings: Settings, edit: Edit) -> None:
        self.domain = explainable(parser)
        self.settings = settings
        self.code = DONE  # for scripts: whether there was an error, or the parser abstained
        self._parser = parser
        self._edit = edit
        self._last: Parsed | None = None
        self._form: str = ""

    def handle(self, text: str) -> bool:
        """Answer a line; False if it leaves the shell. Errors are printed, except a closed pipe.

        Ctrl-C abandons the current line, and ends a conversation through a pipe.
        """
        try:
            return self._handle(text)
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
        """Report an error."""
        self.code = ERROR
        print_message(message, "red")

    def _handle(self, text: str) -> bool:
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
            print_lines([help_text(self.domain)])
        elif name == "lf":
            self._answer_form(argument or self._edited())
        elif name == "explain":
            print_explained(self._last_parsed())
        elif name == "json":
            self.settings = replace(self.settings, json=not self.settings.json)
        elif name == "best":
            self.settings = replace(self.settings, best=_number(name, argument, _MOST_BEST))
        elif name == "rows":
            self.settings = replace(self.settings, rows=_number(name, argument, _MOST_ROWS))
        else:
            hint = did_you_mean(nearest(f":{name}", COMMANDS), sentence=True)
            message = f"there is no command :{name:.40}; :help lists them. {hint}"
            raise WrongCommand(message.rstrip())
        return True

    def _answer_query(self, query: str) -> None:
        settings = self.settings
        found = asked(self._parser, query, settings.rows, best=settings.best, force=False)
        self._last, self._form = found.parsed, found.parsed.lf
        if found.answer is None:
            self.code = self.code or ABSTAINED
        if settings.json:
            self._print_json(answered_json(found, self.domain))
        elif found.answer is not None:
            print_answered(found, self.domain, show_best=settings.best > 1)
        else:
            print_abstention(found.parsed, self.domain)
            if not settings.lines:
                print_message(_OFFER, "yellow")

    def _answer_form(self, text: str) -> None:
        if not text.strip():
            return
        self._form = text
        tokens = self.domain.read(text)
        self.domain.require_meaning(tokens)
        form, meaning = self.domain.text(tokens), self.domain.paraphrase(tokens)
        self._form = form
        answer = answered(self._parser, tokens, self.settings.rows)
        if self.settings.json:
            self._print_json({"lf": form, "paraphrase": meaning, "answer": answer_json(answer)})
            return
        print_form(form, meaning)
        print_result(plain(""))
        print_answer(answer)

    def _choose(self, number: int) -> None:
        readings = self._last_parsed().best
        if not 1 <= number <= len(readings):
            raise WrongCommand(
                f"there is no reading {number}; the readings are 1 to {len(readings)}."
            )
        self._answer_form(readings[number - 1].lf)

    def _edited(self) -> str:
        try:
            return self._edit(self._form)
        except (KeyboardInterrupt, EOFError):
            return ""

    def _last_parsed(self) -> Parsed:
        if self._last is None:
            raise WrongCommand("nothing was asked yet.")
        return self._last

    def _print_json(self, value: dict[str, Any]) -> None:
        if self.settings.lines:
            print_lines([json.dumps(value)])
        else:
            print_json(value)


def help_text(domain: Domain) -> str:
    """The help text, with a sample query of the domain."""
    sample = f", such as:  {domain.samples[0]}" if domain.samples else "."
    return f"Ask in English{sample}\n{_HELP}"


def _number(name: str, argument: str, most: int) -> int:
    try:
        number = int(argument)
    except ValueError:
        number = 0
    if not 1 <= number <= most:
        raise WrongCommand(f":{name} takes a number from 1 to {most:,}, such as :{name} 5.")
    return number
