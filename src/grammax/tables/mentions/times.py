"""Years, quarters, months, days and periods: "q2 2024", "fy23", "june 23, 2018", "last 3 months".

The patterns are matched at a position of the folded text. Spaces are bounded, so that reading a
text takes time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from grammax.tables.form.times import Date
from grammax.tables.form.typecheck import A_CENTURY
from grammax.tables.lexicon import FISCAL_YEAR, LAST, MONTH_NAMES, MONTHS, QUARTERS
from grammax.tables.mentions.words import ONES, TENS

Tokens = tuple[str, ...]


class Timed(NamedTuple):
    """The characters of a time and its tokens; None for a time that no logical form can say.

    `last` is the last year of a range of years, such as a decade.
    """

    start: int
    stop: int
    tokens: Tokens | None
    last: Tokens = ()


def is_possible(tokens: Tokens | None) -> bool:
    """Whether a time has tokens, its day is in the calendar, and its span is not too long.

    >>> is_possible(("2", "0", "2", "3", "FEB", "2", "8")), is_possible(("LAST", *"120", "DAY"))
    (True, True)
    >>> is_possible(("2", "0", "2", "3", "FEB", "3", "0")), is_possible(("LAST", *"500", "YEAR"))
    (False, False)
    """
    if tokens is None:
        return False
    if tokens[0] == LAST:
        count = "".join(tokens[1:-1])
        return not count or int(count) <= A_CENTURY[tokens[-1]]
    month = next((token for token in tokens if token in MONTHS), None)
    if month is None or tokens[-1] == month:
        return True
    at = tokens.index(month)
    year, day = int("".join(tokens[:at])), int("".join(tokens[at + 1 :]))
    return Date(year, MONTHS.index(month) + 1, day).calendar_day is not None


_UNITS: Final = {
    **dict.fromkeys(("day", "days", "d"), ("DAY", 1)),
    **dict.fromkeys(("week", "weeks", "wk", "wks", "w"), ("WEEK", 1)),
    **dict.fromkeys(("fortnight", "fortnights"), ("WEEK", 2)),
    **dict.fromkeys(("half year", "half-year"), ("MONTH", 6)),
    **dict.fromkeys(("month", "months", "mo", "mos", "mth", "mths", "m"), ("MONTH", 1)),
    **dict.fromkeys(("quarter", "quarters", "qtr", "qtrs", "q"), ("QUARTER", 1)),
    **dict.fromkeys(("year", "years", "yr", "yrs", "y"), ("YEAR", 1)),
    **dict.fromkeys(("decade", "decades"), ("YEAR", 10)),
}
_MONTHS: Final = {
    **{name.lower(): number for number, name in enumerate(MONTH_NAMES, 1)},
    **{name.lower(): number for number, name in enumerate(MONTHS, 1)},
    "sept": 9,
}
_UNSURE_MONTHS: Final = frozenset(("may", "march", "mar"))
_ORDINALS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    "final": 4, "last": 4,
}  # fmt: skip
_COUNTS: Final = {**ONES, **TENS, "couple of": 2, "few": 0, "a": 1, "an": 1}
_PERIODS: Final = ("last", "past", "previous", "prior", "trailing", "preceding", "latest")


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_YEAR: Final = r"(?P<year>(?:19|20)\d\d)(?![\w]|[.,']\d)"
_SHORT: Final = r"(?P<short>\d\d)(?!\w|[.,']\d)"
_MONTH: Final = rf"(?P<month>{_any(_MONTHS)})\b\.?"
_DAY: Final = r"(?P<day>\d{1,2})"
_S: Final = r"\s{1,3}"
_O: Final = r"\s{0,3}"
_FY: Final = rf"(?:fy|fiscal(?:{_S}(?:year|yr))?|financial{_S}(?:year|yr))"
_NUMBER: Final = rf"(?P<count>\d{{1,4}}|(?:{_any(_COUNTS)})(?:[ -](?:{_any(ONES)})\b)?)"
_KINDS: Final = (
    *("fiscal", "financial", "calendar", "trading", "business", "full", "whole", "reported"),
    *("consecutive", "straight"),
)
_ADJECTIVE: Final = rf"(?:(?:{_any(_KINDS)}){_S})?"
_PERIOD: Final = re.compile(
    rf"(?:{_any(_PERIODS)}|most{_S}recent)(?:{_S}|-)"
    rf"(?:{_NUMBER}[\s-]{{0,3}})?{_ADJECTIVE}(?P<unit>{_any(_UNITS)})(?!\w)"
)
_AGO: Final = re.compile(rf"{_NUMBER}{_O}(?P<unit>{_any(_UNITS)}){_S}ago\b")
_QUARTER_OF: Final = re.compile(
    rf"(?P<ordinal>{_any(_ORDINALS)}){_S}(?:fiscal{_S})?(?:quarter|qtr),?{_S}"
    rf"(?:of{_S})?(?:the{_S}year{_S})?(?:(?:fiscal|fy|calendar)(?:{_S}year)?{_O})?{_YEAR}"
    rf"|(?:first|second|third|fourth|[1-4](?:st|nd|rd|th)){_S}(?:fiscal{_S})?(?:quarter|qtr)\b"
)
_QUARTER: Final = re.compile(
    rf"q(?P<quarter>[1-4])(?:{_O}[/'-]?{_O}(?:of{_S})?(?:{_FY}|cy)?{_O}'?{_YEAR}"
    rf"|(?:{_O}'|[/-]'?|{_S}fy{_O}'?|{_S}(?=1[5-9]|2\d)){_SHORT}(?!{_O}%))"
)
_AND_QUARTER: Final = rf"{_O}(?:-|,|&|to|and|or|vs|through){_O}q[1-4]"
_BARE_QUARTER: Final = re.compile(
    rf"(q[1-4])(?!\w)(?=(?:{_AND_QUARTER}){{1,3}}{_O}(?:of{_S})?{_YEAR})?"
)
_FISCAL: Final = re.compile(
    rf"{_FY}{_O}-?(?:{_YEAR}|'?{_SHORT})(?P<other>[/-]'?\d\d(?!\w))?(?:[\s/-]{{0,2}}q(?P<quarter>[1-4])\b)?"
)
_FISCAL_ENDINGS: Final = re.compile(rf"(?:fy|cy){_O}-?'?(?P<year>(?:19|20)?\d\d)[efa]\b")
_CALENDAR: Final = re.compile(rf"(?:cy|calendar{_S}year){_O}-?(?:{_YEAR}|'?{_SHORT})")
_HALF: Final = re.compile(
    rf"h[12](?:{_O}[/'-]?{_O}(?:of{_S})?(?:(?:19|20)?\d\d)(?!\w))?(?!\w)"
    rf"|(?:first|second|last|1st|2nd){_S}half(?:{_S}of)?{_S}(?:(?:19|20)\d\d)(?!\w)"
)
_MONTH_FIRST: Final = re.compile(
    rf"{_MONTH}(?:{_O}{_DAY}(?P<th>st|nd|rd|th)?(?!\w|[.']\d)(?:{_O},?{_O}{_YEAR})?"
    rf"|{_O}[,/-]?{_O}(?:of{_S})?{_YEAR.replace('year', 'alone')}|{_O}'{_SHORT})"
)
_BARE_MONTH: Final = re.compile(
    rf"{_MONTH}(?={_O}(?:-|to|and|or|vs|through){_O}(?:{_any(_MONTHS)})\b\.?{_O}(?:of{_S})?{_YEAR})"
)
_AT_NUMBER: Final = re.compile(
    rf"(?P<iso>(?:19|20)\d\d)(?:(?P<mark>[-/.])(?P<isomonth>\d\d?)(?P=mark)(?P<isoday>\d\d?)"
    r"(?:t\d\d:\d\d(?::\d\d)?z?)?"
    r"|[-/](?P<lastmonth>\d\d))(?!\w|[-/.]\w)"
    r"|(?P<first>\d\d?)(?P<stroke>[-/.])(?P<second>\d\d?)(?P=stroke)"
    r"(?P<numbers>(?:19|20)\d\d|\d\d)(?!\w|[-/.]\w)"
    r"|(?P<only>\d\d?)/(?P<onlyyear>(?:19|20)\d\d)(?!\w|[-/.]\w)"
    rf"|(?P<quarter>[1-4])q{_O}'?(?:{_YEAR.replace('year', 'qyear')}|{_SHORT})"
    rf"|(?P<yearq>(?:19|20)\d\d)[\s/-]{{0,3}}q(?P<qafter>[1-4])\b"
    rf"|{_DAY}(?P<th>st|nd|rd|th)?(?:{_S}|[-/])(?:of{_S})?{_MONTH}(?:(?:{_O},?{_O}|[-/]){_YEAR})?"
    rf"|(?P<yearm>(?:19|20)\d\d){_S}(?P<mafter>{_any(_MONTHS)})\b(?:{_S}(?P<dafter>\d\d?)(?!\w))?"
    r"|(?:19|20)?\d0'?s\b|(?:[12]h(?:\s?'?(?:19|20)?\d\d)?|[1-4]q)(?!\w)"
)
_YESTERDAY: Final = re.compile(r"yesterday")
_ON: Final = re.compile(
    r"(?:(?P<y>yoy|y/y|y-o-y)|(?P<q>qoq|q/q|q-o-q)"
    r"|(?P<unit>year|quarter)[\s-]{1,3}(?:on|over)[\s-]{1,3}(?P=unit))\b"
)
_LONG_UNITS: Final = _any(unit for unit in _UNITS if len(unit) > 1)
_SPAN: Final = re.compile(rf"[\s-]{{0,3}}{_ADJECTIVE}(?P<unit>{_LONG_UNITS})(?!\w)")
_SPAN_AFTER: Final = re.compile(
    r"(?:over|in|within|during|for|across|throughout)\s{1,3}(?:(?:the|a)\s{1,3})?$"
)
_SHORT_YEAR: Final = re.compile(r"'(?P<short>\d\d)(?!\w|[.,']\d)")


def at_word(text: str, start: int, word: str) -> Timed | None:
    """The time whose first word begins at a position."""
    for read in _BY_WORD.get(word, ()):
        found = read(text, start)
        if found is not None:
            return found
    return None


def at_number(text: str, start: int) -> Timed | None:
    """The time whose first digit is at a position; a year alone is left to the numbers."""
    match = _AT_NUMBER.match(text, start)
    if match is None:
        return _ago(text, start) or _quarter_of(text, start) or _half(text, start)
    groups = match.groupdict()
    tokens = _numbered(groups)
    if tokens is None and groups["month"] in _UNSURE_MONTHS and not groups["th"]:
        return None
    return Timed(start, match.end(), tokens)


def _numbered(found: dict[str, str | None]) -> Tokens | None:
    """The tokens of a match of `_AT_NUMBER`; None if they are no time."""
    if found["iso"]:
        return _date(found["iso"], found["isomonth"] or found["lastmonth"], found["isoday"])
    if found["numbers"]:
        return _date_of(found)
    if found["only"]:
        return _date(found["onlyyear"], found["only"], None)
    if found["quarter"]:
        return _quarter(found["quarter"], found["qyear"] or found["short"])
    if found["yearq"]:
        return _quarter(found["qafter"], found["yearq"])
    if found["yearm"]:
        return _named_date(found["yearm"], found["mafter"], found["dafter"])
    if found["month"] and found["year"]:
        return _named_date(found["year"], found["month"], found["day"])
    return None


def _date_of(found: dict[str, str | None]) -> Tokens | None:
    """ "06/23/2018": the month first, unless that is no month or points are between the numbers."""
    month, day = found["first"], found["second"]
    if int(month or 0) > 12 or (found["stroke"] == "." and int(day or 0) <= 12):
        month, day = day, month
    return _date(found["numbers"], month, day)


def _date(year: str | None, month: str | None, day: str | None) -> Tokens | None:
    number = int(month or 0)
    if not 1 <= number <= 12:
        return None
    return _named_date(year, MONTHS[number - 1].lower(), day)


def _named_date(year: str | None, month: str | None, day: str | None) -> Tokens:
    name = MONTHS[_MONTHS[month or ""] - 1]
    return (*_year(year), name, *(str(int(day)) if day else ""))


def _year(written: str | None) -> Tokens:
    """The four digits; years of two digits are those from 1950 to 2049."""
    year = written or ""
    if len(year) == 2:
        year = ("20" if year < "50" else "19") + year
    return tuple(year)


def _quarter(number: str | None, year: str | None) -> Tokens:
    return (QUARTERS[int(number or 0) - 1], *_year(year))


def _last(match: re.Match[str]) -> Timed | None:
    """ "last 3 months", "3 months ago"."""
    unit, factor = _UNITS[match["unit"]]
    written = match["count"]
    if written is None:
        if len(match["unit"]) == 1:
            return None
        count = factor if factor > 1 else None
    else:
        count = _count(written) * factor
        if not count:
            return Timed(match.start(), match.end(), None)
        if written in ("a", "an", "one") and count == 1:
            count = None
    digits = () if count is None else tuple(str(count))
    return Timed(match.start(), match.end(), (LAST, *digits, unit))


def _count(written: str) -> int:
    if written.isdigit():
        return int(written)
    if written in _COUNTS:
        return _COUNTS[written]
    tens, _, ones = written.replace("-", " ").partition(" ")
    return TENS[tens] + ONES[ones] if tens in TENS and 0 < ONES.get(ones, 0) < 10 else 0


def _period(text: str, start: int) -> Timed | None:
    match = _PERIOD.match(text, start)
    return None if match is None else _last(match)


def _on(text: str, start: int) -> Timed | None:
    """ "yoy", "quarter on quarter" """
    match = _ON.match(text, start)
    if match is None:
        return None
    yearly = match["y"] or match["unit"] == "year"
    return Timed(start, match.end(), (LAST, "1", "YEAR" if yearly else "QUARTER"))


def span_at(text: str, start: int, stop: int, digits: str) -> Tokens | None:
    """The period that a number means before a unit of time: "over 5 years" may be the last 5."""
    match = _SPAN.match(text, stop)
    if match is None:
        return None
    ago = text[match.end() : match.end() + 6].lstrip().startswith("ago")
    if not ago and _SPAN_AFTER.search(text, max(0, start - 30), start) is None:
        return None
    unit, factor = _UNITS[match["unit"]]
    return (LAST, *str(int(digits) * factor), unit)


def _ago(text: str, start: int) -> Timed | None:
    match = _AGO.match(text, start)
    return None if match is None else _last(match)


def _yesterday(text: str, start: int) -> Timed | None:
    match = _YESTERDAY.match(text, start)
    return None if match is None else Timed(start, match.end(), (LAST, "DAY"))


def _quarter_of(text: str, start: int) -> Timed | None:
    match = _QUARTER_OF.match(text, start)
    if match is None:
        return None
    ordinal = match["ordinal"]
    tokens = _quarter(str(_ORDINALS[ordinal]), match["year"]) if ordinal else None
    return Timed(start, match.end(), tokens)


def _q(text: str, start: int) -> Timed | None:
    match = _QUARTER.match(text, start)
    if match is not None:
        year = match["year"] or match["short"]
        return Timed(start, match.end(), _quarter(match["quarter"], year))
    bare = _BARE_QUARTER.match(text, start)
    if bare is None:
        return None
    year = bare["year"]
    return Timed(start, bare.end(1), _quarter(bare[1][1], year) if year else None)


def _fiscal(text: str, start: int) -> Timed | None:
    match = _FISCAL.match(text, start)
    if match is None:
        ending = _FISCAL_ENDINGS.match(text, start)
        if ending is None:
            return None
        return Timed(start, ending.end(), (FISCAL_YEAR, *_year(ending["year"])))
    year = match["year"] or match["short"]
    quarter = match["quarter"]
    tokens = _quarter(quarter, year) if quarter else (FISCAL_YEAR, *_year(year))
    return Timed(start, match.end(), None if match["other"] else tokens)


def _calendar(text: str, start: int) -> Timed | None:
    match = _CALENDAR.match(text, start)
    if match is None:
        return None
    return Timed(start, match.end(), _year(match["year"] or match["short"]))


def _half(text: str, start: int) -> Timed | None:
    match = _HALF.match(text, start)
    return None if match is None else Timed(start, match.end(), None)


def _month_first(text: str, start: int) -> Timed | None:
    match = _MONTH_FIRST.match(text, start)
    if match is None:
        bare = _BARE_MONTH.match(text, start)
        if bare is None:
            return None
        return Timed(start, bare.end(), _named_date(bare["year"], bare["month"], None))
    year = match["year"] or match["alone"] or match["short"]
    if year is not None:
        return Timed(start, match.end(), _named_date(year, match["month"], match["day"]))
    unsure = match["month"] in _UNSURE_MONTHS and not match["th"]
    return None if unsure else Timed(start, match.end(), None)


def _short_year(text: str, start: int) -> Timed | None:
    """ "'23" """
    match = _SHORT_YEAR.match(text, start)
    if match is None or (start and text[start - 1].isalnum()):
        return None
    return Timed(start, match.end(), _year(match["short"]))


_Read = Callable[[str, int], Timed | None]
_BY_WORD: Final[dict[str, tuple[_Read, ...]]] = {
    **dict.fromkeys((*_PERIODS, "most"), (_period,)),
    **dict.fromkeys(_ORDINALS, (_quarter_of, _half)),
    "last": (_quarter_of, _half, _period),
    **dict.fromkeys((*ONES, *TENS, "a", "an"), (_ago,)),
    "yesterday": (_yesterday,),
    **dict.fromkeys(("yoy", "y", "qoq", "year", "quarter"), (_on,)),
    "q": (_q, _on),
    "h": (_half,),
    **dict.fromkeys(("fy", "fiscal", "financial"), (_fiscal,)),
    **dict.fromkeys(("cy", "calendar"), (_calendar,)),
    **dict.fromkeys(_MONTHS, (_month_first,)),
    "'": (_short_year,),
}
WORDS: Final = frozenset(_BY_WORD)
"""Words with which a time may begin."""

UNIT_WORDS: Final = frozenset(_UNITS)
"""Words for units of time."""

AFTER_NUMBER: Final = (UNIT_WORDS | frozenset(_MONTHS)) - {"q"}
"""Words that follow a number without being part of a time: "over 10 years", "over 10 in may"."""
