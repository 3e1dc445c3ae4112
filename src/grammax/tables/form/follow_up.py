"""Follow-ups: a form and what was said next become one form.

In: the tree of the current form, the tree of the follow-up, and whether the follow-up replaces
("now french"), widens ("and french") or gives another choice ("or french"). Out: the tree of both,
made of constraints that are in one of the two; nothing else is added but AND and OR.

| the follow-up has | and the current form |
|---|---|
| a value or a bound of a field | loses constraints of the field that exclude it |
| an order or a rank | loses its order, and its rank |
| a column | keeps its columns; loses a summary of all rows |
| a summary, a group | loses its columns, the order of its rows, and its summary or its groups |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

from grammax.tables.form.canonical import flat_parts
from grammax.tables.form.operands import Aggregate, FieldRef, Measure
from grammax.tables.form.tree import And, Display, Group, LogicalForm, Not, Or, Rank, Relational
from grammax.tables.form.walk import fold, walk
from grammax.tables.lexicon import COUNT

_BELOW: Final = frozenset(("LS", "LE"))
_ABOVE: Final = frozenset(("GR", "GE"))


class Manner(Enum):
    """What a follow-up does with constraints of the current form that exclude its own."""

    REPLACES = "now french"
    WIDENS = "and french"
    OFFERS = "or french"


def follow_up(
    current: LogicalForm, said: LogicalForm, manner: Manner = Manner.REPLACES
) -> LogicalForm:
    """The current form, edited by what was said next."""
    before = conjuncts(current)
    parts = list(before)
    for part in _alternatives(before, conjuncts(without_repetition(said)), manner):
        parts = _with_part(parts, part, before, manner)
    return _joined(parts)


def without_repetition(lf: LogicalForm) -> LogicalForm:
    """The form without parts of an AND or OR that are in it twice.

    >>> from grammax.tables.form.text import read
    >>> print(without_repetition(read("(OR (FLD_YEAR GR 2000) (FLD_YEAR GR 2000))")))
    (FLD_YEAR GR 2000)
    """

    def combine(node: LogicalForm, below: Sequence[LogicalForm]) -> LogicalForm:
        if isinstance(node, Not):
            return Not(below[0])
        if not isinstance(node, And | Or):
            return node
        first, *others = different = tuple(dict.fromkeys(below))
        if not others:
            return first
        return And(different) if isinstance(node, And) else Or((first, others[0]))

    return fold(lf, combine)


def conjuncts(lf: LogicalForm) -> list[LogicalForm]:
    """The constraints that all hold."""
    return list(flat_parts(lf)) if isinstance(lf, And) else [lf]


def with_field(lf: LogicalForm, field: Measure | Aggregate) -> LogicalForm:
    """A comparison or its negation, of another field."""
    if isinstance(lf, Not):
        return Not(with_field(lf.part, field))
    return replace(lf, field=field) if isinstance(lf, Relational) else lf


def measures(lf: LogicalForm) -> Iterator[Measure | Aggregate]:
    """What is compared, shown or ranked, the last first."""
    for part in reversed(conjuncts(lf)):
        for each in walk(part):
            if isinstance(each, Relational | Display | Rank):
                yield each.field


def _joined(parts: Sequence[LogicalForm]) -> LogicalForm:
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _alternatives(
    before: Sequence[LogicalForm], said: list[LogicalForm], manner: Manner
) -> list[LogicalForm]:
    """What was said, with what widens a range as one part: "or the 90s", "or below 3"."""
    field, ways = _directions(said)
    if manner is Manner.REPLACES or len(ways) < (1 if manner is Manner.OFFERS else 2):
        return said
    same = [part for part in before if (of := _compared(part)) and of[0] == field]
    return [Or((_joined(same), _joined(said)))] if len(_directions(same)[1]) == 2 else said


def _directions(
    parts: Sequence[LogicalForm],
) -> tuple[Measure | Aggregate | None, set[frozenset[str]]]:
    """The one field that all parts compare, and whether from below, from above, or both."""
    compared = [_compared(part) for part in parts]
    fields = {of[0] for of in compared if of is not None}
    if None in compared or len(fields) != 1:
        return None, set()
    used = [of[1] for of in compared if of is not None]
    return fields.pop(), {way for way in (_BELOW, _ABOVE) for ops in used if ops & way}


def _with_part(
    parts: Sequence[LogicalForm],
    part: LogicalForm,
    before: Sequence[LogicalForm],
    manner: Manner,
) -> list[LogicalForm]:
    if isinstance(part, Display):
        kept = [each for each in parts if not _shows(each, part.field)]
        if not any(isinstance(each, Group) for each in kept):
            kept = [each for each in kept if not isinstance(each, Aggregate)]
        if part.order is not None:
            kept = [_without_order(each) for each in kept if not _only_orders(each)]
        return [*kept, part]
    if isinstance(part, Rank):
        return [*(_without_order(e) for e in parts if not isinstance(e, Rank)), part]
    if isinstance(part, Group | Aggregate):
        kept = [each for each in parts if not isinstance(each, type(part))]
        is_grouped = any(isinstance(each, Group) for each in (*kept, part))
        return [*(each for each in kept if not _is_of_rows(each, part, is_grouped)), part]
    excluded = [each for each in parts if each in before and _excludes(each, part)]
    if manner is Manner.OFFERS and not excluded:
        of = _compared(part)
        same = [e for e in parts if e in before and of and (_compared(e) or (None,))[0] == of[0]]
        excluded = same or (_conditions(parts) if len(_conditions(before)) == 1 else [])
        part = _widened(excluded[0], part) if len(excluded) == 1 else part
    elif manner is not Manner.REPLACES and len(excluded) == 1 and _is_choice(part):
        part = _widened(excluded[0], part)
    if not excluded:
        return list(parts) if part in parts else [*_conditions(parts), part, *_rest(parts)]
    at = parts.index(excluded[0])
    kept = [each for each in parts if each not in excluded]
    return [*kept[:at], part, *kept[at:]]


def _is_of_rows(part: LogicalForm, summary: Group | Aggregate, is_grouped: bool) -> bool:
    """Whether a part shows or orders single rows, which have no place in a summary."""
    if isinstance(part, Display):
        return True
    if not isinstance(part, Rank) or isinstance(part.field, Aggregate):
        return False
    is_count = isinstance(summary, Aggregate) and summary.function == COUNT
    return part.count is None or (is_count and not is_grouped)


def _is_choice(part: LogicalForm) -> bool:
    """Whether a part names values, and not bounds."""
    atoms = [each for each in walk(part) if not isinstance(each, Or)]
    return all(isinstance(each, Relational) and each.op == "EQ" for each in atoms)


def _widened(old: LogicalForm, new: LogicalForm) -> LogicalForm:
    """Either of two constraints, without what is a choice of the old one already."""
    had = set(walk(old))
    waiting = [new]
    while waiting:
        choice = waiting.pop()
        if isinstance(choice, Or):
            waiting.extend(reversed(choice.parts))
        elif choice not in had:
            old = Or((old, choice))
    return old


def _conditions(parts: Sequence[LogicalForm]) -> list[LogicalForm]:
    return [part for part in parts if not isinstance(part, Display | Rank | Aggregate | Group)]


def _rest(parts: Sequence[LogicalForm]) -> list[LogicalForm]:
    return [part for part in parts if isinstance(part, Display | Rank | Aggregate | Group)]


def _shows(part: LogicalForm, field: Measure) -> bool:
    return isinstance(part, Display) and part.field == field


def _only_orders(part: LogicalForm) -> bool:
    return isinstance(part, Rank) and part.count is None


def _without_order(part: LogicalForm) -> LogicalForm:
    return replace(part, order=None) if isinstance(part, Display) else part


def _excludes(old: LogicalForm, new: LogicalForm) -> bool:
    """Whether a constraint gives way to a new one: both are of one field, and of one direction."""
    of_old, of_new = _compared(old), _compared(new)
    if of_old is None or of_new is None or of_old[0] != of_new[0]:
        return False
    if isinstance(new, Not):  # "without banks" beside other things that are left out
        return not isinstance(old, Not) or old.part == new.part
    if isinstance(old, Not):
        return old.part == new
    directions = (_BELOW, _ABOVE)
    old_way, new_way = ([way for way in directions if ops <= way] for _, ops in (of_old, of_new))
    return not old_way or not new_way or old_way == new_way


def _compared(lf: LogicalForm) -> tuple[Measure | Aggregate, frozenset[str]] | None:
    """The one field that a constraint compares, with its operators; None if there are several."""
    atoms = [each for each in walk(lf) if not isinstance(each, Not | And | Or)]
    found = [each for each in atoms if isinstance(each, Relational)]
    fields = {each.field for each in found}
    if len(found) != len(atoms) or len(fields) != 1:
        return None
    field = found[0].field
    return (field, frozenset(each.op for each in found)) if isinstance(field, FieldRef) else None
