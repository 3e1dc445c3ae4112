"""Traverse a logical form of any depth without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from grammax.tables.form.tree import And, Atom, LogicalForm, Not, Or, parts_of

T = TypeVar("T")


def walk(lf: LogicalForm) -> Iterator[LogicalForm]:
    """The tree and every constraint inside it, in the order of the text."""
    waiting = [lf]
    while waiting:
        lf = waiting.pop()
        yield lf
        waiting.extend(reversed(parts_of(lf)))


def placed(lf: LogicalForm) -> Iterator[tuple[Atom, bool]]:
    """Every atom, in the order of the text, and whether it stands in the outermost AND.

    Nested ANDs count as one, and NOT NOT counts as nothing; a form without AND is its only part.

    >>> from grammax.tables.form.text import read
    >>> for atom, is_outermost in placed(read("(AND (count) (AND (by A) (NOT (display B))))")):
    ...     print(atom, is_outermost)
    (count) True
    (by A) True
    (display B) False
    """
    waiting = [(lf, True)]
    while waiting:
        lf, is_outermost = waiting.pop()
        if isinstance(lf, Not) and isinstance(lf.part, Not):
            waiting.append((lf.part.part, is_outermost))
        elif isinstance(lf, Not | And | Or):
            inside = is_outermost and isinstance(lf, And)
            waiting.extend((part, inside) for part in reversed(parts_of(lf)))
        else:
            yield lf, is_outermost


def fold(
    lf: LogicalForm,
    combine: Callable[[LogicalForm, Sequence[T]], T],
    parts: Callable[[LogicalForm], Sequence[LogicalForm]] = parts_of,
) -> T:
    """`combine(node, results of its parts)` from the leaves up, without recursion.

    >>> from grammax.tables.form.tree import And, Display, FieldRef, Not
    >>> a = Display(FieldRef("FLD_YEAR"))
    >>> fold(Not(And((a, Not(a)))), lambda node, below: 1 + max(below, default=0))
    4
    """
    results: list[T] = []
    waiting: list[tuple[LogicalForm, int | None]] = [(lf, None)]
    while waiting:
        node, count = waiting.pop()
        if count is None:
            below = parts(node)
            waiting.append((node, len(below)))
            waiting.extend((part, None) for part in reversed(below))
        else:
            split = len(results) - count
            given = results[split:]
            del results[split:]
            results.append(combine(node, given))
    return results[0]


def depth(lf: LogicalForm) -> int:
    """The depth of nesting; 1 for an atom."""
    deepest = 0
    waiting = [(lf, 1)]
    while waiting:
        lf, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((part, level + 1) for part in parts_of(lf))
    return deepest
