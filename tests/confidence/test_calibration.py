"""Confidence and abstention, learnt from features that are drawn."""

from __future__ import annotations

import json
from math import inf, isfinite, log

import numpy as np
import pytest
from confidence.parses import a_parse, resting_on

from grammax.confidence import Calibration, Features, Usage, features, fit
from grammax.confidence.calibration import NotACalibration
from grammax.confidence.coverage import WordCoverage
from grammax.reading.name_index import Match

USAGE = Usage(attended=frozenset({"not", "above"}), plain=frozenset({"show", "me", "the"}))
GERMAN = Match(2, 3, (1,))


def queries(count: int, random: np.random.Generator) -> tuple[list[Features], list[bool]]:
    """Queries that are right as often as their odds say; some leave a word uncovered."""
    odds = random.normal(3, 2, count)
    left = random.random(count) < 0.1
    right = random.random(count) < 1 / (1 + np.exp(-(odds - 4 * left)))
    shares = random.uniform(0.3, 1, count)
    rows = zip(odds.tolist(), shares.tolist(), left.tolist(), strict=True)
    found = [Features(odd, share, 0.0, float(gap)) for odd, share, gap in rows]
    return found, right.tolist()


def out_of_domain(count: int, random: np.random.Generator) -> list[Features]:
    odds, shares = random.normal(-1, 2, count), random.uniform(0.2, 0.9, count)
    return [
        Features(odd, 0.1, share, 2.0)
        for odd, share in zip(odds.tolist(), shares.tolist(), strict=True)
    ]


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    random = np.random.default_rng(0)
    found, right = queries(500, random)
    return fit(found, right, out_of_domain(150, random), USAGE)


def test_a_query_that_is_covered_is_trusted(calibration: Calibration) -> None:
    parse = a_parse("show me german", "COU_GERMANY", (GERMAN,), logarithm=-0.001)
    found = calibration.judge(*parse, resting_on(3, 2))
    assert found.confidence > 0.9
    assert (found.why, found.abstains, found.uncovered) == (None, False, ())


def test_a_text_of_unknown_words_is_out_of_domain(calibration: Calibration) -> None:
    text = "show me weather tomorrow oslo"
    found = calibration.judge(*a_parse(text, "COU_GERMANY"), resting_on(5, 4))
    assert found.confidence < 0.2
    assert (found.why, found.abstains, found.uncovered) == ("out of domain", True, (2, 3, 4))


def test_a_word_that_is_ignored_lowers_the_confidence(calibration: Calibration) -> None:
    parse = a_parse("show me german not", "COU_GERMANY", (GERMAN,), logarithm=-0.05)
    attended = calibration.judge(*parse, resting_on(4, 2, 3))
    ignored = calibration.judge(*parse, resting_on(4, 2))
    assert ignored.uncovered == (3,)
    assert ignored.confidence < attended.confidence - 0.3


def test_a_hopeless_logical_form_is_kept_back(calibration: Calibration) -> None:
    names = (Match(0, 1, (1,)), Match(1, 2, (2,)))
    parse = a_parse("german steel", "COU_GERMANY SEC_STEEL", names, logarithm=-8.0)
    found = calibration.judge(*parse, resting_on(2, 0, 1))
    assert (found.why, found.uncovered) == ("unsure", ())


def test_a_text_that_was_not_read_to_its_end_is_abstained_on(calibration: Calibration) -> None:
    parse = a_parse("show me german", "COU_GERMANY", (GERMAN,), logarithm=-0.001, cut=True)
    assert calibration.judge(*parse, resting_on(3, 2)).why == "cut"


def test_confidence_is_the_share_that_is_right() -> None:
    random = np.random.default_rng(1)
    found, right = queries(4_000, random)
    calibration = fit(found, right, out_of_domain(150, random), USAGE)
    others, truth = queries(4_000, random)
    rows = [(row.odds, row.uncovered) for row in others]
    likely = np.array([calibration.is_right.probability(row) for row in rows])
    for low in (0.2, 0.5, 0.8):
        inside = (likely >= low) & (likely < low + 0.2)
        assert np.mean(np.array(truth)[inside]) == pytest.approx(likely[inside].mean(), abs=0.08)


def test_hardly_any_query_is_lost_to_the_thresholds() -> None:
    random = np.random.default_rng(2)
    found, right = queries(500, random)
    calibration = fit(found, right, out_of_domain(150, random), USAGE)
    lost = 0
    for row in queries(5_000, random)[0]:
        query = calibration.is_query.probability((row.odds, row.covered, row.unknown))
        form = calibration.is_right.probability((row.odds, row.uncovered))
        lost += query < calibration.least_query or query * form < calibration.least_confidence
    assert lost / 5_000 < 0.03


def test_without_out_of_domain_texts_every_text_is_a_query() -> None:
    found, right = queries(200, np.random.default_rng(3))
    calibration = fit(found, right, [], USAGE)
    parse = a_parse("weather tomorrow oslo", "COU_GERMANY", logarithm=-0.001)
    assert calibration.judge(*parse, resting_on(3, 0)).why != "out of domain"


def test_nothing_is_learnt_from_nothing() -> None:
    with pytest.raises(ValueError, match="none was given"):
        fit([], [], [], USAGE)


def test_a_calibration_is_kept_as_json(calibration: Calibration) -> None:
    kept = json.dumps(calibration.to_json())
    assert Calibration.from_json(json.loads(kept)) == calibration


@pytest.mark.parametrize("broken", [{}, {"is_query": 3}, []])
def test_json_of_something_else_is_refused(broken: object) -> None:
    with pytest.raises(NotACalibration, match=r"not a calibration of grammax.*Train again"):
        Calibration.from_json(broken)  # type: ignore[arg-type]


NOTHING = WordCoverage((), (), (), ())


def test_odds_are_those_of_the_logical_form_against_all_others() -> None:
    found = features(*a_parse("a b", "AND 5 5", logarithm=log(0.8)), NOTHING)
    assert found.odds == pytest.approx(log(4))


@pytest.mark.parametrize("logarithm", [0.0, 1e-7, -1e-9, -700.0])
def test_the_surest_and_the_least_sure_have_odds(logarithm: float) -> None:
    found = features(*a_parse("a", "AND", logarithm=logarithm), NOTHING)
    assert -inf < found.odds < 14
    assert isfinite(found.odds)


def test_words_are_counted_by_how_they_are_covered() -> None:
    found = features(*a_parse("a b c d e f g h", "AND"), WordCoverage((0, 1), (2,), (3,), (4, 5)))
    assert (found.covered, found.unknown, found.uncovered) == (3 / 8, 2 / 8, 3)
    found = features(*a_parse("a b c d", "AND"), WordCoverage((), (), (), (0, 1, 2, 3)))
    assert found.uncovered == 3  # more are no worse
