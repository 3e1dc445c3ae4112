"""`QuarterlyScan`: numeric fields are formulas over series that are stored by quarter.

Formulas are decomposed into *readings*: one stored series at one moment. An `Algebra` provides the
readings, and the formulas are arithmetic on them.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, Protocol, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.times import Time
from grammax.tables.form.tree import FieldRef
from grammax.tables.query.engine import Engine, Table, Value
from grammax.tables.query.formulas import Algebra, Formulas, Stored
from grammax.tables.query.moments import Moment, is_of_quarter, last_periods, moment_of, span_of
from grammax.tables.query.source import Fields, StoreError
from grammax.tables.query.spellings import Stored as Spelling

UNIT_RATE: Final = Stored("unit_rate")
"""The value of an entity's own unit in the schema's default unit, stored like any other series."""
PERIODS: Final[Mapping[str, int]] = {"QUARTER": 8, "YEAR": 5}
"""The number of periods of a series."""
STALE_AFTER: Final = 4  # quarters; older values count as unknown


class Quarters(Protocol):
    """What is stored by quarter."""

    @property
    def today(self) -> datetime.date:
        """The date that "latest" and "last year" refer to."""

    @property
    def latest(self) -> Collection[str]:
        """Numeric fields whose latest value is a column of the entities, too, for speed."""

    @property
    def formulas(self) -> Formulas:
        """The formulas of numeric fields over the stored series."""

    def has(self, token: str) -> bool:
        """Whether there is data of a field."""

    def require(self, plain: Iterable[str], series: Mapping[str, tuple[str, ...]]) -> None:
        """Raise `StoreError` unless the store has data for these fields.

        `plain` are fields without time; `series` has for each other field those that it reads.
        """

    def rate(self, unit: str, quarter: int) -> Value:
        """The value of one `unit` in the default unit, in a calendar quarter."""


@final
class QuarterlyScan:
    """The columns that one query reads: `plain` ones, and `readings` of series.

    `table` makes the table of entities that has both.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        quarters: Quarters,
        plain: Fields,
        readings: Algebra[Value],
        table: Callable[[], Table],
    ) -> None:
        self._catalogue, self._quarters = catalogue, quarters
        self._plain, self._readings, self._table = plain, readings, table
        self._asked: dict[str, None] = {}
        self._numbers: dict[str, None] = {}

    @property
    def engine(self) -> Engine:
        return self._plain.engine

    def has(self, token: str) -> bool:
        return self._quarters.has(token)

    def key(self) -> Value:
        return self._plain.key()

    def column(self, field: FieldRef) -> Value:
        type_ = self._catalogue.fields[field.token].type
        is_enum = type_ in self._catalogue.value_types
        if is_enum or (field.time is None and field.token in self._quarters.latest):
            self._asked[field.token] = None
            return self._plain.column(field.token)
        moment = moment_of(field.time, self._quarters.today)
        value = self._at(field, moment)
        if self._catalogue.schema.number(type_).units:
            rate = self._readings.stored(UNIT_RATE, moment)
            value = self._readings.multiply(value, rate)
        return value

    def change(self, field: FieldRef) -> Value:
        """In the entity's own unit, so that rates of exchange do not count as changes."""
        assert field.time is not None, "a change has a time"
        begin, end = span_of(field.time, self._quarters.today)
        then, now = self._at(field, begin), self._at(field, end)
        do = self._readings
        change = do.divide(do.subtract(now, then), do.absolute(then))
        return do.multiply(change, do.number(100))

    def _at(self, field: FieldRef, moment: Moment) -> Value:
        """The value in the entity's own unit."""
        self._numbers[field.token] = None
        formulas = self._quarters.formulas
        return formulas.value(field.token, moment, self._readings, is_of_quarter(field.time))

    def period(self, token: str, unit: str) -> Value:
        return self._plain.period(token, unit)

    def holds(self, token: str, values: Collection[Spelling]) -> Value:
        return self._plain.holds(token, values)

    def members(self, token: str) -> Table:
        return self._plain.members(token)

    def periods(self, unit: str) -> Sequence[Time]:
        if unit not in PERIODS:
            raise StoreError(
                f"There is no series by {unit.lower()}: these values are stored by quarter.\n"
                "Ask by quarter or by year."
            )
        return last_periods(unit, PERIODS[unit], self._quarters.today)

    def rate(self, unit: str, time: Time | None) -> Value:
        today = self._quarters.today
        latest = moment_of(None, today).quarter
        return self._quarters.rate(unit, min(moment_of(time, today).quarter, latest))

    def table(self) -> Table:
        formulas = self._quarters.formulas
        series = {token: formulas.reads(token) for token in self._numbers}
        self._quarters.require(self._asked, series)
        return self._table()
