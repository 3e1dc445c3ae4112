"""Fields derived from the share price: highs, averages, returns, volumes, estimates."""

from __future__ import annotations

from typing import Final

import numpy as np

from grammax.domains.eqs.market.anchors import HISTORY
from grammax.domains.eqs.market.book import Book
from grammax.domains.eqs.market.noise import Array, year_sum

FORWARD: Final = "_FORWARD"
_TRADING_DAYS: Final = 252

_FORWARD_MONEY: Final = (
    "SALES_REV_TURN", "NET_INCOME", "EBITDA", "EBIT", "OPER_INCOME", "CF_OPER", "CAPEX",
    "PRETAX_INCOME", "NET_INTEREST_INCOME", "FFO",
)  # fmt: skip
_FORWARD_OF_CAPITAL: Final = {
    "PS_RATIO": "SALES_REV_TURN", "P_CF": "CF_OPER", "P_FCF": "FREE_CASH_FLOW", "P_FFO": "FFO",
    "PE_RATIO": "NET_INCOME",
}  # fmt: skip
_FORWARD_OF_ENTERPRISE: Final = {
    "EV_EBITDA": "EBITDA", "EV_EBIT": "EBIT", "EV_SALES": "SALES_REV_TURN",
    "EV_FCF": "FREE_CASH_FLOW",
}  # fmt: skip


def enter_trading(book: Book) -> None:
    """Add prices, returns, volumes and estimates; requires the accounts."""
    _enter_day(book)
    _enter_span(book)
    _enter_returns(book)
    _enter_volumes(book)
    _enter_analysts(book)
    _enter_years(book)
    _enter_forward(book)


def _enter_day(book: Book) -> None:
    price, daily = book.price, book.anchors.volatility / 16
    swing = daily * (0.3 + np.abs(book.noise("PRICE_HIGH", 0.0, 0.6)))
    before = price / (1 + book["RETURN_1D"] / 100)
    opened = before * (1 + book["GAP"] / 100)
    spread = price * book.company("BID", 0.0001, 0.002)
    low, high = np.minimum(price, opened) * (1 - swing), np.maximum(price, opened) * (1 + swing)
    book.enter(
        PRICE=price,
        PRICE_PREV_CLOSE=before,
        PRICE_OPEN=opened,
        PRICE_HIGH=high,
        PRICE_LOW=low,
        CHANGE_FROM_OPEN=100 * (price / opened - 1),
        BID=price - spread / 2,
        ASK=price + spread / 2,
        VWAP=(price + high + low) / 3,
        ATR_14D=price * daily * book.company("ATR_14D", 0.9, 1.6),
    )


def _enter_span(book: Book) -> None:
    price, whole = book.price, book.anchors.price
    swing = 1 + book.anchors.volatility * 0.12
    year = np.stack([_ago(book, quarters) for quarters in range(5)])
    high, low = year.max(axis=0) * swing, year.min(axis=0) / swing
    highest = np.maximum.accumulate(whole, axis=1)[:, HISTORY:] * swing
    lowest = np.minimum.accumulate(whole, axis=1)[:, HISTORY:] / swing
    average_50, average_200 = 0.78 * price + 0.22 * year[1], year[:4].mean(axis=0)
    book.enter(
        HIGH_52W=high,
        LOW_52W=low,
        HIGH_ALL_TIME=np.maximum(highest, high),
        LOW_ALL_TIME=np.minimum(lowest, low),
        DIST_HIGH_52W=100 * (price / high - 1),
        DIST_LOW_52W=100 * (price / low - 1),
        MA_20D=0.9 * price + 0.1 * year[1],
        MA_50D=average_50,
        MA_100D=0.6 * price + 0.4 * year[1],
        MA_200D=average_200,
        DIST_MA_50D=100 * (price / average_50 - 1),
        DIST_MA_200D=100 * (price / average_200 - 1),
        VOLATILITY_1Y=100 * book.anchors.volatility,
        VOLATILITY_30D=100
        * book.anchors.volatility
        * np.exp(book.noise("VOLATILITY_30D", 0.4, 0.25)),
    )


def _ago(book: Book, quarters: int) -> Array:
    """The price some quarters before each."""
    end = book.anchors.price.shape[1]
    return book.anchors.price[:, HISTORY - quarters : end - quarters]


def _enter_returns(book: Book) -> None:
    price = book.price
    quarter_of_year = (book.first_quarter + np.arange(book.shape[1])) % 4 + 1
    paid = year_sum(book.anchors.dividends) / book.capital * 100
    started = np.stack([_ago(book, quarters) for quarters in range(1, 5)])
    last_year = np.take_along_axis(started, (quarter_of_year - 1)[None, None, :], axis=0)[0]
    to_date = 100 * (price / last_year - 1)
    book.enter(
        RETURN_YTD=to_date,
        TOTAL_RETURN_YTD=to_date + paid * quarter_of_year / 4,
        RETURN_10Y=100 * (price / _ago(book, 40) - 1),
    )
    for years in (1, 3, 5, 10):
        change = 100 * (price / _ago(book, 4 * years) - 1)
        book.enter(**{f"TOTAL_RETURN_{years}Y": change + paid * years})


