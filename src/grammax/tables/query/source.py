"""The interface between a query and the data: a `Source` knows where values are stored.

A logical form is translated against a `Scan` of its source. The scan records the columns that the
form asks for and returns deferred values; at the end it builds one table with only these columns.
Tables are described by name and type alone, so SQL can be generated for any store without a
connection.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, final

import ibis

from grammax.errors import GrammaxError
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.times import Time
from grammax.tables.form.tree import FieldRef

Value: TypeAlias = Any  # an Ibis value, bound to a table or deferred
Table: TypeAlias = Any  # an Ibis table

ROW: Final = "row_id"
"""The column by which tables are joined; not shown, and not necessarily the entity's key."""


class StoreError(GrammaxError):
    """A store that cannot be opened, or cannot answer."""


class NotMapped(StoreError):
    """A query for fields that a mapping file has no columns for.

    `missing` lists for each field the unmapped fields it is computed from, or the field itself.
    """

    def __init__(self, path: Path, missing: Mapping[str, Sequence[str]]) -> None:
        self.missing = dict(missing)
        lines = [
            f"    {token}" + ("" if (token,) == tuple(of) else f" is computed from {', '.join(of)}")
            for token, of in missing.items()
        ]
        example = next(of[0] for of in missing.values())
        super().__init__(
            f"{path} does not map what this query needs:\n"
            + "\n".join(lines)
            + f'\nAdd a line under [fields], such as {example} = "table.column".'
        )


class Source(Protocol):
    """The source of the values of fields."""

    @property
    def today(self) -> datetime.date | None:
        """The date that "latest" and "last year" refer to; None if values have no time."""

    def scan(self) -> Scan:
        """A new scan, for one query."""


class Scan(Protocol):
    """The part of a source that one query reads."""

    def has(self, token: str) -> bool:
        """Whether the source has data of a field."""

    def column(self, field: FieldRef) -> Value:
        """The value of a field; for a `many` field all its values in one text.

        Numbers that have a unit are in the schema's default unit.
        """

    def change(self, field: FieldRef) -> Value:
        """The change of a numeric field over its time, in percent."""

    def holds(self, token: str, values: Sequence[str]) -> Value:
        """Whether a `many` field has any of these values; never unknown."""

    def members(self, token: str) -> Table:
        """The values of a `many` field, one per row. Columns: `ROW` and `value`."""

    def periods(self, unit: str) -> Sequence[Time]:
        """The last periods of a unit of time, such as YEAR, the oldest first."""

    def rate(self, unit: str, time: Time | None) -> Value:
        """The value of one `unit` in the default unit, at a time."""

    def table(self) -> Table:
        """One row per entity: its key and label, and the columns that were asked for."""


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

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        self._layout = layout
        self._many = catalogue.schema.many
        self.noted: dict[str, None] = {}
        """The tokens that were asked for, in order."""

    def column(self, token: str) -> Value:
        self.noted[token] = None
        return ibis._[token]

    def has(self, token: str) -> bool:
        return self._layout.has(token)

    def members(self, token: str) -> Table:
        return self._layout.members(token)

    def holds(self, token: str, values: Sequence[str]) -> Value:
        members = self._layout.members(token)
        return ibis._[ROW].isin(members.filter(members.value.isin(values))[ROW])

    def table(self, widen: Callable[[Table], Table] = lambda table: table) -> Table:
        """The entities; `widen` may add columns before the lists of `many` fields are joined."""
        single = [token for token in self.noted if token not in self._many]
        table = widen(self._layout.entities(single))
        for token in self.noted:
            if token in self._many:
                table = self._with_list(table, token)
        return table

    def _with_list(self, table: Table, token: str) -> Table:
        members = self._layout.members(token)
        listed = members.group_by(member=members[ROW]).aggregate(
            **{token: members.value.group_concat(", ", order_by=members.value)}
        )
        return table.left_join(listed, table[ROW] == listed.member)


def column_name(token: str) -> str:
    """The column that holds a field unless a mapping says otherwise.

    >>> column_name("FLD_RUNNING_TIME")
    'running_time'
    """
    return token.removeprefix("FLD_").lower()
