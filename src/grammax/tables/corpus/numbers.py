"""Numbers as people write them: "$1bn", "1.2 million", "5%", "10k", "three", "120 minutes".

A `NumberStyle` draws the numbers of one number type; five of them, with digits that a schema may
supply, cover sums, prices, percentages, plain numbers and counts.
"""

# ruff: noqa: ARG002  (all number styles have one signature)

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from random import Random
from typing import ClassVar, Final, NamedTuple, final

from grammax.tables.catalogue.entries import Field
from grammax.tables.corpus.draw import Zipf, pick
from grammax.tables.corpus.lexicaliser import NEVER
from grammax.tables.corpus.notation import NO_UNITS, SUFFIXES, any_digits, percent, usual_or_any
from grammax.tables.corpus.notation import SMALL as SMALL
from grammax.tables.corpus.notation import UnitWords as UnitWords
from grammax.tables.corpus.notation import integer as integer
from grammax.tables.form.operands import Denomination
from grammax.tables.form.tree import Number, Operand, Percent

_ROUND: Final = ("1", "2", "5", "10", "20", "50", "100", "3", "500", "200", "25", "15", "250")
_FINE: Final = ("1.5", "2.5", "1.2", "0.5", "7.5", "3.5", "1.25", "0.8", "12.5", "4", "8", "30")
_PLAIN: Final = ("10", "15", "1", "20", "12", "2", "1.5", "5", "8", "25", "3", "0.5", "30", "2.5")
_PERCENTS: Final = ("5", "10", "15", "20", "3", "2", "4", "25", "8", "30", "50", "2.5", "1", "12")
_MULTIPLES: Final = ("2", "3", "5", "1.5", "10", "4", "2.5", "0.5", "1", "20")
_SHARES: Final = ("50", "20", "10", "25", "30", "5", "80", "75", "40", "60", "90")
_BASIS: Final = ("50", "25", "100", "200", "150", "75", "500")
_PRICES: Final = ("10", "5", "50", "100", "20", "1", "2", "25", "200", "2.50", "0.75", "1.20", "3")
_FEW: Final = ("5", "10", "20", "3", "15", "30", "8", "25", "50", "12")
_MANY: Final = ("1000", "5000", "10000", "500", "50000", "2500", "100000")
_SPREAD: Final = ("10", "20", "50", "100", "5", "200", "500", "30", "90", "120", "150", "1000")


class Amount(NamedTuple):
    """A number as written in the query, and its form in the logical form."""

    text: str
    operand: Operand


