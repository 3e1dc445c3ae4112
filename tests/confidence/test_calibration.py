"""Confidence and abstention, learnt from features that are drawn."""

from __future__ import annotations

import json

import numpy as np
import pytest
from confidence.parses import a_parse, resting_on

from grammax.confidence import Calibration, Features, Usage, fit
from grammax.confidence.calibration import NotACalibration
from grammax.reading.name_index import Match

USAGE = Usage(heeded=frozenset({"not", "above"}), plain=frozenset({"show", "me", "the"}))
GERMAN = Match(2, 3, (1,))


def queries(count: int, random: np.random.Generator) -> tuple[list[Features], list[bool]]:
    """Queries that are right as often as their odds say; some leave a word out of account."""
    odds = random.normal(3, 2, count)
    left = random.random(count) < 0.1
    right = random.random(count) < 1 / (1 + np.exp(-(odds - 4 * left)))
    shares = random.uniform(0.3, 1, count)
    rows = zip(odds.tolist(), shares.tolist(), left.tolist(), strict=True)
    found = [Features(odd, share, 0.0, float(gap)) for odd, share, gap in rows]
    return found, right.tolist()


def strangers(count: int, random: np.random.Generator) -> list[Features]:
    odds, shares = random.normal(-1, 2, count), random.uniform(0.2, 0.9, count)
    return [
        Features(odd, 0.1, share, 2.0)
        for odd, share in zip(odds.tolist(), shares.tolist(), strict=True)
    ]


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    random = np.random.default_rng(0)
    found, right = queries(500, random)
    return fit(found, right, strangers(150, random), USAGE)


def test_a_query_that_is_accounted_for_is_trusted(calibration: Calibration) -> None:
    parse = a_parse("show me german", "COU_GERMANY", (GERMAN,), logarithm=-0.001)
    found = calibration.judge(*parse, resting_on(3, 2))
    assert found.confidence > 0.9
    assert (found.why, found.abstains, found.unaccounted) == (None, False, ())


def test_a_text_of_strange_words_is_no_query(calibration: Calibration) -> None:
    text = "show me weather tomorrow oslo"
    found = calibration.judge(*a_parse(text, "COU_GERMANY"), resting_on(5, 4))
    assert found.confidence < 0.2
    assert (found.why, found.abstains, found.unaccounted) == ("out of domain", True, (2, 3, 4))


def test_a_word_that_was_neglected_lowers_the_confidence(calibration: Calibration) -> None:
    parse = a_parse("show me german not", "COU_GERMANY", (GERMAN,), logarithm=-0.05)
    heeded = calibration.judge(*parse, resting_on(4, 2, 3))
    neglected = calibration.judge(*parse, resting_on(4, 2))
    assert neglected.unaccounted == (3,)
    assert neglected.confidence < heeded.confidence - 0.3


def test_a_hopeless_logical_form_is_kept_back(calibration: Calibration) -> None:
    names = (Match(0, 1, (1,)), Match(1, 2, (2,)))
    parse = a_parse("german steel", "COU_GERMANY SEC_STEEL", names, logarithm=-8.0)
    found = calibration.judge(*parse, resting_on(2, 0, 1))
    assert (found.why, found.unaccounted) == ("unsure", ())


def test_a_text_that_was_not_read_to_its_end_is_abstained_on(calibration: Calibration) -> None:
    parse = a_parse("show me german", "COU_GERMANY", (GERMAN,), logarithm=-0.001, cut=True)
    assert calibration.judge(*parse, resting_on(3, 2)).why == "cut"


def test_confidence_is_the_share_that_is_right() -> None:
    random = np.random.default_rng(1)
    found, right = queries(4_000, random)
    calibration = fit(found, right, strangers(150, random), USAGE)
    others, truth = queries(4_000, random)
    rows = [(row.odds, row.unaccounted) for row in others]
    likely = np.array([calibration.is_right.probability(row) for row in rows])
    for low in (0.2, 0.5, 0.8):
        inside = (likely >= low) & (likely < low + 0.2)
        assert np.mean(np.array(truth)[inside]) == pytest.approx(likely[inside].mean(), abs=0.08)


def test_hardly_any_query_is_lost_to_the_thresholds() -> None:
    random = np.random.default_rng(2)
    found, right = queries(500, random)
    calibration = fit(found, right, strangers(150, random), USAGE)
    lost = 0
    for row in queries(5_000, random)[0]:
        query = calibration.is_query.probability((row.odds, row.accounted, row.strange))
        form = calibration.is_right.probability((row.odds, row.unaccounted))
        lost += query < calibration.least_query or query * form < calibration.least_confidence
    assert lost / 5_000 < 0.03


def test_without_strangers_every_text_is_a_query() -> None:
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
    with pytest.raises(NotACalibration, match=r"no calibration of grammax.*Train again"):
        Calibration.from_json(broken)  # type: ignore[arg-type]
