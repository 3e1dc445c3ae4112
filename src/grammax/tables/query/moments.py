"""Map the times of logical forms to quarters.

A time maps to the last quarter that had ended by then: `2018` to its fourth quarter, `2018 JUN 23`
to the first quarter of 2018, `LAST YEAR` to the end of the year before the store's own date,
`LAST 3 MONTH` to three months before that date.
"""

from __future__ import annotations

import datetime
from calendar import monthrange
from dataclasses import dataclass
from typing import Literal, final

from grammax.tables.form.times import Date, FiscalYear, Last, Month, Quarter, Time, Year

_MONTHS_IN = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
_DAYS_IN = {"DAY": 1, "WEEK": 7}


@final
@dataclass(frozen=True, slots=True)
class Moment:
    """A quarter, numbered year · 4 + quarter - 1, of the calendar or of each entity's own year."""

    axis: Literal["calendar", "fiscal"]
    quarter: int

    def before(self, quarters: int) -> Moment:
        """The moment so many quarters earlier."""
        return Moment(self.axis, self.quarter - quarters)


def moment_of(time: Time | None, today: datetime.date) -> Moment:
    """The quarter of a time, relative to a store's own date; None is the latest.

    >>> moment_of(Quarter(2, 2024), datetime.date(2025, 11, 14)) == Moment("calendar", 2024 * 4 + 1)
    True
    """
    if isinstance(time, FiscalYear):
        return Moment("fiscal", time.year * 4 + 3)
    quarter, latest = _calendar_quarter(time, today), quarter_over_by(today)
    return Moment("calendar", min(quarter, latest) if _has_begun(time, today) else quarter)


def _has_begun(time: Time | None, today: datetime.date) -> bool:
    """Whether a time is not in the future as a whole: of such a time nothing is known."""
    match time:
        case Year(year):
            return year <= today.year
        case Quarter(quarter, year):
            return (year, 3 * quarter - 2) <= (today.year, today.month)
        case Month(year, month):
            return (year, month) <= (today.year, today.month)
        case Date(year, month, day):
            return (year, month, day) <= (today.year, today.month, today.day)
        case _:
            return True


def is_of_quarter(time: Time | None) -> bool:
    """Whether a time asks for the amounts of one quarter: `Q2 2024`, `LAST QUARTER`."""
    return isinstance(time, Quarter) or (isinstance(time, Last) and time.unit == "QUARTER")


def span_of(time: Time, today: datetime.date) -> tuple[Moment, Moment]:
    """The begin and the end of a change.

    A change since 2019, or over the last three years, is from then to the latest quarter; in the
    last year or quarter it is from the end of the period before it to its own end. A span is at
    least one quarter, the finest that is stored.

    >>> begin, end = span_of(Year(2019), datetime.date(2025, 11, 14))
    >>> begin.quarter == 2019 * 4 + 3, end.quarter == 2025 * 4 + 2
    (True, True)
    """
    moment = moment_of(time, today)
    if isinstance(time, Last) and time.count is None:
        return moment.before(4 if time.unit == "YEAR" else 1), moment
    end = moment_of(None, today)
    return Moment(moment.axis, min(moment.quarter, end.quarter - 1)), end


def last_periods(unit: str, count: int, today: datetime.date) -> list[Time]:
    """The last complete years or quarters, the oldest first."""
    last = quarter_over_by(today)
    if unit == "YEAR":
        year = (last + 1) // 4
        return [Year(y) for y in range(year - count, year)]
    return [Quarter(q % 4 + 1, q // 4) for q in range(last - count + 1, last + 1)]


def quarter_over_by(day: datetime.date) -> int:
    """The number of the last quarter that has ended on a day or before it."""
    at_end = day.day == monthrange(day.year, day.month)[1]
    return day.year * 4 + (day.month if at_end else day.month - 1) // 3 - 1


def _calendar_quarter(time: Time | None, today: datetime.date) -> int:
    match time:
        case None:
            return quarter_over_by(today)
        case Year(year):
            return year * 4 + 3
        case Month(year, month):
            return year * 4 + month // 3 - 1
        case Quarter(quarter, year):
            return year * 4 + quarter - 1
        case Date(year, month, day):
            year = max(year, 1)  # the grammar has a year 0 and a 31st of February
            last = monthrange(year, month)[1]
            return quarter_over_by(datetime.date(year, month, min(max(day, 1), last)))
        case Last(count, unit):
            return _quarter_before(today, count, unit)
        case _:
            raise AssertionError(f"{time!r} is not a calendar time")


def _quarter_before(today: datetime.date, count: int | None, unit: str) -> int:
    if unit in _DAYS_IN:
        ordinal = today.toordinal() - (count or 1) * _DAYS_IN[unit]
        return quarter_over_by(datetime.date.fromordinal(max(ordinal, 366)))
    months = today.year * 12 + today.month - 1
    if count is None:
        # The end of the last complete month, quarter or year.
        span = _MONTHS_IN[unit]
        return (months // span * span) // 3 - 1
    months -= count * _MONTHS_IN[unit]
    if months < 12:
        return 0
    year, month = divmod(months, 12)
    day = min(today.day, monthrange(year, month + 1)[1])
    return quarter_over_by(datetime.date(year, month + 1, day))
