"""How queries that are being typed may go on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.tables.catalogue.find import Finder
from grammax.tables.english.completions import completions

FINDER = Finder(load_catalogue())


@pytest.mark.parametrize(
    ("typed", "text", "added", "what"),
    [
        ("ger", "Germany", "many", "country"),
        ("steel in GERM", "steel in Germany", "any", "country"),
        ("companies in united ki", "companies in United Kingdom", "ngdom", "country"),
        ("market ca", "market cap", "p", "phrase"),
        ("appl", "Apple Inc", "e Inc", "company"),
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
