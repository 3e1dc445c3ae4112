"""The interface between a query and the data: a `Source` knows where values are stored.

A logical form is translated against a `Scan` of its source. The scan returns the values that the
form asks for, in the terms of its engine, and in the end the table of rows that has them.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias, final

from grammax.errors import GrammaxError
from grammax.language.answer import AnswerTooSlow
from grammax.tables.form.times import Time
from grammax.tables.form.tree import FieldRef
from grammax.tables.query.engine import Engine, Table, Value
from grammax.tables.query.spellings import Spellings, Stored

Row: TypeAlias = Sequence[object]


class StoreError(GrammaxError):
    """A store that cannot be opened, or cannot answer."""


class TooSlow(StoreError, AnswerTooSlow):
    """A query that was stopped at its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The query was stopped after {seconds:g} seconds.\n"
            "Ask for fewer fields, or allow more time (seconds=...)."
        )
        self.seconds = seconds


class GivenUp(StoreError):
    """A query that was interrupted, because nobody waits for its answer any more."""

    def __init__(self) -> None:
        super().__init__("The query was interrupted: nobody waits for its answer any more.")


class StoreFailed(StoreError):
    """A store that reported an error of its own."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(f"The store could not answer: {reason}" + (f"\n{hint}" if hint else ""))
        self.reason, self.hint = reason, hint


class StoreDown(StoreFailed):
    """A store that cannot be reached; it is tried again with a later query."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            reason, "The database went away. Check that it runs; the next query connects again."
        )


class StoreUnreachable(StoreDown):
    """A store that cannot be reached when it is opened."""

    def __init__(self, reason: str, hint: str) -> None:
        StoreError.__init__(self, f"{reason}\n{hint}")
        self.reason, self.hint = reason, hint


class StoreBusy(StoreError):
    """All connections to a store are in use."""

    def __init__(self, connections: int) -> None:
        super().__init__(
            f"All {connections} connections to the store are in use.\n"
            "Ask again in a moment, or ask for less at once."
        )
        self.connections = connections


class StoreCannot(StoreError):
    """A query that a store cannot express; nothing was run."""

    def __init__(self, store: str, reason: str, instead: str) -> None:
        super().__init__(f"{store} cannot answer this query: {reason}.\n{instead}")
        self.store, self.reason, self.hint = store, reason, instead


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

    @property
    def spellings(self) -> Spellings:
        """What the values of fields are in the columns of a scan."""

    def scan(self) -> Scan:
        """A new scan, for one query."""


class Fields(Protocol):
    """The values of fields that have no time, for one query."""

    @property
    def engine(self) -> Engine:
        """What computes with these values."""

    def has(self, token: str) -> bool:
        """Whether the source has data of a field."""

    def key(self) -> Value:
        """The key of the schema's entity."""

    def column(self, token: str) -> Value:
        """The value of a field; for a `many` field all its values in one text."""

    def period(self, token: str, unit: str) -> Value:
        """The number of the YEAR, QUARTER or MONTH of a date, see `periods`."""

    def holds(self, token: str, values: Collection[Stored]) -> Value:
        """Whether a `many` field has any of these values; never unknown."""

    def members(self, token: str) -> Table:
        """The values of a `many` field, one per row."""

    def table(self) -> Table:
        """One row per entity: its key and label, and the columns that were asked for."""


class Scan(Protocol):
    """The part of a source that one query reads."""

    @property
    def engine(self) -> Engine:
        """What computes with these values."""

    def has(self, token: str) -> bool:
        """Whether the source has data of a field."""

    def key(self) -> Value:
        """The key of the schema's entity."""

    def column(self, field: FieldRef) -> Value:
        """The value of a field; for a `many` field all its values in one text.

        Numbers that have a unit are in the schema's default unit, dates are numbers of days.
        """

    def period(self, token: str, unit: str) -> Value:
        """The number of the YEAR, QUARTER or MONTH of a date, see `periods`."""

    def change(self, field: FieldRef) -> Value:
        """The change of a numeric field over its time, in percent."""

    def holds(self, token: str, values: Collection[Stored]) -> Value:
        """Whether a `many` field has any of these values; never unknown."""

    def members(self, token: str) -> Table:
        """The values of a `many` field, one per row."""

    def periods(self, unit: str) -> Sequence[Time]:
        """The last periods of a unit of time, such as YEAR, the oldest first."""

    def rate(self, unit: str, time: Time | None) -> Value:
        """The value of one `unit` in the default unit, at a time."""

    def table(self) -> Table:
        """One row per entity: its key and label, and the columns that were asked for."""


class Runner(Protocol):
    """Runs queries: on a store in production, on fixed rows in a test."""

    @property
    def instant(self) -> bool:
        """Whether a query takes a millisecond or so, so that another thread would not help."""

    def compile(self, expression: Table) -> Any:
        """The query in the form that `run` takes."""

    def run(self, compiled: Any, seconds: float) -> list[Row]:
        """The rows; raises `TooSlow` past the limit."""

    def close(self) -> None:
        """Close the connection."""


@final
@dataclass(frozen=True, slots=True)
class PlainScan:
    """A scan of fields without times, which raises an error where one is asked for."""

    fields: Fields
    rates: Mapping[str, float]

    @property
    def engine(self) -> Engine:
        return self.fields.engine

    def has(self, token: str) -> bool:
        return self.fields.has(token)

    def key(self) -> Value:
        return self.fields.key()

    def column(self, field: FieldRef) -> Value:
        if field.time is not None:
            raise StoreError(
                f"{field} asks for a time, and these tables have one value of {field.token}, "
                f"without a date.\nAsk for {field.token} alone."
            )
        return self.fields.column(field.token)

    def period(self, token: str, unit: str) -> Value:
        return self.fields.period(token, unit)

    def change(self, field: FieldRef) -> Value:
        raise StoreError(
            f"The change of {field} cannot be computed: these tables have one value of "
            f"{field.token}, without a date.\nAsk for {field.token} alone."
        )

    def holds(self, token: str, values: Collection[Stored]) -> Value:
        return self.fields.holds(token, values)

    def members(self, token: str) -> Table:
        return self.fields.members(token)

    def periods(self, unit: str) -> Sequence[Time]:
        raise StoreError(
            f"There is no series by {unit.lower()}: the values of these tables have no dates.\n"
            "Group by a field, or leave the period out."
        )

    def rate(self, unit: str, time: Time | None) -> Value:
        del time
        if unit not in self.rates:
            known = ", ".join(self.rates) or "none"
            raise StoreError(
                f"There is no rate to convert {unit}; there are rates for: {known}.\n"
                "Ask in the default unit, or add a rate."
            )
        return self.engine.number(float(self.rates[unit]))

    def table(self) -> Table:
        return self.fields.table()


def column_name(token: str) -> str:
    """The column that holds a field unless a mapping says otherwise.

    >>> column_name("FLD_RUNNING_TIME")
    'running_time'
    """
    return token.removeprefix("FLD_").lower()
