"""Answers of the built market: right rows, honest labels, limits that hold."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import duckdb
import ibis
import pytest
from domains.eqs.market.samples import build_small
from tables.form.samples import alternating, nested_nots

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.build import TODAY
from grammax.domains.eqs.market.database import open_database
from grammax.domains.eqs.market.file import MarketError
from grammax.domains.eqs.market.store import open_market
from grammax.tables.form.text import read
from grammax.tables.form.tree import FieldRef, LogicalFormError
from grammax.tables.form.typecheck import IllTyped
from grammax.tables.query.store import StoreError, TooSlow
from grammax.tables.sql.stores.other import AnyRunner

TOP = "(AND (FLD_DOMICILE EQ COU_UNITED_STATES) (top 3 FLD_MKT_CAP) (display FLD_PB_RATIO))"
PAPER = {
    "S&P 500 members and their return on capital": (
        "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_RETURN_ON_CAP))"
    ),
    "steel in Western Europe but Germany": (
        "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY)))"
        " (FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))"
        " (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
    ),
    "top five Asian tech companies": (
        "(AND (FLD_DOMICILE EQ COU_ASIA) (FLD_EQS_SECTOR EQ SEC_GICS_INFORMATION_TECHNOLOGY)"
        " (top 5 FLD_MKT_CAP))"
    ),
    "auto nysex last quarter mcap > $1bn": (
        "(AND (FLD_EQS_SECTOR EQ SEC_GICS_AUTOMOBILES_COMPONENTS) (FLD_EXCHANGE EQ EXC_XNYS)"
        " (FLD_MKT_CAP(LAST QUARTER) GR 1 BILLION CUR_USD))"
    ),
    "top 10 European non-German tech firms sorted by p/b ratio": (
        "(AND (FLD_DOMICILE EQ COU_EUROPE) (NOT (FLD_DOMICILE EQ COU_GERMANY))"
        " (FLD_EQS_SECTOR EQ SEC_GICS_INFORMATION_TECHNOLOGY) (top 10 FLD_MKT_CAP)"
        " (display FLD_PB_RATIO DESC))"
    ),
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return build_small(tmp_path_factory.mktemp("market") / "market.duckdb")


@pytest.fixture(scope="module")
def market(path):
    with open_market(path) as market:
        yield market


@pytest.fixture(scope="module")
def database(path):
    """The same market, answered by DuckDB."""
    with open_database(path, load_catalogue()) as market:
        yield market


def test_an_answer_has_labels_units_names_and_says_what_is_synthetic(market):
    answer = market.answer(read(TOP))
    assert [column.label for column in answer.columns] == [
        "Ticker", "Name", "P/B ratio", "Market capitalisation", "Country of domicile",
    ]  # fmt: skip
    assert [column.unit for column in answer.columns] == [None, None, "x", "USD", None]
    assert [column.synthetic for column in answer.columns] == [False, False, True, True, False]
    assert answer.synthetic
    assert "Synthetic" in market.note
    assert [row[4] for row in answer.token_rows] == ["COU_UNITED_STATES"] * 3
    assert [row[4] for row in answer.rows] == ["United States"] * 3
    caps = [row[3] for row in answer.token_rows]
    assert caps == sorted(caps, reverse=True)
    assert (len(answer), answer.total, answer.more) == (3, 3, False)
    assert answer.seconds > 0


def test_times_are_in_the_labels(market):
    answer = market.answer(read("(AND (FLD_PRICE(Q2 2024) GR 1) (display FLD_EMPLOYEES(2020)))"))
    labels = [column.label for column in answer.columns[2:]]
    assert labels == ["Employees in 2020", "Share price in Q2 2024"]
    assert answer.columns[2].unit == "employees"


def test_indices_are_shown_in_full(market):
    answer = market.answer(read("(AND (FLD_INDEX EQ IDX_SP500) (FLD_ISSUER EQ ISS_APPLE_INC))"))
    [row], [named] = answer.token_rows, answer.rows
    assert "IDX_SP500" in row[2]
    assert "S&P 500" in named[2]
    assert not answer.synthetic


def test_a_flow_in_a_quarter_is_that_of_the_quarter(market):
    text = "(AND (FLD_ISSUER EQ ISS_APPLE_INC) {})"
    times = ("LAST QUARTER", "Q3 2025", "Q2 2025", "Q1 2025", "Q4 2024")
    columns = [f"(display FLD_SALES_REV_TURN({time}))" for time in times]
    columns += ["(display FLD_SALES_REV_TURN)", "(display FLD_SALES_REV_TURN_TTM(LAST QUARTER))"]
    columns += ["(display FLD_SHARES_OUT(LAST QUARTER))", "(display FLD_SHARES_OUT)"]
    [row] = market.answer(read(text.format(" ".join(columns)))).rows
    last, *quarters, year, trailing, shares, latest_shares = row[2:-1]
    assert last == quarters[0] != year
    assert year == trailing == pytest.approx(sum(quarters), rel=0.01)  # rates of exchange aside
    assert shares == latest_shares


def test_a_change_is_from_its_time_to_the_latest_quarter(market):
    """Only in the last year, or quarter, it ends with its time."""
    times = ("2023", "Q2 2024", "LAST 3 YEAR", "LAST YEAR")
    shown = " ".join(f"(display (change FLD_PRICE({time})))" for time in times)
    answer = market.answer(read(f"(AND (FLD_ISSUER EQ ISS_APPLE_INC) {shown})"))
    begins = [_price(market, quarter) for quarter in ("Q4 2023", "Q2 2024", "Q3 2022", "Q4 2023")]
    ends = [_price(market, quarter) for quarter in (*["Q3 2025"] * 3, "Q4 2024")]
    assert answer.rows[0][2:6] == pytest.approx(
        [(end / begin - 1) * 100 for begin, end in zip(begins, ends, strict=True)]
    )
    assert [column.label for column in answer.columns[2:6]] == [
        "Change of share price since 2023",
        "Change of share price since Q2 2024",
        "Change of share price over the last 3 years",
        "Change of share price last year",
    ]
    assert answer.columns[2].unit == "%"


def _price(market, quarter):
    text = f"(AND (FLD_ISSUER EQ ISS_APPLE_INC) (display FLD_PRICE({quarter})))"
    return market.answer(read(text)).rows[0][2]


def test_a_series_has_the_last_periods_in_order(market):
    years = market.answer(read("(AND (sum FLD_SALES_REV_TURN) (by YEAR))"))
    assert [row[0] for row in years.rows] == ["2020", "2021", "2022", "2023", "2024"]
    quarters = market.answer(read("(AND (average FLD_PRICE) (by QUARTER))"))
    assert [row[0] for row in quarters.rows][-2:] == ["Q2 2025", "Q3 2025"]
    assert len(quarters) == 8
    with pytest.raises(StoreError, match=r"no series by month: these values are stored by quarter"):
        market.answer(read("(AND (count) (by MONTH))"))


def test_sectors_are_grouped_at_the_top_or_below_the_one_asked_for(market):
    top = market.answer(read("(by FLD_EQS_SECTOR)"))
    assert {token for token, _ in top.token_rows} <= {
        token
        for token in market.catalogue.values_of("SECTOR")
        if market.catalogue.values[token].parent is None
    }
    assert sum(count for _, count in top.rows) == 60
    below = market.answer(read("(AND (by FLD_EQS_SECTOR) (FLD_EQS_SECTOR EQ SEC_GICS_FINANCIALS))"))
    assert {market.catalogue.values[token].parent for token, _ in below.token_rows} == {
        "SEC_GICS_FINANCIALS"
    }


def test_a_negative_multiple_is_not_small_and_debt_in_percent_is_a_fraction(market):
    cheap = market.answer(read("(FLD_PE_RATIO LS 15)"))
    assert cheap.rows
    assert all(row[2] > 0 for row in cheap.rows)
    assert "Companies with a negative P/E ratio are left out." in cheap.notes
    negative = market.answer(read("(FLD_PE_RATIO LS 0)"))
    assert all(row[2] < 0 for row in negative.rows)
    assert negative.rows
    half = market.answer(read("(FLD_DEBT_TO_EQUITY LS 50 PCT)"))
    assert half.rows == market.answer(read("(FLD_DEBT_TO_EQUITY LS 0.5)")).rows
    assert half.rows


def test_the_stored_market_capitalisation_is_that_of_the_last_quarter(market):
    lf = read("(AND (FLD_MKT_CAP EQ FLD_MKT_CAP(LAST QUARTER)) (display FLD_MKT_CAP))")
    assert market.answer(lf).total == 60
    assert "fundamental" not in market.sql(read("(top 5 FLD_MKT_CAP)"))


def test_the_row_cap_is_kept_and_the_total_told(market, database):
    answer = market.answer(read("(FLD_PRICE GR 0)"), limit=7)
    assert (len(answer), answer.more, answer.total) == (7, True, 60)
    assert "LIMIT 8" in database.prepare(read("(FLD_PRICE GR 0)"), 7).rows
    nothing = market.answer(read("(FLD_PRICE GR 0)"), limit=0)
    assert (nothing.token_rows, nothing.more, nothing.total) == ((), True, 60)
    with pytest.raises(StoreError, match="The limit is -1; permitted: 0 rows or more"):
        market.answer(read("(FLD_PRICE GR 0)"), limit=-1)


def test_an_empty_answer_is_an_answer(market):
    answer = market.answer(read("(FLD_PRICE LS 0)"))
    assert (answer.token_rows, answer.total, answer.more) == ((), 0, False)


def test_an_ill_typed_form_gives_its_judgement(market):
    with pytest.raises(IllTyped, match=r"FLD_DOMICILE .* is of the type COUNTRY"):
        market.answer(read("(FLD_DOMICILE GE 2)"))
    with pytest.raises(IllTyped, match="Did you mean FLD_DOMICILE"):
        market.sql(read("(FLD_DOMICLE EQ COU_GERMANY)"))


def test_deep_forms_are_answered_or_refused(market):
    one = read("(FLD_ISSUER EQ ISS_APPLE_INC)")
    assert len(market.answer(nested_nots(100_000, one))) == 1
    with pytest.raises(LogicalFormError, match="nests"):
        market.answer(alternating(1000, one))


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "trino", "snowflake", "mysql"])
def test_sql_is_written_for_any_dialect(market, dialect):
    sql = market.sql(read("(AND (FLD_INDEX EQ IDX_SP500) (FLD_PE_RATIO LS 20))"), dialect)
    assert "IDX_SP500" in sql


def test_an_unknown_dialect_is_named(market):
    with pytest.raises(StoreError, match="There is no dialect 'cobol'"):
        market.sql(read(TOP), "cobol")


def test_a_query_is_stopped_at_its_time_limit(market, database):
    """A product of two long tables would take hours."""
    runner = database._runner
    endless = (
        "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range = -b.range % 7"
    )
    begin = perf_counter()
    with pytest.raises(TooSlow, match=r"stopped after 0\.2 seconds"):
        runner.run(endless, 0.2)
    assert perf_counter() - begin < 5
    for each in (database, market):
        assert len(each.answer(read(TOP))) == 3  # and the market still answers
        with pytest.raises(TooSlow):
            each.answer(read(TOP), seconds=0)


def test_other_stores_are_not_waited_for_past_the_limit(tmp_path):
    class Slow:
        name = "slow"

        def to_pyarrow(self, expression):
            return ibis.duckdb.connect().con.sql("SELECT 1 AS a").to_arrow_table()

    assert AnyRunner(Slow()).run(None, 5) == [(1,)]
    with pytest.raises(TooSlow):
        AnyRunner(Slow()).run(None, 0)


def test_the_market_is_only_read(market, database):
    with pytest.raises(StoreError, match="read-only"):
        database._runner.run("DROP TABLE equity", 1)
    with pytest.raises(StoreError, match=r"disabled|external"):
        database._runner.run("SELECT * FROM read_text('/etc/hostname')", 1)
    column = market._source.scan().column(FieldRef("FLD_PRICE"))
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 1.0


def test_threads_share_a_market(market):
    lf = read(TOP)
    alone = market.answer(lf).rows
    with ThreadPoolExecutor(8) as pool:
        assert all(rows == alone for rows in pool.map(lambda _: market.answer(lf).rows, range(40)))


def test_values_cannot_become_sql(market):
    """What is no token of the catalogue is refused before there is a query."""
    with pytest.raises(IllTyped, match="There is no value"):
        market.answer(read("(FLD_DOMICILE EQ enumValue(X';DROP-TABLE-equity;--))"))


def test_files_that_are_no_market_are_refused(tmp_path):
    text = tmp_path / "text.duckdb"
    text.write_text("not a database at all, whatever its name is" * 100)
    with pytest.raises(MarketError, match="cannot be opened as a market"):
        open_market(text)
    other = tmp_path / "other.duckdb"
    with duckdb.connect(other) as connection:
        connection.execute("CREATE TABLE info (a INT)")
    with pytest.raises(MarketError, match="not a market of grammax"):
        open_market(other)


def test_a_market_of_another_catalogue_is_refused(market, tmp_path):
    path = build_small(tmp_path / "market.duckdb")
    with pytest.raises(MarketError, match="was built for the catalogue"):
        open_market(path, catalogue=load_catalogue(2000))


def test_the_market_has_a_date_of_its_own(market):
    assert market.today == TODAY


@pytest.fixture(scope="session")
def real_market():
    with open_market() as market:
        yield market


@pytest.mark.slow
@pytest.mark.parametrize("text", PAPER.values(), ids=PAPER)
def test_the_papers_forms_have_sensible_answers(real_market, text):
    answer = real_market.answer(read(text))
    assert len(answer) > 0
    if "DAX" not in text and "GERMANY" in text:
        assert "Germany" not in {cell for row in answer.rows for cell in row}


@pytest.mark.slow
def test_the_real_market_has_enough_equities(real_market):
    assert real_market.answer(read("(FLD_PRICE GR 0)")).total >= 1800
