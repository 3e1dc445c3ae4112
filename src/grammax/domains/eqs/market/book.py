"""`Book`: the series of all companies by field, computed from the anchors on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

import numpy as np

from grammax.domains.eqs.market.anchors import HISTORY, Anchors
from grammax.domains.eqs.market.fields import RULES, Rule, apply_rule, reporting
from grammax.domains.eqs.market.noise import Array, generator, wander, year_sum
from grammax.domains.eqs.market.sectors import Sectors


@final
class Book:
    """Series of companies × quarters, by token of the field without prefix; NaN is unknown.

    A field with a rule in `fields` is computed on first access; `statements` and `trading` add the
    others.
    """

    def __init__(self, anchors: Anchors, sectors: Sectors, first_quarter: int, seed: int) -> None:
        self.anchors, self.sectors, self.seed = anchors, sectors, seed
        self.first_quarter = first_quarter
        self.shape: tuple[int, int] = (len(anchors.revenue), anchors.revenue.shape[1])
        self.price = anchors.price[:, HISTORY:]
        self.capital = self.price * anchors.shares
        random = generator(seed, "listed")
        late = random.random((self.shape[0], 1)) < 0.08
        self.listed = np.where(late, random.integers(4, 30, late.shape), 0)
        """The first quarter of each company, counted from the market's first."""
        self._series: dict[str, Array] = {}
        self._bases: dict[str, Array] = {}

    def __getitem__(self, field: str) -> Array:
        if field not in self._series:
            self._series[field] = self._by_rule(RULES[field])
        return self._series[field]

    def __contains__(self, field: str) -> bool:
        return field in self._series or field in RULES

    def enter(self, **series: Array) -> None:
        """Add series by field."""
        self._series.update(series)

    def company(self, name: str, low: float, high: float) -> Array:
        """A constant of each company, uniform between bounds."""
        return generator(self.seed, name).uniform(low, high, (self.shape[0], 1))

    def noise(self, name: str, persistence: float, scale: float) -> Array:
        """Autocorrelated noise (see `wander`)."""
        return wander(generator(self.seed, name), self.shape, persistence, scale)

    def known(self, field: str) -> Array:
        """The series with 0 where it is unknown."""
        return np.nan_to_num(self[field])

    def year(self, field: str) -> Array:
        """The last year of a flow."""
        return year_sum(self[field])

    def lagged(self, series: Array, quarters: int) -> Array:
        """The series some quarters earlier, padded with its first value."""
        return np.hstack([np.repeat(series[:, :1], quarters, axis=1), series[:, :-quarters]])

    def only(self, series: Array, *types: str) -> Array:
        """The series of companies of these types; NaN for the others."""
        return np.where(np.isin(self.sectors.types, types)[:, None], series, np.nan)

    def _by_rule(self, rule: Rule) -> Array:
        if rule.anchor not in self._bases:
            base = _BASES[rule.anchor](self)
            self._bases[rule.anchor] = np.broadcast_to(base, self.shape)
        series = apply_rule(rule, self._bases[rule.anchor], self.seed)
        return np.where(reporting(rule, self.sectors.types, self.seed), series, np.nan)


def _dollars(series: Array, book: Book) -> Array:
    return series * book.anchors.dollars


def _overheads(book: Book) -> Array:
    a = book.anchors
    left = a.gross - a.operating - book.sectors.typical("research") * a.revenue
    return np.maximum(left, 0.02 * a.revenue)


def _pay(book: Book) -> Array:
    return 2e6 * (_dollars(book.capital, book) / 1e9) ** 0.35 / book.anchors.dollars


def _carbon(book: Book) -> Array:
    return _dollars(book.anchors.sales, book) / 1e6 * book.sectors.typical("carbon")


_BASES: Final[dict[str, Callable[[Book], Array]]] = {
    "level": lambda book: np.ones(book.shape),
    "sales": lambda book: book.anchors.sales,
    "revenue": lambda book: book.anchors.revenue,
    "assets": lambda book: book.anchors.assets,
    "equity": lambda book: book.anchors.equity,
    "debt": lambda book: book.anchors.debt,
    "depreciation": lambda book: book.anchors.depreciation,
    "minority": lambda book: book.anchors.minority,
    "shares": lambda book: book.anchors.shares,
    "heads": lambda book: book.anchors.heads,
    "earnings": lambda book: np.maximum(book.anchors.net, 0),
    "research": lambda book: book.anchors.revenue * book.sectors.typical("research"),
    "capex": lambda book: book.anchors.revenue * book.sectors.typical("capex"),
    "overheads": _overheads,
    "pay": _pay,
    "trading": lambda book: book.anchors.shares * 0.004,
    "beta": lambda book: book.sectors.typical("beta"),
    "swing": lambda book: 100 * book.anchors.volatility,
    "crowd": lambda book: _dollars(book.capital, book) ** 0.4,
    "carbon": _carbon,
}
"""The series that rules multiply by a ratio."""
