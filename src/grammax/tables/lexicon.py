"""The tokens of the language: the fixed ones, and the fields and values of a catalogue by type.

A `Lexicon` is the part of a catalogue that the grammars need: tokens by type, without names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self, final

from grammax.errors import VocabularyError
from grammax.tables.schema import NumberType

OPEN, CLOSE = "(", ")"
CONNECTIVES: Final = ("AND", "OR", "NOT")
DISPLAY: Final = "display"
ORDERS: Final = ("ASC", "DESC")
RANKS: Final = ("top", "bottom")
EQUALITY: Final = ("EQ", "NEQ")
COMPARISON: Final = ("LS", "LE", "GR", "GE")
DIGITS: Final = tuple("0123456789")
MINUS, POINT = "-", "."
POWERS_OF_TEN: Final = {"THOUSAND": 3, "MILLION": 6, "BILLION": 9, "TRILLION": 12}
DENOMINATIONS: Final = tuple(POWERS_OF_TEN)
PERCENTAGES: Final = ("PCT", "BPS")
QUARTERS: Final = ("Q1", "Q2", "Q3", "Q4")
MONTH_NAMES: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
MONTHS: Final = tuple(name[:3].upper() for name in MONTH_NAMES)
UNITS: Final = ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
LAST, FISCAL_YEAR = "LAST", "FY"
COUNT: Final = "count"
AGGREGATES: Final = (COUNT, "sum", "average", "median", "min", "max")
EXTREMES: Final = ("min", "max")
"""The aggregates that dates have, too."""
BY, RATIO, CHANGE = "by", "ratio", "change"
PERIODS: Final = ("MONTH", "QUARTER", "YEAR")
"""The units of time that rows can be grouped by."""

NUMBER, LARGE_NUMBER, AMOUNT, PERCENT_NUMBER = "NUMBER", "LARGE_NUMBER", "AMOUNT", "PERCENT_NUMBER"
INTEGER, TIME, TEXT = "INTEGER", "TIME", "TEXT"
FILLED: Final = (NUMBER, LARGE_NUMBER, AMOUNT, PERCENT_NUMBER, INTEGER, TIME)
"""The kinds that queries fill: plain numbers, those with a denomination, with a unit, percentages,
counts of ranks, times. A schema without history has also `TEXT`: words that texts contain."""
CONTAINS: Final = "CONTAINS"
"""Compares a field of texts with a text; of schemas without history, like `ONE` and `TEXT`."""
ZERO: Final = "ZERO"
"""Stands for a 0 that is expressed by words: "positive", "without"."""
ONE: Final = "ONE"
"""Stands for the count of a rank that is expressed by a singular: "the longest film"."""
BETWEEN: Final = "BETWEEN"
"""Stands for two comparisons of one field: at least one number, and at most another."""

FIXED_TOKENS: Final = (
    OPEN, CLOSE, *CONNECTIVES, DISPLAY, *ORDERS, *RANKS, *EQUALITY, *COMPARISON, *DIGITS, MINUS,
    POINT, *DENOMINATIONS, *PERCENTAGES, *QUARTERS, *MONTHS, *UNITS, LAST, FISCAL_YEAR,
    *AGGREGATES, BY, RATIO, CHANGE,
)  # fmt: skip
"""Every token that is not a field, an enum value or a unit."""


LANGUAGE: Final = " ".join((*FIXED_TOKENS, *FILLED, ZERO, BETWEEN)).encode()
"""Part of every catalogue's version, because a model depends on it."""


@final
@dataclass(frozen=True, slots=True)
class EnumTokens:
    """The tokens of an enum type: its fields admit only its values or, if searched, a text."""

    name: str
    fields: tuple[str, ...]
    values: tuple[str, ...]
    ordered: bool = False
    searched: bool = False


@final
@dataclass(frozen=True, slots=True)
class NumberTokens:
    """The fields of a number type, and what may follow a number of it."""

    name: str
    fields: tuple[str, ...]
    denominations: bool = False
    units: bool = False
    percentages: bool = False
    dates: bool = False

    @classmethod
    def from_type(cls, type_: NumberType, fields: tuple[str, ...]) -> Self:
        """The fields of a number type of a schema."""
        allowed = type_.denominations, type_.units, type_.percentages, type_.dates
        return cls(type_.name, fields, *allowed)


@final
@dataclass(frozen=True, slots=True)
class TextTokens:
    """The fields of a text type; those that are not searched are only shown."""

    name: str
    fields: tuple[str, ...]
    searched: bool = True
    ordered: bool = False


@final
@dataclass(frozen=True, slots=True)
class Lexicon:
    """The fields and values of a catalogue by type."""

    enums: tuple[EnumTokens, ...]
    numbers: tuple[NumberTokens, ...]
    units: tuple[str, ...] = ()
    unit_kind: str = "CURRENCY"
    texts: tuple[TextTokens, ...] = ()
    history: bool = True  # whether fields have values of other times

    def __post_init__(self) -> None:
        for type_ in self.types:
            if not type_.fields or (isinstance(type_, EnumTokens) and not type_.values):
                raise VocabularyError(
                    f"the type {type_.name} has no field or no value, so no constraint can use it; "
                    f"leave it out"
                )
        if not self.units and any(number.units for number in self.numbers):
            raise VocabularyError(
                "the lexicon has no unit, and there are numbers that take one, such as a currency"
            )

    @property
    def types(self) -> tuple[EnumTokens | NumberTokens | TextTokens, ...]:
        """All types of fields, enums first."""
        return (*self.enums, *self.numbers, *self.texts)

    @property
    def searched(self) -> tuple[str, ...]:
        """The fields whose texts can be searched; none in a schema with history."""
        if self.history:
            return ()
        texts = [field for text in self.texts if text.searched for field in text.fields]
        names = [field for enum in self.enums if enum.searched for field in enum.fields]
        return (*texts, *names)

    @property
    def tokens(self) -> tuple[str, ...]:
        """All tokens of the LF language, fixed ones first."""
        found = list(FIXED_TOKENS)
        for enum in self.enums:
            found += [*enum.fields, *enum.values]
        for number in self.numbers:
            found += number.fields
        for text in self.texts:
            found += text.fields
        return (*found, *self.units)
