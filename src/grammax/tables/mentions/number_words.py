"""Numbers in words: "twenty five", "half a", "two thirds", "two point five", "a dozen"."""

from __future__ import annotations

from typing import Final

from grammax.tables.lexicon import POWERS_OF_TEN
from grammax.tables.mentions.lexer import Lexed
from grammax.tables.mentions.numerals import Numeral, quotient, raised, scaled
from grammax.tables.mentions.words import (
    ARTICLES,
    COMPARED,
    COUNTED,
    COUNTS,
    FRACTIONS,
    GRADES,
    MULTIPLES,
    NEGATIONS,
    NOT_BEFORE_HALF,
    NOT_HALVED,
    ONES,
    OR_BEYOND,
    ORDINALS,
    SCALES,
    TENS,
    TIME_UNITS,
    TIMES,
    VULGAR,
)

_CENTURIES: Final = (19, 20)


def in_words(lexed: Lexed, index: int) -> Numeral | None:
    """The number whose first word is at a token; None if no number begins there."""
    word = lexed.words[index]
    if word in MULTIPLES:
        after = index + 1
        after += lexed.words[after] == "-"
        if lexed.words[after] in GRADES and word in ("double", "triple"):
            return None
        return Numeral(MULTIPLES[word], index, index + 1, is_multiple=True)
    if word in VULGAR:
        return Numeral(scaled(str(VULGAR[word]), 1), index, index + 1)
    if word in ARTICLES:
        return _after_article(lexed, index)
    if word in ("half", "quarter"):
        return _part(lexed, index, index)
    if word in SCALES:
        return None
    if word == "point":
        found = _with_decimals(lexed, index, 0, index)
        return found if found.stop > index else None
    if word == "one" and not _is_counted(lexed, index):
        return None
    return _fraction_in_words(lexed, index) or _cardinal(lexed, index)


def _is_counted(lexed: Lexed, index: int) -> bool:
    """Whether "one" is a number here: "one billion", "more than one", "one to five"."""
    after = index + 1
    if lexed.words[after] == "-" and lexed.glued(after):
        after += 1
    following = lexed.words[after]
    if following in COUNTED or following in SCALES or following in TIME_UNITS or following in TIMES:
        return True
    if (
        following in ("percent", "%", "per", "pct", "basis", "bp", "point")
        or following in FRACTIONS
    ):
        return True
    if following == "or":
        return lexed.words[after + 1] in OR_BEYOND
    before = lexed.before(index)
    if following == "and":
        return before == "between" or lexed.words[after + 1 : after + 3] == ["a", "half"]
    if following == "to":
        other = lexed.words[after + 1]
        return other[:1].isdigit() or other in ONES or other in TENS
    return before in COMPARED or before in COUNTS or before in NEGATIONS


def _after_article(lexed: Lexed, index: int) -> Numeral | None:
    """ "a hundred", "a dozen", "a million", "a couple of", "a third of"."""
    word = lexed.words[index + 1]
    if not lexed.near(index + 1):
        return None
    if word in COUNTED:
        return _cardinal(lexed, index + 1, index)
    if word in SCALES:
        scale = SCALES[word]
        return Numeral(str(scale.factor), index, index + 2, scale.denomination)
    if word == "couple":
        return Numeral("2", index, index + 2 + (lexed.words[index + 2] == "of"))
    if word in FRACTIONS and word[-1] != "s":
        return _part(lexed, index + 1, index)
    return None


def _part(lexed: Lexed, index: int, start: int) -> Numeral | None:
    """ "half a billion", "a quarter of a million", "half of", "a third of"."""
    words = lexed.words
    value = quotient(1, FRACTIONS[words[index]])
    after = index + 1
    if words[after] == "of":
        after += 1
    if words[after] in ARTICLES:
        after += 1
    if words[after] in SCALES:
        scale = SCALES[words[after]]
        return Numeral(scaled(value, scale.factor), start, after + 1, scale.denomination)
    if words[after] in ("percent", "percentage"):
        return Numeral(value, start, after)
    following = words[index + 1]
    if words[index] == "half":
        if lexed.before(index) in NOT_BEFORE_HALF or following in NOT_HALVED or following == "-":
            return None
        return Numeral(value, start, index + 1 + (following == "of"))
    if start == index or following != "of" or words[index + 2][:1].isdigit():
        return None
    return Numeral(value, start, index + 2)


