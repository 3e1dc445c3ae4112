"""Parts of logical forms with their places, and conditions on rows, with their words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from grammax.tables.form.tree import And, LogicalForm

EXCLUDED, VALUE, BOUND, FILTER, RANK, AGGREGATE, GROUP, COLUMN, SORT = range(9)
"""The places of parts in the outermost AND, as in `corpus.plan`."""

NO_TYPE: Final = 0


class Part(NamedTuple):
    """A part of the AND: its place, then the position of its enum type."""

    place: int
    type: int
    lf: LogicalForm


class Condition(NamedTuple):
    """A condition on rows in words: before their noun, after it, or as keywords alone.

    `before` is empty where the condition cannot stand before the noun, and `noun`, in the plural,
    where it cannot be the noun: "dramas". `asked` are whole questions for the rows, "{n}".
    """

    column: str
    parts: tuple[Part, ...]
    after: str
    bare: str
    before: str = ""
    noun: str = ""
    asked: tuple[str, ...] = ()


class Said(NamedTuple):
    """A text and what it means."""

    text: str
    parts: tuple[Part, ...]


def joined(parts: Iterable[Part]) -> LogicalForm:
    """The AND of parts in their order; parts of one place keep the order of mention."""
    ordered = [part.lf for part in sorted(parts, key=lambda part: (part.place, part.type))]
    return ordered[0] if len(ordered) == 1 else And(tuple(ordered))


def of_all(conditions: Iterable[Condition]) -> tuple[Part, ...]:
    """The parts of some conditions."""
    return tuple(part for condition in conditions for part in condition.parts)
