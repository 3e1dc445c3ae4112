"""The main series of each company: revenue, earnings, balance sheet and share price.

Revenue grows with sector, company and the economy; margins fluctuate around the sector's; the
balance sheet follows revenue; the share price follows earnings and book value. All amounts are then
scaled so that today's market capitalisation lies within the company's size class. All other series
are derived from these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from grammax.domains.eqs.market.noise import Array, generator, wander
from grammax.domains.eqs.market.sectors import Sectors

HISTORY: Final = 40
"""Quarters of share prices before the first stored one, for highs and ten-year returns."""

SIZES: Final[Mapping[str, tuple[float, float]]] = {
    "SIZ_MEGA_CAP": (200e9, 3.5e12),
    "SIZ_LARGE_CAP": (10e9, 200e9),
    "SIZ_MID_CAP": (2e9, 10e9),
    "SIZ_SMALL_CAP": (0.3e9, 2e9),
    "SIZ_MICRO_CAP": (0.05e9, 0.3e9),
    "SIZ_NANO_CAP": (0.005e9, 0.05e9),
}
"""Market capitalisation in US dollars."""

_MOST_HEADS: Final = 2e6
_PANDEMIC: Final = (
    22,
    (-0.16, -0.08, -0.04, -0.02),
)  # quarters before the last, the fall of revenue
_PRICES: Final = {
    "CUR_GBP": 8, "CUR_HKD": 30, "CUR_CNY": 25, "CUR_INR": 900, "CUR_IDR": 4000, "CUR_JPY": 2500,
    "CUR_TWD": 120, "CUR_PHP": 60, "CUR_VND": 40000, "CUR_SGD": 5, "CUR_AUD": 15, "CUR_THB": 60,
    "CUR_MYR": 5, "CUR_BRL": 25, "CUR_KRW": 60000,
}  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class Anchors:
    """Companies × quarters in their own currencies; flows are amounts of the quarter."""

    revenue: Array
    sales: Array
    """Annualised revenue of the quarter, without season or noise."""
    gross: Array
    operating: Array
    depreciation: Array
    ebit: Array
    interest: Array
    pretax: Array
    tax: Array
    minority: Array
    net: Array
    dividends: Array
    assets: Array
    equity: Array
    debt: Array
    cash: Array
    price: Array
    """With `HISTORY` more quarters before the first."""
    shares: Array
    heads: Array
    growth: Array
    """The yearly growth of revenue that analysts may expect, as a share."""
    dollars: Array
    """The exchange rate."""
    volatility: Array


def market_values(sizes: Sequence[tuple[str, int | None]], seed: int) -> Array:
    """Today's market values in dollars, by size class and, if known, rank.

    Within a class, smaller values are more frequent.
    """
    bounds = np.log([SIZES.get(size, SIZES["SIZ_MID_CAP"]) for size, _ in sizes]).reshape(-1, 2)
    position = generator(seed, "size").beta(1.0, 2.5, len(sizes)) * 0.96 + 0.02
    values = np.exp(bounds[:, 0] + position * (bounds[:, 1] - bounds[:, 0]))
    for class_ in SIZES:
        ranked = [
            (rank, i) for i, (size, rank) in enumerate(sizes) if size == class_ and rank is not None
        ]
        rows = [i for _, i in sorted(ranked)]
        values[rows] = np.sort(values[rows])[::-1]
    return np.asarray(values)[:, None]


def make_anchors(
    sectors: Sectors,
    market_value: Array,
    currencies: Sequence[str],
    dollars: Array,
    seed: int,
) -> Anchors:
    """The anchors of companies of these sectors, market values today in dollars, and currencies."""
    shape = (len(currencies), dollars.shape[1])
    relative = _Relative(sectors, shape, seed)
    shares_change = generator(seed, "dilution").normal(-0.004, 0.018, (shape[0], 1))
    years = (np.arange(shape[1]) - shape[1] + 1)[None, :] / 4
    shares = np.exp(shares_change * years)
    capital = market_value / dollars[:, -1:]
    scale = capital / relative.value[:, -1:]
    today = _price_today(currencies, dollars, seed)
    price = relative.value * scale / shares * (today / capital)
    history = _history(price, sectors.typical("volatility"), seed)
    heads = relative.sales * scale * dollars[:, -1:] / relative.revenue_per_head
    amounts = {name: getattr(relative, name) * scale for name in _AMOUNTS}
    return Anchors(
        price=np.hstack([history, price]),
        shares=shares * capital / today,
        heads=np.maximum(heads / (1 + heads / _MOST_HEADS), 12),
        growth=relative.growth + wander(generator(seed, "expected"), shape, 0.8, 0.03),
        dollars=dollars,
        volatility=relative.volatility,
        **amounts,
    )


_AMOUNTS: Final = (
    "revenue", "sales", "gross", "operating", "depreciation", "ebit", "interest", "pretax", "tax",
    "minority", "net", "dividends", "assets", "equity", "debt", "cash",
)  # fmt: skip


_NO_DEBT: Final = 1.5  # standard deviations: one of fifteen operating companies has none


class _Relative:
    """The accounts of companies whose yearly revenue today is 1."""

    def __init__(self, sectors: Sectors, shape: tuple[int, int], seed: int) -> None:
        self._typical, self._shape, self._seed = sectors.typical, shape, seed
        self._operating = (sectors.types == "operating")[:, None]
        self.growth = self._typical("growth") + self._company("growth", 0.035)
        economy = self._economy()
        self.sales = self._sales(economy)
        season = self._company("season", 0.03) * np.cos(np.arange(shape[1]) * np.pi / 2)[None, :]
        self.revenue = self.sales / 4 * (1 + season + self._wander("surprise", 0.2, 0.012))
        self._income(economy)
        self._balance()
        self._earnings()
        self.volatility = self._typical("volatility") * np.exp(self._wander("volatility", 0.9, 0.2))
        self.value = self._valuation()
        spread = np.exp(self._company("revenue per head", 0.45) + self._wander("heads", 0.95, 0.05))
        self.revenue_per_head = self._typical("revenue_per_head") * 1e3 * spread

    def _company(self, name: str, scale: float) -> Array:
        """The characteristics of a company that are constant over time."""
        return generator(self._seed, f"{name} of company").normal(0, scale, (self._shape[0], 1))

    def _wander(self, name: str, persistence: float, scale: float) -> Array:
        return wander(generator(self._seed, name), self._shape, persistence, scale)

    def _economy(self) -> Array:
        """The deviation of demand from its trend, the same for all companies, scaled by beta."""
        quarters = self._shape[1]
        cycle = wander(generator(self._seed, "economy"), (1, quarters), 0.85, 0.012)
        ago, falls = _PANDEMIC
        for later, fall in enumerate(falls):
            if 0 <= quarters - 1 - ago + later < quarters:
                cycle[0, quarters - 1 - ago + later] += fall
        return np.asarray(cycle * self._typical("beta"))

    def _sales(self, economy: Array) -> Array:
        steps = self.growth / 4 + generator(self._seed, "sales").normal(0, 0.02, self._shape)
        path = np.cumsum(steps, axis=1) + economy
        return np.asarray(np.exp(path - path[:, -1:]))

    def _income(self, economy: Array) -> None:
        gross = self._typical("gross") * np.exp(self._company("gross", 0.15))
        gross = np.clip(gross + self._wander("gross", 0.9, 0.012), 0.04, 0.93)
        typical = self._typical("operating")
        margin = typical * (1 + self._company("margin", 0.45)) + self._company("luck", 0.045)
        margin = margin + self._wander("margin", 0.85, 0.03) + 0.5 * economy
        margin = np.minimum(margin, gross - 0.03)
        share = self._typical("depreciation") * np.exp(self._company("depreciation", 0.25))
        self.gross = self.revenue * gross
        self.operating = self.revenue * margin
        self.depreciation = self.sales / 4 * share * np.exp(self._wander("depreciation", 0.9, 0.06))
        self.ebit = self.operating + self.revenue * self._wander("other income", 0.5, 0.004)

    def _balance(self) -> None:
        assets = self._typical("assets") * np.exp(self._company("assets", 0.3))
        self.assets = self.sales * assets * np.exp(self._wander("assets", 0.95, 0.06))
        equity = self._typical("equity") * np.exp(self._company("equity", 0.28))
        equity = equity + self._wander("equity", 0.95, 0.04) * equity
        self.equity = self.assets * np.clip(equity, 0.02, 0.85)
        debt = self._typical("debt") * np.exp(self._company("debt", 0.55))
        room = 0.92 * (1 - self.equity / self.assets)
        debt = np.minimum(debt * np.exp(self._wander("debt", 0.95, 0.12)), room)
        without = self._operating & (self._company("no debt", 1.0) > _NO_DEBT)
        self.debt = np.where(without, 0, self.assets * debt)
        cash = 0.08 * np.exp(self._company("cash", 0.5) + self._wander("cash", 0.85, 0.2))
        self.cash = self.assets * np.minimum(cash, 0.5)

    def _earnings(self) -> None:
        rate = 0.035 * np.exp(self._company("interest", 0.3) + self._wander("interest", 0.95, 0.15))
        self.interest = self.debt * rate / 4
        self.pretax = self.ebit - self.interest + self.cash * 0.015 / 4
        rate = np.clip(
            0.23 + self._company("tax", 0.04) + self._wander("tax", 0.3, 0.02), 0.05, 0.4
        )
        self.tax = np.where(self.pretax > 0, self.pretax * rate, self.pretax * 0.1)
        after_tax = self.pretax - self.tax
        self.minority = np.maximum(after_tax, 0) * np.clip(self._company("minority", 0.02), 0, 1)
        self.net = after_tax - self.minority
        payout = self._typical("payout") * np.exp(self._company("payout", 0.35))
        pays = self._company("pays", 1.0) < 2.2 * payout
        steady = np.maximum(0.6 * self._normal_earnings() + 0.4 * self.net, 0)
        self.dividends = np.where(pays, np.minimum(payout, 0.95) * steady, 0)

    def _normal_earnings(self) -> Array:
        """A quarter's earnings at the average margin of all years, with a lower bound."""
        margin = (self.net / self.revenue).mean(axis=1, keepdims=True)
        return np.asarray(self.sales / 4 * np.maximum(margin, 0.2 * self._typical("operating")))

    def _valuation(self) -> Array:
        """Market value: mostly a multiple of normal and present earnings, partly of book value."""
        normal = self._normal_earnings()
        earnings = 4 * np.maximum(0.6 * normal + 0.4 * self.net, 0.5 * normal)
        multiple = self._typical("earnings_multiple") * np.exp(self._company("multiple", 0.25))
        multiple = multiple * np.exp(3 * (self.growth - self._typical("growth")))
        book = np.maximum(self.equity, 0.02 * self.assets)
        fair_book = 0.65 * self._typical("operating") * self._typical("earnings_multiple")
        fair_book = fair_book / (self._typical("assets") * self._typical("equity"))
        fair = (earnings * multiple) ** 0.75 * (book * fair_book) ** 0.25
        mood = wander(generator(self._seed, "mood"), (1, self._shape[1]), 0.9, 0.07)
        own = self._wander("price", 0.85, 1.0) * self._typical("volatility") * 0.5
        return np.asarray(fair * np.exp(mood * self._typical("beta") + own))


def _price_today(currencies: Sequence[str], dollars: Array, seed: int) -> Array:
    usual = [_PRICES.get(c, 45 / rate) for c, rate in zip(currencies, dollars[:, -1], strict=True)]
    spread = generator(seed, "price today").normal(0, 0.9, len(currencies))
    return np.asarray(usual * np.exp(spread))[:, None]


def _history(price: Array, volatility: Array, seed: int) -> Array:
    """Prices before the first stored quarter, walking back from it."""
    steps = generator(seed, "history").normal(0.012, 0.4, (len(price), HISTORY)) * volatility
    back = np.cumsum(steps, axis=1)[:, ::-1]
    return np.asarray(price[:, :1] * np.exp(-back))
