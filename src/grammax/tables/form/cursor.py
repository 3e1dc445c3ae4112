"""A cursor over the words of a logical form: it reads numbers and times, and refuses the rest.

The words are those of a text or the tokens of a model: digits may be separate words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn, cast, final

from grammax.tables import lexicon as words
from grammax.tables.form.times import (
    Date,
    FiscalYear,
    Last,
    Month,
    Quarter,
    Time,
    Unit,
    Year,
)

END: Final = ""
TIMES: Final = "a year, 2018 JUN, 2018 JUN 23, Q2 2024, FY 2023, LAST QUARTER or LAST 3 MONTH"
_TIME_WORDS: Final = (*words.QUARTERS, words.FISCAL_YEAR, words.LAST)
_NUMERIC = re.compile(r"[-.0-9]+")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


class Unreadable(Exception):
    """The word at `index` is not permitted there; callers turn it into a `LogicalFormError`."""

    def __init__(self, index: int, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.index, self.problem, self.hint = index, problem, hint


@final
class Cursor:
    """A place in a sequence of words."""

    def __init__(self, given: Iterable[str]) -> None:
        self._words = [*given, END]
        self.at = 0

    @property
    def word(self) -> str:
        """The word here; `END` after the last one."""
        return self._words[self.at]

    @property
    def shown(self) -> str:
        """The word here, for messages."""
        word = self.word[:60]
        return (word if word.isprintable() else ascii(word)) or "The end"

    @property
    def is_numeric(self) -> bool:
        """Whether the word here is a number or a piece of one."""
        return _NUMERIC.fullmatch(self.word) is not None

    def ahead(self, count: int = 1) -> str:
        """The word that many words further on."""
        index = self.at + count
        return self._words[index] if index < len(self._words) else END

    def tells_time(self, count: int) -> bool:
        """Whether the word that many words further on can begin a time."""
        word = self.ahead(count)
        return word in _TIME_WORDS or _NUMERIC.fullmatch(word) is not None

    @property
    def begins_time(self) -> bool:
        """Whether a time begins here that is more than a year, which is also a number."""
        if self.word in _TIME_WORDS:
            return True
        index = self.at
        while _NUMERIC.fullmatch(self._words[index]):
            index += 1
        return index > self.at and self._words[index] in words.MONTHS

    def next(self) -> str:
        """The word here; the cursor moves on."""
        self.at += 1
        return self._words[self.at - 1]

    def optional(self, permitted: Sequence[str]) -> str | None:
        """The word here if it is permitted; the cursor moves on only then."""
        return self.next() if self.word in permitted else None

    def expect(self, word: str, hint: str) -> None:
        """Move on past this word, or refuse another one."""
        if self.word != word:
            before = self._words[self.at - 1][:60]
            self.refuse(f"{self.shown} cannot follow {before}.", hint)
        self.at += 1

    def refuse(self, problem: str, hint: str) -> NoReturn:
        """Raise `Unreadable` for the word here."""
        raise Unreadable(self.at, problem, hint)

    def digits(self) -> str:
        """The number here, in one word or in words of one digit each."""
        index = self.at
        while self.is_numeric:
            self.at += 1
        pieces = self._words[index : self.at]
        number = "".join(pieces)
        if len(pieces) > 1 and len(number) > len(pieces):
            problem = f"{' '.join(pieces)[:60]} is more than one number."
            raise Unreadable(index, problem, "Write one number, in plain digits: 1500000.")
        if not _NUMBER.fullmatch(number):
            problem = f"{number[:60]} is not a number."
            raise Unreadable(index, problem, "Numbers are digits, such as 100, -2 or 1.50.")
        return number

    def integer(self, what: str = "a count", least: int = 1, most: int = 1000) -> int:
        """The natural number here, of this many digits."""
        index = self.at
        digits = self.digits() if self.is_numeric else ""
        if not digits.isdecimal() or not least <= len(digits) <= most:
            number = str(most) if least == most else f"{least} to {most}"
            self.at = index
            self.refuse(f"{self.shown} is not {what}.", f"Permitted here: {number} digits.")
        return int(digits)

    def time(self) -> Time:
        """The time here: `2018 JUN 23`, `Q2 2024`, `LAST 3 MONTH`."""
        word = self.word
        if word in words.QUARTERS:
            self.at += 1
            return Quarter(words.QUARTERS.index(word) + 1, self._year())
        if word == words.FISCAL_YEAR:
            self.at += 1
            return FiscalYear(self._year())
        if word == words.LAST:
            return self._last()
        year = self._year()
        month = self.optional(words.MONTHS)
        if month is None:
            return Year(year)
        number = words.MONTHS.index(month) + 1
        if not self.is_numeric:
            return Month(year, number)
        return Date(year, number, self.integer("a day", most=2))

    def _last(self) -> Last:
        self.at += 1
        count = self.integer() if self.is_numeric else None
        unit = self.optional(words.UNITS)
        if unit is None:
            permitted = ", ".join(words.UNITS)
            self.refuse(f"{self.shown} is not a unit of time.", f"Permitted here: {permitted}.")
        return Last(count, cast("Unit", unit))

    def _year(self) -> int:
        if not self.is_numeric:
            self.refuse(f"{self.shown} is not a time.", f"A time is {TIMES}.")
        return self.integer("a year", least=4, most=4)
