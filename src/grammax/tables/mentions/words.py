"""The words and signs of numbers, as data."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, NamedTuple

from grammax.tables.lexicon import RANKS


class Scale(NamedTuple):
    """A denomination, and what the digits before it are multiplied by."""

    denomination: str
    factor: int = 1


ONES: Final = {
    word: value
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
            *("seventeen", "eighteen", "nineteen"),
        )
    )
}
TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
COUNTED: Final = {"hundred": 100, "dozen": 12}
"""Words that multiply the number before them, and are no denomination."""

_MILLION, _BILLION, _TRILLION = Scale("MILLION"), Scale("BILLION"), Scale("TRILLION")
SCALES: Final = {
    "thousand": Scale("THOUSAND"), "million": _MILLION, "billion": _BILLION, "trillion": _TRILLION,
    "lakh": Scale("THOUSAND", 100), "crore": Scale("MILLION", 10),
}  # fmt: skip
"""Denominations in full, which may also follow a number in words, or "a"."""

SUFFIXES: Final = {
    **SCALES,
    **{f"{word}s": scale for word, scale in SCALES.items()},
    "k": Scale("THOUSAND"), "thou": Scale("THOUSAND"), "grand": Scale("THOUSAND"),
    "tsd": Scale("THOUSAND"),
    **dict.fromkeys(("m", "mn", "mm", "mln", "mio", "mil", "mill", "mlns"), _MILLION),
    **dict.fromkeys(("b", "bn", "bln", "bil", "bill", "bns", "mrd", "mia", "bio"), _BILLION),
    **dict.fromkeys(("t", "tn", "trn", "tr", "tril", "trill", "tln"), _TRILLION),
    "lac": Scale("THOUSAND", 100), "lacs": Scale("THOUSAND", 100), "cr": Scale("MILLION", 10),
}  # fmt: skip
"""Denominations after digits."""

GLUED_ONLY: Final = frozenset(("t", "tr", "cr", "bill", "bio", "mill", "mia", "pc", "pp"))
"""Endings that are other words if there is a space before them, unless a unit is beside them."""

AFTER_LETTER: Final = frozenset(("rated", "rating", "ratings", "grade", "class", "share", "shares"))
"""Words before which a letter is a grade or a class: "5 b rated"."""

PERCENT: Final = {
    ("%",): "PCT", ("percent",): "PCT", ("pct",): "PCT", ("pcts",): "PCT", ("per", "cent"): "PCT",
    ("percentage", "points"): "PCT", ("percentage", "point"): "PCT", ("pp",): "PCT",
    ("ppt",): "PCT", ("ppts",): "PCT", ("pc",): "PCT", ("percents",): "PCT",
    ("%", "points"): "PCT", ("bps",): "BPS", ("bp",): "BPS", ("bips",): "BPS",
    ("basis", "points"): "BPS", ("basis", "pts"): "BPS", ("basis", "point"): "BPS",
}  # fmt: skip

MINOR_UNITS: Final = frozenset(("cent", "cents", "pence", "penny", "p", "‰"))
"""Parts of a unit, which no logical form can say."""

MULTIPLES: Final = {
    "twice": "2", "double": "2", "thrice": "3", "triple": "3", "quadruple": "4",
    **{f"{word}fold": str(value) for word, value in ONES.items() if value > 1},
}  # fmt: skip
GRADES: Final = frozenset(("digit", "digits", "a", "b", "c"))
"""What "double" and "triple" are no multiples of: "double digit", "triple a"."""

TIMES: Final = frozenset(("x", "times", "×", "fold"))
"""What makes a multiple of the number before it: "2x", "three times"."""

FRACTIONS: Final = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4,
    "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8,
    "tenth": 10, "tenths": 10,
}  # fmt: skip
DIVISORS: Final = frozenset((2, 3, 4, 5, 6, 8, 10, 16, 20, 100))
"""Denominators of fractions in digits; others, as in "24/7", are no fraction."""

VULGAR: Final = {
    "½": Decimal("0.5"), "⅓": Decimal("0.3333"), "⅔": Decimal("0.6667"), "¼": Decimal("0.25"),
    "¾": Decimal("0.75"), "⅕": Decimal("0.2"), "⅖": Decimal("0.4"), "⅗": Decimal("0.6"),
    "⅘": Decimal("0.8"), "⅛": Decimal("0.125"), "⅜": Decimal("0.375"), "⅝": Decimal("0.625"),
    "⅞": Decimal("0.875"), "⅒": Decimal("0.1"),
}  # fmt: skip

VAGUE: Final = frozenset(("few", "several", "many", "some"))
"""Words before "hundred" that leave its number open."""

ORDINALS: Final = frozenset(
    ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
)
ARTICLES: Final = frozenset(("a", "an"))
NEGATIONS: Final = frozenset(("minus", "negative"))
COMPARISONS: Final = frozenset(
    ("than", "over", "above", "under", "below", "least", "most", "exceeding", "exceeds", "beyond",
     ">", "<", "=", "≥", "≤")
)  # fmt: skip
"""Words and signs that compare with the number after them."""

COMPARED: Final = COMPARISONS | frozenset(
    ("exactly", "between", "from", "to", "equals", "about", "around", "roughly", "nearly", "only",
     "by", "of", "at", "max", "maximum", "min", "minimum")
)  # fmt: skip
"""Words after which a number stands."""

COUNTS: Final = frozenset((*RANKS, "first", "best", "worst", "largest", "biggest"))
"""Words after which the count of a rank stands."""

OR_BEYOND: Final = frozenset(
    ("higher", "more", "above", "over", "better", "greater", "longer", "lower", "less", "below",
     "under", "fewer", "smaller", "shorter", "up")
)  # fmt: skip
"""Words after "or" that make the number before them a bound: "one or lower"."""

TIME_UNITS: Final = frozenset(
    ("day", "days", "week", "weeks", "month", "months", "quarter", "quarters", "year", "years",
     "d", "w", "wk", "wks", "mo", "mos", "mth", "mths", "q", "qtr", "qtrs", "y", "yr", "yrs",
     "decade", "decades", "dma", "ma", "sma", "ema")
)  # fmt: skip
ORDINAL_ENDINGS: Final = frozenset(("st", "nd", "rd", "th"))
YEAR_ENDINGS: Final = frozenset(("e", "f", "a"))
"""Letters after a year: estimated, forecast, actual."""

GLUED_BEFORE: Final = frozenset((*COUNTS, *COMPARED, "last", "past", "rank", "number", "no"))
"""Words to which people glue a number: "top10"."""

HYPHENATED_BEFORE: Final = frozenset(
    (*GLUED_BEFORE, "pre", "post", "mid", "sub", "early", "late", "since", "until", "plus", "fy")
)
"""Words before a hyphen and a number: "pre-2020"; after others, as in "covid-19", none stands."""

NOT_BEFORE_HALF: Final = frozenset(
    ("first", "second", "last", "1st", "2nd", "other", "better", "and", "-")
)
"""Words after which "half" is a part of something else: "first half", "one and a half"."""

NOT_HALVED: Final = frozenset(
    ("year", "years", "yearly", "time", "hour", "life", "way", "marathon", "brother", "sister")
)
"""Words before which "half" is no number: "half year"."""
