"""Confidence and abstention, learnt from features that are drawn."""

from __future__ import annotations

import json
from math import inf, isfinite, log

import numpy as np
import pytest
from confidence.parses import a_parse, resting_on

from grammax.confidence import Calibration, Features, Labelled, Usage, features, fit
from grammax.confidence.calibration import Aims, NotACalibration
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
    found = [Features(odd, share, 0.0, odd=float(gap), named=1.0) for odd, share, gap in rows]
    return found, right.tolist()


def out_of_domain(count: int, random: np.random.Generator) -> list[Features]:
    odds, shares = random.normal(-1, 2, count), random.uniform(0.2, 0.9, count)
    return [
        Features(odd, 0.1, share, foreign=2.0)
        for odd, share in zip(odds.tolist(), shares.tolist(), strict=True)
    ]


def near_misses(count: int, random: np.random.Generator) -> list[Features]:
    odds = random.normal(2, 2, count).tolist()
    words = random.integers(1, 3, count).tolist()
    rows = zip(odds, words, strict=True)
    return [Features(odd, 0.5, 0.2, foreign=float(word), named=1.0) for odd, word in rows]


def labelled(found: list[Features], right: list[bool], random: np.random.Generator) -> Labelled:
    return Labelled(found, right, out_of_domain(150, random), near_misses(100, random))


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    random = np.random.default_rng(0)
    found, right = queries(500, random)
    return fit(labelled(found, right, random), USAGE)


def test_a_query_that_is_covered_is_trusted(calibration: Calibration) -> None:
    parse = a_parse("show me german", "COU_GERMANY", (GERMAN,), logarithm=-0.001)
    found = calibration.judge(*parse, resting_on(3, 2))
    assert found.confidence > 0.9
    assert (found.why, found.abstains, found.uncovered) == (None, False, ())


def test_a_text_of_unknown_words_is_out_of_domain(calibration: Calibration) -> None:
    text = "show me weather tomorrow oslo"
    found = calibration.judge(*a_parse(text, "COU_GERMANY"), resting_on(5, 4))
    assert found.confidence < 0.2
    assert (found.why, found.abstains, found.uncovered) == ("out of domain", True, (2, 4))
    assert found.concerned == (2, 3, 4)  # "tomorrow" is a function word


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
    calibration = fit(labelled(found, right, random), USAGE)
    others, truth = queries(4_000, random)
    likely = np.array([calibration.confidence(row) for row in others])
    for low in (0.2, 0.5, 0.8):
        inside = (likely >= low) & (likely < low + 0.2)
        assert np.mean(np.array(truth)[inside]) == pytest.approx(likely[inside].mean(), abs=0.08)


def test_hardly_any_right_reading_is_lost_to_the_thresholds() -> None:
    random = np.random.default_rng(2)
    found, right = queries(500, random)
    calibration = fit(labelled(found, right, random), USAGE)
    others, truth = queries(5_000, random)
    confident = [calibration.confidence(row) for row in others]
    lost = sum(c < calibration.least_confidence for c, r in zip(confident, truth, strict=True) if r)
    assert lost / sum(truth) < 0.06


def test_most_near_misses_are_caught() -> None:
    random = np.random.default_rng(4)
    found, right = queries(1_000, random)
    calibration = fit(labelled(found, right, random), USAGE)
    near = [calibration.confidence(row) for row in near_misses(1_000, random)]
    assert np.mean(np.array(near) < calibration.least_confidence) > 0.9


def test_aims_trade_right_readings_for_wrong_ones() -> None:
    random = np.random.default_rng(7)
    rows, right = queries(400, random)
    given = Labelled(rows, right, near_misses=near_misses(200, random))
    usual = fit(given, USAGE)
    careful = fit(given, USAGE, aims=Aims(caught=0.99, wrong=0.9, lost=0.1))
    assert careful.least_confidence > usual.least_confidence
    sure = np.array([careful.confidence(row) for row in rows])
    lost = np.mean(sure[right] < careful.least_confidence)
    assert 0.02 < lost <= 0.1


