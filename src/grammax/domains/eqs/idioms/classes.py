"""The class of each number type of equities, and of the fields that have another.

Signs are those that make sense: a profit can be negative, debt can be missing, a price is neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from grammax.domains.eqs.idioms.moves import GROWTH, RETURNS
from grammax.tables.classes import (
    CHANGE,
    COUNT,
    DURATION,
    MONEY,
    OWNED,
    PERCENT,
    PHYSICAL,
    PRICE,
    RATING,
    RATIO,
    SIGNED,
)
from grammax.tables.idioms import FieldClass, Signs

_NEVER_ZERO: Final = replace(SIGNED, absent=())
_UNSIGNED: Final = Signs()

_CHANGES: Final = (
    *RETURNS, *GROWTH, "FLD_TOTAL_RETURN_YTD", "FLD_TOTAL_RETURN_1Y", "FLD_TOTAL_RETURN_3Y",
    "FLD_TOTAL_RETURN_5Y", "FLD_TOTAL_RETURN_10Y", "FLD_SALES_REV_TURN_GROWTH_3Y",
    "FLD_SALES_REV_TURN_GROWTH_5Y", "FLD_NET_INCOME_GROWTH_3Y", "FLD_NET_INCOME_GROWTH_5Y",
    "FLD_EPS_GROWTH_3Y", "FLD_EPS_GROWTH_5Y", "FLD_DPS_GROWTH_3Y", "FLD_DPS_GROWTH_5Y",
    "FLD_UPSIDE", "FLD_EPS_SURPRISE", "FLD_SALES_SURPRISE", "FLD_EPS_REVISION_1M",
    "FLD_EPS_REVISION_3M", "FLD_LT_GROWTH_EST", "FLD_GAP", "FLD_CHANGE_FROM_OPEN",
    "FLD_EPS_FORWARD_GROWTH", "FLD_SALES_REV_TURN_FORWARD_GROWTH",
)  # fmt: skip
_RESULTS: Final = (
    "FLD_NET_INCOME", "FLD_EBITDA", "FLD_EBIT", "FLD_OPER_INCOME", "FLD_GROSS_PROFIT",
    "FLD_PRETAX_INCOME", "FLD_FREE_CASH_FLOW", "FLD_CF_OPER", "FLD_CF_INVEST", "FLD_CF_FINANCE",
    "FLD_TOT_EQUITY", "FLD_NET_DEBT", "FLD_WORKING_CAPITAL", "FLD_RETAINED_EARNINGS",
    "FLD_NET_INTEREST_INCOME", "FLD_FFO", "FLD_ADJ_EBITDA", "FLD_ADJ_EBIT", "FLD_ADJ_NET_INCOME",
    "FLD_NET_CASH", "FLD_NET_CHANGE_CASH", "FLD_TRADING_INCOME", "FLD_FX_GAIN",
    "FLD_TANGIBLE_BOOK_VALUE",
)  # fmt: skip
_AMOUNTS: Final = (
    "FLD_MKT_CAP", "FLD_ENTERPRISE_VALUE", "FLD_TOT_ASSETS", "FLD_VALUE_TRADED",
    "FLD_FREE_FLOAT_MKT_CAP", "FLD_CEO_PAY", "FLD_REV_PER_EMPLOYEE",
)  # fmt: skip
_PER_SHARE_RESULTS: Final = ("FLD_EPS", "FLD_EPS_DILUTED", "FLD_EPS_BASIC", "FLD_EPS_ADJ")
_SIGNED_RATIOS: Final = (
    "FLD_PE_RATIO", "FLD_PE_RATIO_FORWARD", "FLD_BETA", "FLD_NET_DEBT_EBITDA", "FLD_SHARPE_1Y",
)  # fmt: skip
_SHARES: Final = (
    "FLD_DIVIDEND_YIELD", "FLD_PAYOUT_RATIO", "FLD_SHORT_INTEREST_PCT", "FLD_INSIDER_OWN",
    "FLD_INSTITUTION_OWN", "FLD_GOVERNMENT_OWN", "FLD_FOREIGN_OWN", "FLD_WOMEN_BOARD_PCT",
    "FLD_BUYBACK_YIELD", "FLD_RENEWABLE_ENERGY_PCT",
)  # fmt: skip
_LEVELS: Final = (
    "FLD_VOLATILITY_1Y", "FLD_VOLATILITY_30D", "FLD_VOLATILITY_90D", "FLD_VOLATILITY_IMPLIED",
    "FLD_WACC", "FLD_COST_OF_EQUITY", "FLD_COST_OF_DEBT",
)  # fmt: skip
_NUMBERS: Final = (
    "FLD_EMPLOYEES", "FLD_VOLUME", "FLD_SHARES_OUT", "FLD_AVG_VOLUME_30D", "FLD_BOARD_SIZE",
)  # fmt: skip
_SCORES: Final = (
    "FLD_ESG_SCORE", "FLD_ENVIRONMENT_SCORE", "FLD_SOCIAL_SCORE", "FLD_GOVERNANCE_SCORE",
    "FLD_ALTMAN_Z", "FLD_PIOTROSKI_F", "FLD_ANALYST_SCORE",
)  # fmt: skip
_DURATIONS: Final = (
    "FLD_COMPANY_AGE", "FLD_YEARS_LISTED", "FLD_CEO_TENURE", "FLD_DAYS_SALES_OUT",
    "FLD_DAYS_INVENTORY", "FLD_DAYS_PAYABLE", "FLD_CASH_CONV_CYCLE",
)  # fmt: skip
_MEASURED: Final = (
    "FLD_CO2_EMISSIONS", "FLD_CO2_SCOPE1", "FLD_CO2_SCOPE2", "FLD_CO2_SCOPE3", "FLD_WATER_USE",
    "FLD_ENERGY_USE", "FLD_WASTE",
)  # fmt: skip

CLASSES: Final[Mapping[str, FieldClass]] = {
    "MONEY": replace(MONEY, signs=OWNED),
    "PER_SHARE": replace(PRICE, signs=_UNSIGNED),
    "RATIO": replace(RATIO, signs=_UNSIGNED),
    "PERCENT": replace(PERCENT, signs=_NEVER_ZERO),
    "COUNT": COUNT,
    **dict.fromkeys(_CHANGES, CHANGE),
    **dict.fromkeys(_RESULTS, replace(MONEY, signs=_NEVER_ZERO)),
    **dict.fromkeys(_AMOUNTS, replace(MONEY, signs=_UNSIGNED)),
    **dict.fromkeys(_PER_SHARE_RESULTS, replace(PRICE, signs=_NEVER_ZERO)),
    "FLD_DPS": replace(PRICE, signs=OWNED),
    **dict.fromkeys(_SIGNED_RATIOS, replace(RATIO, signs=_NEVER_ZERO)),
    **dict.fromkeys(_SHARES, replace(PERCENT, signs=OWNED)),
    **dict.fromkeys(_LEVELS, replace(PERCENT, signs=_UNSIGNED)),
    **dict.fromkeys(_NUMBERS, replace(COUNT, signs=_UNSIGNED)),
    **dict.fromkeys(_SCORES, replace(RATING, signs=_UNSIGNED)),
    **dict.fromkeys(_DURATIONS, DURATION),
    **dict.fromkeys(_MEASURED, PHYSICAL),
}
"""The class of each number type, and of the fields that have another."""
