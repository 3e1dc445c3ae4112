"""Terminals by pattern: a regular expression selects the tokens of a vocabulary that match it.

In lark a terminal matches text. Here tokens are given, so a terminal is the kind of those tokens
that it matches from end to end: `NUMBER: /[0-9]+/` is every token of digits, and `"select"i` is
`select`, `SELECT` and `Select`, if the vocabulary has them. A terminal may be made of others, with
groups, options and repetitions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import final

from grammax.errors import Location, Problem
from grammax.grammar.draft import Draft
from grammax.grammar.expressions import (
    Choice,
    Concatenation,
    Expression,
    Pattern,
    Reference,
    Repeat,
    TokenText,
)

_FLAGS = frozenset("imsxu")  # `l` is for bytes; `u` is the default for text


def any_case(text: str, location: Location) -> Pattern:
    """The token in upper, lower or mixed case: `"select"i`."""
    return Pattern(f"{json.dumps(text, ensure_ascii=False)}i", location)


def written(pattern: str) -> str:
    """The token that stands for a pattern as long as there is no vocabulary to select from."""
    return str(json.loads(pattern[:-1])) if pattern[0] == '"' and pattern[-1] == "i" else pattern


def pattern_locations(draft: Draft) -> dict[str, Location]:
    """Where each pattern is written first."""
    found: dict[str, Location] = {}
    expressions = [*(d.expression for d in draft.kinds), *(d.expression for d in draft.rules)]
    waiting = [expression for expression in reversed(expressions) if expression is not None]
    while waiting:
        match waiting.pop():
            case Pattern(text, location):
                found.setdefault(text, location)
            case Concatenation(parts) | Choice(parts) | Reference(_, _, parts):
                waiting.extend(reversed(parts))
            case Repeat(part):
                waiting.append(part)
    return found


@final
class Selector:
    """Selects the tokens of a vocabulary by the expressions of terminals."""

    def __init__(
        self,
        vocabulary: Iterable[str],
        definitions: Mapping[str, Expression | None],
        given: Mapping[str, Iterable[str]],
    ) -> None:
        self._tokens = tuple(dict.fromkeys(vocabulary))
        self._definitions = definitions
        self._given = given

    def select(self, expression: Expression) -> tuple[str, ...]:
        """The tokens that match; `re.error` or `ValueError` if the expression cannot be read."""
        options = expression.options if isinstance(expression, Choice) else (expression,)
        spelt = dict.fromkeys(o.text for o in options if isinstance(o, TokenText))
        patterns = [option for option in options if not isinstance(option, TokenText)]
        matches = re.compile(self._regex(Choice(tuple(patterns)), ())).fullmatch
        # What is spelt out is a token, whether the vocabulary has it or not.
        return tuple(dict.fromkeys((*spelt, *filter(matches, self._tokens))))

    def _regex(self, expression: Expression, within: tuple[str, ...]) -> str:
        match expression:
            case TokenText(text):
                return re.escape(text)
            case Pattern(text):
                return pattern_regex(text)
            case Concatenation(parts):
                return "".join(self._regex(part, within) for part in parts)
            case Choice(options):
                return f"(?:{'|'.join(self._regex(option, within) for option in options)})"
            case Repeat(part, least, most):
                bound = "" if most is None else most
                return f"(?:{self._regex(part, within)}){{{least},{bound}}}"
            case Reference(name):
                return self._regex_of(name, within)

    def _regex_of(self, name: str, within: tuple[str, ...]) -> str:
        if name in within:
            raise ValueError(f"{name} is defined by itself, which a terminal cannot be")
        if self._given.get(name):
            return f"(?:{'|'.join(map(re.escape, self._given[name]))})"
        inner = self._definitions.get(name)
        if inner is None:
            raise ValueError(f"the tokens of {name} are not given")
        return f"(?:{self._regex(inner, (*within, name))})"


def pattern_regex(pattern: str) -> str:
    """The regular expression of `/.../flags` or `"..."i`, as a group of its own."""
    if pattern.startswith('"'):
        return f"(?i:{re.escape(written(pattern))})"
    body, _, flags = pattern[1:].rpartition("/")
    unknown = set(flags) - _FLAGS
    if unknown:
        raise ValueError(f"the flag {''.join(sorted(unknown))} of {pattern} is not supported")
    inline = "".join(sorted(set(flags) - {"u"}))
    return f"(?{inline}:{body})"


def selected(
    select: Callable[[Expression], tuple[str, ...]],
    name: str,
    expression: Expression,
    location: Location,
) -> tuple[tuple[str, ...], Problem | None]:
    """The tokens of a terminal, or the problem with it."""
    try:
        found = select(expression)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        message = f"the tokens of {name} cannot be selected: {error}"
        hint = "A terminal is a regular expression as Python's `re` has them."
        return (), Problem("bad-pattern", message, hint, location)
    if found:
        return found, None
    message = f"no token of the vocabulary matches {name}"
    hint = "A terminal selects tokens that it matches from end to end; change it or remove it."
    return (), Problem("no-token", message, hint, location)
