"""The right-hand sides of rules as values, read from text or built in Python.

>>> from grammax.grammar.expressions import some, token
>>> rule = [[token("("), token("AND"), "constraint", some("constraint"), token(")")]]

A string refers to a rule or a kind by name, `token(...)` is a token itself, a list is a sequence,
and a list of lists is a choice of sequences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grammax.errors import Location

NOWHERE = Location("<python>")


@dataclass(frozen=True, slots=True)
class Reference:
    """A rule or a kind, by name; a use of a template has `arguments`."""

    name: str
    location: Location = NOWHERE
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenText:
    """A token, written out."""

    text: str
    location: Location = NOWHERE


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression: a kind whose tokens are given elsewhere."""

    text: str
    location: Location = NOWHERE


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Parts one after another; without parts, the empty string."""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part, `least` to `most` times; `most` is None if there is no limit."""

    part: Expression
    least: int
    most: int | None


Expression: TypeAlias = Reference | TokenText | Pattern | Concatenation | Choice | Repeat
Part: TypeAlias = str | Expression | Sequence["Part"]


def token(text: str) -> TokenText:
    """A token itself, as opposed to the name of a rule or kind."""
    return TokenText(text)


def optional(*parts: Part) -> Repeat:
    """The parts, or nothing."""
    return Repeat(sequence(parts), 0, 1)


def many(*parts: Part) -> Repeat:
    """The parts, zero or more times."""
    return Repeat(sequence(parts), 0, None)


def some(*parts: Part) -> Repeat:
    """The parts, one or more times."""
    return Repeat(sequence(parts), 1, None)


def either(*options: Part) -> Choice:
    """One of the options."""
    return Choice(tuple(as_expression(option) for option in options))


def sequence(parts: Sequence[Part]) -> Expression:
    """The parts one after another."""
    return parts_in_order(tuple(as_expression(part) for part in parts))


def as_expression(part: Part) -> Expression:
    """The expression that a Python value denotes: a string is a name, a list a sequence."""
    if isinstance(part, str):
        return Reference(part)
    if isinstance(part, list | tuple):
        return sequence(part)
    if isinstance(part, Reference | TokenText | Pattern | Concatenation | Choice | Repeat):
        return part
    raise TypeError(
        f"{part!r} is a {type(part).__name__}; a part of a rule is the name of a rule or kind, "
        f"token('...'), a list of parts, or optional, many, some or either of such"
    )


def parts_in_order(parts: tuple[Expression, ...]) -> Expression:
    """A concatenation, unless there is only one part."""
    return parts[0] if len(parts) == 1 else Concatenation(parts)
