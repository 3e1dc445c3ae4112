"""What the packages list: members of indices, the SEC's companies by size, shares by country."""

from __future__ import annotations

import ast
import csv
import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from .sources import package_file, table

_SUFFIXES = {"HANG SENG": ".HK", "NIFTY 50": ".NS"}
_LAST_SIZED_RANK = 5_000  # beyond it the SEC's list is no longer in order of market value


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an index: `ticker` as its list has it, `seat` as "City, State or Country"."""

    index: str
    ticker: str
    name: str = ""
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Filer:
    """A company that files with the SEC; `rank` 0 is the largest by market value."""

    name: str
    exchange: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Share:
    """A share as investpy has it."""

    name: str
    short_name: str
    isin: str


def index_members() -> Iterator[Member]:
    """Members of 22 indices: those of pytickersymbols, the Hang Seng (FinRL), the Nifty 50."""
    given = {(index, name): ticker for index, ticker, name in table("members")}
    for index, entry in _pytickersymbols().items():
        for company in entry["companies"]:
            name = company["name"]
            ticker = given.get((index, name)) or company["symbol"]
            yield Member(index, ticker, name, company.get("country") or "")
    for index, tickers in (("HANG SENG", _hang_seng()), ("NIFTY 50", _nifty())):
        for ticker in tickers:
            yield Member(index, ticker.partition(".")[0] + _SUFFIXES[index])


@cache
def filers() -> dict[str, Filer]:
    """The SEC's list by ticker. A second share has the rank of the company's first."""
    from pyarrow.parquet import read_table

    path = package_file("edgartools", "edgar/reference/data/company_tickers.parquet")
    ranks: dict[str, int] = {}
    found: dict[str, Filer] = {}
    for position, row in enumerate(read_table(path).to_pylist()):
        rank = ranks.setdefault(row["cik"], position)
        sized = rank if rank < _LAST_SIZED_RANK else None
        found.setdefault(row["ticker"], Filer(row["name"], row["exchange"] or "", sized))
    return found


@cache
def shares() -> dict[tuple[str, str], Share]:
    """investpy's shares by country and symbol."""
    path = package_file("investpy", "investpy/resources/stocks.csv")
    found: dict[tuple[str, str], Share] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            share = Share(row["full_name"], row["name"], row["isin"])
            found.setdefault((row["country"], row["symbol"]), share)
    return found


def _pytickersymbols() -> dict[str, Any]:
    path = package_file("pytickersymbols", "pytickersymbols/indices_data.py")
    return dict(runpy.run_path(str(path))["INDICES"])


def _hang_seng() -> list[str]:
    text = package_file("finrl", "finrl/config_tickers.py").read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HSI_50_TICKER":
            return list(ast.literal_eval(node.value))
    raise SystemExit("finrl/config_tickers.py has no HSI_50_TICKER")


def _nifty() -> list[str]:
    path = package_file("niftystocks", "niftystocks/ns.py")
    return list(runpy.run_path(str(path))["get_nifty50"]())