def _enter_volumes(book: Book) -> None:
    usual = book["AVG_VOLUME_90D"] * np.exp(book.noise("AVG_VOLUME_30D", 0.3, 0.15))
    volume = usual * np.exp(book.noise("VOLUME", 0.0, 0.3))
    book.enter(
        AVG_VOLUME_30D=usual,
        VOLUME=volume,
        RELATIVE_VOLUME=volume / usual,
        VALUE_TRADED=volume * book["VWAP"],
        AVG_VALUE_TRADED_30D=usual * book["MA_20D"],
        SHARE_TURNOVER=100 * usual * _TRADING_DAYS / book.anchors.shares,
    )


def _enter_analysts(book: Book) -> None:
    dollars = book.capital * book.anchors.dollars
    analysts = 9 * np.log10(np.maximum(dollars, 2e8) / 1e8) + book.noise("ANALYSTS", 0.9, 2)
    analysts = np.rint(np.clip(analysts, 1, 55))
    score = (book["ANALYST_SCORE"] - 1) / 4
    buy, sell = np.rint(analysts * score**1.2), np.rint(analysts * 0.6 * (1 - score) ** 2)
    target = book.price * (0.92 + 0.35 * score + book.noise("TARGET_PRICE", 0.6, 0.06))
    apart = 0.05 + 0.4 * book.anchors.volatility
    book.enter(
        ANALYSTS=analysts,
        BUY_RATINGS=buy,
        SELL_RATINGS=np.minimum(sell, analysts - buy),
        HOLD_RATINGS=analysts - buy - np.minimum(sell, analysts - buy),
        TARGET_PRICE=target,
        TARGET_PRICE_HIGH=target * (1 + apart),
        TARGET_PRICE_LOW=target * (1 - 0.8 * apart),
        LT_GROWTH_EST=100 * book.anchors.growth,
    )


def _enter_years(book: Book) -> None:
    passed = np.arange(book.shape[1])[None, :] / 4
    old = book.company("YEARS_LISTED", 10, 60)
    listed = np.where(book.listed > 0, -book.listed / 4, old)
    raised = np.maximum(book.company("YEARS_DIV_GROWTH", -20, 30), 0)
    pays = book.anchors.dividends[:, -1:] > 0
    book.enter(
        YEARS_LISTED=np.floor(np.maximum(listed + passed, 0)),
        COMPANY_AGE=np.floor(
            np.maximum(listed * 1.1, 1) + book.company("COMPANY_AGE", 0, 70) + passed
        ),
        YEARS_DIV_GROWTH=np.where(pays & (raised > 0), np.floor(raised + passed), 0),
        IPO_PRICE=np.broadcast_to(
            book.price[:, :1] * book.company("IPO_PRICE", 0.1, 1), book.shape
        ),
    )


def _enter_forward(book: Book) -> None:
    """Next year's figures: the last year's and the growth that analysts expect."""
    growing = 1 + np.clip(book.anchors.growth, -0.3, 0.6)
    forward = {name: book.year(name) * growing for name in _FORWARD_MONEY}
    forward["FREE_CASH_FLOW"] = forward["CF_OPER"] - forward["CAPEX"]
    forward["EPS"] = forward["NET_INCOME"] / book.anchors.shares
    forward["DPS"] = year_sum(book.anchors.dividends) / book.anchors.shares * growing
    enterprise = book.capital + book["TOT_DEBT"] - book["CASH"]
    for name, of in _FORWARD_OF_CAPITAL.items():
        forward[name] = book.capital / forward[of]
    for name, of in _FORWARD_OF_ENTERPRISE.items():
        forward[name] = enterprise / forward[of]
    later = 1 + 0.6 * (growing - 1)
    book_value = book["TOT_EQUITY"] * later
    forward |= {
        "PB_RATIO": book.capital / book_value,
        "P_TANG_BOOK": book.capital / (book_value - book["INTANGIBLES"]),
        "P_CASH": book.capital / (book["CASH"] * later),
        "P_NAV": book.capital / (book["NET_ASSET_VALUE"] * later),
        "EV_GROSS_PROFIT": enterprise / (book.year("GROSS_PROFIT") * growing),
        "EV_ASSETS": enterprise / (book["TOT_ASSETS"] * later),
        "EV_INVESTED_CAP": enterprise / (book["INVESTED_CAPITAL"] * later),
        "DIVIDEND_YIELD": 100 * forward["DPS"] / book.price,
        "EARNINGS_YIELD": 100 * forward["EPS"] / book.price,
    }
    book.enter(**{name + FORWARD: series for name, series in forward.items()})
    _enter_price_to_earnings(book)


def _enter_price_to_earnings(book: Book) -> None:
    """Add ratios that are undefined without earnings or growth."""
    earned = year_sum(book.anchors.net)
    decade = np.cumsum(earned, axis=1) / np.arange(1, book.shape[1] + 1)
    growth = 100 * book.anchors.growth
    ratio = book.capital / np.where(earned > 0, earned, np.nan)
    book.enter(
        CAPE=book.capital / np.where(decade > 0, decade, np.nan),
        PEG_RATIO=ratio / np.where(growth > 1, growth, np.nan),
    )
