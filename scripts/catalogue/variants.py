"""Variants of a field, as a terminal's field list has them: growth, averages, per share, forward.

The names of variants and what they mean for the numbers:

    TTM             sum of the last four quarters (flows), or as of them (percentages)
    QUARTERLY       the latest quarter alone
    GROWTH_1Y       change over a year, in percent; GROWTH_QOQ over a quarter
    GROWTH_3Y, _5Y  compound growth a year, in percent
    AVG_3Y, AVG_5Y  mean over the last years
    CHANGE_1Y       difference from a year ago, in the field's own unit
    PER_SHARE       divided by shares outstanding
    TO_SALES        divided by revenue, in percent; TO_ASSETS by total assets
    FORWARD         as analysts expect it for the next fiscal year
    FORWARD_GROWTH  expected change over the next fiscal year, in percent
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant: `type` is None where the base field's own is kept."""

    title: str
    phrases: tuple[str, ...]
    description: str
    type: str | None = None


VARIANTS = {
    "TTM": Variant(
        "{}, trailing twelve months",
        ("ttm {}", "{} ttm", "trailing {}", "ltm {}", "{} over the last twelve months"),
        "{}; over the last twelve months",
    ),
    "QUARTERLY": Variant(
        "{}, latest quarter",
        ("quarterly {}", "{} mrq", "latest quarterly {}", "mrq {}", "{} in the latest quarter"),
        "{}; in the latest quarter alone",
    ),
    "GROWTH_1Y": Variant(
        "{} growth, 1 year",
        ("{} growth", "growth in {}", "{} growth yoy", "yoy {} growth", "annual {} growth",
         "1 year {} growth", "1y {} growth", "{} growth rate", "growth of {}"),
        "Change over one year of: {}",
        "PERCENT",
    ),
    "GROWTH_3Y": Variant(
        "{} growth, 3 years",
        ("3 year {} growth", "3y {} growth", "{} growth 3y", "3 year {} cagr", "{} cagr 3y",
         "{} growth over 3 years", "three year {} growth"),
        "Compound growth a year over three years of: {}",
        "PERCENT",
    ),
    "GROWTH_5Y": Variant(
        "{} growth, 5 years",
        ("5 year {} growth", "5y {} growth", "{} growth 5y", "5 year {} cagr", "{} cagr 5y",
         "{} growth over 5 years", "{} growth past 5 years", "five year {} growth"),
        "Compound growth a year over five years of: {}",
        "PERCENT",
    ),
    "GROWTH_QOQ": Variant(
        "{} growth, quarter on quarter",
        ("quarterly {} growth", "{} growth qoq", "qoq {} growth", "sequential {} growth",
         "{} growth quarter over quarter"),
        "Change over one quarter of: {}",
        "PERCENT",
    ),
    "AVG_3Y": Variant(
        "{}, 3-year average",
        ("3 year average {}", "3y average {}", "average {} over 3 years", "{} 3 year average",
         "3y avg {}", "three year average {}"),
        "Mean over three years of: {}",
    ),
    "AVG_5Y": Variant(
        "{}, 5-year average",
        ("5 year average {}", "5y average {}", "average {} over 5 years", "{} 5 year average",
         "5y avg {}", "five year average {}", "mean {} over 5 years"),
        "Mean over five years of: {}",
    ),
    "CHANGE_1Y": Variant(
        "{}, 1-year change",
        ("change in {}", "{} change", "yoy change in {}", "{} change over 1 year"),
        "Difference from a year ago of: {}",
    ),
    "PER_SHARE": Variant(
        "{} per share",
        ("{} per share", "{}/share", "{} a share"),
        "{}; divided by shares outstanding",
        "PER_SHARE",
    ),
    "TO_SALES": Variant(
        "{} to sales",
        ("{} to sales", "{} to revenue", "{}/sales", "{} as percent of sales"),
        "{}; divided by revenue",
        "PERCENT",
    ),
    "TO_ASSETS": Variant(
        "{} to assets",
        ("{} to assets", "{}/assets", "{} as percent of assets", "{} to total assets"),
        "{}; divided by total assets",
        "PERCENT",
    ),
    "FORWARD": Variant(
        "{}, forward",
        ("forward {}", "expected {}", "estimated {}", "next year {}", "{} estimate",
         "consensus {}", "fwd {}", "projected {}"),
        "{}; as analysts expect it for the next fiscal year",
    ),
    "FORWARD_GROWTH": Variant(
        "{} growth, forward",
        ("expected {} growth", "forward {} growth", "estimated {} growth", "{} growth next year",
         "forecast {} growth", "projected {} growth"),
        "Change expected over the next fiscal year of: {}",
        "PERCENT",
    ),
}  # fmt: skip

SETS: dict[str, tuple[str, ...]] = {
    "none": (),
    "flow": ("GROWTH_1Y", "GROWTH_5Y", "PER_SHARE", "TO_SALES", "TTM", "AVG_5Y"),
    "stock": ("GROWTH_1Y", "GROWTH_5Y", "PER_SHARE", "TO_ASSETS", "AVG_5Y"),
    "value": ("GROWTH_1Y", "GROWTH_5Y", "GROWTH_3Y"),
    "share": ("GROWTH_1Y", "GROWTH_5Y", "TTM", "QUARTERLY", "GROWTH_3Y", "AVG_5Y"),
    "multiple": ("FORWARD", "AVG_5Y", "AVG_3Y"),
    "ratio": ("AVG_5Y", "AVG_3Y", "CHANGE_1Y"),
    "percent": ("AVG_5Y", "CHANGE_1Y"),
    "count": ("GROWTH_1Y", "GROWTH_5Y", "GROWTH_3Y", "AVG_5Y"),
    "days": ("AVG_5Y", "CHANGE_1Y"),
    "forward": ("FORWARD", "FORWARD_GROWTH"),
}
"""The variants that every field of a set has, the most common first."""

COMMON_SETS: dict[str, tuple[str, ...]] = {
    "flow": ("GROWTH_3Y", "GROWTH_QOQ", "QUARTERLY", "AVG_3Y"),
    "stock": ("GROWTH_3Y", "GROWTH_QOQ", "AVG_3Y"),
    "share": ("GROWTH_QOQ", "AVG_3Y"),
    "percent": ("AVG_3Y", "TTM", "QUARTERLY"),
}
"""The further variants of the common fields of a set."""

MEANINGLESS = {
    ("SALES_REV_TURN", "TO_SALES"),
    ("TOT_ASSETS", "TO_ASSETS"),
    ("TOT_DEBT", "TO_ASSETS"),
    ("DIVIDEND_YIELD", "FORWARD_GROWTH"),
    ("EARNINGS_YIELD", "FORWARD_GROWTH"),
}
"""Pairs that are 1, or that another field already says."""
