"""The list of real equities: every token is the catalogue's, and the paper's queries find some."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from grammax.domains.eqs.catalogue import FILE as CATALOGUE_FILE
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.equities import (
    FILE,
    FORMAT,
    load_equities,
    pack_equities,
    read_equities,
)
from grammax.errors import FileFormatError
from grammax.tables.catalogue.catalogue import Catalogue

EQUITIES = load_equities()
BY_TICKER = {equity.ticker: equity for equity in EQUITIES}
SCRIPTS = Path(__file__).parents[4] / "scripts"

needs_catalogue = pytest.mark.skipif(
    not CATALOGUE_FILE.exists(), reason="data/catalogue.tsv.gz is not built yet"
)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def within(catalogue: Catalogue, token: str) -> frozenset[str]:
    return frozenset(catalogue.descendants(token))


def test_there_are_enough_equities_with_unique_tickers_in_order() -> None:
    assert len(EQUITIES) >= 1_800
    assert list(BY_TICKER) == sorted(equity.ticker for equity in EQUITIES)
    assert FILE.stat().st_size < 500_000


@needs_catalogue
@pytest.mark.parametrize(
    ("field", "type_"),
    [
        *(("issuer", "ISSUER"), ("domicile", "COUNTRY"), ("country", "COUNTRY")),
        *(("sub_industry", "SECTOR"), ("exchange", "EXCHANGE"), ("size", "SIZE")),
    ],
)
def test_every_token_is_a_value_of_its_type(catalogue: Catalogue, field: str, type_: str) -> None:
    used = {getattr(equity, field) for equity in EQUITIES} - {None}
    assert used <= set(catalogue.values_of(type_))


@needs_catalogue
def test_every_index_and_currency_is_in_the_catalogue(catalogue: Catalogue) -> None:
    indices = {index for equity in EQUITIES for index in equity.indices}
    assert indices <= set(catalogue.values_of("INDEX"))
    assert {equity.currency for equity in EQUITIES} <= set(catalogue.units)


@needs_catalogue
def test_domiciles_are_countries_not_regions(catalogue: Catalogue) -> None:
    countries = {equity.domicile for equity in EQUITIES} | {equity.country for equity in EQUITIES}
    assert not [token for token in countries if catalogue.children(token)]


@needs_catalogue
def test_every_equity_has_a_sub_industry(catalogue: Catalogue) -> None:
    def depth(token: str | None) -> int:
        return 0 if token is None else 1 + depth(catalogue.values[token].parent)

    leaves = {token for token in catalogue.values_of("SECTOR") if not catalogue.children(token)}
    for token in {equity.sub_industry for equity in EQUITIES}:
        assert token in leaves, token
        assert depth(token) >= 3, token


@needs_catalogue
def test_only_shares_of_the_same_company_have_the_same_issuer() -> None:
    names: dict[str, set[str]] = {}
    for equity in EQUITIES:
        if equity.issuer:
            names.setdefault(equity.issuer, set()).add(equity.name)
    assert not {issuer: given for issuer, given in names.items() if len(given) > 1}
    known = sum(equity.issuer is not None for equity in EQUITIES)
    assert known > 0.95 * len(EQUITIES)


@needs_catalogue
def test_the_papers_queries_find_equities(catalogue: Catalogue) -> None:
    western_europe = within(catalogue, "COU_WESTERN_EUROPE")
    europe, asia = within(catalogue, "COU_EUROPE"), within(catalogue, "COU_ASIA")
    tech = within(catalogue, "SEC_GICS_INFORMATION_TECHNOLOGY")
    autos = within(catalogue, "SEC_GICS_AUTOMOBILES_COMPONENTS")
    steel = within(catalogue, "SEC_GICS_STEEL")

    def count(sector: frozenset[str], domiciles: frozenset[str]) -> int:
        return sum(e.sub_industry in sector and e.domicile in domiciles for e in EQUITIES)

    german = {"COU_GERMANY"}
    assert count(steel, western_europe - german) >= 4
    assert count(tech, asia) >= 100
    assert count(tech, europe - german) >= 50
    assert sum(e.exchange == "EXC_XNYS" and e.sub_industry in autos for e in EQUITIES) >= 15
    assert sum("IDX_SP500" in e.indices for e in EQUITIES) == 503


def test_index_memberships_are_complete() -> None:
    counts = Counter(index for equity in EQUITIES for index in equity.indices)
    assert len(counts) == 22
    given = {"IDX_DAX": 40, "IDX_DOW_JONES": 30, "IDX_FTSE_100": 100, "IDX_CAC_40": 40}
    assert {index: counts[index] for index in given} == given


@pytest.mark.parametrize(
    ("ticker", "domicile", "exchange", "industry", "year_end"),
    [
        ("AAPL", "UNITED_STATES", "XNAS", "TECHNOLOGY_HARDWARE_STORAGE_PERIPHERALS", 9),
        ("F", "UNITED_STATES", "XNYS", "AUTOMOBILE_MANUFACTURERS", 12),
        ("STLA", "NETHERLANDS", "XNYS", "AUTOMOBILE_MANUFACTURERS", 12),
        ("BMW.DE", "GERMANY", "XETR", "AUTOMOBILE_MANUFACTURERS", 12),
        ("SIE.DE", "GERMANY", "XETR", "INDUSTRIAL_CONGLOMERATES", 9),
        ("MT.AS", "LUXEMBOURG", "XAMS", "STEEL", 12),
        ("VOE.VI", "AUSTRIA", "XWBO", "STEEL", 3),
        ("7203.T", "JAPAN", "XTKS", "AUTOMOBILE_MANUFACTURERS", 3),
        ("2330.TW", "TAIWAN", "XTAI", "SEMICONDUCTORS", 12),
        ("0700.HK", "CHINA", "XHKG", "INTERACTIVE_MEDIA_SERVICES", 12),
        ("INFY.NS", "INDIA", "XNSE", "IT_CONSULTING_OTHER_SERVICES", 3),
    ],
)
def test_well_known_companies_are_as_known(
    ticker: str, domicile: str, exchange: str, industry: str, year_end: int
) -> None:
    equity = BY_TICKER[ticker]
    assert equity.domicile == f"COU_{domicile}"
    assert equity.exchange == f"EXC_{exchange}"
    assert equity.sub_industry.startswith(f"SEC_GICS_{industry}")
    assert equity.fiscal_year_end == year_end


def test_the_largest_have_the_first_ranks() -> None:
    ranked = sorted(
        (equity.size_rank, equity.ticker) for equity in EQUITIES if equity.size_rank is not None
    )
    assert {"AAPL", "AMZN", "GOOGL", "MSFT", "NVDA"} <= {ticker for _, ticker in ranked[:8]}
    assert BY_TICKER["NVDA"].size == "SIZ_MEGA_CAP"
    assert BY_TICKER["GOOG"].size_rank == BY_TICKER["GOOGL"].size_rank


def test_what_is_packed_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "equities.tsv.gz"
    path.write_bytes(pack_equities(EQUITIES))
    assert read_equities(path) == EQUITIES


@pytest.mark.parametrize(
    "content",
    [
        FILE.read_bytes()[:1_000],
        b"not gzip",
        b"",
        gzip.compress(b"grammax-equities 2\n"),
        gzip.compress(f"{FORMAT}\nF\tFord\n".encode()),
    ],
    ids=["truncated", "foreign", "empty", "newer", "columns"],
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "equities.tsv.gz"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="equities"):
        read_equities(path)


def test_an_equity_is_checked_when_made() -> None:
    with pytest.raises(ValueError, match="13 is not a month"):
        replace(EQUITIES[0], fiscal_year_end=13)
    with pytest.raises(ValueError, match="needs a ticker"):
        replace(EQUITIES[0], ticker="")


def test_the_notice_names_every_source() -> None:
    notice = (FILE.parent / "NOTICE-equities").read_text(encoding="utf-8")
    lines = (SCRIPTS / "equities" / "requirements.txt").read_text().splitlines()
    pinned = [line.split("==") for line in lines if "==" in line and not line.startswith("#")]
    tools = {"pyarrow"}
    missing = [name for name, version in pinned if f"{name} {version}" not in notice]
    assert set(missing) <= tools
