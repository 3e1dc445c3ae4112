"""Summaries: rows are grouped, and each group becomes a row of the answer.

An aggregate, a group, or a rank or comparison of an aggregate among the parts of the outermost AND
makes the answer a summary. Without a group all rows form one. Rows without a value of the grouping
field belong to no group; of a field with several values per row, a row belongs to the group of
each. A field of `Schema.top_groups` is grouped by the topmost values of its hierarchy, or by those
below the value that the form asks for. An aggregate ignores missing values.

A group by a period is a series: the aggregate of its field at each of the last periods of the
source, the oldest first; how many rows there are, then, is how many have the schema's measure. A
period without any value is left out.

The columns are the groups' values, then the aggregates: those asked for, in alphabetical order,
because their order in the form has no meaning, then those that ranks and comparisons mention, or
the number of rows if there are none. Groups are ordered by the last rank, else by period, else by
the first aggregate, the largest first; ties are broken by the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, Final, final

import ibis

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
from grammax.tables.query.conditions import ColumnRef, Columns, compared
from grammax.tables.query.source import ROW, StoreError, Table, Value

_FUNCTIONS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "sum": lambda column: column.sum(),
    "average": lambda column: column.mean(),
    "median": lambda column: column.median(),
    "min": lambda column: column.min(),
    "max": lambda column: column.max(),
}
_PERIOD: Final = "period"


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
        self._columns, self._every = columns, every
        self._groups = sorted({part for part in parts if isinstance(part, Group)}, key=str)
        self._ranks = [part for part in parts if isinstance(part, Rank)]
        self._filters = [part for part in parts if isinstance(part, Relational)]
        self._aggregates = _aggregates(parts)
        self._periods = self._find_periods()
        self._names = {each: f"aggregate_{i}" for i, each in enumerate(self._aggregates)}
        self._keys = {group: f"group_{i}" for i, group in enumerate(self._groups)}

    def prepare(self) -> None:
        """Ask for the columns that the summary needs."""
        for aggregate in self._aggregates:
            for ref in self._refs(aggregate):
                self._columns.name(ref)
        for group in self._groups:
            if isinstance(group.field, FieldRef) and not self._is_many(group):
                self._columns.name(group.field)

    def of(self, rows: Table) -> tuple[Table, tuple[ColumnRef, ...]]:
        """The groups of the selected rows, in order, and their columns."""
        table = self._summarised(self._with_keys(rows))
        for filter_ in self._filters:
            table = table.filter(self._condition(filter_))
        order = self._order()
        for rank in self._ranks:
            order = self._best_first(rank)
            table = table.filter(table[self._name(rank)].notnull())
            if rank.count is not None:
                table = table.order_by(order).limit(rank.count)
        table = table.order_by(order)
        groups = [ColumnRef(name, group) for group, name in self._keys.items()]
        shown = [
            ColumnRef(name, each, self._columns.unit_of(each.field))
            for each, name in self._names.items()
        ]
        cells = {each.name: self._cell(table, each) for each in (*groups, *shown)}
        return table.select(**cells), (*groups, *shown)

    def _with_keys(self, rows: Table) -> Table:
        """The rows with a column for the value of each group; several rows for several values."""
        for group, name in self._keys.items():
            if isinstance(group.field, str):
                continue
            if self._is_many(group):
                members = self._columns.scan.members(group.field.token)
                members = members.select(**{f"{name}_row": members[ROW], name: members.value})
                rows = rows.inner_join(members, rows[ROW] == members[f"{name}_row"])
            else:
                rows = rows.mutate(**{name: self._value(group.field)})
        if self._periods:
            rows = rows.cross_join(_numbers(len(self._periods)))
            named = [name for group, name in self._keys.items() if isinstance(group.field, str)]
            rows = rows.mutate(**dict.fromkeys(named, rows[_PERIOD]))
        return rows

    def _value(self, ref: FieldRef) -> Value:
        """The value that a row is grouped by."""
        catalogue = self._columns.catalogue
        held = self._columns[ref]
        if ref.token not in catalogue.schema.top_groups:
            return held
        below = {token: catalogue.descendants(token) for token in self._top(ref)}
        return ibis.cases(*((held.isin(inside), token) for token, inside in below.items()))

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
        values = {name: self._aggregated(rows, each) for each, name in self._names.items()}
        if not self._keys:
            return rows.aggregate(**values)
        table = rows.group_by(*self._keys.values()).aggregate(**values)
        table = table.filter(*(table[name].notnull() for name in self._keys.values()))
        if not self._periods:
            return table
        has_value = [
            table[name] > 0 if each.field is None else table[name].notnull()
            for each, name in self._names.items()
        ]
        return table.filter(reduce(or_, has_value))

    def _aggregated(self, rows: Table, aggregate: Aggregate) -> Value:
        refs = self._refs(aggregate)
        if not refs:
            return rows.count()
        values = [self._columns.meaningful(ref) for ref in refs]
        column = values[0]
        if self._periods:
            pairs = ((ibis._[_PERIOD] == i, value) for i, value in enumerate(values))
            column = ibis.cases(*pairs)
        if aggregate.field is None:
            return column.count()
        return _FUNCTIONS[aggregate.function](column)

    def _refs(self, aggregate: Aggregate) -> list[FieldRef]:
        """The field of an aggregate, at each period if there are any."""
        ref = aggregate.field
        if not self._periods:
            return [] if ref is None else [ref]
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

    def _condition(self, node: Relational) -> Value:
        assert isinstance(node.field, Aggregate)
        operand = self._columns.operand(node.value, node.field.field)
        return compared(node.op, ibis._[self._names[node.field]], operand)

    def _order(self) -> list[Value]:
        if self._periods:
            by_period = sorted(
                self._keys.items(), key=lambda item: isinstance(item[0].field, FieldRef)
            )
            return [ibis.asc(name) for _, name in by_period]
        largest = ibis.desc(next(iter(self._names.values())), nulls_first=False)
        return [largest, *map(ibis.asc, self._keys.values())]

    def _best_first(self, rank: Rank) -> list[Value]:
        direction = ibis.desc if rank.direction == "top" else ibis.asc
        best = direction(self._name(rank), nulls_first=False)
        return [best, *map(ibis.asc, self._keys.values())]

    def _cell(self, table: Table, column: ColumnRef) -> Value:
        value = table[column.name]
        match column.shows:
            case Group(str()):
                return value.cases(*((i, str(time)) for i, time in enumerate(self._periods)))
            case Aggregate(_, FieldRef() as ref):
                if not self._periods or self._columns.unit == self._columns.default:
                    return self._columns.in_unit(ref, value)
                period = table[next(n for g, n in self._keys.items() if isinstance(g.field, str))]
                return ibis.cases(
                    *(
                        (period == i, self._columns.in_unit(FieldRef(ref.token, time), value))
                        for i, time in enumerate(self._periods)
                    )
                )
        return value

    def _find_periods(self) -> Sequence[Time]:
        units = [group.field for group in self._groups if isinstance(group.field, str)]
        if len(units) > 1:
            raise LogicalFormError(
                f"Rows cannot be summarised by {' and by '.join(units)} at once.",
                hint="Keep one of the periods.",
            )
        return self._columns.scan.periods(units[0]) if units else ()

    def _is_many(self, group: Group) -> bool:
        return (
            isinstance(group.field, FieldRef)
            and group.field.token in self._columns.catalogue.schema.many
        )

    def _name(self, rank: Rank) -> str:
        assert isinstance(rank.field, Aggregate)
        return self._names[rank.field]


def _aggregates(parts: Sequence[LogicalForm]) -> list[Aggregate]:
    """The aggregates asked for, then those of ranks, then those of comparisons."""
    asked = sorted((part for part in parts if isinstance(part, Aggregate)), key=str)
    ranked = [part.field for part in parts if isinstance(part, Rank)]
    compared = [part.field for part in parts if isinstance(part, Relational)]
    every = dict.fromkeys((*asked, *ranked, *sorted(compared, key=str)))
    return [each for each in every if isinstance(each, Aggregate)] or [Aggregate("count")]


def _numbers(count: int) -> Table:
    """A table of the numbers below `count`."""
    rows = [ibis.literal(i).name(_PERIOD).as_table() for i in range(count)]
    return reduce(lambda a, b: a.union(b), rows)
