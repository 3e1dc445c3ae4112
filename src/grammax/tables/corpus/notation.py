"""How people write numbers: in digits or words, with suffixes, signs and units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import floor, log10
from random import Random
from typing import Final, final

from grammax.tables.corpus.draw import pick
from grammax.tables.form.operands import Denomination

SMALL: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
"""1 to 12 in words."""

SUFFIXES: Final[dict[Denomination, tuple[str, ...]]] = {
    "THOUSAND": ("k", " thousand", "K"),
    "MILLION": ("m", " million", "mn", "M", " mn", " mln", "mm"),
    "BILLION": ("bn", " billion", "b", "B", " bn", " bln"),
    "TRILLION": ("tn", " trillion", "trn", "T"),
}
"""What follows a number, by denomination, the commonest first."""

_PERCENT_SIGNS: Final = ("%", "%", "%", "%", " percent", " %", " pct", "pct")


@final
@dataclass(frozen=True, slots=True, eq=False)
class UnitWords:
    """Words and signs for units beside a number; others are written as their code."""

    signs: Mapping[str, str] = field(default_factory=dict)
    plurals: Mapping[str, str] = field(default_factory=dict)

    def beside(self, text: str, unit: str, random: Random) -> str:
        """A number with its unit before or after it."""
        code = unit.partition("_")[2].lower()
        plural = self.plurals.get(unit) if text != "1" else None
        in_words = not text[0].isdigit()
        if unit in self.signs and not in_words and random.random() < 0.75:
            return self.signs[unit] + text
        if plural and random.random() < 0.5:
            return f"{text} {plural}"
        if random.random() < 0.3 and not in_words:
            return f"{code} {text}"
        return f"{text} {code}"


NO_UNITS: Final = UnitWords()


def integer(count: int, random: Random, in_words: float = 0.4) -> str:
    """A count; if it is small, in words with probability `in_words`.

    >>> integer(3, Random(0), in_words=1), integer(10, Random(0), in_words=0)
    ('three', '10')
    """
    if count <= len(SMALL) and random.random() < in_words:
        return SMALL[count - 1]
    return str(count)


def usual_or_any(random: Random, usual: Sequence[str], low: float, high: float) -> str:
    """Digits that people use often, or any between two numbers."""
    return pick(random, usual, 0.4) if random.random() < 0.65 else any_digits(random, low, high)


def any_digits(random: Random, low: float, high: float) -> str:
    """Random digits between two positive numbers, with one to four significant figures."""
    number = low * (high / low) ** random.random()
    places = pick(random, (0, 1, 1, 2, 3)) - floor(log10(number))
    if places <= 0:
        return str(max(1, int(round(number, places))))
    return format(Decimal(str(round(number, min(places, 2)) or low)).normalize(), "f")


def percent(digits: str, random: Random) -> str:
    """A percentage: "5%", "5 percent", rarely in words."""
    if digits.isdigit() and int(digits) <= len(SMALL) and random.random() < 0.04:
        return f"{SMALL[int(digits) - 1]} percent"
    return digits + pick(random, _PERCENT_SIGNS, 0.8)
