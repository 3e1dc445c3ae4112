"""The `Engine` of Ibis expressions: deferred values, bound to a table when a query is complete."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_
from typing import Any, Final, Protocol, final

import ibis

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.query.engine import (
    SHARES,
    Aggregated,
    EveryPeriod,
    Grouping,
    Members,
    Order,
    Table,
    Value,
)
from grammax.tables.query.source import StoreError
from grammax.tables.query.spellings import Stored
from grammax.tables.sql.stores.compile import dialect_sql

ROW: Final = "row_id"
"""The column by which tables are joined; not shown, and not necessarily the entity's key."""
_PERIOD: Final = "period"
_ROWS: Final = "number_of_rows"  # where no other aggregate makes a row for each group
_COMPARE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "EQ": eq, "NEQ": ne, "LS": lt, "LE": le, "GR": gt, "GE": ge,
}  # fmt: skip
_FUNCTIONS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "count": lambda column: column.count(),
    "distinct": lambda column: column.nunique(),
    "sum": lambda column: column.sum(),
    "average": lambda column: column.mean(),
    "median": lambda column: column.median(),
    "min": lambda column: column.min(),
    "max": lambda column: column.max(),
    "low": lambda column: column.quantile(SHARES["low"]),
    "high": lambda column: column.quantile(SHARES["high"]),
}


@final
class IbisEngine:
    """Values are deferred or bound Ibis values, tables are Ibis tables."""

    def reference(self, name: str, value: Value) -> Value:
        del value
        return ibis._[name]

    def number(self, value: float) -> Value:
        return ibis.literal(float(value))

    def divided(self, value: Value, by: Value) -> Value:
        return value / by.nullif(0)

    def not_negative(self, value: Value) -> Value:
        return ibis.ifelse(value < 0, ibis.null("float64"), value)

    def scored(self, value: Value, scores: Mapping[Stored, float]) -> Value:
        return value.cases(*scores.items(), else_=None)

    def compared(self, op: str, left: Value, right: Value) -> Value:
        return _COMPARE[op](left, right)

    def among(self, value: Value, texts: Collection[Stored]) -> Value:
        # Nothing is among none, but an unknown value stays unknown.
        nothing = ibis.ifelse(value.isnull(), ibis.null("boolean"), False)
        return value.isin(sorted(texts, key=str)) if texts else nothing

    def as_text(self, value: Value) -> Value:
        return value.cast("string")

    def contains(self, value: Value, text: str) -> Value:
        # The store folds both, by the same rules.
        return value.lower().contains(ibis.literal(text).lower())

    def known(self, value: Value) -> Value:
        return value.notnull()

    def negated(self, condition: Value) -> Value:
        return ~condition

    def every(self, conditions: Sequence[Value]) -> Value:
        return reduce(and_, conditions)

    def some(self, conditions: Sequence[Value]) -> Value:
        return reduce(or_, conditions)

    def ascending(self, value: Value) -> Order:
        return ibis.asc(value, nulls_first=False)

    def descending(self, value: Value) -> Order:
        return ibis.desc(value, nulls_first=False)

    def alphabetical(self, value: Value) -> Value:
        return value.cast("string").lower()

    def position(self, orders: Sequence[Order]) -> Value:
        return ibis.row_number().over(order_by=orders)

    def regrouped(self, value: Value, groups: Mapping[str, Sequence[Stored]]) -> Value:
        return ibis.cases(*((value.isin(inside), group) for group, inside in groups.items()))

    def overall(self, function: str, value: Value) -> Value:
        """A subquery, because not every store has each function over a window."""
        aggregate = _FUNCTIONS[function]
        return lambda table: table.aggregate(overall=aggregate(value)).overall.as_scalar()

    def summarised(
        self, rows: Table, groups: Mapping[str, Grouping], columns: Mapping[str, Aggregated]
    ) -> Table:
        for name, group in groups.items():
            if isinstance(group, Members):
                members = group.values.select(
                    **{f"{name}_row": group.values[ROW], name: group.values.value}
                )
                rows = rows.inner_join(members, rows[ROW] == members[f"{name}_row"])
            elif not isinstance(group, EveryPeriod):
                rows = rows.mutate(**{name: group})
        for name, group in groups.items():
            if isinstance(group, EveryPeriod):
                rows = rows.cross_join(_numbers(group.count))
                rows = rows.mutate(**{name: rows[_PERIOD]})
        values = {
            name: _aggregated(rows, each) for name, each in columns.items() if each.members is None
        } or {_ROWS: rows.count()}
        table = rows.group_by(*groups).aggregate(**values) if groups else rows.aggregate(**values)
        for name, each in columns.items():
            if each.members is not None:
                table = _with_distinct(table, rows, groups, name, each.members)
        return table.filter(*(table[name].notnull() for name in groups)) if groups else table

    def chosen(self, index: Value, values: Sequence[Value]) -> Value:
        return ibis.cases(*((index == i, value) for i, value in enumerate(values)))

    def labelled(self, index: Value, texts: Sequence[str]) -> Value:
        return index.cases(*enumerate(texts))

    def counted(self, table: Table) -> Table:
        return table.aggregate(n=ibis._.count())

    def sql(self, table: Table, dialect: str) -> str:
        return dialect_sql(table, dialect)


