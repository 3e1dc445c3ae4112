"""Codes into tokens of the catalogue, through its names and aliases."""

from __future__ import annotations

from collections.abc import Iterator

from grammax.domains.eqs.market.equities import Equity
from grammax.tables.catalogue.catalogue import Catalogue

from .companies import Company
from .issuers import issuers

_INDEX_NAMES = {"CAC_40": "CAC 40", "Switzerland 20": "Swiss Market Index"}


def equities(catalogue: Catalogue, companies: list[Company]) -> list[Equity]:
    """The companies with tokens for codes; SystemExit names what the catalogue lacks."""
    issuer_of = issuers(catalogue, companies)
    countries, sectors, indices = (
        dict(_by_name(catalogue, type_)) for type_ in ("COUNTRY", "SECTOR", "INDEX")
    )
    return [
        Equity(
            ticker=company.ticker,
            name=company.name,
            issuer=issuer_of.get(company.ticker),
            domicile=_token(countries, company.domicile),
            country=_token(countries, company.market.country),
            sub_industry=_token(sectors, f"gics {company.sub_industry}"),
            exchange=_existing(catalogue, f"EXC_{company.market.exchange}"),
            currency=_existing(catalogue, f"CUR_{company.market.currency}"),
            indices=tuple(sorted(_token(indices, _INDEX_NAMES.get(i, i)) for i in company.indices)),
            size=_existing(catalogue, f"SIZ_{company.size}_CAP"),
            size_rank=company.rank,
            fiscal_year_end=company.year_end,
        )
        for company in companies
    ]


def _by_name(catalogue: Catalogue, type_: str) -> Iterator[tuple[str, str]]:
    """Aliases, then names; the most common value last, so that in a `dict` it wins."""
    tokens = catalogue.values_of(type_)[::-1]
    for token in tokens:
        yield from ((alias.lower(), token) for alias in catalogue.values[token].aliases)
    for token in tokens:
        yield catalogue.values[token].name.lower(), token


def _token(tokens: dict[str, str], name: str) -> str:
    try:
        return tokens[name.lower()]
    except KeyError:
        raise SystemExit(f"the catalogue has nothing that is called {name}") from None


def _existing(catalogue: Catalogue, token: str) -> str:
    if token not in catalogue:
        raise SystemExit(f"the catalogue has no {token}")
    return token
