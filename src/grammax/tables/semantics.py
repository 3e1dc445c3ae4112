"""Semantic classes: what kind of thing a column holds, which decides the words people use for it.

A column of money is "cheap", one of durations "long", one of people is asked with "who". The class
follows from a column's name, type and values (`inspect.classify`), or from `schema.toml`.

>>> SemanticClass("money").is_number, SemanticClass.PLACE.is_enumerated
(True, True)
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class SemanticClass(StrEnum):
    """What a column holds; the lower-case names are those of `schema.toml`."""

    MONEY = "money"
    COUNT = "count"
    RATING = "rating"
    RANK = "rank"
    PERCENT = "percent"
    RATIO = "ratio"
    DURATION = "duration"
    AGE = "age"
    YEAR = "year"
    PHYSICAL = "physical"  # weight, height, speed ...
    COORDINATE = "coordinate"  # latitude and longitude
    NUMBER = "number"  # any other number
    DATE = "date"  # a date, or a date with a time
    CATEGORY = "category"
    BOOLEAN = "boolean"
    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    NAME = "name"  # what the row is called: its title or name
    CODE = "code"  # an identifier
    TEXT = "text"
    URL = "url"
    IMAGE = "image"
    EMAIL = "email"
    PHONE = "phone"

    @property
    def is_number(self) -> bool:
        """Whether values are compared and computed with as numbers."""
        return self in NUMBERS

    @property
    def is_enumerated(self) -> bool:
        """Whether values are names that a query may mention."""
        return self in ENUMERATED

    @property
    def is_text(self) -> bool:
        """Whether values are searched, not enumerated."""
        return self in TEXTS


class Role(StrEnum):
    """What a column is for in a query."""

    MEASURE = "measure"  # computed with: sums, averages, ranks
    DIMENSION = "dimension"  # filtered and grouped by
    KEY = "key"  # identifies rows, or refers to those of another table
    TEXT = "text"  # searched


class Aggregate(StrEnum):
    """The function that summarises a column if a query does not name one."""

    SUM = "sum"
    AVERAGE = "average"
    MIN = "min"
    MAX = "max"
    COUNT = "count"


class Better(StrEnum):
    """Which direction of a measure is the better one."""

    GREATER = "greater"
    SMALLER = "smaller"
    NEITHER = "neither"


_C = SemanticClass
NUMBERS: Final = frozenset(
    {_C.MONEY, _C.COUNT, _C.RATING, _C.RANK, _C.PERCENT, _C.RATIO, _C.DURATION, _C.AGE, _C.YEAR,
     _C.PHYSICAL, _C.COORDINATE, _C.NUMBER}
)  # fmt: skip
ENUMERATED: Final = frozenset(
    {_C.CATEGORY, _C.BOOLEAN, _C.PERSON, _C.ORGANISATION, _C.PLACE, _C.NAME, _C.CODE}
)
TEXTS: Final = frozenset({_C.TEXT, _C.URL, _C.IMAGE, _C.EMAIL, _C.PHONE})

_DIMENSIONS: Final = frozenset({_C.YEAR, _C.COORDINATE, _C.DATE, *(ENUMERATED - {_C.CODE})})
_SUMMED: Final = frozenset({_C.MONEY, _C.COUNT})
_BETTER: Final = {_C.RATING: Better.GREATER, _C.RANK: Better.SMALLER}


def default_role(of: SemanticClass) -> Role:
    """The role of a column of a class.

    >>> default_role(SemanticClass.YEAR), default_role(SemanticClass.EMAIL)
    (<Role.DIMENSION: 'dimension'>, <Role.TEXT: 'text'>)
    """
    if of is _C.CODE:
        return Role.KEY
    if of.is_text:
        return Role.TEXT
    return Role.DIMENSION if of in _DIMENSIONS else Role.MEASURE


def default_aggregate(of: SemanticClass) -> Aggregate:
    """The aggregate of a column of a class, if nothing more is known of it."""
    if of.is_number and of not in _DIMENSIONS:
        return Aggregate.SUM if of in _SUMMED else Aggregate.AVERAGE
    return Aggregate.MAX if of in (_C.DATE, _C.YEAR) else Aggregate.COUNT


def default_better(of: SemanticClass) -> Better:
    """The better direction of a class, if nothing more is known of the column."""
    return _BETTER.get(of, Better.NEITHER)
