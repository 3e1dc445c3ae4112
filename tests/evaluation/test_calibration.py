"""Calibration errors and curves of risk, by hand and by what they must be."""

from __future__ import annotations

import numpy as np
import pytest

from grammax.evaluation.calibration import (
    Judged,
    SplitCalibration,
    calibration_error,
    reliability,
    risk_coverage,
)


def test_bins_are_of_equal_width_and_the_last_is_closed() -> None:
    bins = reliability([0.0, 0.05, 0.1, 0.95, 1.0], [False, True, True, False, True], 10)
    assert [found.queries for found in bins] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert (bins[0].low, bins[0].high, bins[0].confidence, bins[0].accuracy) == (
        0.0, 0.1, 0.025, 0.5,
    )  # fmt: skip
    assert bins[9].confidence == pytest.approx(0.975)
    assert (bins[5].confidence, bins[5].accuracy) == (None, None)


def test_the_error_is_the_mean_distance_by_queries() -> None:
    confidences, right = [0.9] * 8 + [0.3] * 2, [True] * 6 + [False] * 2 + [True] * 2
    assert calibration_error(confidences, right, 10) == pytest.approx(0.8 * 0.15 + 0.2 * 0.7)
    assert calibration_error([], [], 10) is None


def test_what_is_drawn_as_it_says_has_hardly_any_error() -> None:
    random = np.random.default_rng(0)
    confidences = random.random(100_000)
    right = random.random(100_000) < confidences
    for bins in (10, 15):
        error = calibration_error(confidences.tolist(), right.tolist(), bins)
        assert error is not None
        assert error < 0.005
    sure = calibration_error([1.0] * 100_000, right.tolist(), 10)
    assert sure == pytest.approx(0.5, abs=0.01)


def test_risk_rises_as_the_less_sure_are_answered() -> None:
    curve = risk_coverage([0.2, 0.9, 0.8, 0.4], [False, True, True, True])
    assert curve.coverage == (0.25, 0.5, 0.75, 1.0)
    assert curve.risk == (0.0, 0.0, 0.0, 0.25)
    assert curve.area == 0.0625


def test_among_equals_mistakes_are_spread_evenly() -> None:
    one = risk_coverage([0.9, 0.5, 0.5], [True, True, False])
    other = risk_coverage([0.9, 0.5, 0.5], [True, False, True])
    assert one == other
    assert one.risk == pytest.approx((0.0, 0.25, 1 / 3))
    assert risk_coverage([0.5] * 4, [True, False] * 2).area == 0.5


def test_of_nothing_there_is_no_curve() -> None:
    assert risk_coverage([], []).coverage == ()


@pytest.mark.parametrize("wrong", [[1.2], [-0.1], [float("nan")]])
def test_what_is_no_probability_is_refused(wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        calibration_error(wrong, [True], 10)


def test_each_outcome_needs_a_confidence() -> None:
    with pytest.raises(ValueError, match="2 confidences do not fit 1 outcomes"):
        reliability([0.1, 0.2], [True], 10)


def test_a_split_tells_what_abstaining_costs_and_brings() -> None:
    judged = [
        Judged(0.9, abstained=False, right=True),
        Judged(0.8, abstained=False, right=False),
        Judged(0.1, abstained=True, right=False),
        Judged(0.2, abstained=True, right=True),
    ]
    found = SplitCalibration.from_judged("test", judged)
    assert (found.queries, found.accuracy) == (4, 0.5)
    assert found.confidence == pytest.approx(0.5)
    assert (found.abstained, found.abstained_wrong) == (2, 1)
    assert (found.coverage, found.accuracy_covered) == (0.5, 0.5)


def test_a_split_without_queries_has_no_shares() -> None:
    found = SplitCalibration.from_judged("none", [])
    assert (found.accuracy, found.error_10, found.coverage) == (None, None, None)
    assert found.accuracy_covered is None