@pytest.mark.parametrize("most", [0.0, 0.02, 0.07])
def test_few_readings_are_wrong_without_a_warning(most: float) -> None:
    rows, right = queries(400, np.random.default_rng(8))
    given = Labelled(rows, right)
    usual = fit(given, USAGE, aims=Aims(lost=0.0))
    made = fit(given, USAGE, aims=Aims(lost=0.0, unwarned=most))
    sure = np.array([made.confidence(row) >= made.least_confidence for row in rows])
    unwarned = np.sum(sure & ~np.array(right))
    assert unwarned <= max(1, most * len(rows))
    assert made.least_confidence > usual.least_confidence
    assert sure.any()


def test_words_that_nothing_accounts_for_are_the_reason(calibration: Calibration) -> None:
    parse = a_parse("show me german suppliers", "COU_GERMANY", (GERMAN,), logarithm=-0.01)
    found = calibration.judge(*parse, resting_on(4, 2))
    assert (found.why, found.concerned, found.unused) == ("inexpressible", (3,), ())


def test_a_form_that_is_wrong_anyway_is_unsure_about_its_words(calibration: Calibration) -> None:
    parse = a_parse("show me german suppliers", "COU_GERMANY", (GERMAN,), logarithm=-6.0)
    found = calibration.judge(*parse, resting_on(4, 2))
    assert found.why in ("unsure", "out of domain")
    assert found.concerned == (3,)


def test_thresholds_can_be_those_of_another_parser(calibration: Calibration) -> None:
    random = np.random.default_rng(5)
    found, right = queries(500, random)
    surer = [row._replace(odds=row.odds + 3) for row in near_misses(100, random)]
    other = calibration.with_threshold(Labelled(found, right, out_of_domain(150, random), surer))
    assert other.is_right == calibration.is_right
    assert other.least_confidence >= calibration.least_confidence


def test_without_out_of_domain_texts_every_text_is_a_query() -> None:
    found, right = queries(200, np.random.default_rng(3))
    calibration = fit(Labelled(found, right), USAGE)
    parse = a_parse("weather tomorrow oslo", "COU_GERMANY", logarithm=-0.001)
    assert calibration.judge(*parse, resting_on(3, 0)).why != "out of domain"


def test_nothing_is_learnt_from_nothing() -> None:
    with pytest.raises(ValueError, match="none was given"):
        fit(Labelled([], []), USAGE)


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
    covered = WordCoverage((0, 1), (2,), (3,), (4, 5), odd=(6,), unused=(7,))
    found = features(*a_parse("a b c d e f g h", "AND"), covered)
    assert (found.covered, found.unknown) == (3 / 8, 3 / 8)
    assert (found.foreign, found.odd, found.unused) == (2, 2, 1)
    found = features(*a_parse("a b c d", "AND"), WordCoverage((), (), (), (0, 1, 2, 3)))
    assert found.foreign == 3  # more are no worse


def test_names_are_counted_if_they_are_used() -> None:
    parse = a_parse("me me german", "COU_GERMANY", (GERMAN,))
    assert features(*parse, NOTHING)[6:9] == (1, 0, 0)
    parse = a_parse("me me german", "COU_GERMANY", (GERMAN,), typos=((2, "grman"),))
    assert features(*parse, NOTHING)[6:9] == (0, 0, 1)
    parse = a_parse("me me german", "SEC_STEEL", (GERMAN,), typos=((2, "grman"),))
    assert features(*parse, NOTHING)[6:9] == (0, 0, 0)


def test_a_contradiction_is_seldom_meant(calibration: Calibration) -> None:
    parse = a_parse("show me german", "COU_GERMANY", (GERMAN,), logarithm=-0.001)
    found = calibration.judge(*parse, resting_on(3, 2), contradictory=True)
    assert (found.why, found.contradictory) == ("unsure", True)
    assert found.confidence < 0.1


def test_a_calibration_with_other_features_is_refused(calibration: Calibration) -> None:
    kept = calibration.to_json()
    kept["is_right"] = calibration.is_query.to_json()
    with pytest.raises(NotACalibration, match="other features"):
        Calibration.from_json(kept)
