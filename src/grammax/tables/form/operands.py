"""What a constraint compares: a field, and an enum value, a number, a percentage or a field."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, TypeAlias, final

from grammax.tables import lexicon as words
from grammax.tables.form.errors import (
    ENUM_VALUE,
    LogicalFormError,
    check_digits,
    check_name,
    check_type,
    check_word,
)
from grammax.tables.form.times import Time

FIELD_PREFIX: Final = "FLD_"
CURRENCY_PREFIX: Final = "CUR_"

Denomination = Literal["THOUSAND", "MILLION", "BILLION", "TRILLION"]
PercentUnit = Literal["PCT", "BPS"]


@final
@dataclass(frozen=True, slots=True)
class FieldRef:
    """A field, at a time or at the latest one."""

    token: str
    time: Time | None = None

    def __post_init__(self) -> None:
        check_name(self.token, "a field")
        check_type(self.time, Time | None, "a time")

    def __str__(self) -> str:
        return self.token if self.time is None else f"{self.token}({self.time})"


@final
@dataclass(frozen=True, slots=True)
class EnumValue:
    """A value of an enum type: a country, a sector, a rating."""

    token: str

    def __post_init__(self) -> None:
        check_name(self.token, "an enum value")
        if self.token.startswith(FIELD_PREFIX):
            raise LogicalFormError(
                f"{self.token} is a field, not an enum value.", hint="Use FieldRef for fields."
            )

    def __str__(self) -> str:
        return f"{ENUM_VALUE}({self.token})"


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written: `1.50` keeps its last zero.

    >>> number = Number("1.50", "BILLION", "CUR_USD")
    >>> str(number), number.value
    ('1.50 BILLION CUR_USD', Decimal('1.50'))
    """

    digits: str
    denomination: Denomination | None = None
    currency: str | None = None

    def __post_init__(self) -> None:
        check_digits(self.digits)
        if self.denomination is not None:
            check_word(self.denomination, words.DENOMINATIONS, "a denomination")
        if self.currency is not None:
            check_name(self.currency, "a currency")
            if not self.currency.startswith(CURRENCY_PREFIX):
                raise LogicalFormError(
                    f"{self.currency} is not a currency.",
                    hint=f"Currencies begin with {CURRENCY_PREFIX}, such as CUR_USD.",
                )

    @property
    def value(self) -> Decimal:
        """What the digits say, exactly; the denomination is not applied."""
        return Decimal(self.digits)

    def __str__(self) -> str:
        return " ".join(p for p in (self.digits, self.denomination, self.currency) if p)


@final
@dataclass(frozen=True, slots=True)
class Percent:
    """`5 PCT`, or `500 BPS` (hundredths of a percent), as it was written."""

    digits: str
    unit: PercentUnit = "PCT"

    def __post_init__(self) -> None:
        check_digits(self.digits)
        check_word(self.unit, words.PERCENTAGES, "a unit of percentages")

    @property
    def value(self) -> Decimal:
        """What the digits say, exactly; the unit is not applied."""
        return Decimal(self.digits)

    def __str__(self) -> str:
        return f"{self.digits} {self.unit}"


Operand: TypeAlias = EnumValue | Number | Percent | FieldRef
