"""Answers the slow way, in plain Python over lists of rows: the oracle for the translation.

It follows the rules that `translate` states, and shares with it the table of formulas and the
meaning of times, nothing else.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grammax.domains.eqs.accounts import ACCOUNTS
from grammax.tables.catalogue.catalogue import Catalogue
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
from grammax.tables.query.formulas import Formulas, Stored
from grammax.tables.query.moments import Moment, moment_of

Row = Mapping[str, Any]
Known = float | None
FACTORS = {None: 1.0, "THOUSAND": 1e3, "MILLION": 1e6, "BILLION": 1e9, "TRILLION": 1e12}


@dataclass(frozen=True)
class World:
    """A market as plain rows."""

    catalogue: Catalogue
    today: datetime.date
    equity: Sequence[Row]
    membership: Sequence[Row]
    fundamental: Sequence[Row]
    exchange_rate: Sequence[Row]
    formulas: Formulas = field(init=False)
    quarters: dict[tuple[int, str, int], Row] = field(init=False)
    indices: dict[int, set[str]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "formulas", Formulas(self.catalogue, ACCOUNTS))
        quarters = {}
        for row in self.fundamental:
            for axis in ("calendar", "fiscal"):
                quarters[row["equity_id"], axis, row[f"{axis}_quarter"]] = row
        object.__setattr__(self, "quarters", quarters)
        indices: dict[int, set[str]] = {}
        for row in self.membership:
            indices.setdefault(row["equity_id"], set()).add(row["value"])
        object.__setattr__(self, "indices", indices)


class Arithmetic:
    """Numbers or None; whatever meets None is None."""

    def __init__(self, world: World, equity: int) -> None:
        self.world, self.equity = world, equity

    def stored(self, series: Stored, moment: Moment) -> Known:
        def at(quarter: int) -> Known:
            row = self.world.quarters.get((self.equity, moment.axis, quarter))
            return None if row is None else row[series.column]

        if series.quarters == 1:
            found = [at(moment.quarter - ago) for ago in range(4)]
            return next((value for value in found if value is not None), None)
        parts = [at(moment.quarter - ago) for ago in range(series.quarters)]
        return None if None in parts else sum(parts)  # type: ignore[arg-type]

    def number(self, value: float) -> Known:
        return value

    def add(self, a: Known, b: Known) -> Known:
        return None if a is None or b is None else a + b

    def subtract(self, a: Known, b: Known) -> Known:
        return None if a is None or b is None else a - b

    def multiply(self, a: Known, b: Known) -> Known:
        return None if a is None or b is None else a * b

    def divide(self, a: Known, b: Known) -> Known:
        return None if a is None or not b else a / b

    def absolute(self, a: Known) -> Known:
        return None if a is None else abs(a)

    def root(self, a: Known, degree: int) -> Known:
        return None if a is None or a <= 0 else a ** (1 / degree)

    def mean(self, values: Sequence[Known]) -> Known:
        known = [value for value in values if value is not None]
        return sum(known) / len(known) if known else None


def answer(world: World, lf: LogicalForm) -> list[tuple[Any, ...]]:
    """Rows of ticker and shown fields, in order."""
    lf = without_double_negation(lf)
    ranks = outer_ranks(lf)
    rows = [row for row in world.equity if truth(world, lf, row, ranks) in (True, "no condition")]
    for rank in ranks:
        rows = best(world, rows, rank)
    shown = shown_fields(lf)
    rows = ordered(world, lf, rows, ranks)
    return [(row["ticker"], *(value(world, ref, row) for ref in shown)) for row in rows]


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
            return row["id"] in [other["id"] for other in best(world, world.equity, lf)]
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
    if lf.field.token == "FLD_INDEX":
        held = world.indices.get(row["id"], set())
        inside = bool(held & set(world.catalogue.descendants(token)))
        return inside == (lf.op == "EQ")
    held = row[lf.field.token.removeprefix("FLD_").lower()]
    if held is None:
        return None
    if lf.op in ("EQ", "NEQ"):
        return (held in world.catalogue.descendants(token)) == (lf.op == "EQ")
    mine, other = world.catalogue.values[held].rank, world.catalogue.values[token].rank
    assert mine is not None
    assert other is not None
    return {"GR": mine < other, "GE": mine <= other, "LS": mine > other, "LE": mine >= other}[lf.op]


def operand(world: World, lf: Relational, row: Row) -> Known:
    match lf.value:
        case FieldRef() as ref:
            return value(world, ref, row)
        case Percent() as percent:
            return float(percent.value) / (100 if percent.unit == "BPS" else 1)
        case Number() as number:
            amount = min(float(number.value) * FACTORS[number.denomination], 1.7e308)
            amount = max(amount, -1.7e308)
            amounts = ("MONEY", "PER_SHARE")
            if number.unit in (None, "CUR_USD"):
                return amount
            assert world.catalogue.fields[lf.field.token].type in amounts
            quarter = moment_of(lf.field.time, world.today).quarter
            quarter = min(quarter, moment_of(None, world.today).quarter)
            rates = [
                rate["usd"]
                for rate in world.exchange_rate
                if rate["currency"] == number.unit and rate["calendar_quarter"] == quarter
            ]
            return amount * rates[0] if rates else None
    raise AssertionError(lf)


def value(world: World, ref: FieldRef, row: Row) -> Any:
    type_ = world.catalogue.fields[ref.token].type
    if type_ not in world.catalogue.schema.number_types:
        if ref.token == "FLD_INDEX":
            return ", ".join(sorted(world.indices.get(row["id"], ()))) or None
        return row[ref.token.removeprefix("FLD_").lower()]
    moment = moment_of(ref.time, world.today)
    arithmetic = Arithmetic(world, row["id"])
    found = world.formulas.value(ref.token, moment, arithmetic)
    if type_ in ("MONEY", "PER_SHARE"):
        found = arithmetic.multiply(found, arithmetic.stored(Stored("usd_rate"), moment))
    return found


def goodness(world: World, ref: FieldRef, row: Row) -> Any:
    found = value(world, ref, row)
    type_ = world.catalogue.value_types.get(world.catalogue.fields[ref.token].type)
    if found is not None and type_ is not None and type_.ordered:
        return -(world.catalogue.values[found].rank or 0)
    return found


def best(world: World, rows: Sequence[Row], rank: Rank) -> list[Row]:
    known = [row for row in rows if value(world, rank.field, row) is not None]
    known.sort(key=lambda row: row["ticker"])
    known.sort(key=lambda row: goodness(world, rank.field, row), reverse=rank.direction == "top")
    return known[: rank.count]


def ordered(world: World, lf: LogicalForm, rows: list[Row], ranks: Sequence[Rank]) -> list[Row]:
    keys = [display for display in displays(lf) if display.order is not None]
    if not keys and ranks:
        return rows
    rows = sorted(rows, key=lambda row: row["ticker"])
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
