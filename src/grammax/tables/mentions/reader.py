"""`MentionReader`: a query → the numbers, counts, times and texts that it mentions.

>>> reader = MentionReader(())
>>> text = "top 10 films since 2019 with over 2.5 million views"
>>> for mention in reader.read(text):
...     print(text[mention.start : mention.stop], *mention.kinds)
10 NUMBER INTEGER
2019 TIME NUMBER INTEGER
2.5 million LARGE_NUMBER
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Self, final

from grammax.language.filling import Mention
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.entries import Value
from grammax.tables.form.typecheck import MOST_DIGITS
from grammax.tables.known_values.measures import STARTS as UNIT_WORDS
from grammax.tables.known_values.measures import ColumnUnit
from grammax.tables.lexicon import INTEGER
from grammax.tables.mentions import spans, times
from grammax.tables.mentions.lexer import Lexed
from grammax.tables.mentions.measured import ONE_WORDS, Measures, Said
from grammax.tables.mentions.quantities import NUMBER, TIME, Quantity, QuantityReader, Unread
from grammax.tables.mentions.ranges import joined
from grammax.tables.mentions.texts import TextReader
from grammax.tables.mentions.times import Timed
from grammax.tables.mentions.units import UnitNames
from grammax.tables.mentions.words import (
    ARTICLES,
    COMPARISONS,
    COUNTED,
    MULTIPLES,
    ONES,
    SCALES,
    TENS,
    VULGAR,
)

MOST: Final = 16
"""The mentions of a query that are returned."""

_NUMBER_WORDS: Final = frozenset(
    (*ONES, *TENS, *COUNTED, *SCALES, *MULTIPLES, *VULGAR, *ARTICLES, "half", "quarter", "point")
)
_STARTS: Final = _NUMBER_WORDS | times.WORDS
_DIGITS: Final = "0123456789"
_SOME_DIGIT: Final = re.compile(r"[0-9]")
_WORD: Final = re.compile(r"[a-z]+")
_MONTH_OR_QUARTER: Final = frozenset(
    ("q", "h", "s", "st", "nd", "rd", "th", "of", "'", "-", "/", ".")
)

_AFTER_OWN: Final = frozenset(
    ("s", "'", '"', "′", "″", "”", "/", "out", "star", "stars", "st", "nd", "rd", "th")
)
"""What follows digits that are a decade, a century, or a number on a scale; or a unit does."""

_DOTS: Final = re.compile(r"(?<=\d)\s?\.\.+\s?(?=[\d.])")  # "70..90" is a range

_ONE: Final = re.compile(
    r"(?P<before>\b(?:under|below|above|over|than|least|most)\s)one\b"
    r"(?!\s+(?:of|hundred|thousand|million|billion|trillion|and)\b)",
    re.IGNORECASE,
)  # "one" is a number after a comparison

Span = tuple[int, int]


class Scan(NamedTuple):
    """What a text mentions.

    `unread` are the characters of numbers and times that could not be read, such as "1.2.3" or
    "q3", which has no year. `more` is the number of mentions beyond the first `MOST`.
    """

    mentions: list[Mention]
    unread: list[Span]
    more: int = 0


@final
class MentionReader:
    """Finds the numbers, counts and times of a text. Immutable, shared between threads.

    `symbols` are signs of units by token, where the units' own names lack them. With `measures`,
    those of a table without history, units of columns and ranges of years are read, too. `texts`
    finds what columns are searched for, where a table has such columns.
    """

    __slots__ = ("_beginnings", "_measures", "_quantities", "_starts", "_texts", "_units")

    def __init__(
        self,
        units: Iterable[Value],
        symbols: Mapping[str, str] | None = None,
        measures: Measures | None = None,
        texts: TextReader | None = None,
    ) -> None:
        self._texts = texts
        self._units = names = UnitNames(units, symbols)
        self._quantities = QuantityReader(names)
        self._measures = measures
        more = frozenset[str]() if measures is None else spans.WORDS
        self._beginnings = _BEGINNINGS | names.nouns | more
        if measures is not None:
            self._beginnings |= UNIT_WORDS  # "over an hour"
        self._starts = _STARTS | more

    @classmethod
    def from_catalogue(cls, catalogue: Catalogue) -> Self:
        """A reader that knows the units of a catalogue, and the columns that are searched."""
        schema = catalogue.schema
        measures = None if schema.history else Measures.from_catalogue(catalogue)
        symbols = None if schema.unit is None else schema.unit.symbols
        texts = TextReader.from_catalogue(catalogue)
        return cls(catalogue.units.values(), symbols, measures, texts)

    @property
    def units(self) -> Mapping[str, ColumnUnit]:
        """What the fields of a table without history are measured in."""
        return {} if self._measures is None else self._measures.columns

    def read(self, text: str) -> list[Mention]:
        """The first mentions: numbers and times, which do not overlap, in order; then texts."""
        found = self.scan(text).mentions
        if self._texts is not None:
            found += self._texts.read(text)[: MOST - len(found)]
        return found

    def scan(self, text: str) -> Scan:
        """The numbers and times, and those that could not be read."""
        if self._has_none(text):
            return Scan([], [])
        lexed = Lexed(_plainer(text))
        found: list[Quantity | Timed | Said] = []
        starts = self._starts
        unread: list[Span] = []
        stop = -1
        for index, word in enumerate(lexed.words[: lexed.count]):
            if (word not in starts and word[0] not in _DIGITS) or lexed.starts[index] < stop:
                continue
            item = self._at(lexed, index, stop)
            if item is None:
                continue
            stop = item.stop
            if isinstance(item, Unread) or _cannot_be_said(item):
                unread.append((item.start, item.stop))
            else:
                found.append(item)
        mentions = _mentions(found, lexed, self._units, self._measures)
        return Scan(mentions[:MOST], unread, max(0, len(mentions) - MOST))

    def _has_none(self, text: str) -> bool:
        """Whether a text has no digit and no word that a number or a time has."""
        if not text.isascii() or _SOME_DIGIT.search(text):
            return False
        return self._beginnings.isdisjoint(_WORD.findall(text.lower()))

    def _at(self, lexed: Lexed, index: int, stop: int) -> Quantity | Timed | Said | Unread | None:
        """What begins at a token."""
        word = lexed.words[index]
        if self._measures is not None:
            own = _at_own(self._measures, lexed, index, word)
            if own is not None:
                return own
        if word[0] in _DIGITS:
            timed = _time_at_digits(lexed, index, word)
            return timed or self._quantities.at_digits(lexed, index, stop)
        if word in times.WORDS and not (lexed.glued(index) and lexed.before(index)[-1].isalnum()):
            timed = times.at_word(lexed.lower, lexed.starts[index], word)
            if timed is not None:
                return timed
        return self._quantities.at_word(lexed, index, stop) if word in _NUMBER_WORDS else None


def _at_own(measures: Measures, lexed: Lexed, index: int, word: str) -> Timed | Said | None:
    """What only tables without history have: "the 80s", "this year", "1h30"."""
    start = lexed.starts[index]
    if lexed.glued(index) and lexed.before(index)[-1].isalnum():
        return None
    if word[0] in _DIGITS:
        following = lexed.words[index + 1]
        if following not in _AFTER_OWN and following not in UNIT_WORDS and "'" not in word:
            return None
        return spans.at_number(lexed.lower, start) or measures.at_number(lexed.lower, start)
    if word in ONE_WORDS:
        return measures.at_word(lexed, index)
    return spans.at_word(lexed.lower, start) if word in spans.WORDS else None


def _cannot_be_said(item: Quantity | Timed | Said) -> bool:
    """Whether no logical form can say it: no day of the calendar, too many digits."""
    if not isinstance(item, Timed):
        return len(item.digits) > MOST_DIGITS
    return not times.is_possible(item.tokens)


def _time_at_digits(lexed: Lexed, index: int, word: str) -> Timed | None:
    """The time that begins with digits, tried only where it is possible."""
    if len(word) != 4 and "." not in word and lexed.words[index + 1] not in _AFTER_DAY:
        return None
    before = lexed.before(index)
    if before in COMPARISONS and lexed.words[index + 1] in times.AFTER_NUMBER:
        return None  # "over 10 march 2025" is a number and a month
    if lexed.glued(index) and before[-1].isalpha():
        return None
    return times.at_number(lexed.lower, lexed.starts[index])


def _plainer(text: str) -> str:
    """The text with some numbers and ranges in digits and signs; no character moves."""
    if ".." in text:
        text = _DOTS.sub(lambda dots: "-".ljust(len(dots.group())), text)
    if "one" not in text and text.islower():
        return text
    return _ONE.sub(lambda one: f"{one['before']}1  ", text)


def _mentions(
    found: list[Quantity | Timed | Said],
    lexed: Lexed,
    units: UnitNames,
    measures: Measures | None,
) -> list[Mention]:
    """The mentions, ranges completed."""
    if measures is not None:
        found = [measures.measured(i, lexed) if isinstance(i, Quantity) else i for i in found]
    for at in range(len(found) - 1):
        first, second = found[at], found[at + 1]
        if isinstance(first, Quantity) and isinstance(second, Quantity):
            found[at : at + 2] = joined(first, second, lexed)
    found = _with_unit_apart(found, lexed, units)
    return [_mention(item, lexed, measures) for item in found]


def _mention(item: Quantity | Timed | Said, lexed: Lexed, measures: Measures | None) -> Mention:
    if isinstance(item, Timed):
        tokens = item.tokens or ()
        numbers = ((NUMBER, tokens),) if item.last else ()
        return Mention(item.start, item.stop, ((TIME, tokens), *numbers), last=item.last)
    if isinstance(item, Said):
        hints = () if measures is None or not item.unit else measures.fields(item.unit)
        number = (NUMBER, tuple(item.digits))
        return Mention(item.start, item.stop, (number,), unit=item.unit, hints=hints)
    mention = _with_period(item.mention(), lexed)
    if not item.said:
        return mention
    hints = measures.fields(item.said) if measures is not None and item.is_either else ()
    return mention._replace(unit=item.said, hints=hints)


def _with_unit_apart(
    found: list[Quantity | Timed | Said], lexed: Lexed, units: UnitNames
) -> list[Quantity | Timed | Said]:
    """The numbers, which may have the unit that is said elsewhere: "usd revenue under 200m".

    Where some have a denomination, the unit is that of them.
    """
    bare = [item for item in found if isinstance(item, Quantity) and item.is_bare]
    if not bare:
        return found
    unit = units.apart(lexed, [(item.start, item.stop) for item in found])
    if unit is None:
        return found
    large = any(item.denomination for item in bare)
    return [
        item._replace(unit_apart=unit)
        if isinstance(item, Quantity) and item.is_bare and (item.denomination or not large)
        else item
        for item in found
    ]


def _with_period(mention: Mention, lexed: Lexed) -> Mention:
    """The number, which may also be that of a period: "over 5 years"."""
    readings = dict(mention.readings)
    counts = readings.get(INTEGER)
    if counts is None or TIME in readings:
        return mention
    period = times.span_at(lexed.lower, mention.start, mention.stop, "".join(counts))
    if period is None:
        return mention
    return mention._replace(readings=(*mention.readings, (TIME, period)))


_BEGINNINGS: Final = (_STARTS | {"ago", "couple", "percent"}) - ARTICLES
_AFTER_DAY: Final = _MONTH_OR_QUARTER | times.WORDS | times.UNIT_WORDS
