"""The columns of a query, one per measure that it mentions, and conditions on its rows.

A condition is true or false of a row, or unknown if a value is missing; whether a field with
several values per row has a value is always known. A ratio with the denominator 0 is missing, and
so is the change from 0.

Numbers with a unit are compared in the schema's default unit, at the rate of their own time; a
number without a unit is in the default one. A percentage of a field that is not in percent is a
fraction: `LS 50 PCT` is below 0.5. On an ordered scale the better value is the greater. Where the
negative values of a field mean nothing (`Schema.positive`), they are missing for LS, LE, bottom and
all aggregates, except where a number of 0 or less is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import ge, gt, le, lt
from typing import Final, TypeAlias, final

from grammax.tables.catalogue.catalogue import Catalogue, Field
from grammax.tables.form.tree import (
    Aggregate,
    And,
    Change,
    EnumValue,
    FieldRef,
    Group,
    LogicalForm,
    LogicalFormError,
    Measure,
    Not,
    Number,
    Operand,
    Percent,
    Rank,
    Ratio,
    Relational,
    Time,
)
from grammax.tables.form.walk import fold
from grammax.tables.lexicon import POWERS_OF_TEN
from grammax.tables.query.engine import Order, Table, Value
from grammax.tables.query.source import Scan

_LARGEST: Final = 1.7e308

Shown: TypeAlias = FieldRef | Ratio | Change | Aggregate | Group
"""What a column of an answer can show."""


@final
@dataclass(frozen=True, slots=True)
class ColumnRef:
    """A column of a query's result, and what it shows; `unit` is the token of its unit, if any."""

    name: str
    shows: Shown
    unit: str | None = None


