"""WHERE and HAVING as trees.

| SQL | tree |
|---|---|
| `year > 1999 AND NOT genre = 'war'` | `( and ( > film.year 1999 ) ( not ( = film.genre film.genre:war ) ) )` |
| `year BETWEEN 1990 AND 1999` | `( between film.year 1990 1999 )` |
| `genre IN ('war', 'crime')` | `( in film.genre film.genre:war film.genre:crime )` |
| `id NOT IN (SELECT ...)` | `( not ( in film.id ( select ... ) ) )` |
| `title LIKE 'The%'` | `( begins film.title 'The' )` |
| `year IS NULL` | `( null film.year )` |

AND and OR take any number of conditions, and a number or a text is on the right.
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from grammax.folder.sql.reading.scope import Scope
from grammax.folder.sql.reading.terms import number, read_literal, read_term, text, unwrapped
from grammax.folder.sql.tree import Node
from grammax.folder.sql.unsupported import require_only, unsupported

COMPARISONS: Final = {"EQ": "=", "NEQ": "!=", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="}
_TURNED: Final = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_QUERIES: Final = ("Select", "Union", "Intersect", "Except", "Subquery")
_ANY: Final = "%"  # any text, in LIKE
_ONE: Final = "_"  # any sign
ESCAPE: Final = "\\"  # before such a sign that means itself
_SPECIAL: Final = re.compile(r"[%_\\]")
_MARKED: Final = re.compile(r"\\(.)")


class Place(NamedTuple):
    """Where a condition stands."""

    scope: Scope
    aggregates: bool  # whether it may have them, as HAVING may
    subquery: Callable[[Any, Scope, bool], Node]  # reads one, of one column if the flag is set


def read_condition(node: Any, place: Place) -> Node:
    """A condition as a tree."""
    node = unwrapped(node)
    kind = type(node).__name__
    if kind in ("And", "Or"):
        require_only(node, kind.upper(), "this", "expression")
        return (kind.lower(), *(read_condition(each, place) for each in joined(node, kind)))
    if kind == "Not":
        require_only(node, "NOT", "this")
        return ("not", read_condition(node.this, place))
    if node.args.get("negate"):  # NOT LIKE, NOT BETWEEN
        plain = node.copy()
        plain.set("negate", None)
        return ("not", read_condition(plain, place))
    if kind in COMPARISONS:
        return _comparison(node, COMPARISONS[kind], place)
    read = _READERS.get(kind)
    if read is None:
        raise unsupported(_named(node, kind), node)
    return read(node, place)


def joined(node: Any, kind: str) -> Iterator[Any]:
    """The conditions that AND or OR joins, brackets aside."""
    node = unwrapped(node)
    if type(node).__name__ == kind:
        yield from joined(node.this, kind)
        yield from joined(node.expression, kind)
    else:
        yield node


def _comparison(node: Any, sign: str, place: Place) -> Node:
    require_only(node, sign, "this", "expression")
    left, right = unwrapped(node.this), unwrapped(node.expression)
    if _is_constant(left, place) and not _is_constant(right, place):
        left, right, sign = right, left, _TURNED[sign]
    if _is_constant(left, place) and type(left).__name__ not in _QUERIES:
        raise unsupported("a condition on literals alone", node)
    term = read_term(left, place.scope, aggregates=place.aggregates)
    return (sign, term, _operand(right, term, place))


def _is_constant(node: Any, place: Place) -> bool:
    return (
        type(node).__name__ in _QUERIES
        or number(node) is not None
        or text(node, place.scope) is not None
    )


def _operand(node: Any, term: Node, place: Place) -> Node:
    literal = read_literal(node, term, place.scope)
    if literal is not None:
        return literal
    if type(node).__name__ in _QUERIES:
        return place.subquery(node, place.scope, True)
    return read_term(node, place.scope, aggregates=place.aggregates)


def _literal(node: Any, term: Node, place: Place, what: str) -> str:
    literal = read_literal(node, term, place.scope)
    if literal is None:
        raise unsupported(f"{what} with something that is no number and no text", node)
    return literal


def _between(node: Any, place: Place) -> Node:
    require_only(node, "BETWEEN", "this", "low", "high")
    term = read_term(node.this, place.scope, aggregates=place.aggregates)
    bounds = (node.args["low"], node.args["high"])
    return ("between", term, *(_literal(each, term, place, "BETWEEN") for each in bounds))


def _in(node: Any, place: Place) -> Node:
    require_only(node, "IN", "this", "expressions", "query")
    term = read_term(node.this, place.scope, aggregates=False)
    if not isinstance(term, str):
        raise unsupported("IN with arithmetic", node)
    if node.args.get("query") is not None:
        return ("in", term, place.subquery(node.args["query"], place.scope, True))
    if not node.expressions:
        raise unsupported("IN with an empty list", node)
    return ("in", term, *(_literal(each, term, place, "IN") for each in node.expressions))


def _is(node: Any, place: Place) -> Node:
    require_only(node, "IS", "this", "expression")
    if type(node.expression).__name__ != "Null":
        raise unsupported("IS with something other than NULL", node)
    return ("null", _column(node.this, place, "IS NULL"))


def _column(node: Any, place: Place, what: str) -> str:
    term = read_term(node, place.scope, aggregates=False)
    if not isinstance(term, str):
        raise unsupported(f"{what} with arithmetic", node)
    return term


def _like(node: Any, place: Place) -> Node:
    require_only(node, "LIKE", "this", "expression")
    pattern = text(node.expression, place.scope)
    if pattern is None:
        raise unsupported("LIKE with something other than a text", node)
    column = _column(node.this, place, "LIKE")
    return (*like_parts(pattern, column),)


def like_parts(pattern: str, column: str) -> tuple[str, str, str]:
    """A pattern of LIKE as a condition; patterns inside it make it `like`.

    >>> like_parts("%ali%", "film.title"), like_parts("A_i%", "film.title")
    (('contains', 'film.title', "'ali'"), ('like', 'film.title', "'A_i%'"))
    """
    for name, before, after in SHAPES:
        body = pattern[len(before) : len(pattern) - len(after)]
        whole = pattern.startswith(before) and pattern.endswith(after) and body
        if whole and not {_ANY, _ONE} & {*body} and body == body.strip():
            return name, column, f"'{body}'"
    return "like", column, f"'{pattern}'"


def _escaped(node: Any, place: Place) -> Node:
    """LIKE with a text that has % or _ itself, which `\\` marks."""
    require_only(node, "ESCAPE", "this", "expression")
    like, mark = unwrapped(node.this), text(node.expression, place.scope)
    if type(like).__name__ != "Like" or like.args.get("negate") or mark != ESCAPE:
        raise unsupported("ESCAPE with something other than LIKE and '\\'", node)
    pattern = text(like.expression, place.scope) or ""
    column = _column(like.this, place, "LIKE")
    for name, before, after in SHAPES:
        body = pattern[len(before) : len(pattern) - len(after)]
        plain = _MARKED.sub(r"\1", body)
        if f"{before}{escaped(plain)}{after}" == pattern and {_ANY, _ONE} & {*plain}:
            return name, column, f"'{plain}'"
    raise unsupported("a pattern with ESCAPE and other signs than those of its text", node)


def escaped(text: str) -> str:
    """A text as a part of a pattern in which `\\` marks signs that mean themselves."""
    return _SPECIAL.sub(r"\\\g<0>", text)


SHAPES: Final = (("contains", _ANY, _ANY), ("begins", "", _ANY), ("ends", _ANY, ""))
"""Conditions on texts, and what LIKE has before and after the text."""


def _exists(node: Any, place: Place) -> Node:
    require_only(node, "EXISTS", "this")
    return ("exists", place.subquery(node.this, place.scope, False))


_READERS: Final[dict[str, Callable[[Any, Place], Node]]] = {
    "Between": _between,
    "In": _in,
    "Is": _is,
    "Like": _like,
    "Escape": _escaped,
    "Exists": _exists,
}


def _named(node: Any, kind: str) -> str:
    if kind in ("Column", "Literal", "Boolean", "Subquery"):
        return "a condition without a comparison"
    return {"ILike": "ILIKE", "RegexpLike": "REGEXP", "Glob": "GLOB"}.get(
        kind, f"{node.key.upper().replace('_', ' ')} as a condition"
    )
