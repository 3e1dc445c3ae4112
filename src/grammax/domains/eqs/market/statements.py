"""Lines of the accounts that follow from others by an identity: debt = short-term + long-term."""

from __future__ import annotations

import numpy as np

from grammax.domains.eqs.market.book import Book
from grammax.domains.eqs.market.noise import Array, year_sum


def enter_statements(book: Book) -> None:
    """Add income, balance sheet, cash flow, then the figures computed from all three."""
    _enter_income(book)
    _enter_balance(book)
    _enter_cash_flow(book)
    _enter_per_share(book)
    _enter_days(book)
    _enter_scores(book)


def _enter_income(book: Book) -> None:
    a = book.anchors
    received = a.pretax - a.ebit + a.interest
    one_off = book["IMPAIRMENTS"] + book["RESTRUCTURING_COSTS"]
    book.enter(
        SALES_REV_TURN=a.revenue,
        GROSS_PROFIT=a.gross,
        COST_OF_REVENUE=a.revenue - a.gross,
        OPER_INCOME=a.operating,
        OPER_EXPENSES=a.gross - a.operating,
        DEPREC_AMORT=a.depreciation,
        EBIT=a.ebit,
        EBITDA=a.ebit + a.depreciation,
        ADJ_EBIT=a.ebit + one_off,
        ADJ_EBITDA=a.ebit + a.depreciation + one_off,
        INTEREST_EXPENSE=a.interest,
        INTEREST_INCOME=received,
        NET_INTEREST_EXPENSE=a.interest - received,
        PRETAX_INCOME=a.pretax,
        INCOME_TAX=a.tax,
        NET_INCOME=a.net,
        ADJ_NET_INCOME=a.net + 0.75 * one_off,
        NET_INCOME_COMMON=a.net - book.known("PREFERRED_EQUITY") * 0.05 / 4,
        DIVIDENDS_PAID=a.dividends,
        FX_GAIN=a.revenue * book.noise("FX_GAIN", 0.1, 0.002),
        EMPLOYEES=a.heads,
    )


def _enter_balance(book: Book) -> None:
    a = book.anchors
    short = a.debt * book.company("ST_DEBT", 0.06, 0.35)
    liquid = a.cash * (1 + book.company("CASH_ST_INVEST", 0, 0.5))
    current = liquid + book["RECEIVABLES"] + book.known("INVENTORIES") + 0.02 * a.assets
    owed = book["PAYABLES"] + short + a.assets * book.company("CURRENT_LIABILITIES", 0.04, 0.14)
    current, owed = np.minimum(current, 0.9 * a.assets), np.minimum(owed, a.assets - a.equity)
    ordinary = ("operating", "property", "manager")
    intangible = book["GOODWILL"] + book["INTANGIBLES"]
    book.enter(
        TOT_ASSETS=a.assets,
        TOT_EQUITY=a.equity,
        TOT_DEBT=a.debt,
        ST_DEBT=short,
        LT_DEBT=a.debt - short,
        CASH=a.cash,
        CASH_ST_INVEST=liquid,
        CURRENT_ASSETS=book.only(current, *ordinary),
        CURRENT_LIABILITIES=book.only(owed, *ordinary),
        NON_CURRENT_ASSETS=book.only(a.assets - current, *ordinary),
        PPE_GROSS=book["PPE_NET"] * book.company("PPE_GROSS", 1.4, 2.6),
        TANGIBLE_ASSETS=a.assets - intangible,
        COMMON_EQUITY=a.equity - book.known("PREFERRED_EQUITY") - book["MINORITY_INTEREST"],
        INVESTED_CAPITAL=a.debt + a.equity - 0.5 * a.cash,
    )