class Columns:
    """The columns that a query asks for; they are computed by the table of a scan.

    Amounts are shown in `unit`, and compared in the schema's default unit.
    """

    def __init__(self, catalogue: Catalogue, scan: Scan, unit: str | None = None) -> None:
        self.catalogue, self.scan, self.engine = catalogue, scan, scan.engine
        self.default = catalogue.schema.unit.default if catalogue.schema.unit else None
        self.unit = unit or self.default
        self._names: dict[Measure, str] = {}
        self._values: dict[str, Value] = {}

    def __getitem__(self, measure: Measure) -> Value:
        """The value of a measure; its column is added to the query."""
        name = self.name(measure)
        return self.engine.reference(name, self._values[name])

    def name(self, measure: Measure) -> str:
        """The name of the column that holds a measure; a new column is added."""
        if measure not in self._names:
            for ref in fields_of(measure):
                self.field(ref)
            self._names[measure] = f"field_{len(self._names)}"
            self._values[self._names[measure]] = self._value(measure)
        return self._names[measure]

    def table(self) -> Table:
        """The entities with one column per measure that was asked for."""
        return self.scan.table().mutate(**self._values)

    def field(self, ref: FieldRef) -> Field:
        """The field of the catalogue."""
        try:
            return self.catalogue.fields[ref.token]
        except KeyError:
            raise LogicalFormError(f"There is no field {ref.token} in the catalogue.") from None

    def meaningful(self, measure: Measure) -> Value:
        """The value, missing where it is negative and that means nothing."""
        value = self[measure]
        if not self.is_positive(measure):
            return value
        return self.engine.not_negative(value)

    def is_positive(self, measure: Measure) -> bool:
        """Whether negative values of a measure mean nothing."""
        return isinstance(measure, FieldRef) and measure.token in self.catalogue.schema.positive

    def goodness(self, measure: Measure, direction: str = "top") -> Value:
        """The sort key of a measure: greater is better."""
        value = self.meaningful(measure) if direction == "bottom" else self[measure]
        if not isinstance(measure, FieldRef):
            return value
        type_ = self.catalogue.value_types.get(self.field(measure).type)
        if type_ is None or not type_.ordered:
            return value
        ranks = {t: self.catalogue.values[t].rank for t in self.catalogue.values_of(type_.name)}
        return self.engine.scored(value, {t: -rank for t, rank in ranks.items() if rank})

    def unit_of(self, measure: Measure | None) -> str | None:
        """The unit in which a measure is shown: of amounts, and of amounts per something."""
        return self.unit if measure is not None and self._has_unit(measure) else None

    def in_unit(self, measure: Measure, value: Value) -> Value:
        """A value of a measure, converted to the unit in which it is shown."""
        if self.unit == self.default or not self._has_unit(measure):
            return value
        return value / self.scan.rate(str(self.unit), time_of(measure))

    def operand(self, value: Operand, measure: Measure | None) -> Value:
        """What a measure is compared with; None is a number of rows."""
        match value:
            case FieldRef() as other:
                return self[other]
            case Percent() as percent:
                amount = percent.value / (100 if percent.unit == "BPS" else 1)
                return self._number(amount if self._is_percent(measure) else amount / 100)
            case Number() as number:
                power = POWERS_OF_TEN[number.denomination] if number.denomination else 0
                amount = self._number(number.value * Decimal(10**power))
                if number.unit in (None, self.default) or not self._has_unit(measure):
                    return amount
                time = None if measure is None else time_of(measure)
                return amount * self.scan.rate(str(number.unit), time)
        raise LogicalFormError(f"{measure} takes a number or a field, not {value}.")

    def _number(self, amount: Decimal) -> Value:
        """A number that fits a double; larger ones become the largest double."""
        return self.engine.number(max(-_LARGEST, min(_LARGEST, float(amount))))

    def _value(self, measure: Measure) -> Value:
        match measure:
            case FieldRef():
                return self.scan.column(measure)
            case Ratio(above, below):
                return self.engine.divided(self.scan.column(above), self.scan.column(below))
            case Change(ref):
                return self.scan.change(ref)

    def _has_unit(self, measure: Measure | None) -> bool:
        match measure:
            case FieldRef():
                type_, schema = self.field(measure).type, self.catalogue.schema
                return type_ in schema.number_types and schema.number(type_).units
            case Ratio(above, below):
                return self._has_unit(above) and not self._has_unit(below)
            case _:
                return False

    def _is_percent(self, measure: Measure | None) -> bool:
        if not isinstance(measure, FieldRef):
            return isinstance(measure, Change)
        field = self.field(measure)
        return (field.unit or self.catalogue.schema.number(field.type).unit) in ("percent", "%")


