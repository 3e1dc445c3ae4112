"""Names of the fixed tokens: months, quarters, denominations, units of time, aggregates.

A name is what people type for the token, without the names of fields around it.
"""

from __future__ import annotations

from typing import Final

from grammax.tables.lexicon import MONTH_NAMES

_ORDINALS: Final = ("first", "second", "third", "fourth")

UNIT_SIGNS: Final = {"percent": "%", "times": "x"}
"""Units that are shown by a sign."""

FIXED_WORDINGS: Final[dict[str, tuple[str, ...]]] = {
    **{month[:3].upper(): (month, month[:3]) for month in MONTH_NAMES},
    **{
        f"Q{number}": (f"q{number}", f"{number}q", f"{ordinal} quarter")
        for number, ordinal in enumerate(_ORDINALS, 1)
    },
    "THOUSAND": ("thousand", "k"),
    "MILLION": ("million", "millions", "m", "mn", "mm", "mln", "mio"),
    "BILLION": ("billion", "billions", "b", "bn", "bln"),
    "TRILLION": ("trillion", "trillions", "t", "tn", "trn"),
    "PCT": ("percent", "per cent", "%", "pct"),
    "BPS": ("basis points", "basis point", "bp", "bps"),
    "DAY": ("day", "days"),
    "WEEK": ("week", "weeks"),
    "MONTH": ("month", "months"),
    "QUARTER": ("quarter", "quarters"),
    "YEAR": ("year", "years"),
    "CONTAINS": (
        *("contains", "containing", "contain", "mentioning", "mentions", "mention", "called"),
        *("titled", "about", "the word", "the phrase", "starts with", "ends with"),
    ),
    "count": (
        *("how many", "number of", "count", "count of", "total number of", "no of", "# of"),
        *("the number of", "amount of", "tally"),
    ),
    "sum": (
        *("total", "sum", "sum of", "in total", "combined", "altogether", "summed", "add up"),
        *("aggregate", "cumulative"),
    ),
    "average": (
        *("average", "mean", "avg", "average of", "mean of", "on average", "averages", "typical"),
        *("ave", "averaged"),
    ),
    "median": ("median", "median of", "medians"),
    "min": ("minimum", "min", "minimum of"),
    "max": ("maximum", "max", "maximum of"),
    "by": (
        *("by", "per", "for each", "in each", "each", "grouped by", "group by", "broken down by"),
        *("split by", "breakdown by", "for every", "in every", "across"),
    ),
    "ratio": (
        *("ratio of", "divided by", "ratio", "relative to", "times", "multiple of"),
        *("as a multiple of", "as a share of", "as a percentage of", "per unit of"),
    ),
    "change": (
        *("change in", "change", "growth", "growth in", "rose", "rise", "risen", "grew", "grown"),
        *("increase", "increased", "increase in", "fell", "fall", "fallen", "decline", "declined"),
        *("decrease", "decreased", "decrease in", "dropped", "shrank", "changed"),
    ),
}
