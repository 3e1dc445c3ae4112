"""Logistic regression, beside what the rows were drawn from."""

from __future__ import annotations

import json

import numpy as np
import pytest

from grammax.confidence.logistic import Logistic, fit


def test_the_weights_that_rows_were_drawn_from_are_found() -> None:
    random = np.random.default_rng(0)
    rows = random.normal([3, -1], [2, 0.5], (20_000, 2))
    likely = 1 / (1 + np.exp(-(0.5 + 1.2 * (rows[:, 0] - 3) - 2.0 * (rows[:, 1] + 1))))
    hits = random.random(len(rows)) < likely
    found = fit(rows.tolist(), hits.tolist(), [1.0] * len(rows))
    assert found.weights == pytest.approx((1.2, -2.0), abs=0.1)
    assert found.means == pytest.approx((3, -1), abs=0.1)
    assert found.probability([3.0, -1.0]) == pytest.approx(1 / (1 + np.exp(-0.5)), abs=0.02)
    seen = [found.probability(row) for row in rows.tolist()]
    assert np.mean(seen) == pytest.approx(hits.mean(), abs=0.005)


def test_rows_that_part_cleanly_leave_weights_finite() -> None:
    found = fit([[0.0], [1.0], [10.0], [11.0]], [False, False, True, True], [1.0] * 4)
    assert 0.1 < found.weights[0] < 2
    assert 0.02 < found.probability([0.0]) < 0.5 < found.probability([11.0]) < 0.98


@pytest.mark.parametrize("hit", [True, False])
def test_where_all_are_hits_or_none_is_it_is_nearly_sure(hit: bool) -> None:
    found = fit([[0.0], [1.0]] * 49, [hit] * 98, [1.0] * 98)
    assert found.probability([0.5]) == pytest.approx(0.99 if hit else 0.01, abs=1e-6)


def test_a_number_that_never_varies_has_no_weight() -> None:
    assert fit([[2.0], [2.0]], [True, False], [1.0, 1.0]).weights == (0.0,)


def test_a_row_that_counts_twice_is_two_rows() -> None:
    rows, hits = [[0.0], [1.0], [2.0]], [False, True, True]
    twice = fit([*rows, rows[0]], [*hits, hits[0]], [1.0] * 4)
    counted = fit(rows, hits, [2.0, 1.0, 1.0])
    assert twice.weights == pytest.approx(counted.weights)
    assert twice.bias == pytest.approx(counted.bias)


def test_another_share_of_hits_moves_the_odds() -> None:
    even = Logistic(0.0, (1.0,), (0.0,))
    assert even.with_share(0.5, 0.9).probability([0.0]) == pytest.approx(0.9)


def test_the_unlikeliest_row_is_no_overflow() -> None:
    assert Logistic(0.0, (1.0,), (0.0,)).probability([-1e6]) == 0.0
    assert Logistic(0.0, (1.0,), (0.0,)).probability([1e6]) == 1.0


def test_weights_are_kept_as_json() -> None:
    found = Logistic(0.25, (1.5, -2.0), (0.0, 1.0))
    assert Logistic.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_weights_without_means_are_refused() -> None:
    with pytest.raises(ValueError, match="2 weights do not fit 1 means"):
        Logistic(0.0, (1.0, 2.0), (0.0,))
