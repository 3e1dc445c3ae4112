"""The formats of dates: texts of one column → the formats, as `strptime` has them, that read them.

Day and month are told apart by values above 12; where there is none, by the usual order of the
separator, with a doubt.

>>> formats_of(["31/12/2020", "01/02/2021"], 1.0).formats
('%d/%m/%Y',)
>>> formats_of(["2020-12-31", "1 March 2021"], 1.0).formats
('iso', '%d %B %Y')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, final

_DATED: Final = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b.*|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})\b.*"
    r"|\d{1,2}[ -][A-Za-z]{3,9}\.?[ ,-]+\d{2,4}\b.*|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}\b.*"
    r"|\d{4}-\d{2}-\d{2}T.*",
    re.DOTALL,
)
_TIMES: Final = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
_EITHER: Final = ("%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d.%m.%y", "%d %b %Y", "%d %B %Y",
                  "%B %d, %Y", "%b %d, %Y", "%B %d %Y", "%b %d %Y", "%d-%b-%Y", "%d-%b-%y",
                  "%d-%B-%Y", "%d %b %y", "%d %b, %Y", "%d %B, %Y")  # fmt: skip
_DAY_FIRST: Final = ("%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y", "%d-%m-%y")
_MONTH_FIRST: Final = ("%m/%d/%Y", "%m-%d-%Y", "%m/%d/%y", "%m-%d-%y")
_LETTERS: Final = re.compile(r"%[bBp]")
_DIGITS: Final = re.compile(r"%[dmyYHIMS]")
_NUMBERS, _WORDS, _SPACES = (re.compile(form) for form in (r"\d+", r"[^\W\d_]+", r"\s+"))
_TRIED: Final = 300  # texts


@final
@dataclass(frozen=True, slots=True)
class DateFormats:
    """Formats that read the texts together, the most common first; "iso" is any ISO 8601."""

    formats: tuple[str, ...]
    timed: bool  # whether some have a time of day
    doubt: str = ""


def looks_dated(text: str) -> bool:
    """Whether a text may be a date."""
    return text[:1].isalnum() and _DATED.fullmatch(text) is not None


def formats_of(texts: Sequence[str], share: float) -> DateFormats | None:
    """The formats of dates; None if no few formats read this share of the texts."""
    tried = texts[:: max(1, len(texts) // _TRIED)]
    day = _cover(tried, (*_EITHER, *_DAY_FIRST))
    month = _cover(tried, (*_EITHER, *_MONTH_FIRST))
    read_day, read_month = (len(set().union(*found.values())) for found in (day, month))
    told = read_day != read_month
    slash = any("/" in form for form in month)
    chosen = day if read_day > read_month or (not told and not slash) else month
    if max(read_day, read_month) < share * len(tried) or not chosen:
        return None
    unclear = not told and any(form[:6] in ("%m/%d/", "%m-%d-", "%d-%m-") for form in chosen)
    order = "the month" if chosen is month else "the day"
    doubt = f"Its dates could be read in two ways; {order} was taken to come first."
    timed = any("%H" in form or "%I" in form for form in chosen) or _iso_timed(tried)
    return DateFormats(tuple(chosen), timed, doubt if unclear else "")


def _cover(texts: Sequence[str], formats: Sequence[str]) -> dict[str, set[int]]:
    """A few formats that read most texts: the one that reads the most of the rest, repeatedly."""
    reads = {"iso": {index for index, text in enumerate(texts) if _reads(text, "iso")}}
    rest = {*range(len(texts))} - reads["iso"]
    shapes: dict[str, list[int]] = {}
    for index in rest:
        shapes.setdefault(_shape(texts[index]), []).append(index)
    times = _TIMES if any(":" in texts[index] for index in rest) else ("",)
    for form in (form + time for form in formats for time in times):
        # `strptime` is slow, so only texts of the form's shape are tried.
        likely = shapes.get(_shape(_LETTERS.sub("a", _DIGITS.sub("1", form))), ())
        reads[form] = {index for index in likely if _reads(texts[index], form)}
    rest, chosen = {*range(len(texts))}, dict[str, set[int]]()
    while rest:
        best = max(reads, key=lambda form: len(reads[form] & rest))
        if not reads[best] & rest:
            break
        chosen[best] = reads[best]
        rest -= reads[best]
    return chosen


def _shape(text: str) -> str:
    """A text with its digits, words and spaces in short: "3 Mar  2021" → "1 a 1"."""
    return _SPACES.sub(" ", _WORDS.sub("a", _NUMBERS.sub("1", text.strip())))


def _reads(text: str, form: str) -> bool:
    try:
        if form == "iso":
            moment = datetime.fromisoformat(text) if text[4:5] == "-" else None
        else:
            moment = datetime.strptime(text, form)
    except ValueError:
        return False
    return moment is not None and 1000 <= moment.year <= 2200


def _iso_timed(texts: Sequence[str]) -> bool:
    """Whether an ISO date has a time other than midnight."""
    times = (text[10:].strip("T Z") for text in texts if text[4:5] == "-")
    return any(time and time.strip("0:.+") for time in times)
