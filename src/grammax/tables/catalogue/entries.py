"""What a catalogue lists: types of enum values, values, and fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

NUMBER_TYPES: Final = ("MONEY", "PER_SHARE", "RATIO", "PERCENT", "COUNT")
"""The types of numeric fields; every other type of field is a `ValueType`."""

CURRENCY: Final = "CURRENCY"
"""The one type of value that stands after numbers instead of after fields."""


@final
@dataclass(frozen=True, slots=True)
class ValueType:
    """A type of enum values: "COUNTRY", whose tokens begin with "COU_", called "country"."""

    name: str
    prefix: str
    ordered: bool
    label: str


@final
@dataclass(frozen=True, slots=True)
class Value:
    """An enum value: its parent is the region of a country, the sector of an industry.

    `rank` is given on ordered scales, 1 being the best or largest.
    """

    token: str
    type: str
    name: str
    aliases: tuple[str, ...]
    parent: str | None
    rank: int | None


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A field: its type is a `ValueType`'s name or one of `NUMBER_TYPES`.

    A field that derives from another names it as its `base`, and as its `variant` the way: TTM,
    QUARTERLY, GROWTH_1Y, _3Y, _5Y, _QOQ, AVG_3Y, _5Y, CHANGE_1Y, PER_SHARE, TO_SALES, TO_ASSETS,
    FORWARD, FORWARD_GROWTH.
    """

    token: str
    type: str
    name: str
    aliases: tuple[str, ...]
    description: str
    unit: str
    base: str | None
    variant: str | None
