"""Rules: fields that are an anchor times a ratio that differs by company.

A line of the table gives a field, the anchor, the range of the ratio among companies, its variation
over time (the standard deviation of its logarithm), and optionally the type of company that has the
field and the percentage of those that report it. The anchor `level` has no series: the field itself
lies between the two bounds, and varies by that share of their distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from grammax.domains.eqs.market.noise import Array, generator, wander
from grammax.domains.eqs.market.sectors import CompanyType

_TABLE: Final = """
# balance sheet
RECEIVABLES sales .06 .22 .08
PAYABLES sales .05 .18 .08
INVENTORIES sales .01 .2 .1 operating
PPE_NET assets .08 .5 .05
GOODWILL assets .005 .2 .05
INTANGIBLES assets .01 .15 .06
LT_INVESTMENTS assets .005 .12 .15
DEFERRED_TAX_ASSETS assets .003 .03 .12
RIGHT_OF_USE_ASSETS assets .005 .06 .08
LEASE_LIABILITIES assets .005 .06 .08
PENSION_LIABILITIES assets .001 .04 .1
DEFERRED_REVENUE sales .005 .15 .1
DEFERRED_TAX_LIAB assets .003 .04 .1
PROVISIONS assets .003 .05 .1
PREFERRED_EQUITY equity .005 .08 .05 any 15
MINORITY_INTEREST equity .002 .06 .1
RETAINED_EARNINGS equity .3 .95 .05
TREASURY_STOCK equity .005 .3 .08 any 70
PAID_IN_CAPITAL equity .1 .7 .03
ORDER_BACKLOG sales .2 1.6 .12 operating 40
# banks, insurers, property, managers of assets
TOT_LOANS assets .5 .72 .03 bank
TOT_DEPOSITS assets .6 .8 .03 bank
NON_PERF_LOANS assets .004 .025 .2 bank
LOAN_LOSS_RESERVES assets .004 .014 .12 bank
RISK_WEIGHTED_ASSETS assets .38 .6 .03 bank
TIER1_CAPITAL assets .055 .085 .03 bank
NET_INTEREST_INCOME revenue .5 .72 .04 bank
FEE_INCOME revenue .14 .3 .06 bank
TRADING_INCOME revenue .01 .12 .4 bank
NON_INTEREST_INCOME revenue .25 .45 .06 bank
LOAN_LOSS_PROVISIONS revenue .03 .14 .35 bank
COST_INCOME level 42 68 .06 bank
CET1_RATIO level 11.5 17.5 .06 bank
TOT_CAPITAL_RATIO level 15.5 22 .06 bank
INSURANCE_RESERVES assets .45 .7 .04 insurer
EMBEDDED_VALUE equity 1 1.7 .06 insurer
PREMIUMS_EARNED revenue .7 .9 .03 insurer
PREMIUMS_WRITTEN revenue .78 1.05 .05 insurer
CLAIMS revenue .45 .62 .08 insurer
EXPENSE_RATIO level 22 34 .06 insurer
COMBINED_RATIO level 87 104 .12 insurer
SOLVENCY_RATIO level 160 260 .08 insurer
FFO revenue .35 .58 .05 property
AFFO revenue .3 .5 .06 property
RENTAL_INCOME revenue .7 .97 .03 property
NET_ASSET_VALUE equity 1 1.3 .05 property
OCCUPANCY_RATE level 84 98.5 .08 property
AUM sales 25 250 .08 manager
# income and cash flow
RND_EXPENSE research .5 1.7 .06
SGA_EXPENSE overheads .5 .85 .05
ADVERTISING_EXPENSE revenue .002 .05 .12 operating 70
EMPLOYEE_COSTS revenue .1 .35 .05
AMORT_INTANG depreciation .05 .35 .1
IMPAIRMENTS revenue .0005 .01 .8
RESTRUCTURING_COSTS revenue .0005 .008 .7
MINORITY_INCOME minority 1 1 0
EQUITY_INCOME revenue .0002 .01 .3
STOCK_COMP revenue .002 .05 .1
FOREIGN_SALES revenue .08 .85 .05
RECURRING_REVENUE revenue .15 .9 .04 operating 55
ORDER_INTAKE revenue .85 1.2 .1 operating 40
CAPEX capex .6 1.6 .15
BUYBACKS earnings .02 .5 .5 any 75
ACQUISITIONS revenue .0005 .05 1.1 any 80
DIVESTITURES revenue .0005 .015 1.1 any 70
SHARE_ISSUANCE revenue .0005 .01 .8
DEBT_ISSUED debt .02 .1 .5
DEBT_REPAID debt .015 .09 .5
CEO_PAY pay .5 2.2 .15
# trading
AVG_VOLUME_90D trading .7 1.4 .12
SHORT_INTEREST shares .003 .06 .25
SHARES_FLOAT shares .45 .99 .01
BETA beta .7 1.35 .08
RSI_14D level 22 78 .35
PUT_CALL_RATIO level .4 1.6 .2 any 70
SHARPE_1Y level -1.2 2.4 .3
VOLATILITY_90D swing .85 1.15 .12
VOLATILITY_IMPLIED swing .9 1.2 .1 any 75
MAX_DRAWDOWN_1Y swing .5 1.1 .2
RETURN_1D level -3.5 3.5 .4
RETURN_1W level -7 7 .4
RETURN_1M level -14 15 .4
GAP level -1.8 1.8 .4
CHANGE_FROM_OPEN level -2.5 2.5 .4
# analysts and owners
EPS_SURPRISE level -18 22 .35
SALES_SURPRISE level -6 7 .35
EPS_REVISION_1M level -6 6 .3
EPS_REVISION_3M level -12 12 .3
ANALYST_SCORE level 2.1 4.9 .1
INSIDER_OWN level .1 35 .05
INSTITUTION_OWN level 20 96 .05
GOVERNMENT_OWN level .1 45 .02 any 20
FOREIGN_OWN level 5 70 .05
INSIDER_TRANS level -8 6 .4
INSTITUTION_TRANS level -5 6 .4
DILUTION level -2.5 3.5 .2
SHAREHOLDERS crowd 12 60 .05
INSTITUTIONS crowd .15 .9 .08
# scores and sustainability
ESG_SCORE level 22 88 .05
ENVIRONMENT_SCORE level 12 92 .06
SOCIAL_SCORE level 18 90 .06
GOVERNANCE_SCORE level 25 92 .05
CONTROVERSY_SCORE level 0 5 .12
BENEISH_M level -3.4 -1.5 .15
WOMEN_BOARD_PCT level 8 52 .07
INDEP_DIRECTORS_PCT level 35 94 .06
WOMEN_EMPLOYEES_PCT level 14 66 .03
EMPLOYEE_TURNOVER level 4 28 .08
RENEWABLE_ENERGY_PCT level 4 95 .08
CO2_SCOPE1 carbon .2 .7 .06
CO2_SCOPE2 carbon .1 .35 .06
CO2_SCOPE3 carbon 2 18 .1
WATER_USE carbon 3 60 .08
ENERGY_USE carbon 1.5 6 .06
WASTE carbon .02 .3 .1
# counts
BOARD_SIZE level 6 17 .06
CEO_TENURE level 0 16 .3
STORES heads .004 .05 .03 operating 25
CUSTOMERS heads 40 4000 .05 any 50
PATENTS heads .01 .6 .05 operating 65
SUBSIDIARIES heads .003 .02 .04
"""


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """A line of the table."""

    field: str
    anchor: str
    low: float
    high: float
    wander: float
    only: CompanyType | None
    reported: float
    """The share of companies that report it."""


def _rule(line: str) -> Rule:
    field, anchor, low, high, wandering, *rest = line.split()
    only = rest[0] if rest and rest[0] != "any" else None
    reported = float(rest[1]) / 100 if len(rest) > 1 else 1.0
    return Rule(field, anchor, float(low), float(high), float(wandering), only, reported)  # type: ignore[arg-type]


RULES: Final = {
    rule.field: rule
    for rule in (_rule(line) for line in _TABLE.strip().splitlines() if line[0] != "#")
}


def apply_rule(rule: Rule, anchor: Array, seed: int) -> Array:
    """The series of a field, for every company, from that of its anchor."""
    random = generator(seed, rule.field)
    position = random.beta(1.6, 1.6, (len(anchor), 1))
    own = rule.wander and wander(random, anchor.shape, 0.8, rule.wander)
    if rule.anchor == "level":
        inside = 1 - np.abs(1 - np.abs(position + own) % 2)  # reflected at the bounds
        return np.asarray(rule.low + (rule.high - rule.low) * inside)
    low, high = np.log(rule.low), np.log(rule.high)
    return np.asarray(anchor * np.exp(low + (high - low) * position + own))


def reporting(rule: Rule, types: NDArray[np.str_], seed: int) -> NDArray[np.bool_]:
    """Whether each company reports the field, as a column."""
    reported = generator(seed, f"{rule.field} reported").random(len(types)) < rule.reported
    if rule.only is not None:
        reported &= types == rule.only
    return reported[:, None]
