"""Which issuer of the catalogue each company is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from grammax.tables.catalogue.catalogue import Catalogue

from .companies import Company

_LEGAL = frozenset(
    re.findall(
        r"\w+",
        """inc incorporated corp corporation co company ltd limited plc ag se sa nv spa ab asa oyj
        tbk pcl kgaa as oy llc lp bv the sgps cv sab de publ abp tas""",
    )
)
_LOOSE = _LEGAL | {"group", "groupe", "holding", "holdings"}
_TICKER = 5  # the most letters of an alias that may be another company's ticker


def issuers(catalogue: Catalogue, companies: Iterable[Company]) -> dict[str, str]:
    """Ticker -> issuer, for the companies that the catalogue has.

    By name before alias, by the name as it stands before the name without "Group": an issuer that
    one company has is not given to another, so that EQT AB is not EQT Corporation.
    """
    largest_first = sorted(companies, key=lambda c: (c.rank is None, c.rank, c.ticker))
    found: dict[str, str] = {}
    owners: dict[str, str] = {}
    for legal in (_LEGAL, _LOOSE):
        for names_of in (_names, _aliases):
            tokens = _index(catalogue, names_of, legal)
            for company in largest_first:
                if company.ticker in found:
                    continue
                for name in (company.name, *company.other_names):
                    token = tokens.get(_key(name, legal))
                    if token and owners.setdefault(token, company.name) == company.name:
                        found[company.ticker] = token
                        break
    return found


def _names(catalogue: Catalogue, token: str) -> tuple[str, ...]:
    return (catalogue.values[token].name,)


def _aliases(catalogue: Catalogue, token: str) -> tuple[str, ...]:
    return tuple(a for a in catalogue.values[token].aliases if len(a) > _TICKER or " " in a)


def _index(
    catalogue: Catalogue,
    names_of: Callable[[Catalogue, str], tuple[str, ...]],
    legal: frozenset[str],
) -> dict[str, str]:
    """Issuers by the words of their names; of two with the same, the more common one."""
    found: dict[str, str] = {}
    for token in catalogue.values_of("ISSUER"):
        for name in names_of(catalogue, token):
            found.setdefault(_key(name, legal), token)
    return found


def _key(name: str, legal: frozenset[str]) -> str:
    """The words that tell a company: "Nestlé SA" is "nestle", "The Hershey Company" "hershey"."""
    plain = unicodedata.normalize("NFKD", name.replace("ø", "o").replace("Ø", "O"))
    ascii_only = plain.encode("ascii", "ignore").decode().lower().replace("&", " and ")
    words = re.findall(r"[a-z0-9]+", re.sub(r"[.']", "", ascii_only))
    return " ".join([word for word in words if word not in legal] or words)
