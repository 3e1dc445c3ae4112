"""The aliases of our own that stand in the catalogue: brands, short names, words for fields."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.tables.catalogue.keys import key

TABLE = Path(__file__).parents[3] / "scripts" / "catalogue" / "tables" / "aliases.tsv"


@cache
def own_aliases() -> dict[str, tuple[str, ...]]:
    """The table: token → aliases."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    return {row[0]: tuple(row[1].split("; ")) for row in rows if not row[0].startswith("#")}


@cache
def owners() -> dict[str, list[str]]:
    """The tokens that have a wording, by its key, the most common first."""
    catalogue = load_catalogue()
    found: dict[str, list[str]] = defaultdict(list)
    for token in catalogue.ranking:
        for wording in catalogue.wordings(token):
            found[key(wording)].append(token)
    return found


def test_every_alias_of_our_own_resolves_to_its_token() -> None:
    for token, aliases in own_aliases().items():
        for alias in aliases:
            if alias.startswith("-"):
                assert token not in owners()[key(alias[1:])], alias
            else:
                assert token in owners()[key(alias)], alias


def test_an_alias_of_a_company_belongs_to_it_alone() -> None:
    catalogue = load_catalogue()
    for token, aliases in own_aliases().items():
        if token.startswith("ISS_"):
            for alias in aliases:
                others = [
                    other
                    for other in owners()[key(alias)]
                    if other.startswith("ISS_") and other != token
                ]
                assert all(alias not in catalogue.values[other].aliases for other in others), alias


def test_aliases_of_our_own_are_lower_case_and_no_numbers() -> None:
    for aliases in own_aliases().values():
        for alias in aliases:
            assert alias == alias.lower().strip()
            assert not key(alias).isdigit()
            assert len(key(alias)) > 1


@pytest.mark.parametrize(
    ("word", "token"),
    [
        ("google", "ISS_ALPHABET_INC"),
        ("facebook", "ISS_META_PLATFORMS"),
        ("pepsi", "ISS_PEPSICO_INC"),
        ("AAPL", "ISS_APPLE_INC"),
        ("MSFT", "ISS_MICROSOFT_CORP"),
        ("tsmc", "ISS_TAIWAN_SEMICONDUCTOR_MANUFACTURING_CO_LTD"),
        ("tech", "SEC_GICS_INFORMATION_TECHNOLOGY"),
        ("drug companies", "SEC_GICS_PHARMACEUTICALS"),
        ("nikkei", "IDX_NIKKEI_225"),
        ("latam", "COU_LATIN_AMERICA_AND_THE_CARIBBEAN"),
        ("revs", "FLD_SALES_REV_TURN"),
        ("performance", "FLD_RETURN_1Y"),
        ("growth", "FLD_SALES_REV_TURN_GROWTH_1Y"),
        ("earnings growth", "FLD_NET_INCOME_GROWTH_1Y"),
    ],
)
def test_words_that_people_use_have_an_owner(word: str, token: str) -> None:
    assert owners()[key(word)][0] == token
