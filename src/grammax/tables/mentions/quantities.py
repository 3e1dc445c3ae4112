"""Numbers with what stands beside them: "$1bn", "5 %", "-20%", "2x", "10 million euros"."""

from __future__ import annotations

from typing import Final, NamedTuple, final

from grammax.language.filling import Mention
from grammax.tables.lexicon import POWERS_OF_TEN
from grammax.tables.mentions.lexer import Lexed
from grammax.tables.mentions.number_words import in_words
from grammax.tables.mentions.numerals import Numeral, in_digits, raised, scaled
from grammax.tables.mentions.units import UnitNames
from grammax.tables.mentions.words import (
    AFTER_LETTER,
    ARTICLES,
    COMPARED,
    COUNTED,
    COUNTS,
    FRACTIONS,
    GLUED_BEFORE,
    GLUED_ONLY,
    HYPHENATED_BEFORE,
    MINOR_UNITS,
    NEGATIONS,
    ORDINAL_ENDINGS,
    PERCENT,
    SCALES,
    SUFFIXES,
    TIME_UNITS,
    TIMES,
    VAGUE,
    YEAR_ENDINGS,
    Scale,
)

NUMBER, LARGE_NUMBER, AMOUNT = "NUMBER", "LARGE_NUMBER", "AMOUNT"
PERCENT_NUMBER, INTEGER, TIME = "PERCENT_NUMBER", "INTEGER", "TIME"
_LETTERS: Final = YEAR_ENDINGS | MINOR_UNITS
_PERCENT_STARTS: Final = frozenset(words[0] for words in PERCENT)


