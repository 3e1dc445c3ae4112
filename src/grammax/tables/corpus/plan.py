"""What a query asks for, before it is put into words; and the logical form of it.

The parts of the AND stand in a fixed order of classes: NOTs, values of enum types, comparisons of
numbers, the rank, columns, the column that sorts. Values follow the order of their types in the
catalogue (country, sector, index, exchange ...); this is the order of the paper's figure 1, and a
model learns it from the types, for values it never saw too. Where only names could tell (numbers,
columns, the two sides of an OR), the order is that of mention. `canonical` forgives the order, so
an exact match is judged on canonical forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

from grammax.tables.form.tree import (
    And,
    Display,
    EnumValue,
    FieldRef,
    LogicalForm,
    Not,
    Op,
    Operand,
    Or,
    Rank,
    Relational,
)


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """A field of an enum type has one of these values, or has none of them."""

    field: str
    type: str
    values: tuple[str, ...]
    op: Op = "EQ"
    negated: bool = False

    def lf(self) -> LogicalForm:
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
    """A numeric field compared with a number, a pair of numbers (between), or a field.

    `said` are the numbers as people write them; it is empty if `values` is a field.
    """

    field: FieldRef
    type: str
    op: Op
    values: tuple[Operand, ...]
    said: tuple[str, ...]

    @property
    def between(self) -> bool:
        return len(self.values) == 2

    def parts(self) -> list[LogicalForm]:
        if self.between:
            low, high = self.values
            return [Relational(self.field, "GE", low), Relational(self.field, "LE", high)]
        return [Relational(self.field, self.op, self.values[0])]


@final
@dataclass(frozen=True, slots=True)
class Either:
    """One of two comparisons."""

    sides: tuple[Bound, Bound]

    def parts(self) -> list[LogicalForm]:
        return [Or(tuple(side.parts()[0] for side in self.sides))]


Comparison: TypeAlias = Bound | Either


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """All that a query asks for; `groups` are two kinds of companies, of which either will do."""

    kinds: tuple[Kind, ...] = ()
    groups: tuple[tuple[Kind, ...], ...] = ()
    bounds: tuple[Comparison, ...] = ()
    rank: Rank | None = None
    columns: tuple[FieldRef, ...] = ()
    sort: Display | None = None

    def lf(self, order: Mapping[str, int]) -> LogicalForm:
        """The logical form; `order` gives the place of each enum type."""
        kinds = _in_order(self.kinds, order)
        parts = [kind.lf() for kind in kinds]
        if self.groups:
            parts.append(
                Or(tuple(_and([k.lf() for k in _in_order(g, order)]) for g in self.groups))
            )
        for bound in self.bounds:
            parts += bound.parts()
        parts += [self.rank] if self.rank else []
        parts += [Display(column) for column in self.columns]
        parts += [self.sort] if self.sort else []
        return _and(parts)


def _in_order(kinds: tuple[Kind, ...], order: Mapping[str, int]) -> list[Kind]:
    return sorted(kinds, key=lambda kind: (not kind.negated, order[kind.type]))


def _and(parts: list[LogicalForm]) -> LogicalForm:
    return parts[0] if len(parts) == 1 else And(tuple(parts))
