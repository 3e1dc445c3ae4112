"""Answers the slow way, in plain Python over lists of rows: the oracle for the translation.

It follows the rules that `conditions`, `translate` and `summary` state, and shares no code with
them. `brute_groups` has the summaries.
"""

from __future__ import annotations

import datetime
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, Protocol

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.times import Date, FiscalYear, Last, Month, Quarter, Time
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Change,
    Display,
    EnumValue,
    FieldRef,
    Group,
    LogicalForm,
    Measure,
    Not,
    Number,
    Or,
    Percent,
    Rank,
    Ratio,
    Relational,
    Text,
)

Row = Mapping[str, Any]
EPOCH = datetime.datetime(1970, 1, 1)
FUNCTIONS: Mapping[str, Callable[[list[float]], float]] = {
    "sum": sum,
    "average": lambda values: sum(values) / len(values),
    "median": median,
    "min": min,
    "max": max,
}
FACTORS = {None: 1.0, "THOUSAND": 1e3, "MILLION": 1e6, "BILLION": 1e9, "TRILLION": 1e12}


class World(Protocol):
    """Data as plain rows, with a value of the entity's key in each."""

    @property
    def catalogue(self) -> Catalogue: ...
    @property
    def rows(self) -> Sequence[Row]: ...
    @property
    def today(self) -> datetime.date:
        """The day that "last month" refers to."""

    def value(self, ref: FieldRef, row: Row) -> Any:
        """The value of a field with one value per row, or None; a date is a number of days."""

    def text(self, ref: FieldRef, row: Row) -> str | None:
        """The text of a field that is searched."""

    def members(self, token: str, row: Row) -> set[str]:
        """The values of a field with several values per row."""

    def rate(self, unit: str, time: Time | None) -> float | None:
        """How many of the default unit one of `unit` is."""

    def change(self, ref: FieldRef, row: Row) -> float | None:
        """The change of a field over its time, in percent."""

    def periods(self, unit: str) -> Sequence[Time]:
        """The periods of a series, the oldest first."""


def answer(world: World, lf: LogicalForm) -> list[tuple[Any, ...]]:
    """Rows of the key and shown measures, in order."""
    lf = without_double_negation(lf)
    rows = ordered(world, lf, selected(world, outer(lf)))
    unit = unit_asked(lf)
    shown = sorted(shown_measures(lf), key=lambda each: not is_number(world, each))
    return [
        (
            key(world, row),
            *(in_unit(world, each, value(world, each, row), unit) for each in shown),
        )
        for row in rows
    ]


def is_number(world: World, measure: Measure) -> bool:
    """Whether it is neither a text nor a date; columns of numbers come first."""
    if not isinstance(measure, FieldRef):
        return True
    type_ = world.catalogue.fields[measure.token].type
    return type_ in world.catalogue.schema.number_types and not is_date(world, measure)


def selected(world: World, parts: Sequence[LogicalForm]) -> list[Row]:
    """The rows that satisfy all parts and are left by the ranks among them."""
    ranks = [part for part in parts if isinstance(part, Rank)]
    conditions = [part for part in parts if not isinstance(part, Rank)]
    rows = [
        row
        for row in world.rows
        if all(truth(world, part, row) in (True, "no condition") for part in conditions)
    ]
    for rank in ranks:
        rows = best(world, rows, rank)
    return rows


def truth(world: World, lf: LogicalForm, row: Row) -> Any:
    """True, False, None for unknown, or "no condition"."""
    match lf:
        case Rank():
            if ranked(world, lf, row) is None:
                return False
            return any(row is other for other in best(world, world.rows, lf))
        case Relational():
            return relational(world, lf, row)
        case Not(part):
            return negated(truth(world, part, row))
        case And() | Or():
            return joined(lf, [truth(world, part, row) for part in lf.parts])
    return "no condition"


def negated(inner: Any) -> Any:
    return inner if inner in (None, "no condition") else not inner


def joined(lf: And | Or, given: Sequence[Any]) -> Any:
    """AND or OR of truths."""
    parts = [part for part in given if part != "no condition"]
    if not parts:
        return "no condition"
    decisive = isinstance(lf, Or)
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def relational(world: World, lf: Relational, row: Row) -> bool | None:
    assert not isinstance(lf.field, Aggregate)
    if isinstance(lf.value, Text):
        assert isinstance(lf.field, FieldRef)
        found = world.text(lf.field, row)
        return None if found is None else lf.value.text.lower() in found.lower()
    if isinstance(lf.value, EnumValue):
        assert isinstance(lf.field, FieldRef)
        return enum_relation(world, lf.field, lf, lf.value.token, row)
    asks_for_negative = isinstance(lf.value, Number | Percent) and lf.value.value <= 0
    small = lf.op in ("LS", "LE") and not asks_for_negative
    left = (sound if small else value)(world, lf.field, row)
    if isinstance(lf.value, FieldRef):
        return comparison(lf.op, left, value(world, lf.value, row))
    if isinstance(lf.value, Aggregate):
        return comparison(lf.op, left, overall(world, lf.value))
    if is_date(world, lf.field):
        return dated(world, lf.op, left, lf.value)
    return comparison(lf.op, left, number_of(world, lf.value, lf.field))