def _fraction_in_words(lexed: Lexed, index: int) -> Numeral | None:
    """ "two thirds", "three quarters of", "three quarters of a billion"."""
    words = lexed.words
    above, noun = ONES.get(words[index], 0), words[index + 1]
    at = index + 1
    if noun == "-" and lexed.glued(at):
        at, noun = at + 1, words[at + 1]
    below = FRACTIONS.get(noun, 0)
    if not 0 < above < below or (above > 1 and noun[-1] != "s") or noun == "second":
        return None
    value = quotient(above, below)
    if words[at + 1] == "of" and words[at + 2] in ARTICLES and words[at + 3] in SCALES:
        scale = SCALES[words[at + 3]]
        return Numeral(scaled(value, scale.factor), index, at + 4, scale.denomination)
    if noun in ("quarter", "quarters") and words[at + 1] != "of" and at == index + 1:
        return None
    if words[at + 1] in ("quarter", "party"):
        return None
    return Numeral(value, index, at + 1)


def _below_hundred(lexed: Lexed, index: int) -> tuple[int, int] | None:
    """ "twelve", "twenty five", "twenty-five": the value, and the index after it."""
    words = lexed.words
    if words[index] in ONES:
        return ONES[words[index]], index + 1
    tens = TENS.get(words[index])
    if tens is None:
        return None
    after = index + 1
    if words[after] == "-" and lexed.glued(after) and lexed.glued(after + 1):
        after += 1
        if words[after] in ORDINALS:
            return None
    ones = ONES.get(words[after], 0) if lexed.near(after) else 0
    return (tens + ones, after + 1) if 0 < ones < 10 else (tens, index + 1)


def _below_thousand(lexed: Lexed, index: int) -> tuple[int, int] | None:
    """ "one hundred and fifty"; "hundred" alone is 100."""
    words = lexed.words
    read = (1, index) if words[index] in COUNTED else _below_hundred(lexed, index)
    if read is None:
        return None
    value, after = read
    if words[after] not in COUNTED:
        return read
    value, after = value * COUNTED[words[after]], after + 1
    more = after + (words[after] == "and")
    rest = _below_hundred(lexed, more)
    if words[after - 1] != "hundred" or rest is None or rest[0] == 0:
        return value, after
    if more > after and lexed.before(index) == "between" and _is_second(lexed, rest[1]):
        return value, after
    return value + rest[0], rest[1]


def _is_second(lexed: Lexed, after: int) -> bool:
    """Whether the number before a token is the second one after "between": "100 and 2 thousand"."""
    words = lexed.words
    return (
        words[after] in SCALES or words[after] in COUNTED or "and" not in words[after : after + 9]
    )


def _cardinal(lexed: Lexed, index: int, start: int | None = None) -> Numeral | None:
    """ "three million", "two thousand five hundred", "two point five billion"."""
    begin = index if start is None else start
    read = _below_thousand(lexed, index)
    if read is None:
        return None
    value, after = read
    if value in _CENTURIES and after == index + 1:
        years = _below_hundred(lexed, after)
        if years is not None and years[0] >= 10:
            return Numeral(f"{value}{years[0]}", begin, years[1], is_year=True)
    if lexed.words[after] == "point":
        return _with_decimals(lexed, begin, value, after)
    if lexed.words[after : after + 3] == ["and", "a", "half"]:
        return Numeral(f"{value}.5", begin, after + 3)
    return _with_scales(lexed, begin, value, after)


def _with_scales(lexed: Lexed, start: int, value: int, after: int) -> Numeral:
    total, smallest, at = 0, 10**15, after
    scale = SCALES.get(lexed.words[at])
    if scale is None:
        return Numeral(str(value), start, at)
    power = 10 ** POWERS_OF_TEN[scale.denomination] * scale.factor
    digits, denomination = str(value * scale.factor), scale.denomination
    if scale.factor != 1:
        digits, denomination = raised(digits, denomination)
    first = Numeral(digits, start, at + 1, denomination)
    total, smallest, at = value * power, power, at + 1
    while True:
        more = at + (lexed.words[at] == "and")
        rest = _below_thousand(lexed, more)
        if rest is None or rest[0] == 0:
            break
        next_scale = SCALES.get(lexed.words[rest[1]])
        power = (
            10 ** POWERS_OF_TEN[next_scale.denomination] * next_scale.factor if next_scale else 1
        )
        if rest[0] * power >= smallest:
            break
        total, smallest = total + rest[0] * power, power
        at = rest[1] + (next_scale is not None)
    return first if at == first.stop else Numeral(str(total), start, at)


def _with_decimals(lexed: Lexed, start: int, value: int, point: int) -> Numeral:
    """ "two point seven five"."""
    at, digits = point + 1, ""
    while ONES.get(lexed.words[at], 10) < 10:
        digits += str(ONES[lexed.words[at]])
        at += 1
    if not digits:
        return Numeral(str(value), start, point)
    return Numeral(f"{value}.{digits}", start, at)
