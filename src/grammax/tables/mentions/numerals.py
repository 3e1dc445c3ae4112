"""Numbers in digits: "1,000", "2.5", "1e9", "3/4", "1 000 000"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, NamedTuple

from grammax.tables.lexicon import POWERS_OF_TEN
from grammax.tables.mentions.lexer import Lexed
from grammax.tables.mentions.words import COMPARED, DIVISORS, TIME_UNITS, VULGAR

LONGEST: Final = 100  # digits
_POWER: Final = 99  # the largest exponent
_NUMERAL: Final = re.compile(
    r"(?P<plain>\d+(?:\.\d+)?)"
    r"|(?P<groups>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?"
    r"|\d{1,3}(?:'\d{3})+(?:\.\d+)?|\d{1,3}(?:_\d{3})+)"
    r"|(?P<points>\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+,\d\d?|0,\d+)"
)
_MOST_GROUPS: Final = 5  # of three digits with spaces between them; more are a list of numbers
_PLACES: Final = Decimal("0.0001")


class Numeral(NamedTuple):
    """The digits of a number, and the tokens that they were read from.

    `denomination` is given where it belongs to the words: "half a million".
    """

    digits: str
    start: int  # index of the first token
    stop: int  # index after the last token
    denomination: str | None = None
    is_multiple: bool = False
    is_year: bool = False  # "twenty twenty three"


def read_digits(numeral: str) -> str | None:
    """A numeral in plain digits; None if it is not one number.

    >>> read_digits("1,000.50"), read_digits("1.000,50"), read_digits("1,00,000")
    ('1000.50', '1000.50', '100000')
    >>> read_digits("1.000"), read_digits("1.000.000"), read_digits("1.2.3")
    ('1.000', '1000000', None)
    """
    if len(numeral) > LONGEST:
        return None
    if not numeral.isdigit():
        match = _NUMERAL.fullmatch(numeral)
        if match is None:
            return None
        if match["groups"]:
            numeral = numeral.replace(",", "").replace("'", "").replace("_", "")
        elif match["points"]:
            numeral = numeral.replace(".", "").replace(",", ".")
    if numeral[0] == "0" and len(numeral) > 1 and numeral[1] != ".":
        numeral = numeral.lstrip("0") or "0"
        return f"0{numeral}" if numeral[0] == "." else numeral
    return numeral


def scaled(digits: str, factor: int | Decimal) -> str:
    """The product, in plain digits.

    >>> scaled("2.50", 100), scaled("1.5", 12)
    ('250', '18')
    """
    product = format(Decimal(digits) * factor, "f")
    return product.rstrip("0").rstrip(".") if "." in product else product


def raised(digits: str, denomination: str) -> tuple[str, str]:
    """Thousands of a denomination in the next: "500 crore" is 5 billion, not 5000 million.

    >>> raised("5000", "MILLION"), raised("100", "THOUSAND")
    (('5', 'BILLION'), ('100', 'THOUSAND'))
    """
    larger = list(POWERS_OF_TEN)[list(POWERS_OF_TEN).index(denomination) + 1 :]
    for name in larger:
        if not (digits.isdigit() and digits.endswith("000")):
            break
        digits, denomination = digits[:-3], name
    return digits, denomination


def in_digits(lexed: Lexed, index: int) -> Numeral | None:
    """The number whose first digit is at a token; None if the token is not a number."""
    words = lexed.words
    digits = read_digits(words[index])
    if digits is None:
        return None
    after = index + 1
    following = words[after]
    if following == "" or following[0] not in "e/:½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞⅒a0123456789":
        return Numeral(digits, index, after)
    if following == "e" and lexed.glued(after):
        return _with_exponent(lexed, index, digits)
    if following == ":" and lexed.glued(after) and lexed.glued(after + 1):
        return None if words[after + 1][:1].isdigit() else Numeral(digits, index, after)
    if following == "/" and lexed.glued(after):
        return _fraction(lexed, index, digits)
    if following in VULGAR and lexed.near(after) and digits.isdigit():
        return Numeral(scaled(_sum(digits, VULGAR[following]), 1), index, after + 1)
    if words[after : after + 3] == ["and", "a", "half"]:
        return Numeral(_sum(digits, VULGAR["½"]), index, after + 3)
    if following[0].isdigit():
        return _with_spaces(lexed, index, digits)
    return Numeral(digits, index, after)


def _sum(digits: str, part: Decimal) -> str:
    return format(Decimal(digits) + part, "f")


def _with_exponent(lexed: Lexed, index: int, digits: str) -> Numeral | None:
    """ "1e9" """
    at = index + 2
    sign = lexed.words[at] if lexed.words[at] in ("+", "-") and lexed.glued(at) else ""
    at += len(sign)
    power = lexed.words[at]
    if not (power.isdigit() and lexed.glued(at)):
        return Numeral(digits, index, index + 1)
    if len(power) > 2 or int(power) > _POWER or (sign == "-" and int(power) > 20):
        return None
    value = format(Decimal(f"{digits}e{sign}{power}"), "f")
    return Numeral(value, index, at + 1)


def _fraction(lexed: Lexed, index: int, digits: str) -> Numeral | None:
    """ "3/4"; None for other numbers with a stroke between them."""
    below = lexed.words[index + 2]
    if not lexed.glued(index + 2) or not below[:1].isdigit():
        return Numeral(digits, index, index + 1)
    if not (digits.isdigit() and below.isdigit() and len(below) <= 3 and len(digits) <= 3):
        return None
    if int(below) not in DIVISORS or not 0 < int(digits) < int(below):
        return None
    return Numeral(quotient(int(digits), int(below)), index, index + 3)


def quotient(above: int, below: int) -> str:
    """A fraction in decimal digits.

    >>> quotient(3, 4), quotient(2, 3)
    ('0.75', '0.6667')
    """
    return scaled(str((Decimal(above) / below).quantize(_PLACES)), 1)


def _with_spaces(lexed: Lexed, index: int, digits: str) -> Numeral:
    """ "1 000 000", and "1 1/2"."""
    words, after = lexed.words, index + 1
    if words[after + 1] == "/" and lexed.near(after) and digits.isdigit():
        part = _fraction(lexed, after, words[after])
        if part is not None and part.stop == after + 3:
            return Numeral(_sum(digits, Decimal(part.digits)), index, part.stop)
    listed = lexed.before(index)[-1:].isdigit()
    if listed or not (words[index].isdigit() and len(digits) <= 3 and digits[0] != "0"):
        return Numeral(digits, index, after)
    while after <= index + _MOST_GROUPS + 1 and _is_group(lexed, after):
        digits += words[after]
        after += 1
    point = words[after - 1].find(".")
    groups = words[index + 1 : after]
    if len(groups) > _MOST_GROUPS:
        return Numeral(words[index], index, index + 1)
    unsure = len(groups) == 1 and groups[0] != "000" and point < 0
    spaced = lexed.text[lexed.stops[index] : lexed.starts[index + 1]] == " "
    if unsure and spaced and (lexed.before(index) not in COMPARED or words[after] in TIME_UNITS):
        return Numeral(words[index], index, index + 1)
    return Numeral(digits, index, after)


def _is_group(lexed: Lexed, index: int) -> bool:
    """Whether a token is three digits, one space after the number before it."""
    word = lexed.words[index]
    if lexed.starts[index] - lexed.stops[index - 1] != 1 or "." in lexed.words[index - 1]:
        return False
    return len(word) >= 3 and word[:3].isdigit() and (len(word) == 3 or word[3] == ".")
