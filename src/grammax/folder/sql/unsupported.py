"""The errors of SQL that has no bracketed form, and of parts of statements that must be absent."""

from __future__ import annotations

from typing import Any, Final

from grammax.errors import GrammaxError

PERMITTED: Final = (
    "Permitted are SELECT with JOIN ... ON equal columns, WHERE, GROUP BY, HAVING, ORDER BY and "
    "LIMIT, subqueries, UNION, INTERSECT and EXCEPT."
)
_SHOWN: Final = 80  # characters of SQL in a message


class UnsupportedSql(GrammaxError):
    """SQL that has no bracketed form; `construct` is the part for which there is none."""

    def __init__(self, construct: str, why: str, hint: str = "") -> None:
        self.construct = construct
        super().__init__(f"{why}: {construct}. {hint}".removesuffix(". "))


class NotOneStatement(UnsupportedSql):
    """A text that is not one statement of SQL."""


class UnknownName(GrammaxError):
    """A table or a column that the schema does not have."""


class NotAForm(GrammaxError):
    """Tokens that are no bracketed form of SQL."""


def unsupported(what: str, node: Any, hint: str = PERMITTED) -> UnsupportedSql:
    """The error for a part of a statement, which it shows."""
    return UnsupportedSql(shown(node), f"{what} has no bracketed form", hint)


def shown(node: Any) -> str:
    """A part of a statement as SQL, shortened."""
    text = node if isinstance(node, str) else node.sql()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."


def require_only(node: Any, what: str, *parts: str) -> None:
    """Raise if a node has a part besides those named, so that no part is lost unnoticed."""
    for name, part in node.args.items():
        if name not in parts and part and part is not True:
            first = part[0] if isinstance(part, list) else part
            label = name.strip("_").replace("_", " ").upper()
            raise unsupported(f"{what} with {label}", first if hasattr(first, "sql") else node)
        if name not in parts and part is True:
            label = name.strip("_").replace("_", " ").upper()
            raise unsupported(f"{what} with {label}", node)
