"""Translate a logical form to an Ibis expression, which any store that Ibis supports can run.

A constraint is true or false of a row, or unknown if a value is missing, and only rows for which
the form is true are answers: `(NOT (FLD_LENGTH GR 120))` leaves out films of unknown length.
Whether a field with several values per row has a value is always known. A rank among the parts of
the outermost AND selects the best of the rows that satisfy the rest; elsewhere it tests whether a
row is among the best of all. A display among those parts adds a column or an order; elsewhere it
has no effect. It is never a condition: NOT of it constrains nothing, and an OR ignores it.

Numbers with a unit are compared in the schema's default unit, at the rate of their own time; a
number without a unit is in the default one. On an ordered scale the better value is the greater.
Ties are broken by the entity's key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_
from typing import Any, Final, TypeVar, final

import ibis

from grammax.tables.catalogue.catalogue import Catalogue, Field
from grammax.tables.form.canonical import without_double_negation
from grammax.tables.form.tree import (
    And,
    Display,
    EnumValue,
    FieldRef,
    LogicalForm,
    LogicalFormError,
    Not,
    Number,
    Percent,
    Rank,
    Relational,
)
from grammax.tables.form.walk import depth, fold, walk
from grammax.tables.lexicon import POWERS_OF_TEN
from grammax.tables.query.source import Scan, Source, Table, Value

DEEPEST: Final = 100  # depth; stores and their drivers recurse over a query
Outer = TypeVar("Outer", Rank, Display)
_LARGEST: Final = 1.7e308
_COMPARE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "EQ": eq, "NEQ": ne, "LS": lt, "LE": le, "GR": gt, "GE": ge,
}  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class ColumnRef:
    """A column of a query's result, and the field that it shows."""

    name: str
    field: FieldRef


@final
@dataclass(frozen=True, slots=True)
class Query:
    """The expression, and its columns after those of the entity."""

    expression: Table
    columns: tuple[ColumnRef, ...]


def translate(lf: LogicalForm, catalogue: Catalogue, source: Source) -> Query:
    """The query of a logical form; its rows are ordered."""
    return _Translator(catalogue, source.scan()).query(without_double_negation(lf))


