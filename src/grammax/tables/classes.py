"""The usual classes of numeric fields, with the patterns that hold for all fields of a class.

| class | fields such as |
|---|---|
| MONEY | budget, revenue |
| PRICE | the price of one thing |
| COUNT | awards, seats |
| RATIO | aspect ratio, price to rent |
| PERCENT | share, margin |
| CHANGE | growth in percent, signed |
| RATING | score, stars |
| DURATION | length |
| AGE | age in years |
| RANK | position, 1 being the best |
| DATE | date or year of release |
| PHYSICAL | weight, height |
| NUMBER | anything else |

`class_of` chooses one for a number type; a domain may choose others for its fields.

>>> "highest {f}" in RATING.most, MONEY.asked[0]
(True, 'how much {f}')
>>> COUNT.compared["LE"][:2]
('at most {n}', 'no more than {n}')
"""

from __future__ import annotations

from typing import Final

from grammax.tables.idioms import ByOperator, FieldClass, Moves, Signs
from grammax.tables.schema import NumberType

_BOUNDS: Final[ByOperator] = {
    "GR": ("above {n}", "over {n}", "greater than {n}", "more than {n}", "higher than {n}",
           "of more than {n}", "exceeding {n}", "in excess of {n}", "of over {n}", "beyond {n}",
           "north of {n}"),
    "GE": ("of at least {n}", "of {n} or more", "of {n} or higher", "of {n} or above",
           "not below {n}", "of no less than {n}", "of {n} and up",
           "of minimum {n}", "from {n}", "no lower than {n}", "of {n} and above",
           "equal to or above {n}", "starting at {n}", "of {n}+"),
    "LS": ("below {n}", "under {n}", "less than {n}", "lower than {n}", "smaller than {n}",
           "of less than {n}", "of under {n}", "south of {n}"),
    "LE": ("of at most {n}", "of {n} or less", "of {n} or lower", "of {n} or below",
           "not above {n}", "of no more than {n}", "up to {n}", "of maximum {n}", "not over {n}",
           "no higher than {n}", "of {n} and below", "equal to or below {n}",
           "not exceeding {n}", "not more than {n}", "of {n} or under"),
    "EQ": ("of {n}", "of exactly {n}", "equal to {n}", "exactly {n}", "at {n}"),
    "NEQ": ("not equal to {n}", "other than {n}"),
}  # fmt: skip
_COUNTED: Final[ByOperator] = {
    "GR": ("more than {n}", "over {n}", "above {n}", "greater than {n}", "exceeding {n}",
           "upwards of {n}", "in excess of {n}"),
    "GE": ("at least {n}", "{n} or more", "no fewer than {n}", "no less than {n}", "{n}+",
           "not less than {n}", "minimum {n}", "{n} and up", "a minimum of {n}"),
    "LS": ("fewer than {n}", "less than {n}", "under {n}", "below {n}"),
    "LE": ("at most {n}", "no more than {n}", "{n} or fewer", "{n} or less", "up to {n}",
           "not more than {n}", "maximum {n}", "a maximum of {n}"),
    "EQ": ("exactly {n}", "{n}", "just {n}"),
    "NEQ": ("not {n}",),
}  # fmt: skip
_DATED: Final[ByOperator] = {
    "GR": ("after {n}", "later than {n}", "since {n}", "past {n}"),
    "GE": ("in {n} or later", "from {n} on", "in or after {n}", "not before {n}", "from {n}"),
    "LS": ("before {n}", "earlier than {n}", "prior to {n}"),
    "LE": ("in {n} or earlier", "up to {n}", "in or before {n}", "until {n}", "not after {n}"),
    "EQ": ("in {n}", "of {n}", "{n}"),
    "NEQ": ("not in {n}",),
}
_RANGES: Final = (
    "between {n} and {m}", "from {n} to {m}", "of {n} to {m}", "of {n}-{m}", "between {n} & {m}",
    "in the range of {n} to {m}", "ranging from {n} to {m}", "above {n} and below {m}",
    "over {n} but under {m}", "more than {n} and less than {m}", "of {n} - {m}", "within {n}-{m}",
    "above {n} but below {m}", "between {n} to {m}", "between {n}-{m}",
)  # fmt: skip
_OF_PERIODS: Final = (
    "between {n} and {m}", "from {n} to {m}", "{n}-{m}", "{n} to {m}", "after {n} and before {m}",
)  # fmt: skip
_CLAUSES: Final = (
    "with {a}{f} {of c}", "whose {f} {is} {c}", "that have {a}{f} {of c}", "where {f} {is} {c}",
    "having {a}{f} {of c}", "which have {a}{f} {of c}", "and {a}{f} {of c}",
)  # fmt: skip
_COUNTING: Final = (
    "with {c} {f}", "that have {c} {f}", "having {c} {f}", "where the number of {f} is {c}",
    "whose number of {f} is {c}", "which have {c} {f}",
)  # fmt: skip
_MASS: Final = ("with {c} in {f}", "with {c} of {f}", "that have {c} in {f}")
_KEYWORDS: Final = ("{f} {c}", "{f} {of c}", "{f}: {c}", "{c} {f}")

