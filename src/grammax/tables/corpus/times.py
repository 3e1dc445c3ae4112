"""Times as people write them: "last quarter", "in q2 2024", "fy2023", "as of june 23, 2018"."""

from __future__ import annotations

from random import Random
from typing import Final

from grammax.tables.corpus.draw import pick
from grammax.tables.corpus.numbers import integer
from grammax.tables.form.times import Unit
from grammax.tables.form.tree import Date, FiscalYear, Last, Month, Quarter, Time, Year
from grammax.tables.lexicon import MONTH_NAMES

FIRST_YEAR, LATEST_YEAR = 2015, 2025
_MONTHS: Final = tuple(name.lower() for name in MONTH_NAMES)
_ORDINALS: Final = ("first", "second", "third", "fourth")
_LAST: Final[tuple[Unit, ...]] = ("QUARTER", "YEAR", "MONTH", "WEEK")
_DAILY: Final[tuple[Unit, ...]] = ("MONTH", "WEEK", "DAY", "QUARTER")
_RARELY: Final[tuple[Unit, ...]] = ("YEAR", "QUARTER")
_LATEST: Final = ("last", "last", "latest", "previous", "past", "most recent")
_SPANS: Final[tuple[Unit, ...]] = ("YEAR", "YEAR", "YEAR", "QUARTER", "MONTH")
_COUNTS: Final[dict[Unit, tuple[int, ...]]] = {
    "MONTH": (3, 6, 12, 9, 18),
    "YEAR": (3, 5, 2, 10, 4, 7, 6),
    "QUARTER": (2, 4, 3, 8, 6),
    "WEEK": (2, 4, 6, 3),
    "DAY": (30, 90, 10, 5, 7),
}


def draw_time(random: Random, daily: bool = True) -> Time:
    """A time; later ones are likelier, and only `daily` fields have months, weeks or days."""
    chance = random.random() * (1 if daily else 0.88)
    year = LATEST_YEAR - int((LATEST_YEAR - FIRST_YEAR + 1) * random.random() ** 1.7)
    if chance < 0.30:
        return Last(None, pick(random, _LAST if daily else _LAST[:2], 0.9))
    if chance < 0.42:
        unit = pick(random, _DAILY if daily else _RARELY, 0.5)
        return Last(pick(random, _COUNTS[unit], 0.5), unit)
    if chance < 0.60:
        return Quarter(1 + int(4 * random.random()), year)
    if chance < 0.75:
        return FiscalYear(year)
    if chance < 0.88:
        return Year(year)
    month = 1 + int(12 * random.random())
    return Month(year, month) if chance < 0.93 else Date(year, month, 1 + int(28 * random.random()))


def draw_span(random: Random) -> Time:
    """A time over which something changes: mostly some years."""
    chance = random.random()
    if chance < 0.5:
        unit = pick(random, _SPANS)
        return Last(pick(random, _COUNTS[unit], 0.5), unit)
    if chance < 0.8:
        return Last(None, pick(random, ("YEAR", "YEAR", "QUARTER")))
    year = LATEST_YEAR - int((LATEST_YEAR - FIRST_YEAR + 1) * random.random() ** 1.7)
    if chance < 0.95:
        return Year(year)
    quarter = Quarter(1 + int(4 * random.random()), year)
    return quarter if random.random() < 0.5 else FiscalYear(year)


def bare_time(time: Time, random: Random) -> str:
    """A time before a field or in telegraphic style: "last quarter", "q2 2024"."""
    if isinstance(time, Last):
        word = pick(random, ("last", "past"), 0.8)
        if time.count is None:
            return f"{pick(random, _LATEST, 1.5)} {time.unit.lower()}"
        return f"{word} {integer(time.count, random, 0.2)} {time.unit.lower()}s"
    if isinstance(time, Quarter):
        forms = (f"q{time.quarter} {time.year}", f"{time.year} q{time.quarter}")
        return pick(
            random, (*forms, f"{time.quarter}q {time.year}", f"q{time.quarter}/{time.year}"), 1
        )
    if isinstance(time, FiscalYear):
        short = f"fy{time.year % 100:02}"
        years = (f"fy{time.year}", f"fy {time.year}", short, f"fiscal {time.year}")
        return pick(random, years, 0.5)
    if isinstance(time, Month):
        name = _MONTHS[time.month - 1]
        short = name if len(name) < 5 else name[:3]
        return f"{pick(random, (name, short), 0.6)} {time.year}"
    if isinstance(time, Date):
        return _date(time, random)
    return f"{time.year}"


def time_phrase(time: Time, random: Random) -> str:
    """A time after a field in a sentence: "in q2 2024", "as of june 23, 2018"."""
    bare = bare_time(time, random)
    if isinstance(time, Last):
        if time.count is None:
            return bare if bare.startswith("last") else f"in the {bare}"
        return pick(random, ("over the ", "in the ", ""), 0.5) + bare
    if isinstance(time, Date):
        return f"{pick(random, ('as of', 'on', 'at'), 0.5)} {bare}"
    if isinstance(time, Quarter) and random.random() < 0.15:
        return f"in the {_ORDINALS[time.quarter - 1]} quarter of {time.year}"
    if isinstance(time, FiscalYear) and random.random() < 0.2:
        return f"in {pick(random, ('fiscal year', 'financial year'))} {time.year}"
    return f"{pick(random, ('in', 'for'), 0.8)} {bare}"


def span_phrase(time: Time, random: Random) -> str:
    """The span of a change: "over the past 3 years", "since 2019", "compared to q2 2024"."""
    if isinstance(time, Last):
        return time_phrase(time, random)
    start = pick(random, ("since", "since", "from", "compared to", "vs"), 0.6)
    return f"{start} {bare_time(time, random)}"


def _date(time: Date, random: Random) -> str:
    name = _MONTHS[time.month - 1]
    forms = (
        f"{name} {time.day}, {time.year}",
        f"{time.day} {name} {time.year}",
        f"{name if len(name) < 5 else name[:3]} {time.day} {time.year}",
        f"{time.year}-{time.month:02}-{time.day:02}",
    )
    return pick(random, forms, 0.4)
