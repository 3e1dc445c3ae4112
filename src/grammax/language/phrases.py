"""Phrases of queries that stand for conditions, and logical forms with those conditions.

A domain takes the phrases out of a query (`Domain.without_phrases`), a parser reads the rest, and
`joined` adds the conditions to what it found.

>>> long = NamedCondition("epics", 4, "films", ("(", "LENGTH", "GR", "9", ")"))
>>> " ".join(joined(("(", "GENRE", "EQ", "WAR", ")"), [long]).tokens)
'( AND ( LENGTH GR 9 ) ( GENRE EQ WAR ) )'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from grammax.language.answer import Tokens

_OPEN: Final = "("
_AND: Final = "AND"
_CLOSE: Final = ")"


class NamedCondition(NamedTuple):
    """A condition that a phrase of a query stands for; a mere noun for rows has no tokens."""

    typed: str  # the phrase
    at: int  # the character of the rest of the query at which it stood
    noun: str  # what the rest has in its place; empty if it was left out
    tokens: Tokens  # of a logical form


class Rephrased(NamedTuple):
    """A query without phrases that stand for conditions, and those conditions.

    `text` is the rest of the query; it is empty if the conditions are all that it asks for.
    """

    text: str
    conditions: tuple[NamedCondition, ...]


class Joined(NamedTuple):
    """A logical form with conditions: for each token its index in the form before, or None.

    `condition` has the number of the condition that a new token belongs to, or None.
    """

    tokens: Tokens
    before: tuple[int | None, ...]
    condition: tuple[int | None, ...]


def without_conditions(rest: Rephrased, tokens: Tokens) -> Tokens | None:
    """The logical form of the rest of a query, given that of the whole; None if there is none."""
    parts = and_parts(tokens)
    for condition in rest.conditions:
        for part in and_parts(condition.tokens):
            if part not in parts:
                return None
            parts.remove(part)
    if len(parts) < 2:
        return parts[0] if parts else None
    return (_OPEN, _AND, *(token for part in parts for token in part), _CLOSE)


def joined(tokens: Tokens, conditions: Sequence[NamedCondition]) -> Joined:
    """The AND of a form, which may be empty, and conditions, which come first."""
    if tokens and not any(each.tokens for each in conditions):
        return Joined(tokens, tuple(range(len(tokens))), (None,) * len(tokens))
    new = [
        (part, number) for number, each in enumerate(conditions) for part in and_parts(each.tokens)
    ]
    inside = range(2, len(tokens) - 1) if tokens[1:2] == (_AND,) else range(len(tokens))
    made = Joined(
        (*(token for part, _ in new for token in part), *(tokens[at] for at in inside)),
        (*(None for part, _ in new for _ in part), *inside),
        (*(number for part, number in new for _ in part), *(None for _ in inside)),
    )
    if len(new) + bool(tokens) == 1:
        return made
    return Joined(
        (_OPEN, _AND, *made.tokens, _CLOSE),
        (None, None, *made.before, None),
        (None, None, *made.condition, None),
    )


def and_parts(tokens: Tokens) -> list[Tokens]:
    """What the outermost AND of a form joins, with those of an AND in it."""
    if tokens[1:2] != (_AND,):
        return [tokens] if tokens else []
    found: list[Tokens] = []
    start, depth = 2, 0
    for at, token in enumerate(tokens[2:-1], 2):
        depth += (token == _OPEN) - (token == _CLOSE)
        if depth == 0:
            found += and_parts(tokens[start : at + 1])
            start = at + 1
    return found
