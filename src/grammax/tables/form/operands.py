"""The operands of constraints: fields, ratios, changes, aggregates, and what they compare with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, Protocol, TypeAlias, final

from grammax.tables import lexicon as words
from grammax.tables.form.errors import (
    ENUM_VALUE,
    LogicalFormError,
    check_digits,
    check_name,
    check_text,
    check_type,
    check_word,
)
from grammax.tables.form.times import Date, FiscalYear, Last, Month, Quarter, Time


class TokenRoles(Protocol):
    """Decides which tokens are fields and which are units, to distinguish `A GR B` from `A EQ V`.

    A `Catalogue` is one; `SPELLING` judges by the usual prefixes of tokens.
    """

    def is_field(self, token: str) -> bool:
        """Whether a token is a field; unknown tokens are judged by their spelling."""

    def is_unit(self, token: str) -> bool:
        """Whether a token is a unit, such as a currency; see `is_field` for unknown tokens."""

    @property
    def examples(self) -> tuple[str, str]:
        """A field and a value, for messages."""


@final
@dataclass(frozen=True, slots=True)
class Spelling:
    """Roles by the prefix of a token, for use without a catalogue."""

    field: str = "FLD_"
    unit: str = "CUR_"

    def is_field(self, token: str) -> bool:
        """Whether a token is spelt as a field."""
        return token.startswith(self.field)

    def is_unit(self, token: str) -> bool:
        """Whether a token is spelt as a unit."""
        return token.startswith(self.unit)

    @property
    def examples(self) -> tuple[str, str]:
        """A field and a value of a table of films."""
        return f"{self.field}YEAR", "GEN_DRAMA"


SPELLING: Final = Spelling()
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)

Denomination = Literal["THOUSAND", "MILLION", "BILLION", "TRILLION"]
PercentUnit = Literal["PCT", "BPS"]
Function = Literal["count", "sum", "average", "median", "min", "max"]


@final
@dataclass(frozen=True, slots=True)
class FieldRef:
    """A field, at a time or at the latest one."""

    token: str
    time: Time | None = None

    def __post_init__(self) -> None:
        check_name(self.token, "a field")
        if self.time is not None:
            check_type(self.time, Time, "a time")

    def __str__(self) -> str:
        return self.token if self.time is None else f"{self.token}({self.time})"


@final
@dataclass(frozen=True, slots=True)
class EnumValue:
    """A value of an enum type: a country, a genre, a grade."""

    token: str

    def __post_init__(self) -> None:
        check_name(self.token, "an enum value")

    def __str__(self) -> str:
        return f"{ENUM_VALUE}({self.token})"


@final
@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: `1.50` keeps its last zero.

    >>> number = Number("1.50", "BILLION", "CUR_USD")
    >>> str(number), number.value
    ('1.50 BILLION CUR_USD', Decimal('1.50'))
    """

    digits: str
    denomination: Denomination | None = None
    unit: str | None = None

    def __post_init__(self) -> None:
        check_digits(self.digits)
        if self.denomination is not None:
            check_word(self.denomination, words.DENOMINATIONS, "a denomination")
        if self.unit is not None:
            check_name(self.unit, "a unit")

    @property
    def value(self) -> Decimal:
        """The exact value of the digits; the denomination is not applied."""
        return Decimal(self.digits)

    def __str__(self) -> str:
        return " ".join(p for p in (self.digits, self.denomination, self.unit) if p)


@final
@dataclass(frozen=True, slots=True)
class Percent:
    """`5 PCT`, or `500 BPS` (hundredths of a percent), as written."""

    digits: str
    unit: PercentUnit = "PCT"

    def __post_init__(self) -> None:
        check_digits(self.digits)
        check_word(self.unit, words.PERCENTAGES, "a unit of percentages")

    @property
    def value(self) -> Decimal:
        """The exact value of the digits; the unit is not applied."""
        return Decimal(self.digits)

    def __str__(self) -> str:
        return f"{self.digits} {self.unit}"


@final
@dataclass(frozen=True, slots=True)
class Text:
    """Words that a text contains, as typed; capitals make no difference.

    >>> str(Text('the "end"'))
    '"the \\\\"end\\\\""'
    """

    text: str

    def __post_init__(self) -> None:
        check_text(self.text)

    def __str__(self) -> str:
        return quoted(self.text)


def quoted(text: str) -> str:
    """A text as one token of a logical form."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquoted(token: str) -> str | None:
    """The text of a token; None if the token is no quoted text.

    >>> unquoted('"star wars"'), unquoted("GEN_DRAMA"), unquoted('"star')
    ('star wars', None, None)
    """
    found = _QUOTED.fullmatch(token)
    return None if found is None else _ESCAPED.sub(r"\1", found[1])


@final
@dataclass(frozen=True, slots=True)
class Ratio:
    """One numeric field divided by another.

    >>> str(Ratio(FieldRef("FLD_GROSS"), FieldRef("FLD_BUDGET")))
    '(ratio FLD_GROSS FLD_BUDGET)'
    """

    numerator: FieldRef
    denominator: FieldRef

    def __post_init__(self) -> None:
        check_type(self.numerator, FieldRef, "a field")
        check_type(self.denominator, FieldRef, "a field")

    def __str__(self) -> str:
        return f"({words.RATIO} {self.numerator} {self.denominator})"


@final
@dataclass(frozen=True, slots=True)
class Change:
    """The change of a numeric field over a time, in percent; the field has a time.

    >>> from grammax.tables.form.times import Last
    >>> str(Change(FieldRef("FLD_VIEWS", Last(3, "YEAR"))))
    '(change FLD_VIEWS(LAST 3 YEAR))'
    """

    field: FieldRef

    def __post_init__(self) -> None:
        check_type(self.field, FieldRef, "a field")
        check_type(self.field.time, Time, "a time")

    def __str__(self) -> str:
        return f"({words.CHANGE} {self.field})"


@final
@dataclass(frozen=True, slots=True, repr=False)
class Aggregate:
    """A number that summarises rows: how many there are, or a function of a field of theirs.

    A count with a field is the number of its different values.

    >>> str(Aggregate("count")), str(Aggregate("average", FieldRef("FLD_VOTES")))
    ('(count)', '(average FLD_VOTES)')
    """

    function: Function
    field: FieldRef | None = None

    def __post_init__(self) -> None:
        check_word(self.function, words.AGGREGATES, "an aggregate")
        if self.function != words.COUNT or self.field is not None:
            check_type(self.field, FieldRef, "a field")
        if self.function == words.COUNT and self.field is not None and self.field.time is not None:
            raise LogicalFormError(
                f"{words.COUNT} was given {self.field}, which has a time.",
                hint=f"It counts the different values of a field: (count {self.field.token}).",
            )

    def __str__(self) -> str:
        return f"({self.function})" if self.field is None else f"({self.function} {self.field})"

    def __repr__(self) -> str:
        return f"<Aggregate {self}>"


Measure: TypeAlias = FieldRef | Ratio | Change
"""What a row has one value of."""

Operand: TypeAlias = (
    EnumValue
    | Number
    | Percent
    | FieldRef
    | Aggregate
    | Month
    | Date
    | Quarter
    | FiscalYear
    | Last
    | Text
)
"""What is compared with. A year is a `Number`: only the type of the field tells which it is."""
