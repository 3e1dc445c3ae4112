"""The columns of a query: one per measure that it mentions.

A ratio with the denominator 0 is missing, and so is the change from 0. Numbers with a unit are
compared in the schema's default unit, at the rate of their own time; a number without a unit is in
the default one. A percentage of a field that is not in percent is a fraction: `LS 50 PCT` is below
0.5. A date is compared with a period: EQ is within it, NEQ outside, GR after its end, GE from its
start, LS before its start, LE until its end. An aggregate that a field is compared with is that of
all rows of the table.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeAlias, final

from grammax.tables.catalogue.catalogue import Catalogue, Field
from grammax.tables.form.tree import (
    Aggregate,
    Change,
    FieldRef,
    Group,
    LogicalFormError,
    Measure,
    Number,
    Operand,
    Percent,
    Ratio,
    Time,
)
from grammax.tables.lexicon import POWERS_OF_TEN
from grammax.tables.query.engine import Table, Value
from grammax.tables.query.periods import span_of, time_in
from grammax.tables.query.source import Scan
from grammax.tables.query.spellings import TOKENS, Spellings

_LARGEST: Final = 1.7e308
_MOST_NAMED: Final = 500  # values of a type that are sorted by their names, in any store

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

    Amounts are shown in `unit`, and compared in the schema's default unit. `spellings` are those of
    the scan's values, and times are relative to `today`.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        scan: Scan,
        unit: str | None = None,
        spellings: Spellings = TOKENS,
        today: datetime.date | None = None,
    ) -> None:
        self.catalogue, self.scan, self.engine = catalogue, scan, scan.engine
        self.spellings, self._today = spellings, today
        self.default = catalogue.schema.unit.default if catalogue.schema.unit else None
        self.unit = unit or self.default
        self._names: dict[Measure, str] = {}
        self._values: dict[str, Value] = {}
        self._overall: dict[Aggregate, tuple[str, Value]] = {}

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
        table = self.scan.table().mutate(**self._values)
        return table.mutate(**dict(self._overall.values())) if self._overall else table

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
        return self._scored(measure, value, {t: -rank for t, rank in ranks.items() if rank})

    def named_order(self, ref: FieldRef, value: Value) -> Value:
        """What orders the enum values of a field: a scale by rank, others by their names.

        A type with very many values, or several per row, is ordered by what the store holds.
        """
        catalogue = self.catalogue
        type_ = catalogue.value_types[self.field(ref).type]
        values = catalogue.values_of(type_.name)
        if type_.ordered:
            ranks = {token: -(catalogue.values[token].rank or _LARGEST) for token in values}
            return self._scored(ref, value, ranks)
        if ref.token in catalogue.schema.many or len(values) > _MOST_NAMED:
            return self.engine.alphabetical(value)
        named = sorted(values, key=lambda token: catalogue.name_of(token).lower())
        return self._scored(ref, value, {token: float(i) for i, token in enumerate(named)})

    def _scored(self, ref: FieldRef, value: Value, scores: Mapping[str, float]) -> Value:
        return self.engine.scored(
            value,
            {
                held: score
                for token, score in scores.items()
                for held in self.spellings.held(ref.token, [token])
            },
        )

    def unit_of(self, measure: Measure | None) -> str | None:
        """The unit in which a measure is shown: of amounts, and of amounts per something."""
        return self.unit if measure is not None and self._has_unit(measure) else None

    def in_unit(self, measure: Measure, value: Value) -> Value:
        """A value of a measure, converted to the unit in which it is shown."""
        if self.unit == self.default or not self._has_unit(measure):
            return value
        return value / self.scan.rate(str(self.unit), time_of(measure))

    def compared(self, op: str, left: Value, value: Operand, measure: Measure | None) -> Value:
        """The condition that `left`, a value of a measure, satisfies; None is a number of rows."""
        time = time_in(value) if self.is_date(measure) else None
        if time is None:
            return self.engine.compared(op, left, self._operand(value, measure))
        span, engine = span_of(time, self._today), self.engine
        first, end = engine.number(span.first), engine.number(span.end)
        match op:
            case "EQ" | "NEQ":
                bounds = [engine.compared("GE", left, first), engine.compared("LS", left, end)]
                within = engine.every(bounds)
                return within if op == "EQ" else engine.negated(within)
            case "GR":
                return engine.compared("GE", left, end)
            case "LE":
                return engine.compared("LS", left, end)
        return engine.compared(op, left, first)

    def is_date(self, measure: Measure | None) -> bool:
        """Whether a measure is a field of dates."""
        if not isinstance(measure, FieldRef):
            return False
        return measure.token in (self.catalogue.dates or ())

    def _operand(self, value: Operand, measure: Measure | None) -> Value:
        match value:
            case FieldRef() as other:
                return self[other]
            case Aggregate(_, FieldRef()) as aggregate:
                return self._of_all_rows(aggregate)
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

    def _of_all_rows(self, aggregate: Aggregate) -> Value:
        """The same in every row; a column of its own, because conditions are about rows."""
        assert aggregate.field is not None
        if aggregate not in self._overall:
            value = self.engine.overall(aggregate.function, self.meaningful(aggregate.field))
            self._overall[aggregate] = f"overall_{len(self._overall)}", value
        return self.engine.reference(*self._overall[aggregate])

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