SIGNED: Final = Signs(
    positive=("positive {f}", "{f} above zero", "{f} greater than zero", "{f} above 0", "{f} > 0",
              "a positive {f}"),
    negative=("negative {f}", "{f} below zero", "{f} less than zero", "{f} below 0", "{f} < 0",
              "a negative {f}"),
    absent=("zero {f}", "no {f}", "{f} of zero", "{f} = 0", "0 {f}"),
)  # fmt: skip
"""The signs of what can be negative."""
OWNED: Final = Signs(
    positive=("some {f}", "any {f}", "positive {f}", "{f} above zero", "{f} > 0"),
    absent=("no {f}", "zero {f}", "0 {f}", "no {f} at all", "{f} of zero", "{f} = 0"),
)
"""The signs of what can be missing but not negative."""
_MOVED: Final = Moves(
    rising=("rising {f}", "growing {f}", "increasing {f}", "{f} growing", "{f} up",
            "improving {f}", "higher {f}", "{f} that rose"),
    falling=("falling {f}", "declining {f}", "shrinking {f}", "decreasing {f}", "{f} down",
             "lower {f}", "{f} that fell"),
    up=("{f} up more than {n}", "{f} up over {n}", "{f} growth above {n}",
        "{f} that rose more than {n}", "{f} rising more than {n}",
        "{f} increased by more than {n}", "{f} that grew over {n}",
        "growth in {f} of more than {n}", "{f} up by over {n}"),
    down=("{f} down more than {n}", "{f} down over {n}", "{f} that fell by more than {n}",
          "{f} falling more than {n}", "{f} decreased by over {n}", "{f} that dropped over {n}",
          "a drop in {f} of more than {n}", "{f} declined by more than {n}"),
)  # fmt: skip
_HIGH: Final = ("high {f}", "strong {f}", "a high {f}")
_LOW: Final = ("low {f}", "weak {f}", "a low {f}")

