"""The numbers and dates of a query in plain digits: "2bn", "5%", "twenty", "June 5, 2019".

They are those that questions to tables have (`grammax.tables.mentions`), which is imported when a
query is read: most folders have no kinds of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from grammax.language.filling import Mention
from grammax.tables import lexicon as words
from grammax.tables.lexicon import MONTHS, POWERS_OF_TEN

if TYPE_CHECKING:
    from grammax.tables.mentions.reader import MentionReader

_NUMBERS: Final = (
    words.NUMBER,
    words.INTEGER,
    words.LARGE_NUMBER,
    words.PERCENT_NUMBER,
    words.AMOUNT,
)
_DIGITS: Final = frozenset("0123456789.-")


class Numeric(NamedTuple):
    """A number or a date of a query, by its characters; a year may be both."""

    start: int
    stop: int
    number: str | None  # in plain digits
    date: str | None  # as 2019-06-05, 2019-06 or 2019


def numerics(text: str) -> list[Numeric]:
    """The numbers and dates of a text, in order; they do not overlap.

    >>> [each[2:] for each in numerics("over $2.5bn since June 5, 2019")]
    [('2500000000', None), (None, '2019-06-05')]
    >>> [each[2:] for each in numerics("twenty films of 2019")]
    [('20', None), ('2019', '2019')]
    """
    found = (_numeric(mention) for mention in _reader().read(text))
    return [each for each in found if each.number is not None or each.date is not None]


def unread(text: str) -> list[tuple[int, int]]:
    """The characters of numbers and dates that could not be read, such as "1.2.3"."""
    return _reader().scan(text).unread


@cache
def _reader() -> MentionReader:
    from grammax.tables.mentions.reader import MentionReader

    return MentionReader(())


def _numeric(mention: Mention) -> Numeric:
    readings = dict(mention.readings)
    number = next((readings[kind] for kind in _NUMBERS if kind in readings), None)
    time = readings.get(words.TIME)
    plain = None if number is None else _plain(number)
    return Numeric(mention.start, mention.stop, plain, None if time is None else _date(time))


def _plain(tokens: Sequence[str]) -> str | None:
    """A number with a denomination in digits alone; a percentage and a unit are left out."""
    from grammax.tables.mentions.numerals import scaled

    digits = "".join(token for token in tokens if token in _DIGITS)
    power = next((POWERS_OF_TEN[token] for token in tokens if token in POWERS_OF_TEN), None)
    return digits if power is None else scaled(digits, 10**power)


def _date(tokens: Sequence[str]) -> str | None:
    """A year, a month or a day; None for quarters and for times that depend on today."""
    month = next((token for token in tokens if token in MONTHS), None)
    at = len(tokens) if month is None else tokens.index(month)
    year, day = "".join(tokens[:at]), "".join(tokens[at + 1 :])
    if len(year) != 4 or not year.isdecimal() or not (day.isdecimal() or not day):
        return None
    if month is None:
        return year
    found = f"{year}-{MONTHS.index(month) + 1:02}"
    return f"{found}-{int(day):02}" if day else found
