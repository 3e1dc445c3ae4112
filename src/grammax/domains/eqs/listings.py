"""Listings, which extend a catalogue beyond the real names: one per company and exchange.

The first 40,000 of them are all companies on the New York Stock Exchange, the next 40,000 on
Nasdaq, and so on down the list of exchanges: "Siemens AG (Xetra)", ISS_SIEMENS_AG_AT_XETR. Not
every such listing exists; the company and the exchange do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, final

from grammax.tables.catalogue.entries import Value

_AT = "_AT_"


def listing_tokens(issuers: Sequence[str], exchanges: Sequence[str], count: int) -> Iterator[str]:
    """`count` tokens, exchange by exchange.

    >>> list(listing_tokens(["ISS_SAP_SE", "ISS_ABB_LTD"], ["EXC_XNYS", "EXC_XETR"], 3))
    ['ISS_SAP_SE_AT_XNYS', 'ISS_ABB_LTD_AT_XNYS', 'ISS_SAP_SE_AT_XETR']
    """
    for exchange in exchanges:
        ending = _AT + exchange.removeprefix("EXC_")
        yield from (issuer + ending for issuer in issuers[: max(0, count)])
        count -= len(issuers)


@final
class Listings:
    """The `DerivedValues` of the catalogue."""

    type = "ISSUER"

    def tokens(self, tokens: Mapping[str, Sequence[str]], count: int) -> Iterator[str]:
        """`count` listings of the issuers, exchange by exchange."""
        return listing_tokens(tokens["ISSUER"], tokens["EXCHANGE"], count)

    def value(self, token: str, values: Mapping[str, Value]) -> Value:
        """The listing that a token names."""
        return listing(token, values)

    def parent(self, token: str) -> str:
        """The company of a listing."""
        return issuer_of(token)


LISTINGS: Final = Listings()


def listing(token: str, values: Mapping[str, Value]) -> Value:
    """The listing that a token names, a child of its company."""
    issuer, _, mic = token.rpartition(_AT)
    company, exchange = values[issuer], values[f"EXC_{mic}"]
    aliases = tuple(f"{alias} {mic.lower()}" for alias in company.aliases[:2])
    return Value(token, company.type, f"{company.name} ({exchange.name})", aliases, issuer, None)


def issuer_of(token: str) -> str:
    """The company of a listing.

    >>> issuer_of("ISS_SAP_SE_AT_XETR")
    'ISS_SAP_SE'
    """
    return token.rpartition(_AT)[0]
