"""`Engine`: the few operations in which the meaning of a logical form is written.

`conditions`, `translate` and `summary` say once what a form means; an engine carries it out. One
builds Ibis expressions (`tables.sql`), the other computes with arrays at once (`tables.memory`).
A value is a number, a text, a condition or a table of the engine, and nothing looks inside it.

Numbers also take `*` and `/` with one another. A table has the methods `filter`, `order_by`,
`limit`, `mutate`, `select`, and its columns by name, as tables of Ibis do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, final

from grammax.tables.query.spellings import Stored

Value: TypeAlias = Any  # of one row each: a number, a text or a condition
Table: TypeAlias = Any
Order: TypeAlias = Any  # of rows; those without a value come last


@final
@dataclass(frozen=True, slots=True)
class Members:
    """The values of a field with several per row: a row belongs to the group of each."""

    values: Table


@final
@dataclass(frozen=True, slots=True)
class EveryPeriod:
    """A grouping by period: every row belongs to the group of each."""

    count: int


Grouping: TypeAlias = Value | Members | EveryPeriod
SHARES: Final = {"low": 0.05, "median": 0.5, "high": 0.95}
"""The functions that are quantiles."""


@final
@dataclass(frozen=True, slots=True)
class Aggregated:
    """A function of known values; one value, or one for each period.

    "count" is how many there are, "distinct" how many different ones, also of `Members`; a count
    of no value counts rows.
    """

    function: str
    values: Sequence[Value | Members] = ()

    @property
    def members(self) -> Table | None:
        """The values of a field with several values per row, if they are counted."""
        first = self.values[0] if self.values else None
        return first.values if isinstance(first, Members) else None


class Engine(Protocol):
    """An operation on an unknown value is unknown, unless it says otherwise."""

    def reference(self, name: str, value: Value) -> Value:
        """The column of a table that will hold a value."""

    def number(self, value: float) -> Value:
        """The same number in every row."""

    def divided(self, value: Value, by: Value) -> Value:
        """A quotient; unknown where the divisor is 0."""

    def not_negative(self, value: Value) -> Value:
        """A number; unknown where it is negative."""

    def scored(self, value: Value, scores: Mapping[Stored, float]) -> Value:
        """A number for each text; unknown for those without a score."""

    def compared(self, op: str, left: Value, right: Value) -> Value:
        """The condition EQ, NEQ, LS, LE, GR or GE of two numbers."""

    def among(self, value: Value, texts: Collection[Stored]) -> Value:
        """Whether a text, or what a store writes for one, is one of these."""

    def as_text(self, value: Value) -> Value:
        """A text, or what a store writes for one, as a text."""

    def contains(self, value: Value, text: str) -> Value:
        """Whether a text has another one in it, whatever the capitals of both."""

    def known(self, value: Value) -> Value:
        """Whether a value is known, which itself always is."""

    def negated(self, condition: Value) -> Value:
        """NOT of a condition."""

    def every(self, conditions: Sequence[Value]) -> Value:
        """AND of conditions, in SQL's logic of three values."""

    def some(self, conditions: Sequence[Value]) -> Value:
        """OR of conditions, in SQL's logic of three values."""

    def ascending(self, value: Value) -> Order:
        """The order of a value, the smallest first."""

    def descending(self, value: Value) -> Order:
        """The order of a value, the largest first."""

    def alphabetical(self, value: Value) -> Value:
        """What orders texts by the alphabet, whatever their capitals."""

    def position(self, orders: Sequence[Order]) -> Value:
        """The number of a row among all rows in this order, from 0."""

    def regrouped(self, value: Value, groups: Mapping[str, Sequence[Stored]]) -> Value:
        """The first group that lists a text; unknown for those that none lists."""

    def overall(self, function: str, value: Value) -> Value:
        """A function of the known values of all rows of a table, the same in every row."""

    def summarised(
        self, rows: Table, groups: Mapping[str, Grouping], columns: Mapping[str, Aggregated]
    ) -> Table:
        """A row for each group, with these columns; rows without a group are left out.

        Without any grouping all rows are one group. A period is its number in its column.
        """

    def chosen(self, index: Value, values: Sequence[Value]) -> Value:
        """The value whose number is in the column `index`."""

    def labelled(self, index: Value, texts: Sequence[str]) -> Value:
        """The text whose number is in the column `index`."""

    def counted(self, table: Table) -> Table:
        """A table of one row: how many rows a table has."""

    def sql(self, table: Table, dialect: str) -> str:
        """The query that makes a table, as SQL of a dialect; `StoreError` if it cannot be."""
