"""Summaries: rows are grouped, and each group becomes a row of the answer.

An aggregate, a group, or a rank or comparison of an aggregate among the parts of the outermost AND
makes the answer a summary. Without a group all rows form one. Rows without a value of the grouping
field belong to no group; of a field with several values per row, a row belongs to the group of
each. A field of `Schema.top_groups` is grouped by the topmost values of its hierarchy, or by those
below the value that the form asks for. An aggregate ignores missing values.

In a schema with history, a group by a period is a series: the aggregate of its field at each of the
last periods of the source, the oldest first; how many rows there are, then, is how many have the
schema's measure. A period without any value is left out. In one without history, the periods are
those of the schema's date, as far as there are rows.

The columns are the groups' values, in the order of the form, then the aggregates: those asked for,
in alphabetical order, because their order in the form has no meaning, then those that ranks and
comparisons mention, or the number of rows if there are none. Groups are ordered by the last rank,
else by period, date or year, else by the first aggregate, the largest first; ties are broken by the
values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from grammax.tables.form.tree import (
    Aggregate,
    EnumValue,
    FieldRef,
    Group,
    LogicalForm,
    LogicalFormError,
    Rank,
    Relational,
    Time,
)
from grammax.tables.query.columns import ColumnRef, Columns
from grammax.tables.query.engine import (
    Aggregated,
    EveryPeriod,
    Grouping,
    Members,
    Order,
    Table,
    Value,
)
from grammax.tables.query.source import StoreError


def is_about_groups(part: LogicalForm) -> bool:
    """Whether a constraint is an aggregate or a group, or ranks or compares an aggregate."""
    if isinstance(part, Relational | Rank):
        return isinstance(part.field, Aggregate)
    return isinstance(part, Aggregate | Group)


@final
class Summary:
    """The groups of a form; `parts` are those about groups, `every` all of the outermost AND."""

    def __init__(
        self, parts: Sequence[LogicalForm], every: Sequence[LogicalForm], columns: Columns
    ) -> None:
        self._columns, self._every, self._engine = columns, every, columns.engine
        self._groups = list(dict.fromkeys(part for part in parts if isinstance(part, Group)))
        self._ranks = [part for part in parts if isinstance(part, Rank)]
        self._filters = [part for part in parts if isinstance(part, Relational)]
        self._aggregates = _aggregates(parts)
        self._history = columns.catalogue.schema.history
        self._in_periods: dict[Group, Value] = {}
        self._periods = self._find_periods()
        self._names = {each: f"aggregate_{i}" for i, each in enumerate(self._aggregates)}
        self._keys = {group: f"group_{i}" for i, group in enumerate(self._groups)}

    def prepare(self) -> None:
        """Ask for the columns that the summary needs."""
        for aggregate in self._aggregates:
            for ref in self._refs(aggregate):
                self._columns.name(ref)
        for group in self._groups:
            if isinstance(group.field, str):
                if not self._history:
                    self._in_periods[group] = self._columns.scan.period(self._date(), group.field)
            elif not self._is_many(group):
                self._columns.name(group.field)

    def of(self, rows: Table) -> tuple[Table, tuple[ColumnRef, ...]]:
        """The groups of the selected rows, in order, and their columns."""
        table = self._summarised(rows)
        for filter_ in self._filters:
            table = table.filter(self._condition(table, filter_))
        order = self._order(table)
        for rank in self._ranks:
            table = table.filter(self._engine.known(table[self._name(rank)]))
            order = self._best_first(table, rank)
            if rank.count is not None:
                table = table.order_by(order).limit(rank.count)
        table = table.order_by(order)
        groups = [
            ColumnRef(name, group, self._columns.unit_of(_field(group)))
            for group, name in self._keys.items()
        ]
        shown = [
            ColumnRef(name, each, self._columns.unit_of(_measure(each)))
            for each, name in self._names.items()
        ]
        cells = {each.name: self._cell(table, each) for each in (*groups, *shown)}
        return table.select(**cells), (*groups, *shown)

    def _grouping(self, group: Group) -> Grouping:
        if isinstance(group.field, str):
            return EveryPeriod(len(self._periods)) if self._history else self._in_periods[group]
        if self._is_many(group):
            return Members(self._columns.scan.members(group.field.token))
        return self._value(group.field)

    def _value(self, ref: FieldRef) -> Value:
        """The value that a row is grouped by."""
        catalogue = self._columns.catalogue
        held = self._columns[ref]
        if ref.token not in catalogue.schema.top_groups:
            return held
        held_by = self._columns.spellings.held
        below = {
            token: held_by(ref.token, catalogue.descendants(token)) for token in self._top(ref)
        }
        return self._engine.regrouped(held, below)

    def _top(self, ref: FieldRef) -> Sequence[str]:
        """The values to group by: below the one asked for, or the topmost."""
        catalogue = self._columns.catalogue
        asked = [
            part.value.token
            for part in self._every
            if isinstance(part, Relational) and part.field == ref and part.op == "EQ"
            if isinstance(part.value, EnumValue)
        ]
        if asked:
            below: Sequence[str] = [min(asked)]
            while len(below) == 1 and catalogue.children(below[0]):
                below = catalogue.children(below[0])
            return below
        values = catalogue.values_of(catalogue.fields[ref.token].type)
        return [token for token in values if catalogue.values[token].parent is None]

    def _summarised(self, rows: Table) -> Table:
        groups = {name: self._grouping(group) for group, name in self._keys.items()}
        values = {name: self._aggregated(each) for each, name in self._names.items()}
        table = self._engine.summarised(rows, groups, values)
        if not self._periods:
            return table
        has_value = [
            self._engine.compared("GR", table[name], self._engine.number(0))
            if each.field is None
            else self._engine.known(table[name])
            for each, name in self._names.items()
        ]
        return table.filter(self._engine.some(has_value))

    def _aggregated(self, aggregate: Aggregate) -> Aggregated:
        if self._counts_members(aggregate):
            assert aggregate.field is not None
            return Aggregated(
                "distinct", [Members(self._columns.scan.members(aggregate.field.token))]
            )
        values = [self._columns.meaningful(ref) for ref in self._refs(aggregate)]
        if aggregate.function == "count":
            return Aggregated("count" if aggregate.field is None else "distinct", values)
        return Aggregated(aggregate.function, values)

    def _counts_members(self, aggregate: Aggregate) -> bool:
        """Whether the different values of a field with several per row are counted."""
        ref = aggregate.field
        return ref is not None and ref.token in self._columns.catalogue.schema.many

    def _refs(self, aggregate: Aggregate) -> list[FieldRef]:
        """The field of an aggregate, at each period if there are any."""
        ref = aggregate.field
        if not self._periods:
            return [] if ref is None or self._counts_members(aggregate) else [ref]
        if ref is None:
            measure = self._columns.catalogue.schema.measure
            if measure is None:
                raise StoreError(
                    "It is not known which rows there were in each period: the schema has no "
                    "measure.\nAsk for an aggregate of a field."
                )
            ref = FieldRef(measure)
        if ref.time is not None:
            raise LogicalFormError(
                f"{aggregate} has a time, and is asked for by period.",
                hint=f"Leave out {ref.time}, or the period.",
            )
        return [FieldRef(ref.token, time) for time in self._periods]

    def _condition(self, table: Table, node: Relational) -> Value:
        assert isinstance(node.field, Aggregate)
        left = table[self._names[node.field]]
        return self._columns.compared(node.op, left, node.value, _measure(node.field))

    def _order(self, table: Table) -> list[Order]:
        if any(map(self._is_in_time, self._groups)):
            by_time = sorted(self._sorted(), key=lambda group: not self._is_in_time(group))
            return [self._engine.ascending(table[self._keys[group]]) for group in by_time]
        largest = self._engine.descending(table[next(iter(self._names.values()))])
        return [largest, *self._by_value(table)]

    def _is_in_time(self, group: Group) -> bool:
        """Whether groups are periods, dates or years."""
        if isinstance(group.field, str):
            return True
        catalogue = self._columns.catalogue
        type_ = catalogue.fields[group.field.token].type
        years = [number.name for number in catalogue.schema.numbers if number.semantic == "YEAR"]
        return type_ in years or self._columns.is_date(group.field)

    def _best_first(self, table: Table, rank: Rank) -> list[Order]:
        direct = self._engine.descending if rank.direction == "top" else self._engine.ascending
        return [direct(table[self._name(rank)]), *self._by_value(table)]

    def _by_value(self, table: Table) -> list[Order]:
        return [self._engine.ascending(table[self._keys[group]]) for group in self._sorted()]

    def _sorted(self) -> list[Group]:
        """The groups in an order that is the same however they were asked for."""
        return sorted(self._groups, key=str)

    def _cell(self, table: Table, column: ColumnRef) -> Value:
        value = table[column.name]
        match column.shows:
            case Group(str()) if self._history:
                return self._engine.labelled(value, [str(time) for time in self._periods])
            case Group(FieldRef() as ref) if self._columns.unit_of(ref):
                return self._columns.in_unit(ref, value)
            case Aggregate("count"):
                return value
            case Aggregate(_, FieldRef() as ref):
                if not self._periods or self._columns.unit == self._columns.default:
                    return self._columns.in_unit(ref, value)
                period = table[next(n for g, n in self._keys.items() if isinstance(g.field, str))]
                refs = [FieldRef(ref.token, time) for time in self._periods]
                values = [self._columns.in_unit(at, value) for at in refs]
                return self._engine.chosen(period, values)
        return value

    def _find_periods(self) -> Sequence[Time]:
        units = [group.field for group in self._groups if isinstance(group.field, str)]
        if len(units) > 1:
            raise LogicalFormError(
                f"Rows cannot be summarised by {' and by '.join(units)} at once.",
                hint="Keep one of the periods.",
            )
        return self._columns.scan.periods(units[0]) if units and self._history else ()

    def _date(self) -> str:
        """The field whose periods rows are grouped by."""
        schema = self._columns.catalogue.schema
        if schema.date is None:
            raise StoreError(
                f"It is not known which date of the {schema.entity.plural} periods refer to: the "
                "schema has no main date.\nGroup by a field, or give the schema a `date`."
            )
        return schema.date

    def _is_many(self, group: Group) -> bool:
        return (
            isinstance(group.field, FieldRef)
            and group.field.token in self._columns.catalogue.schema.many
        )

    def _name(self, rank: Rank) -> str:
        assert isinstance(rank.field, Aggregate)
        return self._names[rank.field]


def _measure(aggregate: Aggregate) -> FieldRef | None:
    """What an aggregate is a measure of; None for a number of rows or of different values."""
    return None if aggregate.function == "count" else aggregate.field


def _field(group: Group) -> FieldRef | None:
    return group.field if isinstance(group.field, FieldRef) else None


def _aggregates(parts: Sequence[LogicalForm]) -> list[Aggregate]:
    """The aggregates asked for, then those of ranks, then those of comparisons."""
    asked = sorted((part for part in parts if isinstance(part, Aggregate)), key=str)
    ranked = [part.field for part in parts if isinstance(part, Rank)]
    compared = [part.field for part in parts if isinstance(part, Relational)]
    every = dict.fromkeys((*asked, *ranked, *sorted(compared, key=str)))
    return [each for each in every if isinstance(each, Aggregate)] or [Aggregate("count")]
