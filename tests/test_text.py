"""Folding, typos, and what comes near a mistyped name."""

from __future__ import annotations

from time import perf_counter

import pytest

from grammax.text import did_you_mean, fold_letters, fold_text, nearest, one_edit_away

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


def test_what_is_clearly_further_away_than_the_first_is_left_out() -> None:
    assert nearest("FLD_DOMICLE", [*FIELDS, "FLD_PRICE"]) == ("FLD_DOMICILE",)


def test_suggestions_are_a_question_or_nothing() -> None:
    assert did_you_mean(("a", "b")) == "did you mean a or b?"
    assert did_you_mean(["a"], sentence=True) == "Did you mean a?"
    assert did_you_mean(()) == did_you_mean((), sentence=True) == ""


@pytest.mark.parametrize(
    ("text", "folded", "plain"),
    [
        ("Crédit Agricole", "credit agricole", "credit agricole"),
        ("STRASSE Straße", "strasse strasse", "strasse strasse"),
        ("Ørsted Æsir Łódź", "ørsted æsir łodz", "orsted aesir lodz"),
        ("ﬁnance №1 ½", "finance no1 1⁄2", "finance no1 1⁄2"),
        ("東京ガ İ", "東京ガ i", "東京ガ i"),
    ],
)
def test_folding_takes_capitals_and_accents_away(text: str, folded: str, plain: str) -> None:
    assert fold_text(text) == folded
    assert fold_letters(text) == plain
    assert fold_text(folded) == folded
    assert fold_letters(plain) == plain


def test_one_edit_leaves_out_adds_replaces_or_swaps() -> None:
    assert {*one_edit_away("ab")} >= {"a", "b", "ba", "xab", "axb", "abx", "xb", "ax"}
    assert not {"abcd", "", "xy"} & {*one_edit_away("ab")}
