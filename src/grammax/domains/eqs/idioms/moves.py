"""Idioms of movement: returns by period, and growth over a year.

A return is named by its period: "up 20 % this year". Without a period "best performing" is the
return over a year, and "up 5 %" the change of the day.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grammax.tables.idioms import Idioms


def _past(number: str, word: str, unit: str) -> tuple[str, ...]:
    """The spellings of a period: "over the past 3 years", "in the last three years"."""
    return (
        f"over the past {number} {unit}", f"in the last {number} {unit}",
        f"over the last {word} {unit}", f"in the past {word} {unit}", f"over {number} {unit}",
    )  # fmt: skip


_WEEK: Final = ("this week", "over the past week", "in the last week", "past week")
_MONTH: Final = ("this month", "over the past month", "in the last month", "past month")
_DAY: Final = ("today", "on the day")
_YEAR: Final = (
    "over the past year", "over the last year", "in the last 12 months", "in the past year",
    "over the past 12 months", "over the last twelve months", "over one year",
)  # fmt: skip
_THIS_YEAR: Final = (
    "ytd", "this year", "year to date", "so far this year", "year-to-date", "since january",
    "since the start of the year",
)  # fmt: skip
_PERIODS: Final[Mapping[str, tuple[str, ...]]] = {
    "FLD_RETURN_YTD": _THIS_YEAR,
    "FLD_RETURN_1W": _WEEK,
    "FLD_RETURN_1M": _MONTH,
    "FLD_RETURN_3M": (*_past("3", "three", "months"), "over the past quarter"),
    "FLD_RETURN_6M": (*_past("6", "six", "months"), "over the past half year"),
    "FLD_RETURN_2Y": _past("2", "two", "years"),
    "FLD_RETURN_3Y": _past("3", "three", "years"),
    "FLD_RETURN_5Y": _past("5", "five", "years"),
    "FLD_RETURN_10Y": (*_past("10", "ten", "years"), "over the past decade"),
}
_UP: Final = (
    "up more than {n}", "up over {n}", "that gained more than {n}", "that rose more than {n}",
    "that are up over {n}", "gaining more than {n}", "that went up by over {n}",
    "rising more than {n}", "that returned more than {n}", "that climbed over {n}", "up {n}",
    "that jumped more than {n}",
)  # fmt: skip
_DOWN: Final = (
    "down more than {n}", "down over {n}", "that lost more than {n}", "that fell more than {n}",
    "that are down over {n}", "that dropped more than {n}",
    "falling more than {n}", "that declined over {n}",
    "that went down by over {n}", "down {n}", "that sank more than {n}",
)  # fmt: skip
_BEST: Final = ("best performing", "best-performing", "top performing")
_WORST: Final = ("worst performing", "worst-performing", "poorest performing")
_RISING: Final = ("up", "that rose", "that are up", "that gained", "that went up", "rising")
_FALLING: Final = ("down", "that fell", "that are down", "that lost", "that went down", "falling")


def _with(patterns: tuple[str, ...], periods: tuple[str, ...]) -> tuple[str, ...]:
    """Each pattern with one of the periods after it, the likeliest with the first."""
    return tuple(
        f"{pattern} {periods[number % len(periods)]}" for number, pattern in enumerate(patterns)
    )


def _in_each(patterns: tuple[str, ...], periods: tuple[str, ...]) -> tuple[str, ...]:
    """Superlatives with every period: "best performing {e} this year"."""
    return tuple(f"{pattern} {{e}} {period}" for period in periods for pattern in patterns[:2])


def _return(periods: tuple[str, ...]) -> Idioms:
    return Idioms(
        most=(*_in_each(_BEST, periods), f"best performers among {{e}} {periods[0]}",
              f"biggest gainers among {{e}} {periods[0]}"),
        least=(*_in_each(_WORST, periods), f"worst performers among {{e}} {periods[0]}",
               f"biggest losers among {{e}} {periods[0]}"),
        up=_with(_UP, periods),
        down=_with(_DOWN, periods),
        positive=_with(_RISING, periods),
        negative=_with(_FALLING, periods),
    )  # fmt: skip


def _growth(*nouns: str) -> Idioms:
    """The growth over a year of what has a noun of its own: "with sales growing more than {n}"."""
    first = nouns[0]
    return Idioms(
        most=(f"{{e}} with the fastest growing {first}",),
        least=(f"{{e}} with the fastest shrinking {first}",),
        greater=tuple(f"with {noun} growing more than {{n}}" for noun in nouns),
        up=(
            *(f"with {noun} up more than {{n}}" for noun in nouns),
            f"that grew {first} by more than {{n}}", f"growing their {first} by over {{n}}",
        ),
        down=(
            *(f"with {noun} down more than {{n}}" for noun in nouns),
            f"whose {first} fell by more than {{n}}",
        ),
        positive=tuple(
            f"with {verb} {noun}" for noun in nouns for verb in ("growing", "rising", "increasing")
        ),
        negative=tuple(
            f"with {verb} {noun}"
            for noun in nouns
            for verb in ("declining", "falling", "shrinking")
        ),
    )  # fmt: skip


RETURNS: Final[Mapping[str, Idioms]] = {
    "FLD_RETURN_1Y": Idioms(
        most=(*_BEST, "best performers among {e}", *_in_each(_BEST, _YEAR)),
        least=(*_WORST, "worst performers among {e}", *_in_each(_WORST, _YEAR)),
        up=_with(_UP, _YEAR), down=_with(_DOWN, _YEAR),
        positive=_with(_RISING, _YEAR), negative=_with(_FALLING, _YEAR),
        agents=("outperformers",), low_agents=("laggards", "underperformers"),
    ),
    "FLD_RETURN_1D": Idioms(
        most=("biggest gainers among {e}", "top gainers among {e}", *_in_each(_BEST, _DAY)),
        least=("biggest losers among {e}", "top losers among {e}", *_in_each(_WORST, _DAY)),
        up=(*_UP, *_with(_UP, _DAY)), down=(*_DOWN, *_with(_DOWN, _DAY)),
        positive=(*_with(_RISING, _DAY), "in the green", "advancing"),
        negative=(*_with(_FALLING, _DAY), "declining"),
        agents=("gainers", "winners", "risers"), low_agents=("losers", "decliners", "fallers"),
    ),
    **{token: _return(periods) for token, periods in _PERIODS.items()},
}  # fmt: skip
GROWTH: Final[Mapping[str, Idioms]] = {
    "FLD_SALES_REV_TURN_GROWTH_1Y": Idioms(
        more=("fast-growing", "fast growing", "rapidly growing", "high-growth", "high growth"),
        less=("slow-growing", "slow growing", "low-growth"),
        most=("fastest growing", "fastest-growing", "quickest growing",
              "{e} with the fastest growing sales", "{e} growing the fastest"),
        least=("slowest growing", "slowest-growing", "fastest shrinking"),
        greater=("growing faster than {n}", "growing more than {n}", "growing over {n}",
                 "growing at more than {n}", "with sales growing more than {n}",
                 "growing above {n} a year", "that grew more than {n}"),
        smaller=("growing slower than {n}", "growing less than {n}", "growing under {n}"),
        up=("with sales up more than {n}", "with revenue up over {n}",
            "that grew sales by more than {n}", "growing their revenue by over {n}"),
        down=("with sales down more than {n}", "with revenue down over {n}",
              "shrinking more than {n}", "whose sales fell by more than {n}"),
        positive=("growing", "with growing sales", "with rising revenue", "that are growing",
                  "with increasing sales", "with rising sales"),
        negative=("shrinking", "with declining sales", "with falling revenue",
                  "that are shrinking", "with shrinking sales", "with declining revenue"),
        verbs=("grow",),
        agents=("growers",),
    ),
    "FLD_NET_INCOME_GROWTH_1Y": _growth("profits", "earnings", "profit"),
    "FLD_EPS_GROWTH_1Y": _growth("eps", "earnings per share"),
    "FLD_DPS_GROWTH_1Y": _growth("dividends", "the dividend"),
    "FLD_FREE_CASH_FLOW_GROWTH_1Y": _growth("free cash flow", "fcf"),
    "FLD_EBITDA_GROWTH_1Y": _growth("ebitda"),
    "FLD_EMPLOYEES_GROWTH_1Y": _growth("headcount", "workforce"),
    "FLD_TOT_DEBT_GROWTH_1Y": _growth("debt"),
}  # fmt: skip
