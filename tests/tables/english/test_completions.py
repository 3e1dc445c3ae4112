"""How queries that are being typed may go on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.domain import load
from grammax.tables.catalogue.find import Finder
from grammax.tables.english.completions import completions
from grammax.tables.english.dictionary import Dictionary
from grammax.tables.english.likelihood import Likelihood, mentioned

FINDER = Finder(load_catalogue())
EQUITIES = load()


@pytest.mark.parametrize(
    ("typed", "text", "added", "what"),
    [
        ("ger", "Germany", "many", "country"),
        ("steel in GERM", "steel in Germany", "any", "country"),
        ("companies in united ki", "companies in United Kingdom", "ngdom", "country"),
        ("market ca", "market cap", "p", "field"),
        ("appl", "apple", "e", "company"),
        ("companies in ", "companies in Western Europe", "Western Europe", "country"),
        ("market cap ", "market cap above", "above", "phrase"),
        ("", "top 10", "top 10", "phrase"),
        ("", "how many companies", "how many companies", "phrase"),
        ("how ma", "how many companies", "ny companies", "phrase"),
        ("number of ", "number of companies", "companies", "phrase"),
        ("aver", "average", "age", "phrase"),
        ("average ", "average market cap", "market cap", "field"),
        ("how many in Japan ", "how many in Japan by country", "by country", "phrase"),
        ("average pe by ", "average pe by country", "country", "field"),
        ("average pe by ", "average pe by quarter", "quarter", "phrase"),
        ("total revenue per ", "total revenue per sector", "sector", "field"),
        ("top 10 by ", "top 10 by market cap", "market cap", "field"),
    ],
)
def test_names_and_phrases_go_on(typed: str, text: str, added: str, what: str) -> None:
    found = [(each.text, each.added, each.what) for each in completions(typed, FINDER, 9)]
    assert (text, added, what) in found


def test_words_are_not_run_together() -> None:
    found = completions("steel companies in ger", FINDER, 50)
    assert not [each.text for each in found if "Ingersoll" in each.text]


@given(st.text(max_size=60), st.integers(1, 10))
def test_whatever_was_typed_is_kept_before_what_is_completed(typed: str, limit: int) -> None:
    found = completions(typed, FINDER, limit)
    assert len(found) <= limit
    assert len({each.text.lower() for each in found}) == len(found)
    assert all((each.token is None) == (each.what == "phrase") for each in found)


@pytest.mark.parametrize(
    ("typed", "text", "is_likely"),
    [
        ("ger", "Germany", True),
        ("steel ger", "steel Germany", True),
        ("eu", "Europe", True),
        ("ban", "Banks", True),
        ("german ba", "german Banks", True),
        ("fr", "France", True),
        ("market c", "market cap", True),
        ("dividend y", "Dividend yield", True),
        ("p/", "p/e", True),
        ("compani", "companies in", True),
        ("companies ind", "companies industry", True),
    ],
)
def test_the_likeliest_comes_first(typed: str, text: str, is_likely: bool) -> None:
    found = EQUITIES.completions(typed, 8)
    assert (found[0].text, found[0].likely) == (text, is_likely), found


@pytest.mark.parametrize(
    "typed",
    ["german", "german banks", "pe by year", "banks by sector", "pe under 10", "companies in"],
)
def test_after_a_finished_word_nothing_unlikely_is_offered(typed: str) -> None:
    assert not EQUITIES.completions(typed, 8)


def test_without_queries_the_order_of_commonness_decides() -> None:
    catalogue = FINDER.catalogue
    [usual] = completions("germ", FINDER, 1)
    assert usual.token == "COU_GERMANY"  # its name has one word
    counted = Likelihood(catalogue, {"COU_DACH": 1_000})
    [counted_first] = completions("germ", FINDER, 1, counted)
    assert counted_first.token == "COU_DACH"


def test_the_field_that_a_value_implies_is_not_counted_as_mentioned() -> None:
    lf = "(AND (FLD_DOMICILE EQ enumValue(COU_JAPAN)) (FLD_INDEX NEQ IDX_DAX) (FLD_BETA EQ 1))"
    counts = mentioned([("", lf), ("", "(top 3 FLD_BETA)")], FINDER.catalogue)
    assert counts == {"COU_JAPAN": 1, "IDX_DAX": 1, "FLD_BETA": 2}


def test_the_dictionary_finds_fields_by_any_name_and_lists_plain_ones_first() -> None:
    dictionary = Dictionary(FINDER.catalogue, ["FLD_PRICE"])
    every = dictionary.search()
    assert {*every} == {*FINDER.catalogue.fields}
    assert every.index("FLD_EPS") < every.index("FLD_PE_RATIO_AVG_5Y")
    assert dictionary.search("P / E")[0] == "FLD_PE_RATIO"
    assert dictionary.search("staff")[0] == "FLD_EMPLOYEES"
    assert dictionary.search("zzqqxx") == []
    price, margin = dictionary.entry("FLD_PRICE"), dictionary.entry("FLD_OPER_MARGIN")
    assert (price.type, price.unit, price.default) == ("per_share", "USD", True)
    assert (margin.type, margin.unit, margin.default) == ("percent", "%", False)
