"""Conditions on the rows of a query.

A condition is true or false of a row, or unknown if a value is missing; whether a field with
several values per row has a value is always known. On an ordered scale the better value is the
greater. Where the negative values of a field mean nothing (`Schema.positive`), they are missing for
LS, LE, bottom and all aggregates, except where a number of 0 or less is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import ge, gt, le, lt

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.tree import (
    Aggregate,
    And,
    EnumValue,
    FieldRef,
    Group,
    LogicalForm,
    LogicalFormError,
    Measure,
    Not,
    Number,
    Percent,
    Rank,
    Relational,
    Text,
)
from grammax.tables.form.walk import fold
from grammax.tables.query.columns import Columns
from grammax.tables.query.engine import Order, Table, Value


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
        if isinstance(node.value, Text):
            return self._contains(measure, node.value.text)
        if isinstance(measure, FieldRef):
            type_ = self._columns.field(measure).type
            if type_ in self._catalogue.value_types:
                return self._enum_test(measure, node)
        small = may_be_small(node)
        left = self._columns.meaningful(measure) if small else self._columns[measure]
        return self._columns.compared(node.op, left, node.value, measure)

    def _contains(self, measure: Measure, text: str) -> Value:
        """Whether a text contains another; of named values, whether the name of one does."""
        type_ = self._columns.field(measure).type if isinstance(measure, FieldRef) else ""
        if type_ not in self._catalogue.value_types:
            return self._engine.contains(self._columns[measure], text)
        assert isinstance(measure, FieldRef)
        part, names = text.lower(), self._catalogue.name_of
        tokens = self._catalogue.values_of(type_)
        return self._is_one_of(measure, {t for t in tokens if part in names(t).lower()})

    def _enum_test(self, ref: FieldRef, node: Relational) -> Value:
        if not isinstance(node.value, EnumValue):
            raise LogicalFormError(f"{ref.token} takes a value of its type, not {node.value}.")
        negated = node.op == "NEQ"
        op = "EQ" if negated else node.op
        found = self._is_one_of(ref, matching_values(self._catalogue, op, node.value.token))
        return self._engine.negated(found) if negated else found

    def _is_one_of(self, ref: FieldRef, tokens: set[str]) -> Value:
        """Whether a row has one of these values."""
        held = self._columns.spellings.held(ref.token, tokens)
        scan = self._columns.scan
        if ref.token in self._catalogue.schema.many:
            return scan.holds(ref.token, held)
        return self._engine.among(scan.column(ref), held)


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


def _measure(node: Relational | Rank) -> Measure:
    if isinstance(node.field, Aggregate):
        raise _misplaced(node)
    return node.field


def _misplaced(node: LogicalForm) -> LogicalFormError:
    return LogicalFormError(
        f"{node} summarises the whole answer, so it cannot stand inside OR or NOT.",
        hint="Put it into the outermost AND, beside the constraints on rows.",
    )
