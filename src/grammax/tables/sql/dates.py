"""Dates of a store as numbers: days since 1970, and the numbers of periods.

Columns may hold dates, timestamps, or texts that begin with an ISO date, with a time of day or
without. A text that is no date has no date; because conversions of texts differ, and some stores
refuse the whole query for one such text, texts are taken apart by arithmetic where a store cannot
just try. Timestamps with a time zone are in that of the connection.
"""

from __future__ import annotations

from typing import Final

import ibis
from ibis.common.exceptions import IbisError

from grammax.tables.query.engine import Value
from grammax.tables.query.periods import MONTHS_IN

_DAY: Final = 86_400.0  # seconds
_ISO: Final = (
    r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9].*)?)?$"
)
_BEFORE_1970: Final = 719_468  # days from 1 March of the year 0


def days(column: Value) -> Value:
    """The number of days since 1970, with a fraction for the time of day."""
    if column.type().is_string():
        tried = _tried(column)
        return _days_of_text(column) if tried is None else days(tried)
    return column.cast("timestamp").epoch_seconds().cast("float64") / _DAY


def period(column: Value, unit: str) -> Value:
    """The number of the year, quarter or month, see `grammax.tables.query.periods`."""
    if column.type().is_string():
        tried = _tried(column)
        if tried is not None:
            return period(tried, unit)
        known = _days_of_text(column).notnull()
        number = _numbered(_part(column, 0, 4), _part(column, 5, 2), unit)
        return ibis.ifelse(known, number, ibis.null("int64"))
    return _numbered(column.year().cast("int64"), column.month().cast("int64"), unit)


def _tried(text: Value) -> Value | None:
    """A text as a timestamp, null if it is none; None if the store cannot try."""
    try:
        store = text.get_backend().name
    except IbisError:  # a table without a connection
        return None
    if store != "duckdb":
        return None
    return ibis.ifelse(text.like("____-__-__%"), text, ibis.null("string")).try_cast("timestamp")


def _numbered(year: Value, month: Value, unit: str) -> Value:
    if unit == "YEAR":
        return year
    return ((year * 12 + month - 1) // MONTHS_IN[unit]).cast("int64")


def _days_of_text(text: Value) -> Value:
    """By arithmetic; a CASE keeps it from texts that are no dates."""
    whole = text + "T00:00:00"  # also a date alone has a time of day, then
    year, month, day = _part(text, 0, 4), _part(text, 5, 2), _part(text, 8, 2)
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    length = ibis.cases(
        (month == 2, ibis.ifelse(leap, 29, 28)), (month.isin([4, 6, 9, 11]), 30), else_=31
    )
    # Years that begin in March: the leap day is their last.
    since = year - ibis.ifelse(month <= 2, 1, 0)
    before = since * 365 + since // 4 - since // 100 + since // 400
    within = ((month + 9) % 12 * 153 + 2) // 5 + day - 1
    seconds = _part(whole, 11, 2) * 3600 + _part(whole, 14, 2) * 60 + _part(whole, 17, 2)
    number = (before + within - _BEFORE_1970).cast("float64") + seconds.cast("float64") / _DAY
    nothing = ibis.null("float64")
    known = ibis.ifelse((year > 0) & (day <= length), number, nothing)
    return ibis.ifelse(text.re_search(_ISO), known, nothing)


def _part(text: Value, start: int, length: int) -> Value:
    """The number at a place of a text."""
    return text.substr(start, length).cast("int64")
