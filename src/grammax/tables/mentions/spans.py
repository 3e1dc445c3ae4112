"""Times that only tables with dates of their own have: decades, centuries, "this year", "today".

A decade or a century is a range of years. `LAST 0 YEAR` is the year of today. What lies in the
future, and parts such as "the early 90s", no logical form can say: they are not read.
"""

from __future__ import annotations

import re
from typing import Final

from grammax.tables.lexicon import LAST
from grammax.tables.mentions.times import Timed, Tokens
from grammax.tables.mentions.words import TENS

_DECADES: Final = {
    "twenties": "2", "thirties": "3", "forties": "4", "fifties": "5", "sixties": "6",
    "seventies": "7", "eighties": "8", "nineties": "9",
}  # fmt: skip
_NTH: Final = {
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20,
}  # fmt: skip
_UNITS: Final = ("day", "week", "month", "quarter", "year")
_PART: Final = re.compile(r"\b(?:early|mid|late|later|mid-to-late)[\s-]{1,3}(?:the\s)?'?$")
_IN_DIGITS: Final = re.compile(r"(?P<century>1[0-9]|20)?(?P<decade>\d)0'?s(?!\w)")
_CENTURY: Final = re.compile(r"(?P<number>\d\d?)(?:st|nd|rd|th)[\s-]{1,3}century(?!\w)")
_IN_WORDS: Final = re.compile(
    rf"(?:(?P<first>nineteen|twenty)[\s-])?(?P<decade>{'|'.join(_DECADES)})(?!\w)"
    rf"|(?P<nth>{'|'.join(_NTH)})[\s-]{{1,3}}century(?!\w)"
    r"|(?P<last>twenty)[\s-]first[\s-]{1,3}century(?!\w)"
)
_NOW: Final = re.compile(
    rf"(?:this|current|the\scurrent)\s{{1,3}}(?:calendar\s)?(?P<unit>{'|'.join(_UNITS)})(?!\w)"
    r"|(?P<today>today)(?!\w)|(?P<ytd>ytd|year[\s-]to[\s-]date)(?!\w)"
    rf"|(?:next|coming|upcoming)\s{{1,3}}(?:\d+\s)?(?:{'|'.join(_UNITS)})s?(?!\w)|tomorrow(?!\w)"
)
_NEW: Final = "3"  # decades of two digits from the thirties on are of the last century

WORDS: Final = frozenset(
    ("'", "nineteen", *_DECADES, *_NTH, *TENS, "this", "current", "today", "ytd", "next",
     "tomorrow", "coming", "upcoming", "year")
)  # fmt: skip
"""Words with which such a time may begin."""


def at_number(text: str, start: int) -> Timed | None:
    """The decade or century whose first digit is at a position.

    >>> at_number("films of the 80s", 13)
    Timed(start=13, stop=16, tokens=('1', '9', '8', '0'), last=('1', '9', '8', '9'))
    """
    match = _IN_DIGITS.match(text, start)
    if match is not None:
        return _decade(text, start, match.end(), match["century"] or "", match["decade"])
    match = _CENTURY.match(text, start)
    return None if match is None else _century(text, start, match.end(), int(match["number"]))


def at_word(text: str, start: int) -> Timed | None:
    """The time whose first word begins at a position.

    >>> at_word("sold this month", 5).tokens
    ('LAST', '0', 'MONTH')
    """
    if text[start] == "'":
        match = _IN_DIGITS.match(text, start + 1)
        begins = match is not None and match["century"] is None
        if match is None or not begins or (start and text[start - 1].isalnum()):
            return None
        return _decade(text, start, match.end(), "", match["decade"])
    match = _NOW.match(text, start)
    if match is not None:
        unit = match["unit"] or ("day" if match["today"] else "year" if match["ytd"] else "")
        return Timed(start, match.end(), (LAST, "0", unit.upper()) if unit else None)
    match = _IN_WORDS.match(text, start)
    if match is None:
        return None
    if match["decade"]:
        century = {"nineteen": "19", "twenty": "20"}.get(match["first"] or "", "")
        return _decade(text, start, match.end(), century, _DECADES[match["decade"]])
    number = 21 if match["last"] else _NTH[match["nth"]]
    return _century(text, start, match.end(), number)


def _decade(text: str, start: int, stop: int, century: str, decade: str) -> Timed:
    """The years of "80s", "1980s" or, as most mean the century, "1800s"."""
    if _PART.search(text, max(0, start - 20), start):
        return Timed(start, stop, None)
    if century and decade == "0" and century != "20":
        return Timed(start, stop, _year(f"{century}00"), _year(f"{century}99"))
    of = century or ("19" if decade >= _NEW else "20")
    return Timed(start, stop, _year(f"{of}{decade}0"), _year(f"{of}{decade}9"))


def _century(text: str, start: int, stop: int, number: int) -> Timed:
    """The years of the 19th century: 1801 to 1900."""
    if not 10 < number < 23 or _PART.search(text, max(0, start - 20), start):
        return Timed(start, stop, None)
    return Timed(start, stop, _year(f"{number - 1}01"), _year(f"{number}00"))


def _year(digits: str) -> Tokens:
    return tuple(digits)
