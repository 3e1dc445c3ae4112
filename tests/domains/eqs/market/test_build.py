"""The model: complete, the same for a seed, plausible, and its accounts add up."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from domains.eqs.market.samples import small_data, some_equities

from grammax.domains.eqs.accounts import ACCOUNTS
from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.market.anchors import SIZES
from grammax.domains.eqs.market.build import QUARTERS, generate
from grammax.domains.eqs.market.equities import load_equities
from grammax.domains.eqs.market.fields import RULES
from grammax.domains.eqs.market.rates import PER_DOLLAR
from grammax.domains.eqs.market.sectors import PROFILES, sectors_of
from grammax.tables.query.formulas import Formulas
from grammax.tables.query.source import column_name

LAST = 2025 * 4 + 2


@pytest.fixture(scope="module")
def data():
    """Three hundred companies: enough of each kind."""
    return generate(load_equities()[::10], load_catalogue())


@pytest.fixture(scope="module")
def now(data):
    """The last quarter by column, as arrays."""
    table = data.fundamental
    rows = np.array(table["calendar_quarter"]) == LAST
    return {name: table[name].to_numpy()[rows] for name in table.column_names}


def test_every_stored_field_has_data(data):
    stored = [column_name(token) for token in Formulas(load_catalogue(), ACCOUNTS).stored()]
    assert data.fundamental.column_names[5:] == stored
    empty = [c for c in stored if data.fundamental[c].null_count == data.fundamental.num_rows]
    assert empty == []


def test_every_enum_field_has_a_column_of_its_own_values(data):
    catalogue = load_catalogue()
    fields = [f for f in catalogue.fields.values() if f.type in catalogue.value_types]
    for field in fields:
        if field.token in catalogue.schema.many:
            continue
        tokens = set(data.equity[column_name(field.token)].to_pylist()) - {None}
        assert tokens, f"{field.token} has no data"
        assert {catalogue.values[token].type for token in tokens} == {field.type}


def test_the_same_seed_gives_the_same_market_and_another_seed_another():
    one, same, other = small_data(7), small_data(7), small_data(8)
    assert one.fundamental.equals(same.fundamental)
    assert one.equity.equals(same.equity)
    assert not one.fundamental.equals(other.fundamental)


def test_there_are_forty_quarters_and_some_companies_were_listed_later(data):
    quarters = np.array(data.fundamental["calendar_quarter"])
    assert (quarters.min(), quarters.max()) == (LAST - QUARTERS + 1, LAST)
    counts = np.bincount(np.array(data.fundamental["equity_id"]))[1:]
    assert counts.max() == QUARTERS
    assert 0.8 < (counts == QUARTERS).mean() < 1


def test_market_capitalisation_lies_within_the_size_class(data, now):
    sizes = data.equity["size_class"].to_pylist()
    value = now["price"] * now["shares_out"] * now["usd_rate"]
    for company, dollars in zip(now["equity_id"], value, strict=True):
        low, high = SIZES[sizes[company - 1]]
        assert low * 0.99 < dollars < high * 1.01


def test_accounts_add_up(now):
    assert (now["tot_assets"] > now["tot_equity"]).all()
    debt = now["st_debt"] + now["lt_debt"]
    known = ~np.isnan(debt)
    np.testing.assert_allclose(debt[known], now["tot_debt"][known], rtol=1e-3)
    assert (now["gross_profit"] >= now["oper_income"]).all()
    assert (now["oper_income"] >= now["net_income"]).mean() > 0.9
    known = ~np.isnan(now["shares_float"])
    assert (now["shares_float"] <= now["shares_out"] * 1.001)[known].all()


def test_some_companies_have_no_debt_and_pay_no_interest(now):
    without = now["tot_debt"] == 0
    assert 0.02 < without.mean() < 0.12
    assert (now["interest_expense"][without] == 0).all()
    assert (now["dividends_paid"] == 0).any()


def test_earnings_follow_revenue_and_market_value_follows_earnings(data):
    """In logarithms, over all quarters; some companies, not most, lose money."""
    names = ("net_income", "sales_rev_turn", "price", "shares_out", "usd_rate")
    table = {name: data.fundamental[name].to_numpy() for name in names}
    earned = table["net_income"] > 0
    assert 0.03 < 1 - earned.mean() < 0.2
    dollars = {name: table[name] * table["usd_rate"] for name in ("net_income", "sales_rev_turn")}
    dollars["value"] = table["price"] * table["shares_out"] * table["usd_rate"]
    earnings, revenue, value = (np.log(series[earned]) for series in dollars.values())
    assert np.corrcoef(earnings, revenue)[0, 1] > 0.7
    assert np.corrcoef(earnings, value)[0, 1] > 0.7


@pytest.mark.parametrize(
    ("column", "kind"),
    [("cet1_ratio", "bank"), ("combined_ratio", "insurer"), ("occupancy_rate", "property")],
)
def test_lines_of_a_kind_of_company_are_known_only_there(data, now, column, kind):
    sectors = sectors_of(data.equity["eqs_sector"].to_pylist(), load_catalogue())
    of_kind = sectors.types[now["equity_id"] - 1] == kind
    assert of_kind.any()
    assert np.isnan(now[column][~of_kind]).all()
    assert (~np.isnan(now[column][of_kind])).mean() > 0.8


def test_ratings_follow_leverage_and_size(data, now):
    catalogue = load_catalogue()
    ranks = {t: catalogue.values[t].rank for t in catalogue.values_of("MOODY")}
    moody = [data.equity["moody"][int(i) - 1].as_py() for i in now["equity_id"]]
    value = np.log(now["price"] * now["shares_out"] * now["usd_rate"])
    rated = [(ranks[token], size) for token, size in zip(moody, value, strict=True) if token]
    assert 0.2 < len(rated) / len(moody) < 0.95
    assert np.corrcoef(np.array(rated).T)[0, 1] < -0.3  # rank 1 is best


def test_states_are_in_the_united_states(data):
    rows = zip(data.equity["domicile"].to_pylist(), data.equity["state"].to_pylist(), strict=True)
    assert all((state is not None) == (home == "COU_UNITED_STATES") for home, state in rows)


def test_fiscal_quarters_are_those_of_the_companys_own_year():
    data = small_data()
    month = dict(
        zip(data.equity["id"].to_pylist(), data.equity["fiscal_end_month"].to_pylist(), strict=True)
    )
    rows = data.fundamental.select(
        ["equity_id", "calendar_quarter", "fiscal_quarter", "period_end"]
    ).to_pylist()
    march = [row for row in rows if month[row["equity_id"]] == 3]
    found = {row["period_end"]: row["fiscal_quarter"] for row in march}
    assert found[datetime.date(2024, 3, 31)] == 2024 * 4 + 3
    assert found[datetime.date(2024, 6, 30)] == 2025 * 4
    for row in rows:
        end = row["period_end"]
        assert row["calendar_quarter"] == end.year * 4 + (end.month - 1) // 3
        assert (row["fiscal_quarter"] % 4 == 3) == (end.month == month[row["equity_id"]])


def test_every_currency_has_a_rate_in_every_quarter(data):
    catalogue = load_catalogue()
    assert set(PER_DOLLAR) | {"CUR_USD"} == set(catalogue.units)
    assert data.exchange_rate.num_rows == QUARTERS * len(catalogue.units)
    rows = data.exchange_rate.to_pylist()
    assert {row["usd"] for row in rows if row["currency"] == "CUR_USD"} == {1.0}
    assert all(row["usd"] > 0 for row in rows)


def test_profiles_and_rules_name_what_the_catalogue_has():
    catalogue = load_catalogue()
    assert all(f"SEC_GICS_{name}" in catalogue.values for name in PROFILES)
    stored = set(Formulas(catalogue, ACCOUNTS).stored())
    assert [name for name in RULES if f"FLD_{name}" not in stored] == []


def test_memberships_and_names_are_those_of_the_equities():
    data, equities = small_data(), some_equities()
    assert data.equity["ticker"].to_pylist() == [e.ticker for e in equities]
    assert data.membership.num_rows == sum(len(e.indices) for e in equities)
    notes = dict(zip(*data.info.to_pydict().values(), strict=True))
    assert "Synthetic" in notes["note"]


def test_two_share_lines_of_a_company_are_told_apart():
    lines = [equity for equity in load_equities() if equity.name == "Alphabet Inc."]
    names = generate(lines, load_catalogue()).equity["name"].to_pylist()
    assert names == ["Alphabet Inc. (GOOG)", "Alphabet Inc. (GOOGL)"]
