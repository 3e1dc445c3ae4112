"""Columns, aggregates, arithmetic and literals of SQL as trees.

| SQL | tree |
|---|---|
| `COUNT(*)`, `COUNT(DISTINCT year)` | `( count * )`, `( count distinct film.year )` |
| `MAX(year) - MIN(year)` | `( minus ( max film.year ) ( min film.year ) )` |
| `1999`, `'Alien'` beside the column title | `1999`, `film.title:Alien` |
| `'%ali%'` after LIKE | `( contains film.title 'ali' )` |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final, final

from grammax.folder.sql.reading.scope import Scope, base_token
from grammax.folder.sql.tree import Node
from grammax.folder.sql.unsupported import UnsupportedSql, require_only, unsupported

AGGREGATES: Final = ("count", "sum", "avg", "min", "max")
ARITHMETIC: Final = {"Add": "plus", "Sub": "minus", "Mul": "times", "Div": "over"}
DISTINCT: Final = "distinct"
STAR: Final = "*"
VALUE: Final = ":"  # between a column and a value of it
_AGGREGATES: Final = {name.capitalize(): name for name in AGGREGATES}
_DIGITS: Final = re.compile(r"-?\d+(\.\d+)?")
_HARMLESS: Final = ("big_int", "typed", "safe")  # what sqlglot notes for other dialects


def read_term(node: Any, scope: Scope, *, aggregates: bool) -> Node:
    """A column, an aggregate where they are permitted, or arithmetic with them and numbers."""
    node = unwrapped(node)
    kind = type(node).__name__
    if kind == "Column":
        if type(node.this).__name__ == "Star":
            raise unsupported(f"{node.sql()} among other terms", node)
        require_only(node, "a column", "this", "table")
        return scope.column(node)
    if kind in _AGGREGATES:
        if not aggregates:
            raise unsupported(f"{node.key.upper()} in this place", node)
        return _aggregate(node, scope)
    if kind in ARITHMETIC:
        require_only(node, "arithmetic", "this", "expression", *_HARMLESS)
        sides = (node.this, node.expression)
        return (ARITHMETIC[kind], *(_operand(each, scope, aggregates) for each in sides))
    if kind == "Subquery":
        raise unsupported("a subquery in this place", node)
    raise unsupported(_named(node), node)


def _operand(node: Any, scope: Scope, aggregates: bool) -> Node:
    return number(node) or read_term(node, scope, aggregates=aggregates)


def _aggregate(node: Any, scope: Scope) -> Node:
    name = _AGGREGATES[type(node).__name__]
    require_only(node, name.upper(), "this", *_HARMLESS)
    inner = node.this
    if type(inner).__name__ == "Star":
        if name != "count" or inner.args.get("except_") or inner.args.get("replace"):
            raise unsupported(f"{name.upper()}(*)", node)
        return (name, STAR)
    if type(inner).__name__ == "Distinct":
        require_only(inner, "DISTINCT", "expressions")
        if len(inner.expressions) != 1:
            raise unsupported(f"{name.upper()} of several columns", node)
        column = read_term(inner.expressions[0], scope, aggregates=False)
        if not isinstance(column, str):
            raise unsupported("DISTINCT with arithmetic", node)
        return (name, DISTINCT, column)
    return (name, read_term(inner, scope, aggregates=False))


def unwrapped(node: Any) -> Any:
    """What is inside brackets."""
    while type(node).__name__ == "Paren":
        node = node.this
    return node


def number(node: Any) -> str | None:
    """The token of a number, in one spelling; None if it is something else."""
    node = unwrapped(node)
    kind = type(node).__name__
    if kind == "Neg":
        inner = number(node.this)
        return None if inner is None or inner.startswith("-") else f"-{inner}"
    if kind != "Literal" or node.is_string:
        return None
    return number_token(node.this)


def number_token(text: str) -> str:
    """A number in one spelling: `05` as `5`, `.50` as `0.5`, `2.0` with its point.

    >>> [number_token(text) for text in ("007", ".50", "2.00", "1e3")]
    ['7', '0.5', '2.0', '1000.0']
    """
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise UnsupportedSql(text, "a number of this spelling has no bracketed form") from None
    if "." not in text and "e" not in text.lower():
        return str(int(value))
    shown = f"{value.normalize():f}"
    return shown if "." in shown else f"{shown}.0"


def text(node: Any, scope: Scope) -> str | None:
    """The text of a literal, or of a name in double quotes that is no column; else None."""
    node = unwrapped(node)
    kind = type(node).__name__
    if kind == "Literal" and node.is_string:
        found = str(node.this)
    elif kind == "Column" and type(node.this).__name__ == "Identifier" and scope.is_text(node):
        found = str(node.name)
    else:
        return None
    if any(sign in found for sign in "\t\n\r") or found != found.strip() or not found:
        raise unsupported(
            "a text that is empty, begins or ends with a space, or contains a tab or a line break",
            node,
            "Permitted are other texts.",
        )
    return found


def read_literal(node: Any, column: Node, scope: Scope) -> str | None:
    """The token of a number, or of a text beside a column; None for what is no literal."""
    found = number(node)
    if found is not None:
        return found
    said = text(node, scope)
    if said is None:
        return None
    if not isinstance(column, str):
        raise unsupported(
            "a text compared with something that is no column",
            node,
            "Permitted are texts beside a column, as in title = 'Alien'.",
        )
    return value_token(column, said)


def value_token(column: str, text: str) -> str:
    """The token of a text as a value of a column."""
    return f"{base_token(column)}{VALUE}{text}"


@final
@dataclass(frozen=True, slots=True)
class ValueSpelling:
    """How the values of a column are spelt as tokens: what is before and after the text."""

    before: str = ""
    after: str = ""

    def token(self, name: str) -> str:
        """A text as a token."""
        return f"{self.before}{name}{self.after}"


def value_spelling(tokens: Sequence[str]) -> ValueSpelling | None:
    """How the tokens of a kind are spelt; None if they are no values.

    >>> value_spelling(["film.genre:war", "film.genre:crime"]).token("Film noir")
    'film.genre:Film noir'
    >>> value_spelling(["film.genre", "film.title"])
    """
    first = next(iter(tokens), "")
    if len(first) > 1 and first[0] == first[-1] == "'":
        return ValueSpelling("'", "'")
    if _DIGITS.fullmatch(first):
        return ValueSpelling()
    column, sign, _ = first.partition(VALUE)
    return ValueSpelling(f"{column}{VALUE}") if sign and "." in column else None


def _named(node: Any) -> str:
    kind = type(node).__name__
    if kind == "Anonymous":
        return f"the function {str(node.this).upper()}"
    if kind == "Literal":
        return "a literal in this place"
    return {
        "Case": "CASE", "Cast": "CAST", "Window": "a window function", "Null": "NULL in this place",
        "Interval": "INTERVAL", "DPipe": "||", "Placeholder": "a placeholder",
    }.get(kind, f"{node.key.upper().replace('_', ' ')}")  # fmt: skip
