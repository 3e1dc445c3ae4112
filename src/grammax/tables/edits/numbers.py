"""Where the numbers and times of a form stand, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from grammax.language.domain import Tokens
from grammax.tables.domain import TableDomain
from grammax.tables.lexicon import (
    DENOMINATIONS,
    DIGITS,
    FISCAL_YEAR,
    LAST,
    MINUS,
    MONTHS,
    PERCENTAGES,
    POINT,
    QUARTERS,
    UNITS,
)

_DIGITS: Final = frozenset((*DIGITS, MINUS, POINT))
_PERIODS: Final = frozenset((*QUARTERS, *MONTHS, *UNITS, LAST, FISCAL_YEAR))
_NUMERIC: Final = _DIGITS | _PERIODS | frozenset((*DENOMINATIONS, *PERCENTAGES))


def number_at(tokens: Tokens, place: int, units: Iterable[str] = ()) -> tuple[int, int]:
    """Where the number or time around a position begins and ends; twice `place` if none does.

    >>> number_at("( FLD_VOTES GR 1 0 MILLION )".split(), 4)
    (3, 6)
    """
    numeric = _NUMERIC.union(units)
    start = stop = min(place, len(tokens))
    while start and tokens[start - 1] in numeric:
        start -= 1
    while stop < len(tokens) and tokens[stop] in numeric:
        stop += 1
    return (start, stop) if start <= place < stop else (place, place)


def digits_at(tokens: Tokens, place: int) -> tuple[int, int]:
    """Where the digits around a position begin and end."""
    start = stop = place
    while start and tokens[start - 1] in _DIGITS:
        start -= 1
    while stop < len(tokens) and tokens[stop] in _DIGITS:
        stop += 1
    return start, stop


def in_words(domain: TableDomain, tokens: Tokens) -> str:
    """The labels of tokens, with numbers as people write them: "2.5 billion", "50,000", "5%"."""
    chips = [chip for chip in domain.chips(tokens) if chip.role != "bracket"]
    text = " ".join(f"\0{c.label}" if c.role == "number" else c.label for c in chips)
    joined = re.sub(r"(?<=[\d.-]) \0|\0", "", text).replace(" %", "%")
    return re.sub(r"(?<![\d.])\d{5,15}(?![\d.])", lambda found: f"{int(found[0]):,}", joined)


def has_period(tokens: Tokens) -> bool:
    """Whether a month, a quarter or a period is among the tokens."""
    return not _PERIODS.isdisjoint(tokens)