class _Translator:
    def __init__(self, catalogue: Catalogue, scan: Scan) -> None:
        self._catalogue = catalogue
        self._entity = catalogue.schema.entity
        self._by_key = ibis.asc(self._entity.key)
        self._scan = scan
        self._names: dict[FieldRef, str] = {}
        self._values: dict[str, Value] = {}
        self._ranks: dict[Rank, str] = {}

    def query(self, lf: LogicalForm) -> Query:
        if depth(lf) > DEEPEST:
            raise LogicalFormError(
                f"The logical form nests {depth(lf):,} constraints; a query can nest {DEEPEST}.",
                hint="Flatten AND within AND, and take out double negations.",
            )
        ranks = _outer(lf, Rank)
        shown = _shown_fields(lf)
        condition = fold(lf, lambda node, below: self._condition(node, below, ranks))
        order = self._order(lf, ranks)
        names = [self._column(field) for field in shown]
        table = self._table()
        if condition is not None:
            table = table.filter(condition)
        for rank in ranks:
            column = self._column(rank.field)
            known = table.filter(table[column].notnull())
            table = known.order_by(self._best_first(rank)).limit(rank.count)
        columns = tuple(map(ColumnRef, names, shown))
        return Query(table.order_by(order).select(*self._entity.columns, *names), columns)

    def _table(self) -> Table:
        """The entities with one column per field that was asked for, and their ranks."""
        table = self._scan.table().mutate(**self._values)
        ranks = {
            name: ibis.row_number().over(order_by=self._best_first(rank))
            for rank, name in self._ranks.items()
        }
        return table.mutate(**ranks) if ranks else table

    def _condition(
        self, node: LogicalForm, below: Sequence[Value | None], outer: Sequence[Rank]
    ) -> Value | None:
        """The condition on a row, or None if the constraint is not a condition."""
        match node:
            case Relational():
                return self._relational(node)
            case Rank():
                known = ibis._[self._column(node.field)].notnull()
                if any(node is rank for rank in outer):
                    return None
                rank = self._ranks.setdefault(node, f"rank_{len(self._ranks)}")
                return known & (ibis._[rank] < node.count)
            case Display():
                return None
        conditions = [part for part in below if part is not None]
        if not conditions:
            return None
        if isinstance(node, Not):
            return ~conditions[0]
        return reduce(and_ if isinstance(node, And) else or_, conditions)

    def _relational(self, node: Relational) -> Value:
        type_ = self._field(node.field).type
        if type_ in self._catalogue.value_types:
            return self._enum_test(node)
        left = ibis._[self._column(node.field)]
        return _COMPARE[node.op](left, self._operand(node, type_))

    def _enum_test(self, node: Relational) -> Value:
        if not isinstance(node.value, EnumValue):
            raise LogicalFormError(
                f"{node.field.token} takes a value of its type, not {node.value}."
            )
        negated = node.op == "NEQ"
        op = "EQ" if negated else node.op
        tokens = sorted(matching_values(self._catalogue, op, node.value.token))
        if node.field.token in self._catalogue.schema.many:
            found = self._scan.holds(node.field.token, tokens)
        else:
            held = self._scan.column(node.field)
            # Nothing is worse than the worst, but an unknown value stays unknown.
            nothing = ibis.ifelse(held.isnull(), ibis.null("boolean"), False)
            found = held.isin(tokens) if tokens else nothing
        return ~found if negated else found

    def _operand(self, node: Relational, type_: str) -> Value:
        match node.value:
            case FieldRef() as other:
                return ibis._[self._column(other)]
            case Percent() as percent:
                return _literal(percent.value / (100 if percent.unit == "BPS" else 1))
            case Number() as number:
                power = POWERS_OF_TEN[number.denomination] if number.denomination else 0
                amount = _literal(number.value * Decimal(10**power))
                if self._is_converted(number, type_):
                    return amount * self._scan.rate(str(number.unit), node.field.time)
                return amount
        raise LogicalFormError(f"{node.field.token} takes a number or a field, not {node.value}.")

    def _is_converted(self, number: Number, type_: str) -> bool:
        unit = self._catalogue.schema.unit
        if unit is None or not self._catalogue.schema.number(type_).units:
            return False
        return number.unit not in (None, unit.default)

    def _column(self, ref: FieldRef) -> str:
        """The name of the column that holds a field; a new column is added."""
        if ref not in self._names:
            self._field(ref)
            self._names[ref] = f"field_{len(self._names)}"
            self._values[self._names[ref]] = self._scan.column(ref)
        return self._names[ref]

    def _goodness(self, ref: FieldRef) -> Value:
        """The sort key of a field: greater is better."""
        column = ibis._[self._column(ref)]
        type_ = self._catalogue.value_types.get(self._field(ref).type)
        if type_ is None or not type_.ordered:
            return column
        ranks = {t: self._catalogue.values[t].rank for t in self._catalogue.values_of(type_.name)}
        return column.cases(*((t, -rank) for t, rank in ranks.items() if rank), else_=None)

    def _best_first(self, rank: Rank) -> list[Value]:
        direction = ibis.desc if rank.direction == "top" else ibis.asc
        return [direction(self._goodness(rank.field), nulls_first=False), self._by_key]

    def _order(self, lf: LogicalForm, ranks: Sequence[Rank]) -> list[Value]:
        """The order: by sorting displays in turn; else by the last rank; else by the key."""
        keys: dict[FieldRef, Value] = {}  # sorting again by the same field has no effect
        for display in _outer(lf, Display):
            if display.order is not None and display.field not in keys:
                direction = ibis.desc if display.order == "DESC" else ibis.asc
                keys[display.field] = direction(self._goodness(display.field), nulls_first=False)
        if not keys and ranks:
            return self._best_first(ranks[-1])
        return [*keys.values(), self._by_key]

    def _field(self, ref: FieldRef) -> Field:
        try:
            return self._catalogue.fields[ref.token]
        except KeyError:
            raise LogicalFormError(f"There is no field {ref.token} in the catalogue.") from None


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


def _outer(lf: LogicalForm, kind: type[Outer]) -> list[Outer]:
    """The form itself, or parts of the outermost ANDs, of one kind, in the order of the text."""
    found: list[Outer] = []
    waiting = [lf]
    while waiting:
        node = without_double_negation(waiting.pop())
        if isinstance(node, kind):
            found.append(node)
        elif isinstance(node, And):
            waiting.extend(reversed(node.parts))
    return found


def _shown_fields(lf: LogicalForm) -> list[FieldRef]:
    """The displayed fields, then the ranked and compared ones."""
    fields = [display.field for display in _outer(lf, Display)]
    for node in walk(lf):
        if isinstance(node, Relational | Rank):
            fields.append(node.field)
        if isinstance(node, Relational) and isinstance(node.value, FieldRef):
            fields.append(node.value)
    return list(dict.fromkeys(fields))


def _literal(amount: Decimal) -> Value:
    """A number that fits a double; larger ones become the largest double."""
    return ibis.literal(max(-_LARGEST, min(_LARGEST, float(amount))))
