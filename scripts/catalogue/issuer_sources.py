"""Companies as three packages list them: investpy, edgartools (of the SEC), pytickersymbols."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from .sources import package_file, package_rows

_FAME = [
    *("S&P 100", "DOW JONES", "EURO STOXX 50", "NASDAQ 100", "S&P 500", "DAX", "FTSE 100"),
    *("CAC_40", "Switzerland 20", "NIKKEI 225", "IBEX 35", "AEX", "OMX Stockholm 30", "BEL 20"),
    *("OMX Helsinki 25", "MDAX", "CAC Mid 60", "TecDAX", "SDAX", "S&P 600"),
]
_AMERICAN = ("S&P 100", "DOW JONES", "NASDAQ 100", "S&P 500", "S&P 600")


@dataclass(frozen=True, slots=True)
class Company:
    """One company in one list: `identity` is the same for all its listings there.

    `home` says that the listing is in the company's own country; of an index member, in the US.
    """

    source: str
    name: str
    short_name: str
    symbol: str
    identity: str
    home: bool = True


def investpy_companies() -> Iterator[Company]:
    """Listings by country; at home where the ISIN begins with the country's code."""
    codes = _country_codes()
    for row in package_rows("investpy", "investpy/resources/stocks.csv"):
        home = row["isin"][:2] == codes.get(row["country"], "")
        yield Company("investpy", row["full_name"], row["name"], row["symbol"], row["isin"], home)


def sec_companies() -> Iterator[Company]:
    """Companies that file with the SEC, the largest first."""
    from pyarrow.parquet import read_table

    path = package_file("edgartools", "edgar/reference/data/company_tickers.parquet")
    for row in read_table(path).to_pylist():
        yield Company("sec", row["name"], "", row["ticker"], row["cik"])


def index_members() -> Iterator[tuple[str, Company]]:
    """Members of twenty indices with the index, the largest companies' indices first."""
    indices = _indices()
    for index in sorted(indices, key=_FAME.index):
        for company in indices[index]["companies"]:
            symbol, _, suffix = str(company.get("symbol") or "").partition(".")
            # Elsewhere a bare symbol is a local one: BB is Bic in Paris and BlackBerry in New York.
            in_us = index in _AMERICAN and bool(symbol) and not suffix
            name = company["name"]
            yield index, Company("pytickersymbols", name, "", symbol, name, in_us)


@cache
def headquarters() -> tuple[tuple[str, ...], ...]:
    """The places that index members name as their seat: city, state, country."""
    seats = {}
    for entry in _indices().values():
        for company in entry["companies"]:
            seat = str(company.get("metadata", {}).get("headquarters", ""))
            seats[company["name"]] = tuple(part.strip() for part in seat.split(","))
    return tuple(seats.values())


@cache
def _indices() -> dict[str, Any]:
    path = package_file("pytickersymbols", "pytickersymbols/indices_data.py")
    return dict(runpy.run_path(str(path))["INDICES"])


def _country_codes() -> dict[str, str]:
    """The country code that most ISINs of a country's listings begin with."""
    counts: dict[str, dict[str, int]] = {}
    for row in package_rows("investpy", "investpy/resources/stocks.csv"):
        codes = counts.setdefault(row["country"], {})
        codes[row["isin"][:2]] = codes.get(row["isin"][:2], 0) + 1
    return {country: max(codes, key=lambda c: (codes[c], c)) for country, codes in counts.items()}