class Conditions:
    """Conditions on rows; ranks that are conditions become columns of the table."""

    def __init__(self, columns: Columns) -> None:
        self._columns, self._catalogue = columns, columns.catalogue
        self._engine = columns.engine
        self._ranks: dict[Rank, tuple[str, Value]] = {}

    def of(self, lf: LogicalForm) -> Value | None:
        """The condition on a row, or None if the constraint is not a condition."""
        return fold(lf, self._condition)

    def table(self) -> Table:
        """The table of the columns, with the ranks that conditions mention."""
        table = self._columns.table()
        return table.mutate(**dict(self._ranks.values())) if self._ranks else table

    def by_key(self) -> Order:
        """The order of the entities' keys, which breaks ties."""
        return self._engine.ascending(self._columns.scan.key())

    def best_first(self, rank: Rank) -> list[Order]:
        """The order of a rank; ties are broken by the key."""
        direct = self._engine.descending if rank.direction == "top" else self._engine.ascending
        return [direct(self._columns.goodness(_measure(rank), rank.direction)), self.by_key()]

    def known(self, rank: Rank) -> Value:
        """Whether a row has a value that a rank can use."""
        measure = _measure(rank)
        if rank.direction == "bottom":
            return self._engine.known(self._columns.meaningful(measure))
        return self._engine.known(self._columns[measure])

    def _condition(self, node: LogicalForm, below: Sequence[Value | None]) -> Value | None:
        match node:
            case Relational():
                return self._relational(node)
            case Rank():
                known = self.known(node)
                if node.count is None:
                    return known
                return self._engine.every([known, self._is_among_the_best(node, node.count)])
            case Aggregate() | Group():
                raise _misplaced(node)
        return self._combined(node, below)

    def _combined(self, node: LogicalForm, below: Sequence[Value | None]) -> Value | None:
        """NOT, AND or OR of conditions; None for what is not a condition."""
        conditions = [part for part in below if part is not None]
        if not conditions:
            return None
        if isinstance(node, Not):
            return self._engine.negated(conditions[0])
        return (self._engine.every if isinstance(node, And) else self._engine.some)(conditions)

    def _is_among_the_best(self, rank: Rank, count: int) -> Value:
        if rank not in self._ranks:
            position = self._engine.position(self.best_first(rank))
            self._ranks[rank] = f"rank_{len(self._ranks)}", position
        position = self._engine.reference(*self._ranks[rank])
        return self._engine.compared("LS", position, self._engine.number(count))

    def _relational(self, node: Relational) -> Value:
        measure = _measure(node)
        if isinstance(measure, FieldRef):
            type_ = self._columns.field(measure).type
            if type_ in self._catalogue.value_types:
                return self._enum_test(measure, node)
        small = may_be_small(node)
        left = self._columns.meaningful(measure) if small else self._columns[measure]
        return self._engine.compared(node.op, left, self._columns.operand(node.value, measure))

    def _enum_test(self, ref: FieldRef, node: Relational) -> Value:
        if not isinstance(node.value, EnumValue):
            raise LogicalFormError(f"{ref.token} takes a value of its type, not {node.value}.")
        negated = node.op == "NEQ"
        op = "EQ" if negated else node.op
        tokens = matching_values(self._catalogue, op, node.value.token)
        scan = self._columns.scan
        if ref.token in self._catalogue.schema.many:
            found = scan.holds(ref.token, tokens)
        else:
            found = self._engine.among(scan.column(ref), tokens)
        return self._engine.negated(found) if negated else found


def may_be_small(node: Relational) -> bool:
    """Whether a comparison asks for small values, and not for negative ones."""
    if node.op not in ("LS", "LE"):
        return False
    return not isinstance(node.value, Number | Percent) or node.value.value > 0


def matching_values(catalogue: Catalogue, op: str, token: str) -> set[str]:
    """The values that satisfy a comparison: below a value in a hierarchy, or on a side of a scale.

    A region includes all its countries; on a rating scale, GR selects the better grades.
    """
    if op == "EQ":
        return set(catalogue.descendants(token))
    value = catalogue.values[token]
    assert value.rank is not None, "type judgements and grammar admit only ordered types here"
    ranks = {other: catalogue.values[other].rank or 0 for other in catalogue.values_of(value.type)}
    better: Mapping[str, Callable[[int, int], bool]] = {"GR": lt, "GE": le, "LS": gt, "LE": ge}
    return {other for other, rank in ranks.items() if better[op](rank, value.rank)}


def fields_of(shown: Shown) -> Iterator[FieldRef]:
    """The fields that a measure, an aggregate or a group mentions."""
    match shown:
        case FieldRef():
            yield shown
        case Ratio(above, below):
            yield above
            yield below
        case Change(ref):
            yield ref
        case Aggregate(_, field) | Group(field):
            if isinstance(field, FieldRef):
                yield field


def time_of(measure: Measure) -> Time | None:
    """The time whose rates convert a measure."""
    return next(fields_of(measure)).time


def _measure(node: Relational | Rank) -> Measure:
    if isinstance(node.field, Aggregate):
        raise _misplaced(node)
    return node.field


def _misplaced(node: LogicalForm) -> LogicalFormError:
    return LogicalFormError(
        f"{node} summarises the whole answer, so it cannot stand inside OR or NOT.",
        hint="Put it into the outermost AND, beside the constraints on rows.",
    )