MONEY: Final = FieldClass(
    "MONEY", _BOUNDS, _RANGES, (*_CLAUSES, *_MASS),
    (*_KEYWORDS, "{c} in {f}"),
    most=("highest {f}", "largest {f}", "most {f}", "biggest {f}", "greatest {f}", "top {f}"),
    least=("lowest {f}", "smallest {f}", "least {f}"),
    more=("high {f}", "large {f}", "big {f}", "huge {f}", "a lot of {f}"),
    less=("low {f}", "small {f}", "little {f}"),
    signs=SIGNED, moves=_MOVED,
    asked=("how much {f}", "how high {is} the {f}", "how large {is} the {f}",
           "how big {is} the {f}"),
)  # fmt: skip
PRICE: Final = FieldClass(
    "PRICE", _BOUNDS, _RANGES, _CLAUSES, _KEYWORDS,
    most=("highest {f}", "top {f}", "largest {f}"), least=("lowest {f}", "smallest {f}"),
    asked=("how much is the {f}", "how high {is} the {f}"),
    more=_HIGH, less=_LOW, signs=SIGNED, moves=_MOVED,
)  # fmt: skip
COUNT: Final = FieldClass(
    "COUNT", _COUNTED, _RANGES, (*_COUNTING, "with {a}{f} {of c}", "whose {f} {is} {c}"),
    ("{c} {f}", "{f} {c}"),
    most=("most {f}", "highest number of {f}", "largest number of {f}", "highest {f}",
          "greatest number of {f}", "largest {f}"),
    least=("fewest {f}", "lowest number of {f}", "smallest number of {f}", "least {f}",
           "lowest {f}"),
    asked=("how many {f}", "how high {is} the {f}"),
    more=("many {f}", "a lot of {f}"), less=("few {f}",), signs=OWNED, moves=_MOVED,
)  # fmt: skip
RATIO: Final = FieldClass(
    "RATIO", _BOUNDS, _RANGES, _CLAUSES, _KEYWORDS,
    most=("highest {f}", "top {f}", "largest {f}", "greatest {f}"),
    least=("lowest {f}", "smallest {f}"),
    asked=("how high {is} the {f}", "how low {is} the {f}"),
    more=_HIGH, less=_LOW, signs=SIGNED, moves=_MOVED,
)  # fmt: skip
PERCENT: Final = FieldClass(
    "PERCENT", _BOUNDS, _RANGES, _CLAUSES, (*_KEYWORDS, "{c} of {f}"),
    most=("highest {f}", "best {f}", "top {f}", "largest {f}", "greatest {f}"),
    least=("lowest {f}", "worst {f}", "smallest {f}", "weakest {f}"),
    asked=("how high {is} the {f}", "how much {is} the {f}"),
    more=_HIGH, less=_LOW, signs=SIGNED, moves=_MOVED,
)  # fmt: skip
CHANGE: Final = FieldClass(
    "CHANGE", _BOUNDS, _RANGES, (*_CLAUSES, "with {c} {f}"), _KEYWORDS,
    most=("highest {f}", "fastest {f}", "best {f}", "strongest {f}", "largest {f}"),
    least=("lowest {f}", "worst {f}", "slowest {f}", "weakest {f}", "smallest {f}"),
    more=("strong {f}", "high {f}", "fast {f}"), less=("weak {f}", "low {f}", "slow {f}"),
    signs=Signs(
        ("positive {f}", "{f} above zero", "{f} > 0", "any {f}"),
        ("negative {f}", "{f} below zero", "{f} < 0"),
        ("no {f}", "zero {f}", "flat {f}", "{f} of zero"),
    ),
    asked=("how high {is} the {f}", "how strong {is} the {f}"),
)  # fmt: skip
RATING: Final = FieldClass(
    "RATING",
    {
        **_BOUNDS,
        "GR": (*_BOUNDS["GR"], "better than {n}"),
        "GE": (*_BOUNDS["GE"], "of {n} or better"),
        "LS": (*_BOUNDS["LS"], "worse than {n}"),
        "LE": (*_BOUNDS["LE"], "of {n} or worse"),
    },
    _RANGES, (*_CLAUSES, "with {c} in {f}", "scoring {c} on {f}"), _KEYWORDS,
    most=("best {f}", "highest {f}", "top {f}", "greatest {f}"),
    least=("worst {f}", "lowest {f}", "poorest {f}"),
    more=("good {f}", "high {f}", "great {f}", "strong {f}"),
    less=("bad {f}", "poor {f}", "low {f}", "weak {f}"),
    asked=("how good {is} the {f}", "how high {is} the {f}"),
    signs=SIGNED, moves=_MOVED,
)  # fmt: skip
DURATION: Final = FieldClass(
    "DURATION",
    {
        **_BOUNDS,
        "GR": ("over {n}", "longer than {n}", "more than {n}", "above {n}", "of more than {n}"),
        "LS": ("under {n}", "shorter than {n}", "less than {n}", "below {n}", "of less than {n}"),
    },
    _RANGES, _CLAUSES, _KEYWORDS,
    most=("longest {f}", "highest {f}", "greatest {f}"),
    least=("shortest {f}", "lowest {f}", "smallest {f}"),
    more=("long {f}",), less=("short {f}",), asked=("how long {is} the {f}",),
    signs=Signs(absent=("no {f}", "zero {f}")),
)  # fmt: skip
DATE: Final = FieldClass(
    "DATE", _DATED, _OF_PERIODS, ("with {a}{f} {c}", "whose {f} {is} {c}"), ("{f} {c}",),
    most=("latest {f}", "most recent {f}", "newest {f}", "last {f}"),
    least=("earliest {f}", "oldest {f}", "first {f}"),
    more=("recent {f}", "late {f}"), less=("early {f}",), asked=("when was the {f}",),
)  # fmt: skip
PHYSICAL: Final = FieldClass(
    "PHYSICAL", _BOUNDS, _RANGES, _CLAUSES, _KEYWORDS,
    most=("highest {f}", "largest {f}", "greatest {f}", "most {f}", "biggest {f}"),
    least=("lowest {f}", "smallest {f}", "least {f}"),
    asked=("how much {f}", "how high {is} the {f}", "how large {is} the {f}"),
    more=("high {f}", "large {f}"), less=("low {f}", "small {f}"),
    signs=Signs(absent=("no {f}", "zero {f}")), moves=_MOVED,
)  # fmt: skip

