"""The times at which a logical form asks for a field.

Every time that the grammar permits can be built, including `2018 FEB 31`; `typecheck` reports days
that are not in the calendar.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

from grammax.tables import lexicon as words
from grammax.tables.form.errors import check_count, check_integer, check_word

Unit = Literal["DAY", "WEEK", "MONTH", "QUARTER", "YEAR"]


@final
@dataclass(frozen=True, slots=True)
class Year:
    """`2018`: a calendar year."""

    year: int

    def __post_init__(self) -> None:
        check_integer(self.year, 0, 9999, "a year")

    def __str__(self) -> str:
        return f"{self.year:04}"


@final
@dataclass(frozen=True, slots=True)
class Month:
    """`2018 JUN`: a month of a year; January is 1."""

    year: int
    month: int

    def __post_init__(self) -> None:
        check_integer(self.year, 0, 9999, "a year")
        check_integer(self.month, 1, 12, "a month")

    def __str__(self) -> str:
        return f"{self.year:04} {words.MONTHS[self.month - 1]}"


@final
@dataclass(frozen=True, slots=True)
class Date:
    """`2018 JUN 23`: a day.

    >>> str(Date(2018, 6, 23)), Date(2018, 2, 31).calendar_day
    ('2018 JUN 23', None)
    """

    year: int
    month: int
    day: int

    def __post_init__(self) -> None:
        check_integer(self.year, 0, 9999, "a year")
        check_integer(self.month, 1, 12, "a month")
        check_integer(self.day, 0, 99, "a day")

    @property
    def calendar_day(self) -> datetime.date | None:
        """The day in the calendar, or None if the calendar has no such day."""
        try:
            return datetime.date(self.year, self.month, self.day)
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.year:04} {words.MONTHS[self.month - 1]} {self.day}"


@final
@dataclass(frozen=True, slots=True)
class Quarter:
    """`Q2 2024`: a quarter of a calendar year."""

    quarter: int
    year: int

    def __post_init__(self) -> None:
        check_integer(self.quarter, 1, 4, "a quarter")
        check_integer(self.year, 0, 9999, "a year")

    def __str__(self) -> str:
        return f"Q{self.quarter} {self.year:04}"


@final
@dataclass(frozen=True, slots=True)
class FiscalYear:
    """`FY 2023`: a fiscal year, which may end in another month than December."""

    year: int

    def __post_init__(self) -> None:
        check_integer(self.year, 0, 9999, "a year")

    def __str__(self) -> str:
        return f"{words.FISCAL_YEAR} {self.year:04}"


@final
@dataclass(frozen=True, slots=True)
class Last:
    """`LAST QUARTER` without a count, or `LAST 3 MONTH` with one; `LAST 0 MONTH` is this month."""

    count: int | None
    unit: Unit

    def __post_init__(self) -> None:
        if self.count is not None:
            check_count(self.count)
        check_word(self.unit, words.UNITS, "a unit of time")

    def __str__(self) -> str:
        count = "" if self.count is None else f"{self.count} "
        return f"{words.LAST} {count}{self.unit}"


Time: TypeAlias = Year | Month | Date | Quarter | FiscalYear | Last