ENGINE: Final = IbisEngine()


class Layout(Protocol):
    """The tables of entities and of values without time."""

    def has(self, token: str) -> bool:
        """Whether there is data of a field."""

    def entities(self, tokens: Iterable[str]) -> Table:
        """Columns: `ROW`, those of the schema's entity, and one per field, named as the token."""

    def members(self, token: str) -> Table:
        """The values of a `many` field, one per row. Columns: `ROW` and `value`."""


@final
class EntityColumns:
    """The part of a scan without times: records fields of a layout, and joins them."""

    engine = ENGINE

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        self._layout = layout
        self._key = catalogue.schema.entity.key
        self._many = catalogue.schema.many
        self._noted: dict[str, None] = {}  # the tokens that were asked for, in order

    def key(self) -> Value:
        return ibis._[self._key]

    def column(self, token: str) -> Value:
        self._noted[token] = None
        return ibis._[token]

    def has(self, token: str) -> bool:
        return self._layout.has(token)

    def members(self, token: str) -> Table:
        return self._layout.members(token)

    def period(self, token: str, unit: str) -> Value:
        del unit
        raise StoreError(f"These tables have no dates in {token}.\nGroup by another field.")

    def holds(self, token: str, values: Collection[Stored]) -> Value:
        return holding(self._layout.members(token), values)

    def table(self, widen: Callable[[Table], Table] = lambda table: table) -> Table:
        """The entities; `widen` may add columns before the lists of `many` fields are joined."""
        single = [token for token in self._noted if token not in self._many]
        table = widen(self._layout.entities(single))
        for token in self._noted:
            if token in self._many:
                table = with_list(table, token, self._layout.members(token))
        return table


def holding(members: Table, values: Collection[Stored]) -> Value:
    """Whether a row has any of these values."""
    return ibis._[ROW].isin(members.filter(members.value.isin(sorted(values, key=str)))[ROW])


def with_list(table: Table, token: str, members: Table) -> Table:
    """A table with a column of the values of a `many` field in one text."""
    listed = members.group_by(member=members[ROW]).aggregate(
        **{token: members.value.group_concat(", ", order_by=members.value)}
    )
    return table.left_join(listed, table[ROW] == listed.member)


def _aggregated(rows: Table, column: Aggregated) -> Value:
    if not column.values:
        return rows.count()
    value = column.values[0]
    if len(column.values) > 1:
        value = ENGINE.chosen(ibis._[_PERIOD], column.values)
    return _FUNCTIONS[column.function](value)


def _with_distinct(
    table: Table, rows: Table, groups: Collection[str], name: str, members: Table
) -> Table:
    """The groups with the number of different values that their rows have of a `many` field.

    They are counted apart, because a row has several.
    """
    values = members.select(**{f"{name}_row": members[ROW], name: members.value})
    joined = rows.inner_join(values, rows[ROW] == values[f"{name}_row"])
    keys = {f"{name}_{group}": joined[group] for group in groups}
    number = {f"{name}_number": joined[name].nunique()}
    found = joined.group_by(**keys).aggregate(**number) if keys else joined.aggregate(**number)
    same = [table[group] == found[f"{name}_{group}"] for group in groups]
    both = table.left_join(found, same) if same else table.cross_join(found)
    return both.mutate(**{name: both[f"{name}_number"].coalesce(0)})


def _numbers(count: int) -> Table:
    """A table of the numbers below `count`."""
    rows = [ibis.literal(i).name(_PERIOD).as_table() for i in range(count)]
    return reduce(lambda a, b: a.union(b), rows)
