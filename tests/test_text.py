"""What comes near a mistyped name."""

from __future__ import annotations

from time import perf_counter

from grammax.text import nearest

FIELDS = ["FLD_DOMICILE", "FLD_INDEX", "FLD_MARKET_CAP", "EQ"]


def test_nearest_first_and_nothing_where_nothing_is_near() -> None:
    assert nearest("FLD_MARKETCAP", FIELDS) == ("FLD_MARKET_CAP",)
    assert nearest("FLD_INDEXES", ["FLD_INDEXED", "FLD_INDEX"]) == ("FLD_INDEXED", "FLD_INDEX")
    assert nearest("zebra", FIELDS) == ()
    assert nearest("", FIELDS) == ()
    assert nearest("EQ", []) == ()


def test_case_does_not_matter_and_the_name_comes_back_as_it_is_written() -> None:
    assert nearest("fld_domicile", FIELDS) == ("FLD_DOMICILE",)
    assert nearest("STRASSE", ["straße"]) == ("straße",)


def test_at_most_as_many_as_asked_for() -> None:
    names = [f"FLD_SALES_{year}" for year in range(2000, 2020)]
    assert len(nearest("FLD_SALES_2012", names)) == 3
    assert nearest("FLD_SALES_2012", names, count=1) == ("FLD_SALES_2012",)


def test_long_names_and_many_choices_take_no_longer_than_a_person_waits() -> None:
    begun = perf_counter()
    assert nearest("x" * 1_000_000, [f"FLD_{i}" for i in range(56_209)]) == ()
    assert perf_counter() - begun < 5