class NumberStyle(ABC):
    """Draws plausible numbers for the fields of one number type."""

    is_mass: ClassVar[bool] = False  # "with income above", not "with an income above"
    is_additive: ClassVar[bool] = False  # whether its numbers can be summed and divided
    has_equality: ClassVar[bool] = True  # whether queries ask for equality

    @abstractmethod
    def draw(self, field: Field, units: Zipf | None, random: Random) -> Amount:
        """A number for a field; `units` are the units that it may have."""

    def higher(self, amount: Amount, random: Random) -> Amount | None:
        """A multiple of the number, in the same notation; None if that is impossible."""
        text, value = amount
        if not isinstance(value, Number | Percent) or text.count(value.digits) != 1:
            return None
        factor = Decimal(pick(random, ("2", "3", "5", "1.5", "4", "10")))
        more = format((Decimal(value.digits) * factor).normalize(), "f")
        if value.digits.startswith("-") or Decimal(value.digits) == 0 or len(more) > 6:
            return None
        return Amount(text.replace(value.digits, more), replace(value, digits=more))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sums(NumberStyle):
    """Large sums: "$1bn", "250 million euros"."""

    is_mass = True
    is_additive = True
    has_equality = False
    words: UnitWords = NO_UNITS

    def draw(self, field: Field, units: Zipf | None, random: Random) -> Amount:
        """A sum in millions, billions or, rarely, trillions, or in plain digits."""
        if random.random() < 0.05:
            return _in_digits(self.words, units, random)
        chance = random.random()
        denomination: Denomination = "BILLION" if chance < 0.6 else "MILLION"
        if chance > 0.97:
            denomination = "TRILLION"
        if denomination == "TRILLION":
            digits = pick(random, ("1", "2", "1.5", "0.5", "3"))
        elif random.random() < 0.35:
            digits = any_digits(random, 1, 900)
        else:
            digits = pick(random, _FINE if random.random() < 0.25 else _ROUND, 0.5)
            if denomination == "MILLION" and random.random() < 0.5:
                digits = pick(random, ("500", "100", "250", "50", "750", "300"))
        return _with_unit(digits, denomination, self.words, units, random)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Prices(NumberStyle):
    """Small sums: "$10", "2.50 euros"."""

    words: UnitWords = NO_UNITS

    def draw(self, field: Field, units: Zipf | None, random: Random) -> Amount:
        """A sum without a denomination."""
        digits = usual_or_any(random, _PRICES, 0.2, 500)
        return _with_unit(digits, None, self.words, units, random)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Percentages(NumberStyle):
    """Percentages and basis points; fields whose names match `signed` may be negative."""

    signed: re.Pattern[str] = NEVER

    def draw(self, field: Field, units: Zipf | None, random: Random) -> Amount:
        """A percentage, rarely in basis points or without its sign."""
        chance = random.random()
        if chance < 0.06:
            digits = pick(random, _BASIS, 0.5)
            unit = pick(random, (" bps", "bps", " bp", " basis points"), 0.5)
            return Amount(digits + unit, Percent(digits, "BPS"))
        digits = usual_or_any(random, _PERCENTS, 0.5, 95)
        if self.signed.search(field.name) and chance < 0.3:
            return Amount(f"-{digits}%", Percent(f"-{digits}"))
        if chance > 0.9:
            return Amount(digits, Number(digits))
        return Amount(percent(digits, random), Percent(digits))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ratios(NumberStyle):
    """Plain numbers: "15", "2.5x"; fields with certain names or units have their own digits."""

    by_name: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = ()
    by_unit: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"points": _FEW})

    def draw(self, field: Field, units: Zipf | None, random: Random) -> Amount:
        """A number; if the unit of the field is "times", at times with an "x" or in percent."""
        named = next((d for pattern, d in self.by_name if pattern.match(field.name)), None)
        usual = named or _PLAIN
        usual = self.by_unit.get(field.unit, usual)
        digits = usual_or_any(random, usual, *((10, 95) if usual is _FEW else (0.3, 60)))
        if field.unit == "times" and named is None and random.random() < 0.05:
            digits = pick(random, _SHARES)
            return Amount(percent(digits, random), Percent(digits))
        times = "x" if field.unit == "times" and random.random() < 0.15 else ""
        return Amount(digits + times, Number(digits))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Counts(NumberStyle):
    """Counts: "10,000", "10k", "1.5 million"; fields with a unit in `few` have small counts."""

    is_mass = True
    is_additive = True
    few: frozenset[str] = frozenset()

    def draw(self, field: Field, units: Zipf | None, random: Random) -> Amount:
        """A count, with or without a denomination."""
        if field.unit in self.few:
            digits = pick(random, _FEW, 0.3)
            digits = digits if random.random() < 0.7 else str(1 + int(60 * random.random()))
            return Amount(integer(int(digits), random, 0.25), Number(digits))
        chance = random.random()
        if chance < 0.4:
            digits = pick(random, _MANY, 0.3)
            digits = digits if chance < 0.25 else str(int(100 * 1_000 ** random.random()))
            written = f"{int(digits):,}" if random.random() < 0.7 else digits
            return Amount(written, Number(digits))
        denomination: Denomination = "THOUSAND" if chance < 0.7 else "MILLION"
        digits = pick(random, _ROUND if chance < 0.85 else _FINE, 0.5)
        digits = digits if random.random() < 0.7 else any_digits(random, 1, 500)
        written = digits + pick(random, SUFFIXES[denomination], 0.8)
        return Amount(written, Number(digits, denomination))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Measures(NumberStyle):
    """Numbers of any size; half of them are followed by `unit` or the field's own unit.

    Half of the numbers come from `digits`, half are random, so that a model learns to copy digits.
    """

    is_additive = True
    unit: str = ""
    decimals: int | None = None
    digits: tuple[str, ...] = _SPREAD

    def draw(self, field: Field, units: Zipf | None, random: Random) -> Amount:
        """A number, with or without its unit."""
        digits = pick(random, self.digits, 0.4)
        if random.random() < 0.5:
            digits = self._any(random)
        unit = field.unit or self.unit
        return Amount(
            f"{digits} {unit}" if unit and random.random() < 0.5 else digits, Number(digits)
        )

    def _any(self, random: Random) -> str:
        number = 10 ** (3 * random.random())
        if self.decimals == 0 or random.random() < 0.7:
            return str(int(number))
        return f"{number:.1f}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Years(NumberStyle):
    """Calendar years: "before 1990", "later than 2015"."""

    first: int = 1950
    latest: int = 2025

    def draw(self, field: Field, units: Zipf | None, random: Random) -> Amount:
        """A year; later ones are likelier, and half of them are multiples of five."""
        year = self.latest - int((self.latest - self.first + 1) * random.random() ** 1.7)
        digits = str(year - year % 5 if random.random() < 0.5 else year)
        return Amount(digits, Number(digits))

    def higher(self, amount: Amount, random: Random) -> Amount:
        """Some years later."""
        later = str(int(amount.text) + 1 + int(20 * random.random()))
        return Amount(later, Number(later))


def _in_digits(words: UnitWords, units: Zipf | None, random: Random) -> Amount:
    """A large sum in plain digits: "500,000,000", "$1000000"."""
    digits = pick(random, ("1", "5", "10", "50", "2", "25")) + "0" * (5 + int(4 * random.random()))
    text = f"{int(digits):,}" if random.random() < 0.6 else digits
    if units is None or random.random() < 0.5:
        return Amount(text, Number(digits))
    unit = units.draw(random)
    return Amount(words.beside(text, unit, random), Number(digits, None, unit))


def draw_multiple(random: Random) -> Amount:
    """How many times something is something else: "2", "1.5", "10"."""
    digits = usual_or_any(random, _MULTIPLES, 0.5, 30)
    return Amount(digits, Number(digits))


def draw_share(random: Random) -> Amount:
    """The share of something in something else: "50%"."""
    digits = usual_or_any(random, _SHARES, 5, 95)
    return Amount(percent(digits, random), Percent(digits))


def draw_change(random: Random) -> Amount:
    """A change: "10%", without a sign."""
    digits = usual_or_any(random, _PERCENTS, 1, 300)
    return Amount(percent(digits, random), Percent(digits))


def _with_unit(
    digits: str,
    denomination: Denomination | None,
    words: UnitWords,
    units: Zipf | None,
    random: Random,
) -> Amount:
    """A number with its denomination and, three times in four, a unit before or after it."""
    text = digits
    if denomination:
        if digits.isdigit() and int(digits) <= 5 and random.random() < 0.08:
            text = f"{SMALL[int(digits) - 1]} {denomination.lower()}"
        else:
            text = digits + pick(random, SUFFIXES[denomination], 0.8)
    if random.random() > 0.75 or units is None:
        return Amount(text, Number(digits, denomination))
    unit = units.draw(random)
    return Amount(words.beside(text, unit, random), Number(digits, denomination, unit))
