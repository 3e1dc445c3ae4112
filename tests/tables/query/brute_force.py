"""Answers the slow way, in plain Python over lists of rows: the oracle for the translation.

It follows the rules that `translate` states, and shares no code with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.times import Time
from grammax.tables.form.tree import (
    And,
    Display,
    EnumValue,
    FieldRef,
    LogicalForm,
    Not,
    Number,
    Or,
    Percent,
    Rank,
    Relational,
)

Row = Mapping[str, Any]
FACTORS = {None: 1.0, "THOUSAND": 1e3, "MILLION": 1e6, "BILLION": 1e9, "TRILLION": 1e12}


class World(Protocol):
    """Data as plain rows, with a value of the entity's key in each."""

    @property
    def catalogue(self) -> Catalogue: ...
    @property
    def rows(self) -> Sequence[Row]: ...
    def value(self, ref: FieldRef, row: Row) -> Any:
        """The value of a field with one value per row, or None."""

    def members(self, token: str, row: Row) -> set[str]:
        """The values of a field with several values per row."""

    def rate(self, unit: str, time: Time | None) -> float | None:
        """How many of the default unit one of `unit` is."""


def answer(world: World, lf: LogicalForm) -> list[tuple[Any, ...]]:
    """Rows of the key and shown fields, in order."""
    lf = without_double_negation(lf)
    ranks = outer_ranks(lf)
    rows = [row for row in world.rows if truth(world, lf, row, ranks) in (True, "no condition")]
    for rank in ranks:
        rows = best(world, rows, rank)
    shown = shown_fields(lf)
    rows = ordered(world, lf, rows, ranks)
    return [(key(world, row), *(value(world, ref, row) for ref in shown)) for row in rows]


def truth(world: World, lf: LogicalForm, row: Row, outer: Sequence[Rank]) -> Any:
    """True, False, None for unknown, or "no condition"."""
    match lf:
        case Display():
            return "no condition"
        case Rank():
            if any(lf is rank for rank in outer):
                return "no condition"
            if value(world, lf.field, row) is None:
                return False
            return any(row is other for other in best(world, world.rows, lf))
        case Relational():
            return relational(world, lf, row)
        case Not(part):
            inner = truth(world, part, row, outer)
            return inner if inner in (None, "no condition") else not inner
    parts = [truth(world, part, row, outer) for part in lf.parts]
    parts = [part for part in parts if part != "no condition"]
    if not parts:
        return "no condition"
    decisive = isinstance(lf, Or)
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def relational(world: World, lf: Relational, row: Row) -> bool | None:
    if isinstance(lf.value, EnumValue):
        return enum_relation(world, lf, lf.value.token, row)
    left = value(world, lf.field, row)
    right = operand(world, lf, row)
    if left is None or right is None:
        return None
    return {
        "EQ": left == right,
        "NEQ": left != right,
        "LS": left < right,
        "LE": left <= right,
        "GR": left > right,
        "GE": left >= right,
    }[lf.op]


def enum_relation(world: World, lf: Relational, token: str, row: Row) -> bool | None:
    inside = set(world.catalogue.descendants(token))
    if lf.field.token in world.catalogue.schema.many:
        return bool(world.members(lf.field.token, row) & inside) == (lf.op == "EQ")
    held = world.value(lf.field, row)
    if held is None:
        return None
    if lf.op in ("EQ", "NEQ"):
        return (held in inside) == (lf.op == "EQ")
    mine, other = world.catalogue.values[held].rank, world.catalogue.values[token].rank
    assert mine is not None
    assert other is not None
    return {"GR": mine < other, "GE": mine <= other, "LS": mine > other, "LE": mine >= other}[lf.op]


def operand(world: World, lf: Relational, row: Row) -> float | None:
    match lf.value:
        case FieldRef() as ref:
            return value(world, ref, row)
        case Percent() as percent:
            return float(percent.value) / (100 if percent.unit == "BPS" else 1)
        case Number() as number:
            amount = min(float(number.value) * FACTORS[number.denomination], 1.7e308)
            amount = max(amount, -1.7e308)
            unit = world.catalogue.schema.unit
            if number.unit is None or unit is None or number.unit == unit.default:
                return amount
            type_ = world.catalogue.fields[lf.field.token].type
            assert world.catalogue.schema.number(type_).units
            rate = world.rate(number.unit, lf.field.time)
            return None if rate is None else amount * rate
    raise AssertionError(lf)


def key(world: World, row: Row) -> Any:
    return row[world.catalogue.schema.entity.key]


def value(world: World, ref: FieldRef, row: Row) -> Any:
    """What is shown: the values of a field with several values as one text."""
    if ref.token in world.catalogue.schema.many:
        return ", ".join(sorted(world.members(ref.token, row))) or None
    return world.value(ref, row)


def goodness(world: World, ref: FieldRef, row: Row) -> Any:
    found = value(world, ref, row)
    type_ = world.catalogue.value_types.get(world.catalogue.fields[ref.token].type)
    if found is not None and type_ is not None and type_.ordered:
        return -(world.catalogue.values[found].rank or 0)
    return found


def best(world: World, rows: Sequence[Row], rank: Rank) -> list[Row]:
    known = [row for row in rows if value(world, rank.field, row) is not None]
    known.sort(key=lambda row: key(world, row))
    known.sort(key=lambda row: goodness(world, rank.field, row), reverse=rank.direction == "top")
    return known[: rank.count]


def ordered(world: World, lf: LogicalForm, rows: list[Row], ranks: Sequence[Rank]) -> list[Row]:
    keys = [display for display in displays(lf) if display.order is not None]
    if not keys and ranks:
        return rows
    rows = sorted(rows, key=lambda row: key(world, row))
    for display in reversed(keys):
        known = [row for row in rows if goodness(world, display.field, row) is not None]
        unknown = [row for row in rows if goodness(world, display.field, row) is None]
        known.sort(
            key=lambda row: goodness(world, display.field, row),
            reverse=display.order == "DESC",
        )
        rows = known + unknown
    return rows


def outer_ranks(lf: LogicalForm) -> list[Rank]:
    if isinstance(lf, Rank):
        return [lf]
    return [rank for part in lf.parts for rank in outer_ranks(part)] if isinstance(lf, And) else []


def displays(lf: LogicalForm) -> list[Display]:
    if isinstance(lf, Display):
        return [lf]
    parts = lf.parts if isinstance(lf, And) else ()
    return [display for part in parts for display in displays(part)]


def without_double_negation(lf: LogicalForm) -> LogicalForm:
    match lf:
        case Not(Not(part)):
            return without_double_negation(part)
        case Not(part):
            return Not(without_double_negation(part))
        case And(parts):
            return And(tuple(without_double_negation(part) for part in parts))
        case Or(parts):
            return Or(tuple(without_double_negation(part) for part in parts))
    return lf


def shown_fields(lf: LogicalForm) -> list[FieldRef]:
    found = [display.field for display in displays(lf)]

    def visit(node: LogicalForm) -> None:
        if isinstance(node, Relational | Rank):
            found.append(node.field)
        if isinstance(node, Relational) and isinstance(node.value, FieldRef):
            found.append(node.value)
        for part in (node.part,) if isinstance(node, Not) else getattr(node, "parts", ()):
            visit(part)

    visit(lf)
    return list(dict.fromkeys(found))
