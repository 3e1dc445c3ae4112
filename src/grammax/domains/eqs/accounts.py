"""The accounts of a company: which fields are flows, and the formulas of derived fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grammax.tables.query.formulas import (
    YEAR,
    Average,
    Change,
    Derivations,
    Formula,
    Growth,
    Named,
    Percent,
    Quarterly,
    Trailing,
    Variant,
)


def _field(name: str) -> Named:
    return Named(f"FLD_{name}")


_FLOWS: Final = frozenset(
    (
        "ACQUISITIONS", "ADJ_EBIT", "ADJ_EBITDA", "ADJ_NET_INCOME", "ADVERTISING_EXPENSE",
        "AFFO", "AMORT_INTANG", "BUYBACKS", "CAPEX", "CF_FINANCE", "CF_INVEST", "CF_OPER",
        "CHG_WORKING_CAP", "CLAIMS", "COST_OF_REVENUE", "DEBT_ISSUED", "DEBT_REPAID",
        "DEPREC_AMORT", "DIVESTITURES", "DIVIDENDS_PAID", "EBIT", "EBITDA",
        "EMPLOYEE_COSTS", "EPS_ADJ", "EPS_BASIC", "EPS_DILUTED", "EQUITY_INCOME",
        "FCF_EQUITY", "FCF_FIRM", "FEE_INCOME", "FFO", "FOREIGN_SALES", "FX_GAIN",
        "GROSS_PROFIT", "IMPAIRMENTS", "INCOME_TAX", "INTEREST_EXPENSE", "INTEREST_INCOME",
        "INTEREST_PAID", "LOAN_LOSS_PROVISIONS", "MINORITY_INCOME", "NET_CHANGE_CASH",
        "NET_INCOME", "NET_INCOME_COMMON", "NET_INTEREST_EXPENSE", "NET_INTEREST_INCOME",
        "NON_INTEREST_INCOME", "OPER_EXPENSES", "OPER_INCOME", "ORDER_INTAKE",
        "PREMIUMS_EARNED", "PREMIUMS_WRITTEN", "PRETAX_INCOME", "RECURRING_REVENUE",
        "RENTAL_INCOME", "RESTRUCTURING_COSTS", "RND_EXPENSE", "SALES_REV_TURN",
        "SGA_EXPENSE", "SHARE_ISSUANCE", "STOCK_COMP", "TAXES_PAID", "TRADING_INCOME",
    )
)  # fmt: skip
_EV = _field("ENTERPRISE_VALUE")
_CAP = _field("MKT_CAP")

_FORMULAS: Final[Mapping[str, Formula]] = {
    "MKT_CAP": _field("PRICE") * _field("SHARES_OUT"),
    "NET_DEBT": _field("TOT_DEBT") - _field("CASH_ST_INVEST"),
    "NET_CASH": _field("CASH_ST_INVEST") - _field("TOT_DEBT"),
    "ENTERPRISE_VALUE": _CAP + _field("NET_DEBT"),
    "FREE_CASH_FLOW": _field("CF_OPER") - _field("CAPEX"),
    "WORKING_CAPITAL": _field("CURRENT_ASSETS") - _field("CURRENT_LIABILITIES"),
    "TOT_LIABILITIES": _field("TOT_ASSETS") - _field("TOT_EQUITY"),
    "TOT_CAPITAL": _field("TOT_DEBT") + _field("TOT_EQUITY"),
    "CAPITAL_EMPLOYED": _field("TOT_ASSETS") - _field("CURRENT_LIABILITIES"),
    "TANGIBLE_BOOK_VALUE": _field("TOT_EQUITY") - _field("INTANGIBLES"),
    "DOMESTIC_SALES": _field("SALES_REV_TURN") - _field("FOREIGN_SALES"),
    "PE_RATIO": _field("PRICE") / _field("EPS"),
    "PB_RATIO": _CAP / _field("TOT_EQUITY"),
    "PS_RATIO": _CAP / _field("SALES_REV_TURN"),
    "P_CF": _CAP / _field("CF_OPER"),
    "P_FCF": _CAP / _field("FREE_CASH_FLOW"),
    "P_TANG_BOOK": _CAP / _field("TANGIBLE_BOOK_VALUE"),
    "P_CASH": _CAP / _field("CASH"),
    "P_FFO": _CAP / _field("FFO"),
    "P_NAV": _CAP / _field("NET_ASSET_VALUE"),
    "EV_EBITDA": _EV / _field("EBITDA"),
    "EV_EBIT": _EV / _field("EBIT"),
    "EV_SALES": _EV / _field("SALES_REV_TURN"),
    "EV_FCF": _EV / _field("FREE_CASH_FLOW"),
    "EV_GROSS_PROFIT": _EV / _field("GROSS_PROFIT"),
    "EV_ASSETS": _EV / _field("TOT_ASSETS"),
    "EV_INVESTED_CAP": _EV / _field("INVESTED_CAPITAL"),
    "TOBIN_Q": _EV / _field("TOT_ASSETS"),
    "DEBT_TO_EQUITY": _field("TOT_DEBT") / _field("TOT_EQUITY"),
    "LT_DEBT_TO_EQUITY": _field("LT_DEBT") / _field("TOT_EQUITY"),
    "DEBT_TO_ASSETS": _field("TOT_DEBT") / _field("TOT_ASSETS"),
    "DEBT_TO_CAPITAL": _field("TOT_DEBT") / _field("TOT_CAPITAL"),
    "DEBT_EBITDA": _field("TOT_DEBT") / _field("EBITDA"),
    "DEBT_FCF": _field("TOT_DEBT") / _field("FREE_CASH_FLOW"),
    "NET_DEBT_EQUITY": _field("NET_DEBT") / _field("TOT_EQUITY"),
    "NET_DEBT_EBITDA": _field("NET_DEBT") / _field("EBITDA"),
    "CURRENT_RATIO": _field("CURRENT_ASSETS") / _field("CURRENT_LIABILITIES"),
    "QUICK_RATIO": (_field("CURRENT_ASSETS") - _field("INVENTORIES"))
    / _field("CURRENT_LIABILITIES"),
    "CASH_RATIO": _field("CASH") / _field("CURRENT_LIABILITIES"),
    "INTEREST_COVERAGE": _field("EBIT") / _field("INTEREST_EXPENSE"),
    "EBITDA_COVERAGE": _field("EBITDA") / _field("INTEREST_EXPENSE"),
    "OCF_TO_DEBT": _field("CF_OPER") / _field("TOT_DEBT"),
    "OCF_CURRENT_LIAB": _field("CF_OPER") / _field("CURRENT_LIABILITIES"),
    "FFO_TO_DEBT": _field("FFO") / _field("TOT_DEBT"),
    "FIN_LEVERAGE": _field("TOT_ASSETS") / _field("TOT_EQUITY"),
    "ASSET_TURNOVER": _field("SALES_REV_TURN") / _field("TOT_ASSETS"),
    "INVENTORY_TURNOVER": _field("COST_OF_REVENUE") / _field("INVENTORIES"),
    "RECEIVABLES_TURNOVER": _field("SALES_REV_TURN") / _field("RECEIVABLES"),
    "PAYABLES_TURNOVER": _field("COST_OF_REVENUE") / _field("PAYABLES"),
    "FIXED_ASSET_TURNOVER": _field("SALES_REV_TURN") / _field("PPE_NET"),
    "CAPEX_DEPREC": _field("CAPEX") / _field("DEPREC_AMORT"),
    "DIVIDEND_COVER": _field("EPS") / _field("DPS"),
    "LOAN_TO_DEPOSIT": _field("TOT_LOANS") / _field("TOT_DEPOSITS"),
    "REV_PER_EMPLOYEE": _field("SALES_REV_TURN") / _field("EMPLOYEES"),
    "PROFIT_PER_EMPLOYEE": _field("NET_INCOME") / _field("EMPLOYEES"),
    "DIVIDEND_YIELD": Percent(_field("DPS") / _field("PRICE")),
    "EARNINGS_YIELD": Percent(_field("EPS") / _field("PRICE")),
    "FCF_YIELD": Percent(_field("FREE_CASH_FLOW") / _CAP),
    "CASH_FLOW_YIELD": Percent(_field("CF_OPER") / _CAP),
    "BUYBACK_YIELD": Percent(_field("BUYBACKS") / _CAP),
    "SHAREHOLDER_YIELD": Percent((_field("DIVIDENDS_PAID") + _field("BUYBACKS")) / _CAP),
    "PAYOUT_RATIO": Percent(_field("DIVIDENDS_PAID") / _field("NET_INCOME")),
    "RETENTION_RATIO": Percent(
        (_field("NET_INCOME") - _field("DIVIDENDS_PAID")) / _field("NET_INCOME")
    ),
    "RETURN_ON_EQUITY": Percent(_field("NET_INCOME") / _field("TOT_EQUITY")),
    "RETURN_ON_TANG_EQUITY": Percent(_field("NET_INCOME") / _field("TANGIBLE_BOOK_VALUE")),
    "RETURN_ON_ASSETS": Percent(_field("NET_INCOME") / _field("TOT_ASSETS")),
    "RETURN_ON_CAP": Percent(
        (_field("NET_INCOME") + _field("INTEREST_EXPENSE")) / _field("TOT_CAPITAL")
    ),
    "ROIC": Percent((_field("EBIT") - _field("INCOME_TAX")) / _field("INVESTED_CAPITAL")),
    "ROCE": Percent(_field("EBIT") / _field("CAPITAL_EMPLOYED")),
    "CASH_ROIC": Percent(_field("FREE_CASH_FLOW") / _field("INVESTED_CAPITAL")),
    "EFFECTIVE_TAX_RATE": Percent(_field("INCOME_TAX") / _field("PRETAX_INCOME")),
    "COST_OF_DEBT": Percent(_field("INTEREST_EXPENSE") / _field("TOT_DEBT")),
    "ACCRUALS": Percent((_field("NET_INCOME") - _field("CF_OPER")) / _field("TOT_ASSETS")),
    "CASH_CONVERSION": Percent(_field("FREE_CASH_FLOW") / _field("NET_INCOME")),
    "GOODWILL_TO_EQUITY": Percent(_field("GOODWILL") / _field("TOT_EQUITY")),
    "NET_INTEREST_MARGIN": Percent(_field("NET_INTEREST_INCOME") / _field("TOT_ASSETS")),
    "NPL_RATIO": Percent(_field("NON_PERF_LOANS") / _field("TOT_LOANS")),
    "TIER1_RATIO": Percent(_field("TIER1_CAPITAL") / _field("RISK_WEIGHTED_ASSETS")),
    "LOSS_RATIO": Percent(_field("CLAIMS") / _field("PREMIUMS_EARNED")),
    "UPSIDE": Percent((_field("TARGET_PRICE") - _field("PRICE")) / _field("PRICE")),
    "FREE_FLOAT_PCT": Percent(_field("SHARES_FLOAT") / _field("SHARES_OUT")),
    "FREE_FLOAT_MKT_CAP": _field("PRICE") * _field("SHARES_FLOAT"),
    "SHORT_INTEREST_PCT": Percent(_field("SHORT_INTEREST") / _field("SHARES_FLOAT")),
    "SHORT_RATIO": _field("SHORT_INTEREST") / _field("AVG_VOLUME_30D"),
    "RETURN_3M": Growth(_field("PRICE"), 1),
    "RETURN_6M": Growth(_field("PRICE"), 2),
    "RETURN_1Y": Growth(_field("PRICE"), YEAR),
    "RETURN_2Y": Growth(_field("PRICE"), 2 * YEAR),
    "RETURN_3Y": Growth(_field("PRICE"), 3 * YEAR),
    "RETURN_5Y": Growth(_field("PRICE"), 5 * YEAR),
}

_VARIANTS: Final[Mapping[str, Variant | None]] = {
    "TTM": Trailing,
    "QUARTERLY": Quarterly,
    "FORWARD": None,
    "FORWARD_GROWTH": lambda base: Percent((Named(f"{base.token}_FORWARD") - base) / base),
    "GROWTH_QOQ": lambda base: Growth(base, 1),
    "GROWTH_1Y": lambda base: Growth(base, YEAR),
    "GROWTH_3Y": lambda base: Growth(base, 3 * YEAR, 3),
    "GROWTH_5Y": lambda base: Growth(base, 5 * YEAR, 5),
    "AVG_3Y": lambda base: Average(base, 3),
    "AVG_5Y": lambda base: Average(base, 5),
    "CHANGE_1Y": lambda base: Change(base, YEAR),
    "PER_SHARE": lambda base: base / _field("SHARES_OUT"),
    "TO_SALES": lambda base: Percent(base / _field("SALES_REV_TURN")),
    "TO_ASSETS": lambda base: Percent(base / _field("TOT_ASSETS")),
}

ACCOUNTS: Final = Derivations(
    flows=frozenset(f"FLD_{name}" for name in _FLOWS),
    formulas={f"FLD_{name}": formula for name, formula in _FORMULAS.items()},
    variants=_VARIANTS,
)
