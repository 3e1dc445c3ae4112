"""The parts that the AND of a logical form joins, which can be moved to another one.

The bounds of a range form one part, and so do columns of the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from grammax.language.domain import Part, Tokens
from grammax.tables import lexicon

_ORDER: Final = (  # that of `corpus.plan`
    *("not", "value", "groups", "bound", "filter", "rank", "aggregate", "by", "column", "sort"),
)
_ONCE: Final = ("groups", "rank", "sort", "aggregate", "by", "filter")
_SUMMARY: Final = frozenset(("aggregate", "by", "filter"))
_SHOWN: Final = frozenset(("column", "sort"))


def parts(tokens: Tokens, type_of: Callable[[str], int | None]) -> tuple[Part, ...]:
    """The parts of a logical form; `type_of` gives the index of a field's enum type, or None.

    >>> types = {"FLD_GENRE": 0, "FLD_LENGTH": None}
    >>> text = "( AND ( FLD_GENRE EQ GEN_WAR ) ( FLD_LENGTH GE 5 ) ( FLD_LENGTH LE 9 ) )"
    >>> for part in parts(tuple(text.split()), types.get):
    ...     print(part.role, *part.tokens)
    value ( FLD_GENRE EQ GEN_WAR )
    bound ( FLD_LENGTH GE 5 ) ( FLD_LENGTH LE 9 )
    """
    found: list[Tokens] = []
    for part in _children(tokens[2:-1]) if tokens[1] == "AND" else [tokens]:
        if found and (_one_range(found[-1], part) or _one_time(found[-1], part)):
            found[-1] += part
        else:
            found.append(part)
    return tuple(_part(each, type_of) for each in found)


def joined(given: Sequence[Part]) -> Tokens | None:
    """The logical form of parts in the order of mention; None if they cannot be combined."""
    roles = [part.role for part in given]
    values = [(part.role, part.order) for part in given if part.role in ("not", "value")]
    if (
        not given
        or any(roles.count(role) > 1 for role in _ONCE)
        or ("groups" in roles and values)
        or (_SUMMARY.intersection(roles) and _SHOWN.intersection(roles))
        or len(set(values)) < len(values)
        or len(set(given)) < len(given)
    ):
        return None
    found: list[Tokens] = []
    for part in sorted(given, key=lambda part: (_ORDER.index(part.role), part.order)):
        found += _children(part.tokens)
    if len(found) == 1:
        return found[0]
    return ("(", "AND", *(token for part in found for token in part), ")")


def _part(tokens: Tokens, type_of: Callable[[str], int | None]) -> Part:
    head = tokens[1]
    if head in lexicon.RANKS:
        return Part(tokens, "rank")
    if head == lexicon.BY:
        return Part(tokens, "by")
    if head in lexicon.AGGREGATES:
        return Part(tokens, "aggregate")
    if head == lexicon.OPEN and tokens[2] in lexicon.AGGREGATES:
        return Part(tokens, "filter")
    if head == lexicon.DISPLAY:
        return Part(tokens, "sort" if tokens[-2] in lexicon.ORDERS else "column")
    if head == "OR" and tokens[3] == "AND":
        return Part(tokens, "groups")
    type_index = type_of(_first_field(tokens))
    if type_index is None:
        return Part(tokens, "bound")
    return Part(tokens, "not" if head == "NOT" else "value", type_index)


def _first_field(tokens: Tokens) -> str:
    """The field of a comparison, or of the first one within NOT and OR."""
    return next(token for token in tokens if token not in (lexicon.OPEN, *lexicon.CONNECTIVES))


def _children(tokens: Tokens) -> list[Tokens]:
    """The brackets side by side."""
    found, depth, start = [], 0, 0
    for index, token in enumerate(tokens, 1):
        depth += (token == lexicon.OPEN) - (token == lexicon.CLOSE)
        if depth == 0:
            found.append(tokens[start:index])
            start = index
    return found


def _one_range(low: Tokens, high: Tokens) -> bool:
    return "GE" in low and "LE" in high and low[: low.index("GE")] == high[: high.index("LE")]


def _one_time(first: Tokens, second: Tokens) -> bool:
    shown = first[1] == second[1] == lexicon.DISPLAY
    return shown and second[3] == lexicon.OPEN and first[3 - len(second) :] == second[3:]
