"""Logical forms that no row can satisfy."""

from __future__ import annotations

import pytest

from grammax.tables.form.contradictions import contradicts
from grammax.tables.form.text import read


@pytest.mark.parametrize(
    "lf",
    [
        "(AND (FLD_VOTES GR 10) (FLD_VOTES LS 5))",
        "(AND (FLD_VOTES GR 5) (FLD_VOTES LE 5))",
        "(AND (FLD_VOTES EQ 5) (FLD_VOTES EQ 6))",
        "(AND (FLD_VOTES GR 2 THOUSAND) (display FLD_YEAR) (FLD_VOTES LS 1999))",
        "(AND (FLD_GENRE EQ enumValue(GEN_WAR)) (NOT (FLD_GENRE EQ enumValue(GEN_WAR))))",
        "(AND (FLD_GENRE EQ enumValue(GEN_WAR)) (FLD_GENRE NEQ enumValue(GEN_WAR)))",
        "(NOT (AND (FLD_VOTES GR 10) (AND (FLD_YEAR GR 1) (FLD_VOTES LS 5))))",
    ],
)
def test_what_excludes_itself_is_found(lf: str) -> None:
    assert contradicts(read(lf))


@pytest.mark.parametrize(
    "lf",
    [
        "(FLD_VOTES GR 10)",
        "(AND (FLD_VOTES GE 5) (FLD_VOTES LE 5))",
        "(AND (FLD_VOTES GR 5) (FLD_VOTES LS 10))",
        "(OR (FLD_VOTES GR 10) (FLD_VOTES LS 5))",
        "(AND (FLD_VOTES GR 10) (FLD_VIEWS LS 5))",
        "(AND (FLD_VOTES(2020) GR 10) (FLD_VOTES(2021) LS 5))",
        "(AND (FLD_GROSS GR 10 CUR_USD) (FLD_GROSS LS 5 CUR_EUR))",
        "(AND (FLD_GENRE EQ enumValue(GEN_WAR)) (FLD_GENRE EQ enumValue(GEN_DRAMA)))",
        "(AND (FLD_VOTES GR 10) (NOT (FLD_VOTES LS 5)))",
    ],
)
def test_what_may_hold_is_no_contradiction(lf: str) -> None:
    assert not contradicts(read(lf))


def test_a_text_that_is_asked_for_and_excluded() -> None:
    assert contradicts(read('(AND (FLD_T CONTAINS "Star") (NOT (FLD_T CONTAINS "star")))'))
    assert not contradicts(read('(AND (FLD_T CONTAINS "star") (NOT (FLD_T CONTAINS "wars")))'))
