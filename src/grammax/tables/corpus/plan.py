"""`Plan`: the constraints of a query before they are worded, and their logical form.

The parts of the AND have a fixed order of classes: NOTs, values of enum types, comparisons of
numbers, the filter of groups, the rank of rows or groups, the aggregate and the groups of a
summary, columns, the column that sorts. Enum constraints follow the order of their types in the
catalogue. This is the order of figure 1 of the paper (Xiao et al., 2019). A model learns it from
the types, so it generalises to values that are not in the training set. Numbers, columns and the
two sides of an OR are in the order of mention. Exact match compares canonical forms, which do not
depend on the order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, final

from grammax.tables.form.tree import (
    Aggregate,
    And,
    Display,
    EnumValue,
    FieldRef,
    Group,
    LogicalForm,
    Measure,
    Not,
    Number,
    Op,
    Operand,
    Or,
    Rank,
    Relational,
)

ZERO: Final = Number("0")
_UPPER: Final[Mapping[str, Op]] = {"GE": "LE", "GR": "LS"}


@final
@dataclass(frozen=True, slots=True)
class EnumConstraint:
    """A field of an enum type has one of these values or, negated, none of them.

    A named threshold has its `wording`: "investment grade".
    """

    field: str
    type: str
    values: tuple[str, ...]
    op: Op = "EQ"
    negated: bool = False
    wording: str = ""

    @property
    def is_simple(self) -> bool:
        """Whether it is an equality with one value."""
        return not self.negated and len(self.values) == 1 and self.op == "EQ"

    def lf(self) -> LogicalForm:
        """The constraint as a logical form."""
        *others, last = (
            Relational(FieldRef(self.field), self.op, EnumValue(v)) for v in self.values
        )
        made: LogicalForm = last
        for other in reversed(others):
            made = Or((other, made))
        return Not(made) if self.negated else made


@final
@dataclass(frozen=True, slots=True)
class Bound:
    """A numeric measure compared with a number, a pair of numbers (between), a field, or zero.

    `written` holds the numbers as the query writes them; it is empty if `values` is a field or the
    zero of a sign. A range is open if its operator is GR: "above 5 but below 10".
    """

    field: Measure
    type: str
    op: Op
    values: tuple[Operand, ...]
    written: tuple[str, ...]

    @property
    def between(self) -> bool:
        """Whether the field lies between two numbers."""
        return len(self.values) == 2

    @property
    def is_sign(self) -> bool:
        """Whether the field is compared with zero."""
        return not self.written and self.values[0] == ZERO

    @property
    def ref(self) -> FieldRef:
        """The field, where the measure is neither a ratio nor a change."""
        assert isinstance(self.field, FieldRef), "a measure of two parts has no single field"
        return self.field

    def parts(self) -> list[LogicalForm]:
        """The comparisons as parts of the AND."""
        if self.between:
            low, high = self.values
            upper = _UPPER[self.op]
            return [Relational(self.field, self.op, low), Relational(self.field, upper, high)]
        return [Relational(self.field, self.op, self.values[0])]


@final
@dataclass(frozen=True, slots=True)
class Either:
    """One of two comparisons."""

    sides: tuple[Bound, Bound]

    def parts(self) -> list[LogicalForm]:
        """The OR of both."""
        return [Or(tuple(side.parts()[0] for side in self.sides))]


Comparison: TypeAlias = Bound | Either


@final
@dataclass(frozen=True, slots=True)
class GroupFilter:
    """A comparison of an aggregate of groups; `written` is the number as the query writes it."""

    aggregate: Aggregate
    op: Op
    value: Operand
    written: str


@final
@dataclass(frozen=True, slots=True)
class Summary:
    """An aggregate of the rows, or groups of them with a filter or a rank."""

    aggregate: Aggregate | None = None
    group: Group | None = None
    filter: GroupFilter | None = None
    rank: Rank | None = None

    def parts(self) -> list[LogicalForm]:
        """The aggregate and the groups as parts of the AND; groups alone are counted."""
        counted = self.aggregate is not None and self.aggregate.function == "count"
        aggregate = None if counted and self.group else self.aggregate
        return [part for part in (aggregate, self.group) if part is not None]

    def selection(self) -> list[LogicalForm]:
        """The filter and the rank of the groups as parts of the AND."""
        found: list[LogicalForm] = []
        if self.filter:
            found.append(Relational(self.filter.aggregate, self.filter.op, self.filter.value))
        return [*found, self.rank] if self.rank else found


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """All constraints of a query; `groups` are two conjunctions of which one must hold."""

    enums: tuple[EnumConstraint, ...] = ()
    groups: tuple[tuple[EnumConstraint, ...], ...] = ()
    bounds: tuple[Comparison, ...] = ()
    rank: Rank | None = None
    columns: tuple[Measure, ...] = ()
    sort: Display | None = None
    summary: Summary | None = None

    def lf(self, order: Mapping[str, int]) -> LogicalForm:
        """The logical form; `order` gives the position of each enum type."""
        parts = [enum.lf() for enum in _in_order(self.enums, order)]
        if self.groups:
            sides = (_and([enum.lf() for enum in _in_order(g, order)]) for g in self.groups)
            parts.append(Or(tuple(sides)))
        for bound in self.bounds:
            parts += bound.parts()
        parts += self.summary.selection() if self.summary else []
        parts += [self.rank] if self.rank else []
        parts += self.summary.parts() if self.summary else []
        parts += [Display(column) for column in self.columns]
        parts += [self.sort] if self.sort else []
        return _and(parts)

    def rows(self) -> Plan:
        """The plan of the rows alone, without their summary, columns and order."""
        return replace(self, columns=(), sort=None, summary=None)


def _in_order(enums: tuple[EnumConstraint, ...], order: Mapping[str, int]) -> list[EnumConstraint]:
    return sorted(enums, key=lambda enum: (not enum.negated, order[enum.type]))


def _and(parts: list[LogicalForm]) -> LogicalForm:
    return parts[0] if len(parts) == 1 else And(tuple(parts))
