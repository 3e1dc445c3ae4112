"""The entries of a catalogue: fields and enum values, each with its names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Value:
    """An enum value: its parent is a value that contains it, such as the region of a country.

    `rank` is given on ordered scales, 1 being the best or largest.
    """

    token: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    parent: str | None = None
    rank: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A field: its type is the name of an `EnumType` or of a `NumberType` of the schema.

    A field that is computed from another has that field as its `base` and the computation as its
    `variant`: GROWTH_1Y, AVG_3Y ... (see `query.formulas`).
    """

    token: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    unit: str = ""
    base: str | None = None
    variant: str | None = None
