"""Text in lark's notation → a `Draft`, with the location of every name.

Lark's own reader of this notation does not record columns. Therefore lark parses the text with its
published grammar of the notation (`notation.lark`, extended to everything that lark accepts).
"""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, VisitError

from grammax.errors import GrammarError, Location, Problem
from grammax.grammar.draft import Change, Definition, Draft, Import, KindDefinition
from grammax.grammar.expressions import (
    Choice,
    Expression,
    Pattern,
    Reference,
    Repeat,
    TokenText,
    parts_in_order,
)
from grammax.grammar.imports import resolve
from grammax.grammar.patterns import any_case


def read_notation(text: str, file: str = "<grammar>") -> Draft:
    """The definitions in `text` and what it imports; `GrammarError` with line, column and hint."""
    return resolve(_read(text, file), _read)


def _read(text: str, file: str) -> Draft:
    try:
        statements = _notation().parse(text)
    except UnexpectedInput as unexpected:
        raise GrammarError(_syntax_problem(text, file, unexpected)) from None
    try:
        return _DraftBuilder(file).transform(statements)
    except VisitError as wrapped:
        raise wrapped.orig_exc from None
    except RecursionError:
        raise GrammarError(
            Problem(
                "nested-too-deeply",
                "the groups of a rule are nested too deeply",
                "Give the inner groups names: make them rules of their own.",
                Location(file),
            )
        ) from None


@cache
def _notation() -> Lark:
    text = files("grammax.grammar").joinpath("notation.lark").read_text("utf-8")
    return Lark(text, parser="lalr", maybe_placeholders=True)


_HINTS = {
    "_COLON": "A definition is `name: alternatives`, with a lower-case name for a rule and an "
    "upper-case one for a kind of tokens.",
    "_NL": "Each definition starts on a line of its own; an alternative that continues on the next "
    "line starts with `|`.",
    "RPAR": "A group that was opened with `(` is not closed.",
    "RSQB": "An optional part that was opened with `[` is not closed.",
}
_HINT_FOR_CHARACTERS = (
    "Names are ASCII: rules lower-case, kinds upper-case. A token stands in double quotes on one "
    'line, "like this", and may hold any character.'
)


# What other notations have: (what stands here, the hint).
_OTHER_NOTATIONS = (
    (re.compile(r"::="), '`::=` is GBNF: read it with `notation="gbnf"`, or write `name: ...`.'),
    (re.compile(r":?="), "A definition is `name: alternatives`, with one colon."),
    (re.compile(r"\{\s*\d*\s*,?\s*\d*\s*\}"), "Repetitions are written `~ 2` and `~ 2..3`."),
    (re.compile(r"\.(?!\.)"), "Any token is a pattern here: `/.+/` selects it from a vocabulary."),
    (re.compile(r"(?<=\[\w)-|(?<=\[)\^"), "A class of characters is a pattern: `/[a-z]/`."),
    (re.compile(r";"), "A definition ends with its line; no `;` is needed."),
    (re.compile(r"'"), 'A token stands in double quotes: "like this".'),
)


def _other_notation(text: str, line: int, column: int) -> str | None:
    """The hint for a sign of another notation at this place."""
    shown = text.split("\n")[line - 1] if 0 < line <= text.count("\n") + 1 else ""
    for pattern, hint in _OTHER_NOTATIONS:
        for start in (column - 1, column - 2):  # of `::=` the first colon is read
            if start >= 0 and pattern.match(shown, start):
                return hint
    return None


def _syntax_problem(text: str, file: str, unexpected: UnexpectedInput) -> Problem:
    line, column = unexpected.line, unexpected.column
    if isinstance(unexpected, UnexpectedCharacters):
        expected: set[str] = set()
        found = f"{unexpected.char!r} cannot be read"
    else:
        token = getattr(unexpected, "token", "")
        if getattr(token, "type", "") == "$END":
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
            found = "the text ends"
        else:
            found = f"{str(token).strip()[:40] or 'the end of the line'!r} is not expected"
        expected = {str(name) for name in getattr(unexpected, "accepts", None) or ()}
    hint = _other_notation(text, line, column) or next(
        (hint for name, hint in _HINTS.items() if name in expected), _HINT_FOR_CHARACTERS
    )
    shown = text.split("\n")[line - 1] if 0 < line <= text.count("\n") + 1 else ""
    cut = max(0, column - 40)
    excerpt = f"{shown[cut : cut + 80]}\n    {' ' * (column - 1 - cut)}^"
    return Problem(
        "syntax", f"{found} here", f"{excerpt}\n    {hint}".rstrip(), Location(file, line, column)
    )


