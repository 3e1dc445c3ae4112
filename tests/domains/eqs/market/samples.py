"""A market of some sixty real equities, small enough for every test."""

from __future__ import annotations

from pathlib import Path

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.build import MarketData, generate
from grammax.domains.eqs.market.equities import Equity, load_equities
from grammax.domains.eqs.market.file import write_market

WANTED = ("AAPL", "MSFT", "NVDA", "F", "GM", "JPM", "SAP.DE", "VOE.VI", "MT.AS", "7203.T")


def some_equities(count: int = 60) -> tuple[Equity, ...]:
    """Well-known ones, then every so many of all."""
    every = load_equities()
    known = [equity for equity in every if equity.ticker in WANTED]
    others = [equity for equity in every if equity.ticker not in WANTED]
    return (*known, *others[:: max(1, len(others) // (count - len(known)))])[:count]


def small_data(seed: int = 7) -> MarketData:
    return generate(some_equities(), load_catalogue(), seed)


def build_small(path: Path) -> Path:
    write_market(small_data(), path, lambda what, share: None)
    return path
