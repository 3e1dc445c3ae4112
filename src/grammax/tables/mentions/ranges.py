"""Ranges: of "between 2 and 10 billion euros", the first number takes what the second has."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from grammax.tables.mentions.lexer import Lexed
from grammax.tables.mentions.quantities import Quantity

_LINKS: Final = frozenset(("-", "to", "through", "until"))
"""What stands between the two numbers of a range; "and" only after "between"."""

_LOOSE: Final = frozenset(
    (
        *("up to", "and up to", "and at most", "and below", "and under", "and less than"),
        *("but below", "but under", "but less than"),
    )
)
"""What may also stand between two numbers of different fields: "over 5 and below $10bn"."""

_LONGEST: Final = max(map(len, _LOOSE))
_SMALL: Final = 100


def joined(first: Quantity, second: Quantity, lexed: Lexed) -> tuple[Quantity, Quantity]:
    """Both numbers, completed by each other if they are a range."""
    if not _is_range(first, second, lexed):
        return first, second
    if first.is_multiple or second.is_multiple:
        return _with_times(first, second)
    if first.percentage or second.percentage:
        return _with_percent(first, second)
    if first.unit and second.unit and first.unit != second.unit:
        return first, second
    unit = first.unit or second.unit
    said = first.said or second.said
    denomination = first.denomination or _inherited(first, second)
    other = second.denomination
    if other is None and first.denomination is not None and not second.unit:
        other = first.denomination
    is_year = first.is_year and unit is None and denomination is None
    return (
        first._replace(
            unit=unit, denomination=denomination, is_year=is_year and not said,
            said=first.said or said, is_either=first.is_either or second.is_either,
        ),
        second._replace(
            unit=unit, denomination=other, is_year=second.is_year and other is None,
            said=second.said or said, is_either=first.is_either or second.is_either,
        ),
    )  # fmt: skip


def _is_range(first: Quantity, second: Quantity, lexed: Lexed) -> bool:
    """Whether only "-", "to" or, after "between", "and" is between the numbers."""
    if second.start - first.stop > _LONGEST + 2:
        return False
    if first.is_year and not second.is_plain and not first.digits.endswith("00"):
        return False  # "in 2023 to 5 billion"
    link = lexed.lower[first.stop : second.start].strip()
    if link in _LOOSE:
        return first.is_plain and lexed.lower[second.start].isalnum()
    return link in _LINKS or (link == "and" and _word_before(first, lexed) == "between")


def _word_before(quantity: Quantity, lexed: Lexed) -> str:
    words = lexed.lower[max(0, quantity.start - 20) : quantity.start].split()
    return words[-1] if words else ""


def _with_times(first: Quantity, second: Quantity) -> tuple[Quantity, Quantity]:
    """Both are multiples: "5-10x"."""
    if not (first.is_plain and second.is_plain):
        return first, second
    first = first._replace(is_multiple=True, is_year=False)
    return first, second._replace(is_multiple=True, is_year=False)


def _with_percent(first: Quantity, second: Quantity) -> tuple[Quantity, Quantity]:
    if first.is_plain:
        return first._replace(percentage=second.percentage, is_year=False), second
    if second.is_plain:
        return first, second._replace(percentage=first.percentage, is_year=False)
    return first, second


def _inherited(first: Quantity, second: Quantity) -> str | None:
    """The denomination of the second, unless the first is then larger: "500 to 2 billion"."""
    above = Decimal(first.digits) > Decimal(second.digits)
    return None if above and Decimal(first.digits) >= _SMALL else second.denomination
