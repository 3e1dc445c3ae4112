"""Typical figures of sectors: margins, leverage, growth and valuation.

A company has the profile of the nearest level above its sub-industry that has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Final, Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from grammax.tables.catalogue.catalogue import Catalogue

CompanyType: TypeAlias = Literal["bank", "insurer", "property", "manager", "operating"]
"""Companies whose accounts have special lines; a `manager` manages the assets of others."""

PREFIX: Final = "SEC_GICS_"
_DEFAULT: Final = "INDUSTRIALS"


@final
@dataclass(frozen=True, slots=True)
class Profile:
    """Typical figures: income as shares of revenue, balance sheet as shares of assets."""

    gross: float
    operating: float
    depreciation: float
    assets: float
    """In years of revenue."""
    equity: float
    debt: float
    growth: float
    """A year."""
    earnings_multiple: float
    capex: float
    research: float
    payout: float
    revenue_per_head: float
    """In thousands of US dollars per year."""
    beta: float
    volatility: float
    carbon: float
    """Tonnes of carbon dioxide per million US dollars of revenue."""


# gross oper depr assets equity debt growth P/E capex R&D payout head beta vol carbon
_TABLE: Final = """
ENERGY                 .38 .14 .09 1.6 .46 .22 .03 11 .11 .002 .40 900 1.15 .34 450
MATERIALS              .30 .12 .06 1.3 .48 .25 .03 14 .07 .010 .35 350 1.10 .30 600
STEEL                  .18 .08 .05 1.1 .50 .22 .02 10 .05 .004 .30 400 1.30 .36 1500
INDUSTRIALS            .30 .11 .04 1.2 .38 .25 .05 19 .04 .020 .35 260 1.05 .27 60
PASSENGER_AIRLINES     .25 .07 .08 1.2 .18 .38 .05 10 .10 .000 .10 350 1.40 .40 900
CONSUMER_DISCRETIONARY .36 .09 .04 1.0 .38 .26 .05 18 .05 .010 .30 220 1.15 .32 30
AUTOMOBILES_COMPONENTS .18 .06 .06 1.3 .32 .32 .04  9 .07 .040 .25 420 1.30 .35 40
CONSUMER_STAPLES       .36 .10 .03 0.9 .38 .28 .03 20 .04 .008 .50 330 0.65 .20 45
HEALTH_CARE            .50 .13 .04 1.3 .45 .25 .07 22 .04 .060 .30 380 0.85 .26 15
BIOTECHNOLOGY          .80 .04 .05 2.6 .58 .18 .14 28 .03 .320 .05 700 1.00 .48 8
PHARMACEUTICALS        .68 .22 .07 1.9 .46 .24 .05 18 .05 .170 .45 550 0.70 .25 12
FINANCIALS             .60 .28 .03 3.0 .35 .30 .07 16 .02 .010 .35 450 1.10 .28 3
BANKS                  .90 .38 .03  22 .08 .10 .05 10 .03 .000 .40 250 1.10 .27 2
INSURANCE              .30 .12 .02 4.2 .15 .06 .05 11 .01 .000 .45 700 0.95 .24 1
CAPITAL_MARKETS        .65 .32 .03 4.0 .28 .25 .07 17 .02 .010 .40 500 1.20 .29 2
INFORMATION_TECHNOLOGY .45 .16 .05 1.3 .50 .18 .09 26 .04 .090 .20 330 1.20 .34 12
SOFTWARE               .72 .22 .06 1.5 .48 .18 .13 32 .03 .180 .12 320 1.15 .36 5
SEMICONDUCTORS_SEMICONDUCTOR_EQUIPMENT .50 .25 .07 1.5 .60 .15 .11 25 .10 .150 .25 480 1.40 .40 40
COMMUNICATION_SERVICES .50 .16 .11 1.8 .38 .32 .05 18 .10 .030 .35 480 0.95 .28 20
UTILITIES              .38 .18 .11 2.6 .30 .40 .03 16 .20 .002 .60 800 0.55 .19 1800
REAL_ESTATE            .62 .42 .15 8.0 .46 .38 .05 24 .15 .000 .70 900 0.90 .25 30
"""

PROFILES: Final = {
    name: Profile(*map(float, figures))
    for name, *figures in (line.split() for line in _TABLE.strip().splitlines())
}

_TYPES: Final[dict[str, CompanyType]] = {
    "BANKS": "bank",
    "INSURANCE": "insurer",
    "REAL_ESTATE": "property",
    "CAPITAL_MARKETS": "manager",
}


@final
@dataclass(frozen=True, slots=True)
class Sectors:
    """The profiles and types of companies, one row each."""

    figures: NDArray[np.float64]
    types: NDArray[np.str_]
    tops: tuple[str, ...]
    """The sector of each, without prefix: ENERGY, FINANCIALS."""

    def typical(self, figure: str) -> NDArray[np.float64]:
        """A figure of the profiles, as a column."""
        return self.figures[:, [_FIGURES.index(figure)]]


def sectors_of(industries: Sequence[str | None], catalogue: Catalogue) -> Sectors:
    """The profiles of companies by their sub-industry's token."""
    found = {industry: _ancestry(industry, catalogue) for industry in set(industries)}
    names = [next((n for n in found[i] if n in PROFILES), _DEFAULT) for i in industries]
    types = [next((_TYPES[n] for n in found[i] if n in _TYPES), "operating") for i in industries]
    tops = [found[i][-1] if found[i] else _DEFAULT for i in industries]
    figures = np.array([astuple(PROFILES[name]) for name in names]).reshape(len(names), -1)
    return Sectors(figures, np.array(types, dtype=np.str_), tuple(tops))


def _ancestry(industry: str | None, catalogue: Catalogue) -> list[str]:
    """The industry and all above it, without prefix."""
    names = []
    while industry is not None and industry in catalogue.values:
        names.append(industry.removeprefix(PREFIX))
        industry = catalogue.values[industry].parent
    return names


_FIGURES: Final = tuple(field.name for field in fields(Profile))