def overall(world: World, aggregate: Aggregate) -> float | None:
    """An aggregate of all rows."""
    assert aggregate.field is not None
    every = [sound(world, aggregate.field, row) for row in world.rows]
    known = [each for each in every if each is not None]
    return FUNCTIONS[aggregate.function](known) if known else None


def is_date(world: World, measure: Measure | None) -> bool:
    return isinstance(measure, FieldRef) and measure.token in (world.catalogue.dates or ())


def dated(world: World, op: str, days: float | None, time: Any) -> bool | None:
    """A comparison of a date with the first and the last day of a period."""
    if days is None:
        return None
    day = (EPOCH + datetime.timedelta(days=days)).date()
    first, last = days_of(time, world.today)
    return {
        "EQ": first <= day <= last,
        "NEQ": not first <= day <= last,
        "LS": day < first,
        "LE": day <= last,
        "GR": day > last,
        "GE": day >= first,
    }[op]


def days_of(time: Any, today: datetime.date) -> tuple[datetime.date, datetime.date]:
    """The first and the last day of a period, found by trying days."""
    if isinstance(time, Number | FiscalYear):
        year = int(time.digits) if isinstance(time, Number) else time.year
        return datetime.date(year, 1, 1), datetime.date(year, 12, 31)
    if isinstance(time, Month):
        return month_of(time.year, time.month)
    if isinstance(time, Quarter):
        first, _ = month_of(time.year, 3 * time.quarter - 2)
        return first, month_of(time.year, 3 * time.quarter)[1]
    if isinstance(time, Date):
        day = datetime.date(time.year, time.month, time.day)
        return day, day
    assert isinstance(time, Last)
    one = datetime.timedelta(days=1)
    if time.count is not None:
        return ago(today, time.count, time.unit) + one, today

    def label(day: datetime.date) -> object:
        return {
            "DAY": day,
            "WEEK": day.isocalendar()[:2],
            "MONTH": (day.year, day.month),
            "QUARTER": (day.year, (day.month + 2) // 3),
            "YEAR": day.year,
        }[time.unit]

    last = today
    while label(last) == label(today):
        last -= one
    first = last
    while label(first - one) == label(last):
        first -= one
    return first, last


def month_of(year: int, month: int) -> tuple[datetime.date, datetime.date]:
    return datetime.date(year, month, 1), datetime.date(year, month, monthrange(year, month)[1])


def ago(today: datetime.date, count: int, unit: str) -> datetime.date:
    """So many units before a day; the end of a month that has no such day."""
    if unit in ("DAY", "WEEK"):
        return today - datetime.timedelta(days=count * (7 if unit == "WEEK" else 1))
    year, month = today.year, today.month
    for _ in range(count * {"MONTH": 1, "QUARTER": 3, "YEAR": 12}[unit]):
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    return datetime.date(year, month, min(today.day, monthrange(year, month)[1]))


def comparison(op: str, left: Any, right: Any) -> bool | None:
    if left is None or right is None:
        return None
    return {
        "EQ": left == right,
        "NEQ": left != right,
        "LS": left < right,
        "LE": left <= right,
        "GR": left > right,
        "GE": left >= right,
    }[op]


def enum_relation(
    world: World, field: FieldRef, lf: Relational, token: str, row: Row
) -> bool | None:
    inside = set(world.catalogue.descendants(token))
    if field.token in world.catalogue.schema.many:
        return bool(world.members(field.token, row) & inside) == (lf.op == "EQ")
    held = world.value(field, row)
    if held is None:
        return None
    if lf.op in ("EQ", "NEQ"):
        return (held in inside) == (lf.op == "EQ")
    mine, other = world.catalogue.values[held].rank, world.catalogue.values[token].rank
    assert mine is not None
    assert other is not None
    return {"GR": mine < other, "GE": mine <= other, "LS": mine > other, "LE": mine >= other}[lf.op]


def number_of(world: World, given: Any, measure: Measure | None) -> float | None:
    """A number that a measure, or a number of rows, is compared with."""
    if isinstance(given, Percent):
        amount = float(given.value) / (100 if given.unit == "BPS" else 1)
        return amount if is_percent(world, measure) else amount / 100
    assert isinstance(given, Number)
    amount = max(min(float(given.value) * FACTORS[given.denomination], 1.7e308), -1.7e308)
    unit = world.catalogue.schema.unit
    if given.unit is None or unit is None or given.unit == unit.default:
        return amount
    if measure is None or not has_unit(world, measure):
        return amount
    rate = world.rate(given.unit, first_field(measure).time)
    return None if rate is None else amount * rate


def is_percent(world: World, measure: Measure | None) -> bool:
    if isinstance(measure, FieldRef):
        return world.catalogue.fields[measure.token].unit == "percent"
    return isinstance(measure, Change)


def has_unit(world: World, measure: Measure) -> bool:
    if isinstance(measure, Ratio):
        return has_unit(world, measure.numerator) and not has_unit(world, measure.denominator)
    if isinstance(measure, Change):
        return False
    type_ = world.catalogue.fields[measure.token].type
    return any(number.name == type_ and number.units for number in world.catalogue.schema.numbers)


def first_field(measure: Measure) -> FieldRef:
    if isinstance(measure, Ratio):
        return measure.numerator
    return measure.field if isinstance(measure, Change) else measure


def unit_asked(lf: LogicalForm) -> str | None:
    values = [node.value for node in nodes(lf) if isinstance(node, Relational)]
    return next((v.unit for v in values if isinstance(v, Number) and v.unit), None)


def in_unit(world: World, measure: Measure, amount: Any, unit: str | None) -> Any:
    """An amount in the unit asked for."""
    default = world.catalogue.schema.unit
    if amount is None or default is None or unit in (None, default.default):
        return amount
    if not has_unit(world, measure):
        return amount
    rate = world.rate(str(unit), first_field(measure).time)
    return None if rate is None else amount / rate


def key(world: World, row: Row) -> Any:
    return row[world.catalogue.schema.entity.key]


def value(world: World, measure: Measure, row: Row) -> Any:
    """What is shown: the values of a field with several values as one text."""
    if isinstance(measure, Ratio):
        above, below = (value(world, ref, row) for ref in (measure.numerator, measure.denominator))
        return None if above is None or not below else above / below
    if isinstance(measure, Change):
        return world.change(measure.field, row)
    if measure.token in world.catalogue.schema.many:
        return ", ".join(sorted(world.members(measure.token, row))) or None
    return world.value(measure, row)


def sound(world: World, measure: Measure, row: Row) -> Any:
    """The value, None if it is negative and that means nothing."""
    found = value(world, measure, row)
    positive = getattr(measure, "token", None) in world.catalogue.schema.positive
    return None if positive and found is not None and found < 0 else found


def ranked(world: World, rank: Rank, row: Row) -> Any:
    assert not isinstance(rank.field, Aggregate)
    return (sound if rank.direction == "bottom" else value)(world, rank.field, row)


def goodness(world: World, measure: Measure, row: Row) -> Any:
    found = value(world, measure, row)
    if not isinstance(measure, FieldRef):
        return found
    type_ = world.catalogue.value_types.get(world.catalogue.fields[measure.token].type)
    if found is not None and type_ is not None and type_.ordered:
        return -(world.catalogue.values[found].rank or 0)
    return found


def best(world: World, rows: Sequence[Row], rank: Rank) -> list[Row]:
    assert not isinstance(rank.field, Aggregate)
    measure = rank.field
    known = [row for row in rows if ranked(world, rank, row) is not None]
    known.sort(key=lambda row: key(world, row))
    known.sort(key=lambda row: goodness(world, measure, row), reverse=rank.direction == "top")
    return known[: rank.count]


def ordered(world: World, lf: LogicalForm, rows: list[Row]) -> list[Row]:
    sorting = [display for display in displays(lf) if display.order is not None]
    if not sorting and any(isinstance(part, Rank) for part in outer(lf)):
        return rows
    measure = world.catalogue.schema.measure
    if not sorting and measure is not None and measure in world.catalogue.fields:
        sorting = [Display(FieldRef(measure), "DESC")]
    rows = sorted(rows, key=lambda row: key(world, row))
    for display in reversed(sorting):
        rows = sorted_by(world, rows, display)
    return rows


def sorted_by(world: World, rows: list[Row], display: Display) -> list[Row]:
    known = [row for row in rows if goodness(world, display.field, row) is not None]
    unknown = [row for row in rows if goodness(world, display.field, row) is None]
    known.sort(key=lambda row: goodness(world, display.field, row), reverse=display.order == "DESC")
    return known + unknown


def outer(lf: LogicalForm) -> list[LogicalForm]:
    """The parts of the outermost ANDs."""
    return [each for part in lf.parts for each in outer(part)] if isinstance(lf, And) else [lf]


def nodes(lf: LogicalForm) -> list[LogicalForm]:
    """The tree and everything inside it, in the order of the text."""
    below = (lf.part,) if isinstance(lf, Not) else getattr(lf, "parts", ())
    return [lf, *(node for part in below for node in nodes(part))]


def mentions_groups(lf: LogicalForm) -> bool:
    return any(
        isinstance(node, Aggregate | Group) or isinstance(getattr(node, "field", None), Aggregate)
        for node in nodes(lf)
    )


def displays(lf: LogicalForm) -> list[Display]:
    return [part for part in outer(lf) if isinstance(part, Display)]


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


def shown_measures(lf: LogicalForm) -> list[Measure]:
    found: list[Any] = [display.field for display in displays(lf)]
    for node in nodes(lf):
        if isinstance(node, Relational | Rank):
            found.append(node.field)
        if isinstance(node, Relational) and isinstance(node.value, FieldRef):
            found.append(node.value)
    return list(dict.fromkeys(found))
