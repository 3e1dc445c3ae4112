"""The lists and our tables joined: one company a share, still in codes rather than tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from .lists import Member, filers, index_members, shares
from .sources import grouped, table

_US_INDICES = ("DOW JONES", "NASDAQ 100", "S&P 100", "S&P 500", "S&P 600")
_SEATS = frozenset(
    {
        *("Argentina", "Australia", "Bahamas", "Bermuda", "Canada", "China", "Ireland", "Israel"),
        *("Netherlands", "Puerto Rico", "Singapore", "Spain", "Switzerland", "United Kingdom"),
    }
)
"""Countries other than the United States in which members of US indices have their seats."""
_SIZES = ((75, "MEGA"), (1_050, "LARGE"), (2_150, "MID"), (3_700, "SMALL"), (5_000, "MICRO"))
"""Ranks in the SEC's list at which market value falls to about $200, 10, 2, 0.3 billion."""
_INDEX_SIZES = {
    **dict.fromkeys(("BEL 20", "CAC Mid 60", "MDAX", "OMX Helsinki 25", "TecDAX"), "MID"),
    **dict.fromkeys(("SDAX", "S&P 600"), "SMALL"),
}
_SHARE_CLASS = re.compile(
    r"(,? (ser\.? [A-D]|Class [A-N]|Kat\. A|O\.N\.|NA O\.N\.|ON|PN|Pref|Unt|UBD|Unit|Ps|I|Nom|"
    r"[ABH]|ORD)|-[BH]| ?\(.*\))$"
)


@dataclass(frozen=True, slots=True)
class Market:
    """Where a share is traded."""

    exchange: str
    country: str
    currency: str
    year_end: int


@dataclass(slots=True)
class Company:
    """One share of one company; `other_names` are what else the lists call it."""

    ticker: str
    market: Market
    name: str = ""
    other_names: list[str] = field(default_factory=list)
    domicile: str = ""
    sub_industry: str = ""
    indices: list[str] = field(default_factory=list)
    size: str = ""
    rank: int | None = None
    year_end: int = 12


def companies() -> list[Company]:
    """All companies by ticker; SystemExit names what the tables lack or have too much."""
    ours = {line: ticker for ticker, lines in table("lines") for line in lines.split()}
    members: dict[str, list[Member]] = {}
    for member in index_members():
        members.setdefault(ours.get(member.ticker, member.ticker), []).append(member)
    listed = _listed()
    markets = _markets()
    exchanges = grouped("exchanges")
    names = {ticker: (name, bool(note)) for ticker, name, *note in table("names")}
    found = {}
    for ticker in sorted({*members, *listed}):
        market = markets[_market(ticker, exchanges)]
        company = found[ticker] = Company(ticker, market, year_end=market.year_end)
        given = [member.name for member in members.get(ticker, []) if member.name]
        _name(company, [*given, *listed.get(ticker, [])], *names.get(ticker, ("", False)))
        company.indices = sorted({member.index for member in members.get(ticker, [])})
        company.domicile = _seat(members.get(ticker, [])) or market.country
    _place(found)
    _size(found, ours)
    return list(found.values())


def _listed() -> dict[str, list[str]]:
    """The names of the companies in listings.tsv."""
    found = {}
    for source, suffix, entries in table("listings"):
        for entry in entries.split():
            ticker, _, symbol = entry.partition("=")
            if source == "SEC":
                names = [_titled(filers()[ticker].name)]
            else:
                share = shares()[source, symbol or ticker]
                names = [share.name, share.short_name]
            found[ticker + suffix] = names
    return found


def _markets() -> dict[str, Market]:
    return {
        key: Market(exchange, country, currency, int(month))
        for key, exchange, country, currency, month in table("markets")
    }


def _market(ticker: str, exchanges: dict[str, str]) -> str:
    """The suffix, or the exchange where the United States have none."""
    suffix = re.search(r"\.[A-Z]{1,2}$", ticker)
    if suffix and suffix[0] not in (".A", ".B"):
        return suffix[0]
    return exchanges.get(ticker) or filers()[ticker.replace(".", "-")].exchange


def _name(company: Company, names: list[str], better: str, wrong: bool) -> None:
    """The better name, else the first; if that is another company's, it is forgotten."""
    filer = filers().get(company.ticker.replace(".", "-"))
    known = [*names, _titled(filer.name)] if filer else names
    company.name = better or _bare(known[0])
    others = known[1:] if wrong else known
    company.other_names = list(dict.fromkeys([*others, *(_bare(name) for name in others)]))


def _bare(name: str) -> str:
    """The name without a share class or a note at its end."""
    while (shorter := _SHARE_CLASS.sub("", name).strip()) != name and len(shorter) > 2:
        name = shorter
    return name


def _titled(name: str) -> str:
    """The SEC writes "AUTOLIV INC" and "CACI INTERNATIONAL INC /DE/"."""
    name = re.sub(r" ?/[A-Za-z ]*/?$", "", name)
    if not name.isupper():
        return name
    keep = re.compile(r"^([A-Z]{1,2}|.*[&\d].*|[^AEIOUY]+)$")
    words = (w if keep.match(w) and w != "CO" else w.capitalize() for w in name.split())
    return re.sub("-[a-z]", lambda match: match[0].upper(), " ".join(words))


def _seat(members: Iterable[Member]) -> str:
    """The country of "Dublin, Ireland"; of the US lists only, others are often wrong."""
    seats = [m.seat.rpartition(",")[2].strip() for m in members if m.index in _US_INDICES]
    return next((seat for seat in seats if seat in _SEATS), "")


def _place(found: dict[str, Company]) -> None:
    """Domicile, sub-industry and fiscal year from our tables."""
    industries, domiciles = grouped("sub_industries"), grouped("domiciles")
    years, sizes = grouped("fiscal_years"), grouped("sizes")
    missing = sorted(found.keys() - industries.keys())
    for name, groups in (
        *(("sub_industries", industries), ("domiciles", domiciles), ("sizes", sizes)),
        *(
            ("fiscal_years", years),
            ("names", dict.fromkeys(ticker for ticker, *_ in table("names"))),
        ),
    ):
        unknown = sorted(groups.keys() - found.keys())
        if unknown:
            raise SystemExit(f"{name}.tsv has tickers that no list has: {' '.join(unknown)}")
    if missing:
        raise SystemExit(f"sub_industries.tsv lacks {' '.join(missing)}")
    for ticker, company in found.items():
        company.sub_industry = industries[ticker]
        company.domicile = domiciles.get(ticker, company.domicile)
        company.year_end = int(years.get(ticker, company.year_end))
        company.size = sizes.get(ticker, "")


def _size(found: dict[str, Company], ours: dict[str, str]) -> None:
    """From the SEC's order, else from the table, else from the smallest index, else mid."""
    lines = {ticker: line for line, ticker in ours.items() if line in filers()}
    for ticker, company in found.items():
        filer = filers().get(lines.get(ticker, ticker.replace(".", "-")))
        company.rank = filer.rank if filer else None
        if company.rank is not None:
            company.size = next(size for rank, size in _SIZES if company.rank < rank)
        elif not company.size:
            sizes = {_INDEX_SIZES.get(index, "LARGE") for index in company.indices} or {"MID"}
            company.size = max(sizes, key=("LARGE", "MID", "SMALL").index)
