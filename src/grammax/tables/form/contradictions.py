"""Comparisons that exclude one another: a logical form that no row can satisfy.

Only what holds for any data is found: bounds of one number, a value that is both asked for and
excluded, and a field below or above itself. Two values of one field are no contradiction, since a
field may have several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

from grammax.tables.form.canonical import canonical_operand, flat_parts
from grammax.tables.form.tree import (
    And,
    EnumValue,
    LogicalForm,
    Not,
    Number,
    Percent,
    Relational,
    Text,
)
from grammax.tables.form.walk import walk

_LOW: Final = ("GR", "GE", "EQ")
_HIGH: Final = ("LS", "LE", "EQ")
_STRICT: Final = ("GR", "LS")

_Bound = tuple[Decimal, bool]  # a number, and whether it is excluded itself


def contradicts(lf: LogicalForm) -> bool:
    """Whether a logical form, or an AND in it, can never be satisfied.

    >>> from grammax.tables.form.text import read
    >>> contradicts(read("(AND (FLD_VOTES GR 10) (FLD_VOTES LS 5))"))
    True
    >>> contradicts(read("(AND (FLD_VOTES GE 5) (FLD_VOTES LE 10))"))
    False
    >>> contradicts(read("(FLD_VOTES LS FLD_VOTES)"))
    True
    """
    nested = any(isinstance(node, And) and _excludes(flat_parts(node)) for node in walk(lf))
    return nested or _excludes([lf])


def _excludes(parts: Iterable[LogicalForm]) -> bool:
    lows: dict[str, _Bound] = {}
    highs: dict[str, _Bound] = {}
    wanted: set[str] = set()
    unwanted: set[str] = set()
    comparisons = list(_comparisons(parts))
    if len({comparison.field for comparison, _ in comparisons}) == len(comparisons):
        return any(_is_below_itself(comparison) and holds for comparison, holds in comparisons)
    for comparison, holds in comparisons:
        if isinstance(comparison.value, EnumValue | Text):
            is_wanted = (comparison.op != "NEQ") == holds
            pair = f"{comparison.field} {canonical_operand(comparison.value)}"
            if comparison.op in ("EQ", "NEQ", "CONTAINS"):
                (wanted if is_wanted else unwanted).add(pair)
        elif holds and _is_below_itself(comparison):
            return True
        elif holds:
            _narrow(comparison, lows, highs)
    crossed = any(_crosses(lows[key], highs[key]) for key in lows.keys() & highs.keys())
    return crossed or not wanted.isdisjoint(unwanted)


def _is_below_itself(comparison: Relational) -> bool:
    """Whether a field is to be less or greater than itself."""
    return comparison.op in _STRICT and comparison.value == comparison.field


def _comparisons(parts: Iterable[LogicalForm]) -> Iterator[tuple[Relational, bool]]:
    """The comparisons, and whether each must hold or must not."""
    for part in parts:
        if isinstance(part, Relational):
            yield part, True
        elif isinstance(part, Not) and isinstance(part.part, Relational):
            yield part.part, False


def _narrow(comparison: Relational, lows: dict[str, _Bound], highs: dict[str, _Bound]) -> None:
    number = canonical_operand(comparison.value, comparison.field)
    if not isinstance(number, Number | Percent):
        return
    bound, key = (number.value, comparison.op in _STRICT), f"{comparison.field} {number.unit}"
    if comparison.op in _LOW:
        lows[key] = max(lows.get(key, bound), bound)
    if comparison.op in _HIGH:
        highs[key] = min(highs.get(key, bound), bound, key=lambda b: (b[0], not b[1]))


def _crosses(low: _Bound, high: _Bound) -> bool:
    return low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1]))
