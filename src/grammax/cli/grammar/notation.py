"""Read grammars and tokens from the command line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from grammax.errors import GrammarError, Location, Problem
from grammax.grammar import Grammar, read_tokens

_NEEDS_QUOTES = re.compile(r'[\s"\x00-\x1f\x7f-\x9f]')
_KEPT_BY_JSON = re.compile(r"[\x7f-\x9f\u2028\u2029]")
_WORD = re.compile(r"\S+")
_JSON = json.JSONDecoder()
_STDIN = "<stdin>"


def read_grammar(file: str, table: Path | None, start: str | None) -> Grammar:
    """The grammar in a file, or on stdin if the file is `-`, with the tokens of a table."""
    if file != "-":
        return Grammar.open(file, table, start=start)
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8"
        hint = "Give the grammar as UTF-8."
        raise GrammarError(Problem("not-utf-8", message, hint, Location(_STDIN))) from None
    tokens = None if table is None else read_tokens(table)
    return Grammar.read(text, tokens, start=start, file=_STDIN)


def split_tokens(line: str) -> list[str]:
    r"""The tokens of a line: separated by spaces, each plain or a JSON string.

    >>> split_tokens('SELECT "group by" "\\"" x')
    ['SELECT', 'group by', '"', 'x']
    """
    return list(_tokens(line))


def read_token(text: str) -> str:
    """One token: a JSON string if it begins with a quote, else the text itself."""
    tokens = split_tokens(text) if text.startswith('"') else [text]
    if len(tokens) != 1 or not tokens[0]:
        raise typer.BadParameter(f"one token is needed, but {text!r} was given")
    return tokens[0]


def join_tokens(tokens: Iterable[str]) -> str:
    r"""The line that `split_tokens` reads back.

    >>> join_tokens(["SELECT", "group by", '"'])
    'SELECT "group by" "\\""'
    """
    return " ".join(map(show_token, tokens))


def show_token(token: str) -> str:
    """A token as written in a line: plain if possible, else a JSON string."""
    if token and not _NEEDS_QUOTES.search(token):
        return token
    quoted = json.dumps(token, ensure_ascii=False)
    return _KEPT_BY_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def _tokens(line: str) -> Iterator[str]:
    at = 0
    while found := _WORD.search(line, at):
        at = found.end()
        if not found[0].startswith('"'):
            yield found[0]
            continue
        try:
            token, at = _JSON.raw_decode(line, found.start())
        except json.JSONDecodeError:
            raise _bad_string(line, found.start()) from None
        if line[at : at + 1].strip():
            raise _bad_string(line, found.start())
        yield token


def _bad_string(line: str, at: int) -> typer.BadParameter:
    return typer.BadParameter(
        f"{line[at : at + 40]} (character {at + 1}) begins with a quote but is not a JSON string. "
        f'A token with spaces or quotes is written as one: "group by", or "\\"" for a quote.'
    )
