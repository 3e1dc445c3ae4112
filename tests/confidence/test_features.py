"""The few numbers that tell right from wrong."""

from __future__ import annotations

from math import inf, isfinite, log

import pytest
from confidence.parses import a_parse

from grammax.confidence.accounting import Account
from grammax.confidence.features import features

NOTHING = Account((), (), (), ())


def test_odds_are_those_of_the_logical_form_against_all_others() -> None:
    found = features(*a_parse("a b", "AND 5 5", logarithm=log(0.8)), NOTHING)
    assert found.odds == pytest.approx(log(4))


@pytest.mark.parametrize("logarithm", [0.0, 1e-7, -1e-9, -700.0])
def test_the_surest_and_the_least_sure_have_odds(logarithm: float) -> None:
    found = features(*a_parse("a", "AND", logarithm=logarithm), NOTHING)
    assert -inf < found.odds < 14
    assert isfinite(found.odds)


def test_words_are_counted_by_what_becomes_of_them() -> None:
    found = features(*a_parse("a b c d e f g h", "AND"), Account((0, 1), (2,), (3,), (4, 5)))
    assert (found.accounted, found.strange, found.unaccounted) == (3 / 8, 2 / 8, 3)
    found = features(*a_parse("a b c d", "AND"), Account((), (), (), (0, 1, 2, 3)))
    assert found.unaccounted == 3  # more are no worse
