"""Times as spans of days, against days counted one by one."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables.query.brute_force import days_of

from grammax.tables.form.times import Date, FiscalYear, Last, Month, Quarter, Year
from grammax.tables.form.tree import LogicalFormError, Number
from grammax.tables.query.periods import days_since_1970, iso_date, period_name, span_of, time_in

years = st.integers(1, 9999)
units = st.sampled_from(["DAY", "WEEK", "MONTH", "QUARTER", "YEAR"])
times = st.one_of(
    st.builds(Month, years, st.integers(1, 12)),
    st.builds(Quarter, st.integers(1, 4), years),
    st.builds(FiscalYear, years),
    st.builds(Date, years, st.integers(1, 12), st.integers(1, 28)),
    st.builds(Last, st.none() | st.integers(1, 40), units),
)


@given(times, st.dates(datetime.date(1900, 1, 1), datetime.date(2100, 12, 31)))
def test_spans_are_those_of_the_calendar(time: Any, today: datetime.date) -> None:
    first, last = days_of(time, today)
    span = span_of(time, today)
    assert (span.first, span.end) == (days_since_1970(first), days_since_1970(last) + 1)


@given(st.datetimes(datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31)))
def test_dates_are_shown_as_they_were(moment: datetime.datetime) -> None:
    moment = moment.replace(microsecond=0)
    days = (moment - datetime.datetime(1970, 1, 1)).total_seconds() / 86_400
    has_time = moment.time() != datetime.time()
    assert iso_date(days) == str(moment if has_time else moment.date())


def test_a_number_is_a_year_and_other_operands_are_no_times() -> None:
    assert time_in(Number("2018")) == Year(2018)
    assert time_in(Number("-5")) is None
    assert time_in(Last(None, "YEAR")) == Last(None, "YEAR")


@pytest.mark.parametrize(
    "time", [Year(0), Date(2019, 2, 31), Month(0, 5), Last(100_000, "YEAR"), Quarter(4, 0)]
)
def test_what_is_not_in_the_calendar_is_refused(time: Any) -> None:
    with pytest.raises(LogicalFormError, match="not in the calendar"):
        span_of(time, datetime.date(2020, 5, 1))


def test_times_up_to_today_need_a_today() -> None:
    with pytest.raises(LogicalFormError, match="no date of their own"):
        span_of(Last(3, "MONTH"), None)


def test_the_last_year_of_the_calendar_ends() -> None:
    assert iso_date(span_of(Year(9999), None).end - 1) == "9999-12-31"
    assert period_name("MONTH", 1970 * 12 + 11) == "1970-12"
