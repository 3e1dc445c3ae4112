"""`Measures`: the units of a table's columns, and numbers with a unit in a text.

"over 2 hours", "1h30", "6'2"", "5 kg". The unit stays a word of the query, which hints at a column;
where it is part of the number, as in "1h30", the mention itself hints at the columns.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self, final

from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.known_values.measures import (
    LONGEST,
    MONEY,
    SAID,
    STARTS,
    UNITS,
    ColumnUnit,
    unit_named,
)
from grammax.tables.mentions.lexer import Lexed
from grammax.tables.mentions.quantities import Quantity
from grammax.tables.mentions.words import COMPARED, SUFFIXES
from grammax.tables.schema import NumberType

_EVERY: Final = frozenset(unit.dimension for unit in UNITS.values())
_PHYSICAL: Final = _EVERY - {MONEY, "time", "percent"}
_TAKES: Final[Mapping[str, frozenset[str] | None]] = {
    "": None, "NUMBER": None, "RATIO": None, "COORDINATE": None, "PHYSICAL": _PHYSICAL,
    "DURATION": frozenset({"time"}), "MONEY": frozenset({MONEY}),
}  # fmt: skip
"""What numbers of a class without a unit may be measured in; others have none."""

_COMPOUNDS: Final = (
    (re.compile(r"(?P<a>\d{1,3})\s?(?:h|hrs?)\s?(?P<b>\d{1,2})(?P<end>\s?m)?(?=\s?min|(?!\w|[.,]\d))"
                r"|(?P<c>\d{1,3})\s?hours?,?\s(?:and\s)?(?P<d>\d{1,2})(?=\s?m(?:in)?)"),
     60, "minutes"),
    (re.compile(r"(?P<a>\d{1,3})\s?(?:m|mins?|minutes?),?\s(?:and\s)?(?P<b>\d{1,2})(?=\s?sec)"),
     60, "seconds"),
    (re.compile(r"(?P<a>\d{1,2})\s?['′]\s?(?P<b>\d{1,2})(?P<end>\s?(?:\"|''|″|”))?(?!\w|[.,]\d)"
                r"|(?P<c>\d{1,2})\s?(?:ft|feet|foot),?\s?(?:and\s)?(?P<d>\d{1,2})(?=\s?(?:\"|in))"),
     12, "inches"),
    (re.compile(r"(?P<a>\d{1,3})\s?(?:years?|yrs?),?\s(?:and\s)?(?P<b>\d{1,2})(?=\s?mo)"),
     12, "months"),
    (re.compile(r"(?P<a>\d{1,4})\s?(?:lbs?|pounds?),?\s(?:and\s)?(?P<b>\d{1,2})(?=\s?(?:oz|oun))"),
     16, "oz"),
)  # fmt: skip
"""Two numbers that are one; `end` belongs to the mention, other units stay words of the query."""
_LETTER: Final = re.compile(r"(?P<n>\d+(?:\.\d+)?)(?P<unit>[hgsmlvwcf]|['′]|[\"″”])(?!\w)")
_RATED: Final = re.compile(
    r"(?P<n>\d{1,3}(?:\.\d+)?)(?:\s(?:stars?\s)?out\sof\s|/)(?:5|10|100)(?:\.0)?(?:\sstars?)?"
    r"(?!\w|[.,/-]\d|\sof\b)"
)  # "3/5 of the votes" is a part
_ONE: Final = re.compile(
    r"(?:(?P<half>half\s(?:of\s)?)(?:an?|one)|an?|one)\s(?P<unit>[a-z]{2,})(?!\w)"
    r"(?P<more>\sand\sa\shalf\b)?"
)
ONE_WORDS: Final = frozenset(("a", "an", "half", "one"))
"""Words with which one of a unit may begin."""

_LETTERS: Final = {"'": "ft", "′": "ft", "″": '"', "”": '"'}
_SIGNS: Final = frozenset("$€£¥₹")
_BEFORE_YEARS: Final = frozenset(
    ("in", "since", "before", "after", "until", "till", "from", "during", "by", "year", "between")
)
"""Words after which a number below 1900 may be a year."""


class Said(NamedTuple):
    """A number whose unit, if it has one, is part of its characters: "1h30", "4 out of 5"."""

    start: int
    stop: int
    digits: str
    unit: str


@final
@dataclass(frozen=True, slots=True)
class Measures:
    """The units of the columns of a table, by the token of the field."""

    columns: Mapping[str, ColumnUnit]
    rated: bool = False  # whether some column has ratings: "4 out of 5"
    _dimensions: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        units = (UNITS[each.unit].dimension for each in self.columns.values() if each.unit)
        object.__setattr__(self, "_dimensions", frozenset(units))

    @classmethod
    def from_catalogue(cls, catalogue: Catalogue) -> Self:
        """Those of a schema without history, whose columns have units of their own."""
        types = {number.name: number for number in catalogue.schema.numbers if not number.dates}
        columns = {
            token: _column(types[known.type], known.unit, (known.name, *known.aliases))
            for token, known in catalogue.fields.items()
            if known.type in types
        }
        rated = any(number.semantic.upper() == "RATING" for number in types.values())
        return cls(columns, rated)

    def fields(self, said: str) -> tuple[str, ...]:
        """The fields that a number with a unit may be of."""
        dimensions = {UNITS[each].dimension for each in SAID.get(tuple(said.split()), ())}
        return tuple(
            token
            for token, column in self.columns.items()
            if (UNITS[column.unit].dimension in dimensions if column.unit
                else column.takes and not dimensions.isdisjoint(column.takes))
        )  # fmt: skip

    def at_number(self, text: str, start: int) -> Said | None:
        """The number that begins at a digit and has a unit or a scale: "1h30", "4 out of 5"."""
        rated = _RATED.match(text, start) if self.rated else None
        if rated is not None:
            return Said(start, rated.end(), rated["n"], "")
        return self._compound(text, start)

    def _compound(self, text: str, start: int) -> Said | None:
        for pattern, factor, unit in _COMPOUNDS:
            match = pattern.match(text, start)
            if match is None or not self._has((unit,)):
                continue
            found = match.groupdict()
            high, low = found["a"] or found["c"], found["b"] or found["d"]
            if high is not None and low is not None and int(low) < factor:
                return Said(start, match.end(), str(int(high) * factor + int(low)), unit)
        match = _LETTER.match(text, start)
        if match is None:
            return None
        unit = _LETTERS.get(match["unit"], match["unit"])
        decade = match["unit"] == "s" and match["n"].endswith("0")
        if decade or unit in SUFFIXES or not self._has((unit,)):
            return None
        return Said(start, match.end(), match["n"], unit)

    def at_word(self, lexed: Lexed, index: int) -> Said | None:
        """ "half an hour", "an hour and a half", and after a comparison "an hour"."""
        match = _ONE.match(lexed.lower, lexed.starts[index])
        if match is None or (match["unit"],) not in SAID or not self._has((match["unit"],)):
            return None
        part = match["half"] or match["more"]
        if not part and lexed.before(index) not in COMPARED:
            return None
        digits = "0.5" if match["half"] else "1.5" if match["more"] else "1"
        stop = match.end() if match["more"] else match.start("unit") - 1
        return Said(match.start(), stop, digits, match["unit"])

    def measured(self, quantity: Quantity, lexed: Lexed) -> Quantity:
        """A number with the unit that stands beside it, if there is one."""
        if quantity.percentage or quantity.unit or quantity.is_multiple:
            return quantity
        after = bisect_left(lexed.starts, quantity.stop)
        before = lexed.before(bisect_left(lexed.starts, quantity.start))
        if before in _SIGNS:
            return quantity._replace(said=before, is_year=False)
        last = lexed.words[after - 1]
        squared = (last, lexed.words[after])
        if squared in SAID and lexed.glued(after):  # "20 m2" is no million
            stop = lexed.stops[after]
            return quantity._replace(
                stop=stop, said=" ".join(squared), is_year=False, denomination=None
            )
        if quantity.denomination and last in SUFFIXES and (last,) in SAID and self._has((last,)):
            return quantity._replace(said=last, is_either=True, is_year=False)
        if lexed.words[after] in ("-", "+") and lexed.glued(after):
            after += 1
        if lexed.words[after] not in STARTS or not lexed.near(after):
            return quantity._replace(is_year=True) if _is_early_year(quantity, lexed) else quantity
        for count in range(LONGEST, 0, -1):
            words = tuple(lexed.words[after : after + count])
            if words in SAID and (len(words[0]) > 1 or count > 1 or self._has(words)):
                return quantity._replace(said=" ".join(words), is_year=False)
        return quantity

    def _has(self, words: tuple[str, ...]) -> bool:
        """Whether some column is measured in what the words mean, which may mean something else."""
        return any(UNITS[each].dimension in self._dimensions for each in SAID[words])


def _is_early_year(quantity: Quantity, lexed: Lexed) -> bool:
    """Whether a number is a year before 1900: "since 1850", "between 1850 and 1870"."""
    digits = quantity.digits
    if len(digits) != 4 or not "1000" <= digits < "1900" or not quantity.is_plain:
        return False
    at = bisect_left(lexed.starts, quantity.start)
    if lexed.words[at] != digits:
        return False
    if lexed.before(at) in ("and", "to", "-") and at > 2:
        at -= 2
        digits = lexed.words[at]
    return len(digits) == 4 and digits.isdigit() and lexed.before(at) in _BEFORE_YEARS


def _column(number: NumberType, own: str, names: Iterable[str]) -> ColumnUnit:
    written = own or number.unit
    unit = unit_named(written)
    semantic = number.semantic.upper()
    if unit and UNITS[unit].dimension != "percent":
        return ColumnUnit(unit)
    if semantic == "AGE":
        return ColumnUnit("years")
    if semantic == "COUNT":  # a column "minutes" counts them
        words = [tuple(name.lower().split()[-1:]) for name in names]
        units = [each for word in words for each in SAID.get(word, ())]
        return ColumnUnit("", frozenset(UNITS[each].dimension for each in units))
    takes = _TAKES.get(semantic, frozenset())
    return ColumnUnit("", None if written and not unit and takes else takes)
