"""Weights in eight bits: what is rounded is exact in every precision, and is near what it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.model.precision import LARGEST, in_eight_bits, rounded, rounded_weights


@given(st.integers(0, 10_000), st.floats(-8, 3), st.integers(1, 40))
def test_rounded_weights_are_exact_in_eight_bits_and_in_half_precision(
    seed: int, magnitude: float, columns: int
) -> None:
    rng = np.random.default_rng(seed)
    matrix = (10**magnitude * rng.normal(size=(7, columns))).astype(np.float32)
    matrix[3] = 0
    near = rounded(matrix)
    found = in_eight_bits(near)
    assert found is not None
    integers, scales = found
    assert np.array_equal(integers * scales[:, None], near)
    assert np.abs(integers.astype(int)).max(initial=0) <= LARGEST
    assert np.array_equal(near.astype(np.float16), near)
    largest = np.abs(matrix).max(-1, keepdims=True)
    assert (np.abs(near - matrix) <= np.maximum(largest / LARGEST * 9 / 16, 2.0**-21)).all()


@pytest.mark.parametrize("number", [1 / 3, np.nan, np.inf])
def test_other_weights_are_not_exact(number: float) -> None:
    matrix = rounded(np.random.default_rng(0).normal(size=(4, 9)).astype(np.float32))
    assert in_eight_bits(matrix) is not None
    matrix[2, 5] = number
    assert in_eight_bits(matrix) is None


def test_only_matrices_that_decoding_multiplies_are_rounded() -> None:
    rng = np.random.default_rng(0)
    shapes = {
        "decoder.weight_hh_l0": (32, 8),
        "decoder.weight_ih_l0": (32, 5),
        "attention.general.weight": (8, 8),
        "attention.combined.weight": (6, 19),
        "attention.coverage.weight": (1, 8),
        "words.weight": (9, 5),
    }
    given = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    found = rounded_weights(given)
    same = {name for name in given if np.array_equal(found[name], given[name])}
    assert same == {"decoder.weight_ih_l0", "words.weight"}
    combined = found["attention.combined.weight"]
    assert np.array_equal(combined[:, 16:], given["attention.combined.weight"][:, 16:])
    for part in (combined[:, :8], combined[:, 8:16], found["attention.general.weight"].T):
        assert in_eight_bits(part) is not None
