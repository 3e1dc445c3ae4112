"""The enum fields of companies: ratings, style, location and type, one value per field.

Real values come from the equities; the others are generated, ratings from leverage, size and
profit. None marks a value that is unknown or does not apply: the state of a company outside the
United States, the rating of a company that no agency rates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, final

import numpy as np

from grammax.domains.eqs.market.book import Book
from grammax.domains.eqs.market.equities import Equity
from grammax.domains.eqs.market.noise import generator, year_sum
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.lexicon import MONTH_NAMES

Tokens: TypeAlias = list[str | None]
UNITED_STATES: Final = "COU_UNITED_STATES"

_RATED: Final = {"MEGA": 0.97, "LARGE": 0.9, "MID": 0.6, "SMALL": 0.25, "MICRO": 0.05, "NANO": 0.0}
_AGENCIES: Final = {"MOODY": 0.9, "SP_RATING": 0.95, "FITCH": 0.65, "DBRS": 0.2}
_SHORT: Final = {
    "MOODY": "MOODY_SHORT",
    "SP_RATING": "SP_SHORT",
    "FITCH": "FITCH_SHORT",
    "DBRS": "DBRS_SHORT",
}
_OUTLOOKS: Final = {"MOODY": "MOODY_OUTLOOK", "SP_RATING": "SP_OUTLOOK", "FITCH": "FITCH_OUTLOOK"}
_STANDARDS: Final = {
    UNITED_STATES: "US_GAAP", "COU_JAPAN": "JAPANESE_GAAP", "COU_CHINA": "CHINESE_GAAP",
    "COU_INDIA": "INDIAN_GAAP", "COU_SOUTH_KOREA": "KOREAN_IFRS", "COU_TAIWAN": "LOCAL_GAAP",
    "COU_INDONESIA": "LOCAL_GAAP", "COU_THAILAND": "LOCAL_GAAP",
}  # fmt: skip
_HAVENS: Final = (
    "COU_IRELAND",
    "COU_NETHERLANDS",
    "COU_BERMUDA",
    "COU_CAYMAN_ISLANDS",
    "COU_JERSEY",
)


def company_columns(
    equities: Sequence[Equity], book: Book, catalogue: Catalogue
) -> Mapping[str, Tokens]:
    """The values of all enum fields with one value per company, by token without prefix.

    Only fields and values of the catalogue are used: a smaller catalogue has fewer.
    """
    columns = _Companies(equities, book, catalogue).columns()
    known = catalogue.values
    return {
        name: [token if token in known else None for token in tokens]
        for name, tokens in columns.items()
        if f"FLD_{name}" in catalogue.fields
    }


@final
class _Companies:
    def __init__(self, equities: Sequence[Equity], book: Book, catalogue: Catalogue) -> None:
        self._equities, self._book, self._catalogue = equities, book, catalogue

    def columns(self) -> dict[str, Tokens]:
        return self._real() | self._locations() | self._types() | self._ratings() | self._opinions()

    def _real(self) -> dict[str, Tokens]:
        equities = self._equities
        months = [MONTH_NAMES[e.fiscal_year_end - 1].upper() for e in equities]
        return {
            "DOMICILE": [e.domicile for e in equities],
            "COUNTRY_LISTING": [e.country for e in equities],
            "EQS_SECTOR": [e.sub_industry for e in equities],
            "EXCHANGE": [e.exchange for e in equities],
            "ISSUER": [e.issuer for e in equities],
            "SIZE_CLASS": [e.size for e in equities],
            "FISCAL_YEAR_END": [f"FYE_{month}" for month in months],
        }

    def _locations(self) -> dict[str, Tokens]:
        random = self._random("places")
        states = (
            self._catalogue.values_of("STATE") if "STATE" in self._catalogue.value_types else ()
        )
        cities = self._cities()
        columns: dict[str, Tokens] = {"STATE": [], "CITY": []}
        columns |= {"COUNTRY_INCORP": [], "COUNTRY_RISK": [], "EXCHANGE_PRIMARY": []}
        for equity in self._equities:
            chance, where, haven = random.random(3)
            american = equity.domicile == UNITED_STATES
            columns["STATE"].append(_zipf(states, where) if american else None)
            columns["CITY"].append(_zipf(cities.get(equity.domicile, ()), where))
            abroad = _zipf(_HAVENS, haven) if chance < 0.04 else equity.domicile
            columns["COUNTRY_INCORP"].append(abroad)
            columns["COUNTRY_RISK"].append(equity.domicile)
            columns["EXCHANGE_PRIMARY"].append(equity.exchange)
        return columns

    def _cities(self) -> dict[str, list[str]]:
        """The cities of each country, known from an alias such as "houston, united states"."""
        if "CITY" not in self._catalogue.value_types:
            return {}
        countries = {e.domicile for e in self._equities if e.domicile in self._catalogue.values}
        names = {self._catalogue.values[c].name.casefold(): c for c in countries}
        found: dict[str, list[str]] = {}
        for token in self._catalogue.values_of("CITY"):
            for alias in self._catalogue.wordings(token)[1:]:
                country = names.get(alias.rpartition(", ")[2].casefold())
                if country is not None:
                    found.setdefault(country, []).append(token)
        return found

    def _types(self) -> dict[str, Tokens]:
        random = self._random("kinds")
        securities: Tokens = []
        standards: Tokens = []
        types = self._book.sectors.types
        for equity, type_, chance in zip(
            self._equities, types, random.random(len(types)), strict=True
        ):
            foreign = equity.country == UNITED_STATES != equity.domicile
            trust = type_ == "property" and "REIT" in equity.sub_industry
            rare = (
                "TRACKING_STOCK" if chance < 0.003 else "PREFERRED" if chance < 0.02 else "COMMON"
            )
            security = "REIT" if trust else "DEPOSITARY_RECEIPT" if foreign else rare
            securities.append(f"SCT_{security}")
            standard = _STANDARDS.get(equity.domicile, "IFRS")
            local = standard != "JAPANESE_GAAP" or chance < 0.5
            standards.append(f"ACC_{standard if local else 'IFRS'}")
        return {"SECURITY_TYPE": securities, "ACCOUNTING_STANDARD": standards}

    def _ratings(self) -> dict[str, Tokens]:
        rated = np.array([self._chance_of_rating(e.size) for e in self._equities])
        rated = self._random("rated").random(len(rated)) < rated
        quality = self._quality()
        columns: dict[str, Tokens] = {}
        for agency, coverage in _AGENCIES.items():
            random = self._random(agency)
            covered = rated & (random.random(len(rated)) < coverage)
            position = np.clip(quality + random.normal(0, 0.025, len(rated)), 0, 0.99)
            columns[agency] = self._on_scale(agency, position, covered)
            short = covered & (random.random(len(rated)) < 0.7)
            columns[_SHORT[agency]] = self._on_scale(_SHORT[agency], position * 1.1, short)
            if agency in _OUTLOOKS:
                outlook = random.choice([0.1, 0.5, 0.9], len(rated), p=[0.15, 0.68, 0.17])
                columns[_OUTLOOKS[agency]] = self._on_scale("OUTLOOK", outlook, covered)
        return columns

    def _quality(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Positions on a rating scale, 0 the best; large, solid and profitable is better."""
        a, typical = self._book.anchors, self._book.sectors.typical
        size = np.log10(self._book.capital[:, -1] * a.dollars[:, -1])
        leverage = (a.debt / a.assets)[:, -1] / typical("debt")[:, 0]
        margin = (year_sum(a.operating) / year_sum(a.revenue))[:, -1]
        better = 0.14 * (size - 10.5) - 0.09 * (leverage - 1) + 0.35 * (margin - 0.12)
        return np.asarray(np.clip(0.4 - better, 0.0, 0.85))

    def _chance_of_rating(self, size: str) -> float:
        name = size.removeprefix("SIZ_").removesuffix("_CAP")
        return _RATED.get(name, 0.3)

    def _on_scale(self, type_: str, positions: np.ndarray, known: np.ndarray) -> Tokens:
        if type_ not in self._catalogue.value_types:
            return [None] * len(positions)
        values = self._catalogue.values
        scale = sorted(self._catalogue.values_of(type_), key=lambda token: values[token].rank or 0)
        at = np.minimum((positions * len(scale)).astype(int), len(scale) - 1)
        return [scale[i] if k else None for i, k in zip(at, known, strict=True)]

    def _opinions(self) -> dict[str, Tokens]:
        """The analysts' recommendation, and the style: growth stocks have a high price-to-book."""
        book = self._book
        everyone = np.ones(book.shape[0], dtype=bool)
        score = 1 - (book["ANALYST_SCORE"][:, -1] - 1) / 4
        dear = book.capital[:, -1] / book.anchors.equity[:, -1]
        quantile = dear.argsort().argsort() / max(len(dear), 1)
        styles = np.array(["STY_VALUE", "STY_BLEND", "STY_GROWTH"])
        return {
            "ANALYST_RATING": self._on_scale("RECOMMENDATION", score, everyone),
            "STYLE": [str(s) for s in styles[np.minimum((quantile * 3).astype(int), 2)]],
        }

    def _random(self, name: str) -> np.random.Generator:
        return generator(self._book.seed, name)


def _zipf(tokens: Sequence[str], chance: float) -> str | None:
    """One of the tokens; earlier ones are likelier.

    >>> _zipf(["a", "b", "c"], 0.5), _zipf([], 0.5)
    ('a', None)
    """
    return tokens[int(len(tokens) * chance**3)] if tokens else None
