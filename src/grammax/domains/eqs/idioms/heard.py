"""Words that are understood, but not said in generated queries: cues and nothing else.

Each refers to its field clearly enough that the field may be meant: "lossmakers", "best paid ceo",
"gapped up". Words of ordinary English are not here unless others stand beside them: "ceo" alone is
no pay, but "paid ceo" is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_CUTS: Final = tuple(
    f"{verb} {whose}{noun}"
    for verb in ("cut", "cutting", "slashed")
    for whose in ("", "its ", "their ", "the ")
    for noun in ("dividend", "dividends")
)


def _period(unit: str) -> tuple[str, ...]:
    """ "had the worst week" """
    return tuple(f"{word} {unit}" for word in ("worst", "best", "good", "bad"))


HEARD: Final[Mapping[str, tuple[str, ...]]] = {
    "FLD_NET_INCOME": (
        "lossmakers", "lossmaker", "loss makers", "loss maker", "loss-makers", "money losers",
        "money loser", "lose money", "loses money", "lost money", "making a loss",
        "turned a profit",
    ),
    "FLD_CEO_PAY": (
        "paid ceo", "paid ceos", "paid chief executive", "paid chief executives", "ceo paid",
        "ceos paid", "pays its ceo", "pays its ceos", "pay their ceo", "pay their ceos",
        "pays the ceo", "paid bosses", "paid boss", "get paid", "gets paid",
    ),
    "FLD_CEO_TENURE": (
        "serving ceo", "serving ceos", "serving chief executive", "serving chief executives",
        "ceo in the job", "ceo in office", "ceo in charge",
    ),
    "FLD_BOARD_SIZE": (
        "boards with", "board with", "directors on the board", "members on the board",
    ),
    "FLD_DIVIDEND_YIELD": ("div", "divs", "divi", "divvy"),
    "FLD_DPS_GROWTH_1Y": (
        "dividend cutters", "dividend cutter", "dividend cuts", "dividend cut", "dividend hikes",
        "dividend raises", *_CUTS,
    ),
    "FLD_PB_RATIO": ("book", "book multiple", "multiple of book"),
    "FLD_P_FFO": ("times ffo", "x ffo"),
    "FLD_RETURN_1D": ("advancers", "advancer", "advancing stocks", *_period("day")),
    "FLD_RETURN_1W": _period("week"),
    "FLD_RETURN_1M": _period("month"),
    "FLD_RETURN_3M": _period("quarter"),
    "FLD_RETURN_2Y": ("two years",),
    "FLD_RETURN_3Y": ("three years",),
    "FLD_RETURN_5Y": ("five years",),
    "FLD_RETURN_10Y": ("ten years",),
    **{f"FLD_TOTAL_RETURN_{years}Y": ("returned in total",) for years in (1, 3, 5, 10)},
    "FLD_RETURN_1Y": _period("year"),
    "FLD_RETURN_YTD": _period("year"),
    "FLD_MA_50D": ("golden cross", "death cross", "50 day", "50-day", "50d"),
    "FLD_MA_200D": ("golden cross", "death cross", "200 day", "200-day", "200d"),
    "FLD_GAP": ("gapped", "gapping", "gapped up", "gapped down", "gap up", "gap down"),
    "FLD_SHARES_FLOAT": ("float", "floating", "floats"),
    "FLD_NPL_RATIO": ("npl", "npls", "non performing loans", "bad loans"),
    "FLD_RENEWABLE_ENERGY_PCT": ("renewable energy",),
    "FLD_FITCH_OUTLOOK": ("outlook",),
    "FLD_MOODY_OUTLOOK": ("outlook",),
    "FLD_SP_OUTLOOK": ("outlook",),
    "FLD_GOVERNANCE_SCORE": ("governance",),
    "FLD_ENVIRONMENT_SCORE": ("environment",),
    "FLD_INTEREST_EXPENSE": ("paying in interest", "pay in interest", "paid in interest"),
    "FLD_LOAN_LOSS_PROVISIONS": ("provisions",),
    "FLD_TOT_EQUITY": ("equity ratio",),
    "FLD_PROFIT_PER_EMPLOYEE": (
        "making per employee", "make per employee", "earn per employee", "earning per employee",
    ),
    "FLD_TAXES_PAID": ("tax", "pay in tax", "paid in tax"),
    "FLD_SHARES_OUT": ("have outstanding",),
    "SIZ_MEGA_CAP": ("mega",),
    "SIZ_LARGE_CAP": ("large or", "large and"),
    "SIZ_MID_CAP": ("mid",),
    "SIZ_SMALL_CAP": ("small or", "small and", "small to mid"),
    "SIZ_MICRO_CAP": ("micro",),
    "SIZ_NANO_CAP": ("nano",),
    "EXC_XBKK": ("on the set", "listed on the set"),
}  # fmt: skip
"""The words by field or value."""
