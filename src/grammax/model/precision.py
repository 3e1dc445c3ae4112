"""Weights in eight bits: each output of a matrix has integers from -127 to 127, times a scale.

A finished model is rounded this way where decoding spends its time, so that decoding can read one
byte per weight. Scales have four significant bits, so the products have at most eleven: half
precision, in which models are stored, represents them exactly, and every way of decoding sees the
same weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

LARGEST: Final = 127
_SIGNIFICANT: Final = 16  # a scale is k / 16 times a power of two, and k is 8 to 16
_LEAST: Final = 2.0**-20  # half precision represents its sixteenth, but nothing smaller


def rounded_weights(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """The weights of a network, with the matrices that decoding multiplies in eight bits."""
    found = dict(tensors)
    for name, tensor in tensors.items():
        if name.endswith("weight_hh_l0") or name in _PER_ROW:
            found[name] = rounded(tensor)
        elif name == _PER_COLUMN:
            found[name] = rounded(tensor.T).T
        elif name == _COMBINED:
            # The decoder's output and the context are multiplied apart; the rest is looked up.
            size = tensors["attention.general.weight"].shape[0]
            parts = tensor[:, :size], tensor[:, size : 2 * size]
            found[name] = np.concatenate([*map(rounded, parts), tensor[:, 2 * size :]], 1)
    return found


_PER_ROW: Final = ("attention.coverage.weight", "attention.strength.weight")
_PER_COLUMN: Final = "attention.general.weight"
_COMBINED: Final = "attention.combined.weight"


def rounded(matrix: Array) -> Array:
    """The nearest matrix in eight bits, with one scale for each row.

    >>> rounded(np.array([[1.25, 0.5, 0.004], [0, 0, 0]], np.float32)).tolist()
    [[1.24609375, 0.5048828125, 0.0], [0.0, 0.0, 0.0]]
    """
    scales = _scales(np.abs(matrix).max(-1, keepdims=True))
    near: Array = np.rint(matrix / scales) * scales
    return near


def in_eight_bits(matrix: Array) -> tuple[NDArray[np.int8], Array] | None:
    """The integers and the scale of each row; None if eight bits are not exact.

    >>> integers, scales = in_eight_bits(np.array([[1.24609375, 0.5048828125]], np.float32))
    >>> integers.tolist(), scales.tolist()
    ([[116, 47]], [0.0107421875])
    """
    if not np.isfinite(matrix).all():
        return None
    smaller = _scales(np.abs(matrix).max(-1, keepdims=True))
    # Rounding may have made the largest weight a little smaller, and then its scale seems smaller.
    scales = np.where(_is_multiple(matrix, smaller), smaller, _next(smaller))
    if not _is_multiple(matrix, scales).all():
        return None
    return (matrix / scales).astype(np.int8), scales[..., 0]


def _scales(largest: Array) -> Array:
    """The least scale with which the largest weight of a row is at most 127."""
    mantissa, exponent = np.frexp(np.maximum(largest / LARGEST, _LEAST))
    scales: Array = np.ldexp(np.ceil(mantissa * _SIGNIFICANT) / _SIGNIFICANT, exponent)
    return scales


def _next(scales: Array) -> Array:
    mantissa, exponent = np.frexp(scales)
    following: Array = np.ldexp(mantissa + np.float32(1 / _SIGNIFICANT), exponent)
    return following


def _is_multiple(matrix: Array, scales: Array) -> NDArray[np.bool_]:
    """Whether all weights of a row are multiples of its scale, from -127 to 127."""
    quotient = matrix / scales
    exact = (quotient == np.rint(quotient)) & (np.abs(quotient) <= LARGEST)
    return np.asarray(exact.all(-1, keepdims=True))