AGE: Final = FieldClass(
    "AGE",
    {
        **_BOUNDS,
        "GR": ("over {n}", "older than {n}", "above {n}", "more than {n}", "greater than {n}"),
        "LS": ("under {n}", "younger than {n}", "below {n}", "less than {n}", "lower than {n}"),
    },
    _RANGES, _CLAUSES, _KEYWORDS,
    most=("highest {f}", "greatest {f}", "oldest {f}"), least=("lowest {f}", "youngest {f}"),
    more=("high {f}",), less=("low {f}",), asked=("how high {is} the {f}",),
)  # fmt: skip
RANK: Final = FieldClass(
    "RANK", _BOUNDS, _RANGES, _CLAUSES, _KEYWORDS,
    most=("lowest {f}", "worst {f}"), least=("highest {f}", "best {f}", "top {f}"),
)  # fmt: skip
YEAR: Final = FieldClass(
    "YEAR",
    {
        "GR": ("after {n}", "later than {n}", "past {n}", "greater than {n}", "above {n}"),
        "GE": ("since {n}", "from {n} on", "in or after {n}", "not before {n}", "{n} or later"),
        "LS": ("before {n}", "earlier than {n}", "prior to {n}", "less than {n}", "below {n}"),
        "LE": ("until {n}", "up to {n}", "in or before {n}", "not after {n}", "{n} or earlier"),
        "EQ": ("in {n}", "of {n}", "{n}", "equal to {n}"),
        "NEQ": ("not in {n}",),
    },
    _OF_PERIODS, ("with {a}{f} {c}", "whose {f} {is} {c}", "where the {f} {is} {c}"), ("{f} {c}",),
    most=DATE.most, least=DATE.least, more=DATE.more, less=DATE.less,
)  # fmt: skip
NUMBER: Final = FieldClass(
    "NUMBER", _BOUNDS, _RANGES, _CLAUSES, _KEYWORDS,
    most=("highest {f}", "largest {f}", "greatest {f}", "maximum {f}", "most {f}", "biggest {f}"),
    least=("lowest {f}", "smallest {f}", "minimum {f}", "least {f}"), more=_HIGH, less=_LOW,
    signs=Signs(absent=("no {f}", "zero {f}")),
)  # fmt: skip

CLASSES: Final = {
    each.name: each
    for each in (
        *(MONEY, PRICE, COUNT, RATIO, PERCENT, CHANGE, RATING, DURATION, DATE, PHYSICAL),
        *(AGE, RANK, YEAR, NUMBER),
    )
}
"""The classes by name."""

_TIMES: Final = frozenset(("second", "minute", "hour", "day", "week", "month"))


def class_of(number: NumberType) -> FieldClass:
    """The class of a number type: its own or, if it has none, one for what may follow its numbers.

    >>> class_of(NumberType("YEARS", semantic="AGE")).name, class_of(NumberType("N")).name
    ('AGE', 'RATIO')
    """
    if number.semantic:
        return CLASSES.get(number.semantic.upper(), NUMBER)
    unit = (number.unit or number.name).lower().removesuffix("s")
    if unit == "year":
        return DATE
    if unit in _TIMES:
        return DURATION
    if number.units:
        return MONEY if number.denominations else PRICE
    if number.percentages:
        return PERCENT
    if number.denominations:
        return COUNT
    return PHYSICAL if number.unit else RATIO
