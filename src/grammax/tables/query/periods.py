"""Dates and periods as numbers: what a comparison with a time means, and how numbers are shown.

In a query, a date is the number of days since the beginning of 1970, with a fraction for the time
of day, so that engines compare numbers only. A period reaches from its first day to the day after
its last. Years, quarters and months that rows are grouped by are numbered: 2018 is 2018, its second
quarter 2018 · 4 + 1, and its June 2018 · 12 + 5.
"""

from __future__ import annotations

import datetime
from calendar import monthrange
from dataclasses import dataclass
from typing import Final, final

from grammax.tables.form.times import Date, FiscalYear, Last, Month, Quarter, Time, Year
from grammax.tables.form.tree import LogicalFormError, Number, Operand

EPOCH: Final = datetime.date(1970, 1, 1)
MONTHS_IN: Final = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
_DAYS_IN: Final = {"DAY": 1, "WEEK": 7}
_SECONDS: Final = 86_400  # of a day
_MONTHS: Final = 9_999 * 12 + 12  # the month after the last that the calendar has


@final
@dataclass(frozen=True, slots=True)
class Span:
    """A period: its first day, and the day after its last."""

    first: int
    end: int


def days_since_1970(day: datetime.date) -> int:
    """The number of a day.

    >>> days_since_1970(datetime.date(1970, 2, 1))
    31
    """
    return (day - EPOCH).days


def time_in(value: Operand) -> Time | None:
    """The time that a date is compared with, if it is one; a number is a year.

    >>> time_in(Number("2018"))
    Year(year=2018)
    """
    if isinstance(value, Number):
        return Year(int(value.digits)) if value.digits.isdecimal() else None
    return value if isinstance(value, Month | Date | Quarter | FiscalYear | Last) else None


def span_of(time: Time, today: datetime.date | None) -> Span:
    """The days of a period. Years are those of the calendar, fiscal ones, too.

    `LAST MONTH` is the whole month before today's, `LAST 0 MONTH` today's, and `LAST 3 MONTH` are
    the three months that end today. Other times do not need a `today`.

    >>> span_of(Month(1970, 2), None)
    Span(first=31, end=59)
    """
    match time:
        case Year(year) | FiscalYear(year):
            return _months(year * 12, 12, time)
        case Quarter(quarter, year):
            return _months(year * 12 + 3 * (quarter - 1), 3, time)
        case Month(year, month):
            return _months(year * 12 + month - 1, 1, time)
        case Date():
            day = time.calendar_day
            if day is None:
                raise _not_in_the_calendar(time)
            return Span(days_since_1970(day), days_since_1970(day) + 1)
    if today is None:
        raise LogicalFormError(
            f"{time} is relative to today, and these tables have no date of their own.",
            hint="Give a year, a month or a day.",
        )
    return _last(time, today)


def _last(time: Last, today: datetime.date) -> Span:
    now, count = days_since_1970(today), time.count
    month = today.year * 12 + today.month - 1
    if time.unit in _DAYS_IN:
        length = _DAYS_IN[time.unit]
        if count:
            return Span(now + 1 - count * length, now + 1)
        first = now - (today.weekday() if time.unit == "WEEK" else 0)
        first -= length if count is None else 0
        return Span(first, first + length)
    length = MONTHS_IN[time.unit]
    if not count:
        before = length if count is None else 0
        return _months(month // length * length - before, length, time)
    year, number = divmod(month - count * length, 12)
    if year < 1:
        raise _not_in_the_calendar(time)
    day = min(today.day, monthrange(year, number + 1)[1])
    return Span(days_since_1970(datetime.date(year, number + 1, day)) + 1, now + 1)


def _months(first: int, count: int, time: Time) -> Span:
    if not 12 <= first <= _MONTHS - count:
        raise _not_in_the_calendar(time)
    return Span(_first_of(first), _first_of(first + count))


def _first_of(month: int) -> int:
    """The first day of a month; the day after the last one of the calendar is a day, too."""
    if month == _MONTHS:
        return days_since_1970(datetime.date.max) + 1
    return days_since_1970(datetime.date(month // 12, month % 12 + 1, 1))


def iso_date(days: float) -> str:
    """A date, with the time of day if it has one.

    >>> iso_date(17705.0), iso_date(17705.5)
    ('2018-06-23', '2018-06-23 12:00:00')
    """
    seconds = round(days * _SECONDS)
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    return moment.isoformat(" ") if seconds % _SECONDS else moment.date().isoformat()


def period_name(unit: str, number: int) -> str:
    """A numbered period.

    >>> period_name("YEAR", 2018), period_name("QUARTER", 2018 * 4 + 1)
    ('2018', 'Q2 2018')
    >>> period_name("MONTH", 2018 * 12 + 5)
    '2018-06'
    """
    if unit == "YEAR":
        return str(number)
    if unit == "QUARTER":
        return str(Quarter(number % 4 + 1, number // 4))
    return f"{number // 12:04}-{number % 12 + 1:02}"


def _not_in_the_calendar(time: Time) -> LogicalFormError:
    return LogicalFormError(f"{time} is not in the calendar.", hint="Give a day that exists.")