class _DraftBuilder(Transformer[Any, Draft]):
    """Called by lark for every node, leaves first."""

    def __init__(self, file: str) -> None:
        super().__init__(visit_tokens=False)
        self.file = file

    def start(self, statements: list[Any]) -> Draft:
        rules: list[Definition] = []
        kinds: list[KindDefinition] = []
        ignored: list[str] = []
        imports: list[Import] = []
        changes: list[Change] = []
        for statement in statements:
            if isinstance(statement, Definition):
                rules.append(statement)
            elif isinstance(statement, KindDefinition):
                kinds.append(statement)
            elif isinstance(statement, Reference):
                ignored.append(statement.name)
            elif isinstance(statement, list):
                kinds.extend(statement)
            elif isinstance(statement, Import):
                imports.append(statement)
            elif isinstance(statement, Change):
                changes.append(statement)
        parts = tuple(rules), tuple(kinds), tuple(ignored)
        return Draft(*parts, self.file, tuple(imports), tuple(changes))

    def rule(self, parts: list[Any]) -> Definition:
        name, parameters, *_, expression = parts
        return Definition(str(name), expression, self._at(name), parameters or ())

    def parameters(self, names: list[Token]) -> tuple[str, ...]:
        return tuple(str(name) for name in names)

    def terminal(self, parts: list[Any]) -> KindDefinition:
        name, expression = parts[0], parts[-1]
        return KindDefinition(str(name), expression, self._at(name))

    def ignore(self, parts: list[Expression]) -> Expression:
        return parts[0]

    def declare(self, names: list[Reference]) -> list[KindDefinition]:
        return [self._declared(name.name, name.location) for name in names]

    def import_one(self, parts: list[Any]) -> Import:
        (relative, path), alias = parts
        *folder, name = (part.name for part in path)
        if not folder:
            raise self._error(
                "no-import",
                f"%import {name} names no file",
                f"Write the file before the name: `%import common.{name}`.",
                path[0].location,
            )
        names = {name: name if alias is None else str(alias)}
        return Import(tuple(folder), names, relative, path[-1].location)

    def import_several(self, parts: list[Any]) -> Import:
        (relative, path), *names = parts
        folder = tuple(part.name for part in path)
        return Import(folder, {n.name: n.name for n in names}, relative, names[0].location)

    def import_path(self, parts: list[Any]) -> tuple[bool, list[Reference]]:
        path = [part for part in parts if isinstance(part, Reference)]
        return parts[0] is not path[0], path

    def override(self, parts: list[Definition | KindDefinition]) -> Change:
        return Change(parts[0], extends=False)

    def extend(self, parts: list[Definition | KindDefinition]) -> Change:
        return Change(parts[0], extends=True)

    def choice(self, options: list[Any]) -> Expression:
        parts = tuple(part for part in options if not (part is None or isinstance(part, Token)))
        return parts[0] if len(parts) == 1 else Choice(parts)

    def concatenation(self, parts: list[Expression]) -> Expression:
        return parts_in_order(tuple(parts))

    def maybe(self, parts: list[Expression]) -> Repeat:
        return Repeat(parts[0], 0, 1)

    def operator(self, parts: list[Any]) -> Repeat:
        part, sign = parts
        return Repeat(part, int(sign == "+"), 1 if sign == "?" else None)

    def times(self, parts: list[Any]) -> Repeat:
        part, least, most = parts[0], int(parts[1]), int(parts[2] or parts[1])
        if not 0 <= least <= most <= 10_000:
            raise self._error(
                "bad-repeat",
                f"a part cannot be repeated {least} to {most} times",
                "`~ n` and `~ n..m` take whole numbers with 0 <= n <= m <= 10000.",
                self._at(parts[1]),
            )
        return Repeat(part, least, most)

    def name(self, parts: list[Token]) -> Reference:
        return Reference(str(parts[0]), self._at(parts[0]))

    def literal(self, parts: list[Token]) -> TokenText | Pattern:
        text = self._text(parts[0])
        if not text:
            raise self._error(
                "empty-token", 'the token "" is empty', "Leave it out.", self._at(parts[0])
            )
        if parts[0].endswith("i"):
            return any_case(text, self._at(parts[0]))
        return TokenText(text, self._at(parts[0]))

    def pattern(self, parts: list[Token]) -> Pattern:
        return Pattern(str(parts[0]), self._at(parts[0]))

    def literal_range(self, parts: list[Token]) -> Choice:
        first, last = (self._text(part) for part in parts)
        if len(first) != 1 or len(last) != 1 or first > last:
            raise self._error(
                "bad-range",
                f"{parts[0]}..{parts[1]} is not a range",
                'A range goes from one character up to another, such as "0".."9".',
                self._at(parts[0]),
            )
        where = self._at(parts[0])
        return Choice(tuple(TokenText(chr(c), where) for c in range(ord(first), ord(last) + 1)))

    def template_use(self, parts: list[Any]) -> Reference:
        name, *arguments = parts
        return Reference(str(name), self._at(name), tuple(arguments))

    def _declared(self, name: str, location: Location) -> KindDefinition:
        if not name.strip("_").isupper():
            raise self._error(
                "unsupported",
                f"the rule {name} cannot be declared",
                "Only kinds (upper-case names) can; a rule is defined, or imported.",
                location,
            )
        return KindDefinition(name, None, location)

    def _text(self, quoted: Token) -> str:
        if "\\" not in quoted:
            return str(quoted.removesuffix("i")[1:-1])
        try:
            known = _ESCAPE.sub(_in_python, quoted.removesuffix("i")).replace("\0", "\\0")
            text = str(ast.literal_eval(known))
            text.encode()
            return text
        except (SyntaxError, ValueError):  # also half of a surrogate pair
            raise self._error(
                "bad-escape",
                f"{quoted[:40]} has an escape that cannot be read",
                r"Write a backslash as \\, and any character as itself.",
                self._at(quoted),
            ) from None

    def _at(self, token: Token) -> Location:
        return Location(self.file, token.line or 0, token.column or 0)

    def _error(self, code: str, message: str, hint: str, location: Location) -> GrammarError:
        return GrammarError(Problem(code, message, hint, location))


_ESCAPE = re.compile(r"\\(.)")


def _in_python(escape: re.Match[str]) -> str:
    """As in lark, a backslash that does not begin an escape sequence stands for itself."""
    return escape[0] if escape[1] in 'Uuxnftr\\"' else "\\" + escape[0]