class Quantity(NamedTuple):
    """A number, and the characters that it was read from."""

    start: int
    stop: int
    digits: str
    denomination: str | None = None
    unit: str | None = None
    percentage: str | None = None
    is_multiple: bool = False
    is_year: bool = False
    is_compared: bool = False  # "more than 2000", which is rather a number than a year
    is_part: bool = False  # "half", which may be 50 percent
    unit_apart: str | None = None  # a unit that the text has elsewhere: "revenue in euros over 5m"
    said: str = ""  # the unit of a measure beside it: "hours"
    is_either: bool = False  # whether its denomination may be that unit: "8500 m"

    @property
    def is_plain(self) -> bool:
        """Whether it has neither denomination nor unit nor percent."""
        return self.denomination is None and self.unit is None and self.percentage is None

    @property
    def is_bare(self) -> bool:
        """Whether it is a number to which a unit may belong, and none is beside it."""
        other = self.percentage or self.is_multiple or self.is_year or self.is_part
        return self.unit is None and not other

    def mention(self) -> Mention:
        """The mention, with all kinds that the number can fill."""
        return Mention(self.start, self.stop, self._readings())

    def _readings(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        digits = tuple(self.digits)
        if self.percentage is not None:
            return ((PERCENT_NUMBER, (*digits, self.percentage)),)
        large = digits if self.denomination is None else (*digits, self.denomination)
        if self.unit is not None:
            return ((AMOUNT, (*large, self.unit)),)
        if self.unit_apart is not None:
            amount = (AMOUNT, (*large, self.unit_apart))
            return (*self._replace(unit_apart=None)._readings(), amount)
        if self.is_either:
            return ((NUMBER, digits), (LARGE_NUMBER, large))
        if self.denomination is not None:
            return ((LARGE_NUMBER, large),)
        if self.is_part:
            percent = scaled(self.digits, 100)
            return ((NUMBER, digits), (PERCENT_NUMBER, (*percent, "PCT")))
        if self.is_multiple or not self.digits.isdigit() or self.digits == "0":
            return ((NUMBER, digits),)
        counts = ((NUMBER, digits), (INTEGER, digits))
        if not self.is_year:
            return counts
        return (*counts, (TIME, digits)) if self.is_compared else ((TIME, digits), *counts)


class Unread(NamedTuple):
    """Characters that look like a number and are not one."""

    start: int
    stop: int


class _Ending(NamedTuple):
    """What follows the digits of a number, and the index of the token after it."""

    after: int
    digits: str
    denomination: str | None = None
    unit: str | None = None
    percentage: str | None = None
    is_multiple: bool = False
    unit_at: int = 0  # the token where the unit begins


@final
class QuantityReader:
    """Reads the number at a token."""

    __slots__ = ("_units",)

    def __init__(self, units: UnitNames) -> None:
        self._units = units

    def at_digits(self, lexed: Lexed, index: int, stop: int) -> Quantity | Unread | None:
        """The number whose digits begin at a token; `stop` is where the last mention ended.

        None if the digits belong to another word, such as "covid-19" or "1st".
        """
        if not self._stands_alone(lexed, index, stop) or _is_name(lexed, index):
            return None
        numeral = in_digits(lexed, index)
        if numeral is None:
            return _unread(lexed, index)
        numeral, start = _with_leading_point(lexed, numeral)
        return self._quantity(lexed, numeral, start, stop)

    def at_word(self, lexed: Lexed, index: int, stop: int) -> Quantity | Unread | None:
        """The number whose words begin at a token."""
        if lexed.glued(index) and lexed.before(index)[-1:].isdigit():
            return None
        numeral = in_words(lexed, index) or self._single(lexed, index)
        if numeral is None:
            return None
        if lexed.words[index] in COUNTED and lexed.before(index) in VAGUE:
            return Unread(lexed.starts[index - 1], lexed.stops[numeral.stop - 1])
        return self._quantity(lexed, numeral, lexed.starts[index], stop)

    def _single(self, lexed: Lexed, index: int) -> Numeral | None:
        """ "one dollar", "less than a percent", "billion dollar"."""
        word = lexed.words[index]
        if word in SCALES:
            return self._bare_scale(lexed, index)
        if word != "one" and (word not in ARTICLES or lexed.before(index) not in COMPARED):
            return None
        following = lexed.words[index + 1]
        is_unit = following.isalpha() and self._units.after(lexed, index + 1, False) is not None
        if following not in _PERCENT_STARTS and not is_unit:
            return None
        return Numeral("1", index, index + 1)

    def _bare_scale(self, lexed: Lexed, index: int) -> Numeral | None:
        """ "billion dollar": a denomination and a unit, without a number."""
        scale = SCALES.get(lexed.words[index])
        after = index + 1
        if scale is None:
            return None
        after += lexed.words[after] == "-" and lexed.glued(after)
        if lexed.before(index) in ("multi", "-") or not lexed.words[after].isalpha():
            return None
        if self._units.after(lexed, after, True) is None:
            return None
        return Numeral(str(scale.factor), index, index + 1, scale.denomination)

    def _stands_alone(self, lexed: Lexed, index: int, stop: int) -> bool:
        """Whether digits are no part of a word, as those of "covid-19" and "b2b" are."""
        start = lexed.starts[index]
        character = lexed.lower[start - 1] if start else " "
        if character == "_":
            return False
        if character.isalpha():
            word = lexed.words[index - 1]
            return word in GLUED_BEFORE or self._units.is_code(word)
        if character != "-" or index < 2 or not lexed.glued(index - 1) or start - 1 == stop:
            return True
        word = lexed.words[index - 2]
        return not word[-1].isalpha() or word in HYPHENATED_BEFORE

    def _quantity(self, lexed: Lexed, numeral: Numeral, start: int, stop: int) -> Quantity | Unread:
        ending = self._ending(lexed, numeral)
        if _is_minor(lexed, ending):
            return Unread(start, lexed.stops[ending.after])
        unit, first = ending.unit, numeral.start
        sign = ""
        if start == lexed.starts[first]:
            sign, first = _sign(lexed, first, stop)
            large = ending.denomination is not None or "." in ending.digits
            before = self._units.before(lexed, first, lexed.words[numeral.start], large)
            if before is not None and lexed.starts[before[1]] >= stop and not ending.percentage:
                if unit != before[0]:
                    ending = ending._replace(after=ending.unit_at)
                unit, first = before
                if not sign:
                    sign, first = _sign(lexed, first, stop)
            start = lexed.starts[first]
        end = lexed.stops[ending.after - 1]
        if sign == "--":
            return Unread(start, end)
        if not sign:
            sign, start = _sign_in_words(lexed, first, start, ending)
        digits = f"-{ending.digits}" if sign == "-" and ending.digits != "0" else ending.digits
        is_multiple = ending.is_multiple or numeral.is_multiple
        is_plain = unit is None and ending.after == numeral.stop and not is_multiple
        return Quantity(
            start, end, digits, ending.denomination, unit, ending.percentage, is_multiple,
            is_plain and not sign and _is_year(lexed, numeral),
            digits.endswith("00") and lexed.before(first) in COMPARED,
            is_plain and _is_part(lexed, numeral, digits),
        )  # fmt: skip

    def _ending(self, lexed: Lexed, numeral: Numeral) -> _Ending:
        """Denomination, percent, unit, and "x" after a number."""
        at, digits, denomination = numeral.stop, numeral.digits, numeral.denomination
        words = lexed.words
        while lexed.near(at):
            skipped = _skipped(lexed, at)
            word = words[skipped]
            if word in COUNTED and denomination is None:
                digits, at = scaled(digits, COUNTED[word]), skipped + 1
                continue
            scale = self._scale(lexed, skipped, numeral, at)
            if scale is None or (denomination is not None and word not in SCALES):
                break
            if denomination is not None:
                digits = scaled(digits, 10 ** POWERS_OF_TEN[denomination])
            if scale.factor != 1:
                digits = scaled(digits, scale.factor)
            denomination, at = scale.denomination, skipped + 1
            if scale.factor != 1:
                digits, denomination = raised(digits, denomination)
        if denomination and digits.isdigit() and words[at : at + 3] == ["and", "a", "half"]:
            digits, at = f"{digits}.5", at + 3
        if at == numeral.stop and lexed.glued(at) and len(words[at]) > 3:
            split = self._units.split(words[at])
            if split is not None:
                scale = SUFFIXES[split[0]]
                digits = scaled(digits, scale.factor) if scale.factor > 1 else digits
                return _Ending(at + 1, digits, scale.denomination, split[1], unit_at=at + 1)
        return self._unit_after(lexed, at, digits, denomination, lexed.before(numeral.start))

    def _unit_after(
        self, lexed: Lexed, at: int, digits: str, denomination: str | None, before: str
    ) -> _Ending:
        plain = _Ending(at, digits, denomination, unit_at=at)
        if not lexed.near(at):
            return plain
        skipped = _skipped(lexed, at)
        word = lexed.words[skipped]
        if word in TIMES and skipped == at:
            return _Ending(at + 1, digits, denomination, is_multiple=True)
        if word in _PERCENT_STARTS:
            for count in (2, 1):
                found = PERCENT.get(tuple(lexed.words[skipped : skipped + count]))
                if found and (lexed.glued(at) or word not in GLUED_ONLY):
                    if denomination is not None:
                        digits = scaled(digits, 10 ** POWERS_OF_TEN[denomination])
                    return _Ending(skipped + count, digits, percentage=found)
        large = denomination is not None or "." in digits
        unit = self._units.after(lexed, skipped, large, before)
        return plain if unit is None else plain._replace(after=unit[1], unit=unit[0])

    def _scale(self, lexed: Lexed, index: int, numeral: Numeral, at: int) -> Scale | None:
        """The denomination at a token."""
        word = lexed.words[index]
        scale = SUFFIXES.get(word)
        if scale is None:
            return None
        if lexed.before(numeral.start) in COUNTS and not lexed.glued(index):
            return None  # "top 2 billion dollar films": two of them
        if word in SCALES:
            return scale
        if not lexed.words[numeral.start][0].isdigit() and len(word) < 2:
            return None
        if len(word) == 1 and (index != at or _is_letter(lexed, index)):
            return None
        before = lexed.before(numeral.start)
        beside = self._units.is_sign(before) or (word == "bio" and self._units.is_code(before))
        glued = lexed.glued(index) or beside
        return scale if glued or word not in GLUED_ONLY else None


def _is_letter(lexed: Lexed, index: int) -> bool:
    """Whether a letter after a space is no denomination: "10 b rated", "5 m&a deals"."""
    if lexed.glued(index):
        return False
    after = lexed.words[index + 1]
    return after in AFTER_LETTER or (after in ("&", "/", "'") and lexed.glued(index + 1))


def _skipped(lexed: Lexed, at: int) -> int:
    """The index after "+" or a hyphen between a number and its denomination or unit."""
    if lexed.words[at] == "+" and lexed.glued(at) and lexed.words[at + 1].isalpha():
        return at + 1
    hyphen = lexed.words[at] == "-" and lexed.glued(at) and lexed.glued(at + 1)
    return at + 1 if hyphen and lexed.words[at + 1].isalpha() else at


def _is_name(lexed: Lexed, index: int) -> bool:
    """Whether letters after the digits make them an ordinal or a name: "1st", "5g"."""
    after = index + 1
    word = lexed.words[after]
    if not word.isalpha() or not lexed.glued(after):
        return False
    if word in ORDINAL_ENDINGS:
        return True
    if len(word) > 1:
        return False
    return not (word in SUFFIXES or word in TIMES or word in TIME_UNITS or word in _LETTERS)


def _is_minor(lexed: Lexed, ending: _Ending) -> bool:
    """Whether "cents" or another part of a unit follows; a lone letter only without a space."""
    word = lexed.words[ending.after]
    if word not in MINOR_UNITS or not lexed.near(ending.after):
        return False
    return len(word) > 1 or lexed.glued(ending.after)


def _unread(lexed: Lexed, index: int) -> Unread:
    """The characters up to the next space."""
    after = index + 1
    while after < lexed.count and lexed.glued(after) and lexed.words[after] not in (",", ".", ")"):
        after += 1
    return Unread(lexed.starts[index], lexed.stops[after - 1])


def _with_leading_point(lexed: Lexed, numeral: Numeral) -> tuple[Numeral, int]:
    """The number with the point of ".5", and its first character."""
    start = lexed.starts[numeral.start]
    text = lexed.lower
    point = start > 0 and text[start - 1] == "." and lexed.words[numeral.start].isdigit()
    if not point or (start > 1 and (text[start - 2].isalnum() or text[start - 2] in "._")):
        return numeral, start
    return numeral._replace(digits=f"0.{lexed.words[numeral.start]}"), start - 1


def _sign(lexed: Lexed, index: int, stop: int) -> tuple[str, int]:
    """The sign glued to the token, and the index of the first token with it."""
    before = lexed.before(index)
    if before not in ("-", "+") or not lexed.glued(index):
        return "", index
    start = lexed.starts[index - 1]
    character = lexed.lower[start - 1] if start else " "
    if character == before == "-":
        return ("-", index - 1) if start - 1 == stop else ("--", index - 2)
    if start == stop or character.isalnum() or character in "%)+'\"":
        return "", index
    return before, index - 1


def _sign_in_words(lexed: Lexed, first: int, start: int, ending: _Ending) -> tuple[str, int]:
    """ "minus 5 percent"; "negative 3 year growth" has no negative number."""
    after = ending.after + (lexed.words[ending.after] == "-")
    if lexed.before(first) not in NEGATIONS or lexed.words[after] in TIME_UNITS:
        return "", start
    return "-", lexed.starts[first - 1]


def _is_part(lexed: Lexed, numeral: Numeral, digits: str) -> bool:
    """Whether a number is a part in words, of at most two decimals: "half", "a quarter of"."""
    written = lexed.words[numeral.start : numeral.stop]
    return digits.startswith("0.") and len(digits) <= 4 and not FRACTIONS.keys().isdisjoint(written)


def _is_year(lexed: Lexed, numeral: Numeral) -> bool:
    """Whether a number may also be a year: four plain digits from 1900 to 2099."""
    word = lexed.words[numeral.start]
    if len(word) != 4 or word[:2] not in ("19", "20") or not word.isdigit():
        return numeral.is_year
    return numeral.stop == numeral.start + 1
