"""Sources of arrays: plain columns, and series by quarter.

Columns that a query has asked for are kept for later ones, up to a limit: most queries ask for the
same few fields.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any, Final, final

import numpy as np

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.form.times import Time
from grammax.tables.form.tree import FieldRef
from grammax.tables.memory.columns import Columns
from grammax.tables.memory.engine import ENGINE
from grammax.tables.memory.rows import Rows
from grammax.tables.memory.values import Condition, Lists, Numbers, Texts
from grammax.tables.query.formulas import Formulas, Stored
from grammax.tables.query.moments import Moment
from grammax.tables.query.periods import MONTHS_IN
from grammax.tables.query.quarterly import STALE_AFTER, QuarterlyScan
from grammax.tables.query.source import PlainScan, StoreError
from grammax.tables.query.spellings import TOKENS
from grammax.tables.query.spellings import Stored as Spelling

_KEPT_BYTES: Final = 16 << 20  # of columns that were asked for
_NO_RATES: Final[Mapping[str, float]] = {}


@final
class ArrayFields:
    """The columns without time."""

    engine = ENGINE

    def __init__(self, columns: Columns, entity: Sequence[str]) -> None:
        self._columns, self._entity = columns, entity

    def has(self, token: str) -> bool:
        columns = self._columns
        return token in columns.texts or token in columns.lists or token in columns.numbers

    def key(self) -> None:
        """The rows are in the order of the key."""

    def column(self, token: str) -> Texts | Numbers:
        columns = self._columns
        if token in columns.lists:
            return columns.lists[token].joined
        found: Texts | Numbers | None = columns.texts.get(token)
        if found is None:
            found = columns.numbers.get(token)
        if found is None:
            raise StoreError(f"These tables have no column for {token}.")
        return found

    def period(self, token: str, unit: str) -> Numbers:
        days = self.column(token)
        assert not isinstance(days, Texts)
        months = np.floor(days).astype("datetime64[D]").astype("datetime64[M]")
        number = 1970 * 12 + months.astype(np.int64)
        return np.where(np.isnan(days), np.nan, number // MONTHS_IN[unit])

    def holds(self, token: str, values: Collection[Spelling]) -> Condition:
        return self.members(token).hold(map(str, values))

    def members(self, token: str) -> Lists:
        found = self._columns.lists.get(token)
        return Lists.of([()] * self._columns.count) if found is None else found

    def table(self) -> Rows:
        return Rows(self._columns.count, {name: self._columns.texts[name] for name in self._entity})


@final
class ArraySource:
    """A source of plain columns; `rates` convert units to the default one.

    Dates are numbers of days since 1970; periods such as "last month" are relative to `today`.
    """

    spellings = TOKENS

    def __init__(
        self,
        catalogue: Catalogue,
        columns: Columns,
        rates: Mapping[str, float] = _NO_RATES,
        today: datetime.date | None = None,
    ) -> None:
        self._fields = ArrayFields(columns, catalogue.schema.entity.columns)
        self._rates, self.today = rates, today

    def scan(self) -> PlainScan:
        return PlainScan(self._fields, self._rates)


@final
class QuarterlyArrays:
    """A source of series by quarter.

    `missing` makes the error for a field that there is no data of.
    """

    latest: tuple[str, ...] = ()  # the columns that are kept are as fast
    spellings = TOKENS

    def __init__(
        self,
        catalogue: Catalogue,
        columns: Columns,
        formulas: Formulas,
        today: datetime.date,
        missing: Callable[[str], StoreError],
    ) -> None:
        self._catalogue, self._columns, self._missing = catalogue, columns, missing
        self.formulas, self.today = formulas, today
        self._plain = ArrayFields(columns, catalogue.schema.entity.columns)
        self._readings = ArrayReadings(columns, missing)
        self._kept = _Kept(_KEPT_BYTES // max(1, 8 * columns.count))

    def has(self, token: str) -> bool:
        return self._plain.has(token) or all(
            read in self._columns.series for read in self.formulas.reads(token)
        )

    def require(self, plain: Iterable[str], series: Mapping[str, tuple[str, ...]]) -> None:
        """Every column has been computed by now."""
        del plain, series

    def rate(self, unit: str, quarter: int) -> float:
        rates, at = self._columns.rates.get(unit), quarter - self._columns.first
        return float("nan") if rates is None or not 0 <= at < len(rates) else float(rates[at])

    def column(self, field: FieldRef, scan: QuarterlyScan) -> Any:
        """The column of a field, computed once."""
        type_ = self._catalogue.fields[field.token].type
        if type_ in self._catalogue.value_types and not self._plain.has(field.token):
            raise self._missing(field.token)
        return self._kept.get(field, lambda: scan.column(field))

    def change(self, field: FieldRef, scan: QuarterlyScan) -> Any:
        """The change of a field, computed once."""
        return self._kept.get(("change", field), lambda: scan.change(field))

    def scan(self) -> KeptScan:
        plain = self._plain
        scan = QuarterlyScan(self._catalogue, self, plain, self._readings, plain.table)
        return KeptScan(self, scan)


@final
class KeptScan:
    """A scan that computes a column once for all queries."""

    engine = ENGINE

    def __init__(self, source: QuarterlyArrays, scan: QuarterlyScan) -> None:
        self._source, self._scan = source, scan
        self.has, self.key, self.holds = scan.has, scan.key, scan.holds
        self.members, self.rate, self.table = scan.members, scan.rate, scan.table
        self.period = scan.period

    def column(self, field: FieldRef) -> Any:
        return self._source.column(field, self._scan)

    def change(self, field: FieldRef) -> Any:
        return self._source.change(field, self._scan)

    def periods(self, unit: str) -> Sequence[Time]:
        return self._scan.periods(unit)


@final
class ArrayReadings:
    """An `Algebra` whose values are arrays; what is unknown is NaN."""

    def __init__(self, columns: Columns, missing: Callable[[str], StoreError]) -> None:
        self._columns, self._missing = columns, missing

    def stored(self, series: Stored, moment: Moment) -> Numbers:
        """A series at a moment: its latest value, or the sum of so many quarters."""
        values = self._columns.series.get(series.token)
        if values is None:
            raise self._missing(series.token)
        if series.quarters == 1:
            found = self._quarter(values, moment)
            for ago in range(1, STALE_AFTER):
                is_missing = np.isnan(found)
                if not is_missing.any():
                    break
                found = np.where(is_missing, self._quarter(values, moment.before(ago)), found)
            return found
        found = self._quarter(values, moment.before(series.quarters - 1))
        for ago in range(series.quarters - 2, -1, -1):
            found = found + self._quarter(values, moment.before(ago))
        return found

    def _quarter(self, values: Numbers, moment: Moment) -> Numbers:
        """The values of one quarter, of the calendar or of the fiscal year of each entity."""
        at = moment.quarter - self._columns.first
        if moment.axis == "calendar":
            if 0 <= at < len(values):
                return np.asarray(values[at])
            return np.full(self._columns.count, np.nan)
        rows = at - self._columns.fiscal
        inside = (rows >= 0) & (rows < len(values))
        found = values[np.where(inside, rows, 0), np.arange(self._columns.count)]
        return np.where(inside, found, np.nan)

    def number(self, value: float) -> Any:
        return float(value)

    def add(self, a: Numbers, b: Numbers) -> Numbers:
        with np.errstate(all="ignore"):
            return a + b

    def subtract(self, a: Numbers, b: Numbers) -> Numbers:
        with np.errstate(all="ignore"):
            return a - b

    def multiply(self, a: Numbers, b: Numbers) -> Numbers:
        with np.errstate(all="ignore"):
            return a * b

    def divide(self, a: Numbers, b: Numbers) -> Numbers:
        return ENGINE.divided(a, b)

    def absolute(self, a: Numbers) -> Numbers:
        return np.abs(a)

    def root(self, a: Numbers, degree: int) -> Numbers:
        return np.asarray(np.where(a > 0, a, np.nan) ** (1 / degree))

    def mean(self, values: Sequence[Numbers]) -> Numbers:
        given = np.stack(values)
        is_known = ~np.isnan(given)
        # One after the other, as a store adds them.
        total = np.add.accumulate(np.where(is_known, given, 0.0))[-1]
        return ENGINE.divided(total, is_known.sum(axis=0).astype(np.float64))


@final
class _Kept:
    """Columns by key, the least recently used of which are given up."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._columns: dict[Hashable, Any] = {}  # the oldest first
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        with self._lock:
            found = self._columns.pop(key, None)
            if found is not None:
                self._columns[key] = found
                return found
        found = make()
        if isinstance(found, np.ndarray):
            found.flags.writeable = False
        with self._lock:
            self._columns[key] = found
            while len(self._columns) > self._most:
                del self._columns[next(iter(self._columns))]
        return found
