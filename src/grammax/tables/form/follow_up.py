"""Follow-ups: a form and what was said next become one form.

In: the tree of the current form, the tree of the follow-up, and whether the follow-up widens ("and
french") or replaces ("now french"). Out: the tree of both, made of constraints that are in one of
the two; nothing else is added but AND and OR.

| the follow-up has | and the current form |
|---|---|
| a value or a bound of a field | loses constraints of the field that exclude it |
| an order or a rank | loses its order, and its rank |
| a column, a summary, a group | keeps its columns; loses its summary or its groups |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from grammax.tables.form.canonical import flat_parts
from grammax.tables.form.operands import Aggregate, FieldRef, Measure
from grammax.tables.form.tree import And, Display, Group, LogicalForm, Not, Or, Rank, Relational
from grammax.tables.form.walk import walk

_BELOW: Final = frozenset(("LS", "LE"))
_ABOVE: Final = frozenset(("GR", "GE"))


def follow_up(current: LogicalForm, said: LogicalForm, widens: bool = False) -> LogicalForm:
    """The current form, edited by what was said next."""
    parts = conjuncts(current)
    replaced = tuple(parts)
    for part in conjuncts(said):
        parts = _with_part(parts, part, replaced, widens)
    return parts[0] if len(parts) == 1 else And(tuple(parts))


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


def _with_part(
    parts: Sequence[LogicalForm],
    part: LogicalForm,
    before: Sequence[LogicalForm],
    widens: bool,
) -> list[LogicalForm]:
    if isinstance(part, Display):
        kept = [each for each in parts if not _shows(each, part.field)]
        if part.order is not None:
            kept = [_without_order(each) for each in kept if not _only_orders(each)]
        return [*kept, part]
    if isinstance(part, Rank | Group | Aggregate):
        kept = [each for each in parts if not isinstance(each, type(part))]
        return [*(map(_without_order, kept) if isinstance(part, Rank) else kept), part]
    excluded = [each for each in parts if each in before and _excludes(each, part)]
    if widens and len(excluded) == 1 and isinstance(part, Relational) and part.op == "EQ":
        part = excluded[0] if part in set(walk(excluded[0])) else Or((excluded[0], part))
    if not excluded:
        return list(parts) if part in parts else [*_conditions(parts), part, *_rest(parts)]
    at = parts.index(excluded[0])
    kept = [each for each in parts if each not in excluded]
    return [*kept[:at], part, *kept[at:]]


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