def _enter_cash_flow(book: Book) -> None:
    a = book.anchors
    tied_up = a.revenue * book.noise("CHG_WORKING_CAP", 0.1, 0.02)
    operating = a.net + a.minority + a.depreciation + book["STOCK_COMP"] - tied_up
    invested = book.known("DIVESTITURES") - book["CAPEX"] - book.known("ACQUISITIONS")
    lent = book["DEBT_ISSUED"] - book["DEBT_REPAID"]
    paid_out = a.dividends + book.known("BUYBACKS")
    financed = book["SHARE_ISSUANCE"] + lent - paid_out
    book.enter(
        CHG_WORKING_CAP=tied_up,
        CF_OPER=operating,
        CF_INVEST=invested,
        CF_FINANCE=financed,
        NET_CHANGE_CASH=operating + invested + financed,
        FCF_FIRM=operating - book["CAPEX"] + 0.77 * a.interest,
        FCF_EQUITY=operating - book["CAPEX"] + lent,
        INTEREST_PAID=a.interest * book.company("INTEREST_PAID", 0.92, 1.03),
        TAXES_PAID=a.tax * book.company("TAXES_PAID", 0.8, 1.1),
        CO2_EMISSIONS=book["CO2_SCOPE1"] + book["CO2_SCOPE2"],
    )


def _enter_per_share(book: Book) -> None:
    shares = book.anchors.shares
    diluted = shares * (1 + book.company("SHARES_DILUTED", 0, 0.03))
    book.enter(
        SHARES_OUT=shares,
        SHARES_DILUTED=diluted,
        SHARES_FLOAT=np.minimum(book["SHARES_FLOAT"], shares),
        EPS_BASIC=book["NET_INCOME_COMMON"] / shares,
        EPS_DILUTED=book["NET_INCOME_COMMON"] / diluted,
        EPS_ADJ=book["ADJ_NET_INCOME"] / diluted,
    )


def _enter_days(book: Book) -> None:
    sales, cost = book.year("SALES_REV_TURN"), book.year("COST_OF_REVENUE")
    sold, stocked = 365 * book["RECEIVABLES"] / sales, 365 * book["INVENTORIES"] / cost
    paid = np.minimum(365 * book["PAYABLES"] / cost, 400)
    book.enter(
        DAYS_SALES_OUT=sold,
        DAYS_INVENTORY=stocked,
        DAYS_PAYABLE=paid,
        CASH_CONV_CYCLE=sold + np.nan_to_num(stocked) - paid,
    )


def _enter_scores(book: Book) -> None:
    a = book.anchors
    working = book["CURRENT_ASSETS"] - book["CURRENT_LIABILITIES"]
    solvency = 1.2 * working + 1.4 * book["RETAINED_EARNINGS"] + 3.3 * book.year("EBIT")
    solvency = (solvency + book.year("SALES_REV_TURN")) / a.assets
    solvency += 0.6 * book.capital / (a.assets - a.equity)
    cost_of_equity = 3.6 + 4.8 * book["BETA"]
    share_of_debt = a.debt / (a.debt + book.capital)
    after_tax = 100 * 0.77 * 4 * a.interest / np.maximum(a.debt, 1)
    net = year_sum(a.net)
    retained = np.clip(1 - year_sum(a.dividends) / np.where(net > 0, net, np.nan), 0, 1)
    book.enter(
        ALTMAN_Z=solvency,
        PIOTROSKI_F=_piotroski(book),
        COST_OF_EQUITY=cost_of_equity,
        WACC=cost_of_equity * (1 - share_of_debt) + after_tax * share_of_debt,
        SUST_GROWTH=100 * net / a.equity * retained,
    )


def _piotroski(book: Book) -> Array:
    """The F-score: how many of nine signs of strength hold (Piotroski, 2000)."""
    a = book.anchors
    profit, cash = year_sum(a.net), book.year("CF_OPER")
    returns, turnover = profit / a.assets, a.sales / a.assets
    margin, leverage = year_sum(a.gross) / year_sum(a.revenue), a.debt / a.assets
    liquidity = book["CURRENT_ASSETS"] / book["CURRENT_LIABILITIES"]
    signs = [profit > 0, cash > 0, cash > profit]
    signs += [now > book.lagged(now, 4) for now in (returns, turnover, margin, liquidity)]
    signs += [now <= book.lagged(now, 4) for now in (leverage, a.shares)]
    return np.asarray(np.sum(signs, axis=0, dtype=float))
