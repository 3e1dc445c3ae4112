"""Numbers and currencies as people write them: "$1bn", "1.2 million", "5%", "10k", "three"."""

from __future__ import annotations

import re
from random import Random
from typing import Final

from grammax.tables.catalogue.entries import Field
from grammax.tables.corpus.draw import Pools, pick
from grammax.tables.form.operands import Denomination
from grammax.tables.form.tree import Number, Operand, Percent

SMALL: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
"""1 to 12 in words."""

_SUFFIXES: Final[dict[Denomination, tuple[str, ...]]] = {
    "THOUSAND": ("k", " thousand", "K"),
    "MILLION": ("m", " million", "mn", "M", " mn", " mln", "mm"),
    "BILLION": ("bn", " billion", "b", "B", " bn", " bln"),
    "TRILLION": ("tn", " trillion", "trn", "T"),
}
_ROUND: Final = ("1", "2", "5", "10", "20", "50", "100", "3", "500", "200", "25", "15", "250")
_FINE: Final = ("1.5", "2.5", "1.2", "0.5", "7.5", "3.5", "1.25", "0.8", "12.5", "4", "8", "30")
_RATIOS: Final = ("10", "15", "1", "20", "12", "2", "1.5", "5", "8", "25", "3", "0.5", "30", "2.5")
_MULTIPLES: Final = ("15", "10", "20", "12", "25", "8", "30", "18", "40", "14")
_MULTIPLE: Final = re.compile(r"P/E|EV/EBIT|Price to (cash|free)|Earnings multiple")
_SIGNED: Final = re.compile(r"growth|price return|change$", re.I)
_PERCENTS: Final = ("5", "10", "15", "20", "3", "2", "4", "25", "8", "30", "50", "2.5", "1", "12")
_BASIS: Final = ("50", "25", "100", "200", "150", "75", "500")
_PRICES: Final = ("10", "5", "50", "100", "20", "1", "2", "25", "200", "2.50", "0.75", "1.20", "3")
_FEW: Final = ("5", "10", "20", "3", "15", "30", "8", "25", "50", "12")
_SIGNS: Final = {
    "CUR_USD": "$", "CUR_EUR": "€", "CUR_GBP": "£", "CUR_JPY": "¥", "CUR_INR": "₹",
    "CUR_AUD": "a$", "CUR_CAD": "c$", "CUR_HKD": "hk$", "CUR_KRW": "₩",
}  # fmt: skip
_PLURALS: Final = {
    "CUR_USD": "dollars", "CUR_EUR": "euros", "CUR_GBP": "pounds", "CUR_JPY": "yen",
    "CUR_CHF": "swiss francs", "CUR_CNY": "yuan", "CUR_INR": "rupees", "CUR_SEK": "swedish kronor",
    "CUR_CAD": "canadian dollars", "CUR_AUD": "australian dollars", "CUR_HKD": "hong kong dollars",
}  # fmt: skip


def amount(field: Field, pools: Pools, random: Random) -> tuple[str, Operand]:
    """A number that is plausible for a field, as it is said and as it is meant."""
    type_, unit = field.type, field.unit
    if type_ == "MONEY":
        return _money(pools, random)
    if type_ == "PER_SHARE":
        return _priced(pick(random, _PRICES, 0.4), None, pools, random)
    if type_ == "PERCENT":
        return _percent(bool(_SIGNED.search(field.name)), random)
    if type_ == "RATIO":
        usual = _MULTIPLES if _MULTIPLE.match(field.name) else _RATIOS
        digits = pick(random, _FEW if unit == "points" else usual, 0.4)
        times = "x" if unit == "times" and random.random() < 0.15 else ""
        return digits + times, Number(digits)
    return _count(unit, random)


def integer(count: int, random: Random, in_words: float = 0.4) -> str:
    """A count, in words if it is small and chance has it.

    >>> integer(3, Random(0), in_words=1), integer(10, Random(0), in_words=0)
    ('three', '10')
    """
    if count <= len(SMALL) and random.random() < in_words:
        return SMALL[count - 1]
    return str(count)


def _money(pools: Pools, random: Random) -> tuple[str, Operand]:
    chance = random.random()
    denomination: Denomination = "BILLION" if chance < 0.6 else "MILLION"
    if chance > 0.97:
        denomination = "TRILLION"
    if denomination == "TRILLION":
        digits = pick(random, ("1", "2", "1.5", "0.5"))
    else:
        digits = pick(random, _FINE if random.random() < 0.25 else _ROUND, 0.5)
        if denomination == "MILLION" and random.random() < 0.5:
            digits = pick(random, ("500", "100", "250", "50", "750", "300"))
    return _priced(digits, denomination, pools, random)


def _priced(
    digits: str, denomination: Denomination | None, pools: Pools, random: Random
) -> tuple[str, Operand]:
    """A number with its denomination and, three times in four, a currency before or after it."""
    said = digits
    if denomination:
        if digits.isdigit() and int(digits) <= 5 and random.random() < 0.08:
            said = f"{SMALL[int(digits) - 1]} {denomination.lower()}"
        else:
            said = digits + pick(random, _SUFFIXES[denomination], 0.8)
    if random.random() > 0.75:
        return said, Number(digits, denomination)
    currency = pools.value("CURRENCY", random)
    assert currency is not None, "every catalogue has currencies"
    return _with_currency(said, currency, random), Number(digits, denomination, currency)


def _with_currency(said: str, currency: str, random: Random) -> str:
    code = currency.removeprefix("CUR_").lower()
    plural = _PLURALS.get(currency) if said != "1" else None
    in_words = not said[0].isdigit()
    if currency in _SIGNS and not in_words and random.random() < 0.75:
        return _SIGNS[currency] + said
    if plural and random.random() < 0.5:
        return f"{said} {plural}"
    if random.random() < 0.3 and not in_words:
        return f"{code} {said}"
    return f"{said} {code}"


def _percent(signed: bool, random: Random) -> tuple[str, Operand]:
    chance = random.random()
    if chance < 0.06:
        digits = pick(random, _BASIS, 0.5)
        unit = pick(random, (" bps", "bps", " bp", " basis points"), 0.5)
        return digits + unit, Percent(digits, "BPS")
    digits = pick(random, _PERCENTS, 0.4)
    if signed and chance < 0.14 and digits not in ("1", "2"):
        return f"-{digits}%", Percent(f"-{digits}")
    return digits + pick(random, ("%", "%", "%", " percent", " %", " pct"), 0.6), Percent(digits)


def _count(unit: str, random: Random) -> tuple[str, Operand]:
    if unit in ("analysts", "years", "directors", "days", "companies"):
        digits = pick(random, _FEW, 0.3)
        return integer(int(digits), random, 0.25), Number(digits)
    chance = random.random()
    if chance < 0.35:
        digits = pick(random, ("1000", "5000", "10000", "500", "50000", "2500", "100000"), 0.3)
        said = f"{int(digits):,}" if random.random() < 0.7 else digits
        return said, Number(digits)
    denomination: Denomination = "THOUSAND" if chance < 0.7 else "MILLION"
    digits = pick(random, _ROUND if chance < 0.9 else _FINE, 0.5)
    return digits + pick(random, _SUFFIXES[denomination], 0.8), Number(digits, denomination)
