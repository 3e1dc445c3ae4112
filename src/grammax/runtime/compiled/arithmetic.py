"""Arithmetic in single precision: products of vectors and matrices, tanh, exp, an LSTM's gates.

Weights that are exact in eight bits or in half precision are stored as such, which reduces the
bytes read, and lets most of the weights fit the second-level cache. In eight bits, vectors have 16:
the outputs of an LSTM are from -1 to 1, so the error is at most 2⁻¹⁶.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grammax.runtime.compiled.compile import compiled
from grammax.runtime.compiled.intrinsics import (
    ROWS,
    four_products,
    from_bits,
    is_eight_bit,
    widen,
)
from grammax.runtime.lstm import Array

Matrix = NDArray[Any]

ZERO, HALF, ONE = np.float32(0), np.float32(0.5), np.float32(1)
SCALE_16: Final = np.float32(32767)  # of vectors in 16 bits


class Weight(NamedTuple):
    """A matrix that multiplies vectors: (inputs, outputs), or in eight bits (outputs, inputs)."""

    matrix: Matrix  # float32, half precision as uint16, or int8 with zeros after the inputs
    scales: Array  # of the outputs, if in eight bits; else empty


def _numbers(*numbers: float) -> tuple[np.float32, ...]:
    return tuple(map(np.float32, numbers))


# tanh is a ratio of polynomials, as in Eigen's `ptanh_float`; its relative error is below 3e-7.
_FLAT: Final = np.float32(7.90531110763549805)  # beyond, the result is ±1
_ABOVE: Final = _numbers(
    -2.76076847742355e-16,
    2.00018790482477e-13,
    -8.60467152213735e-11,
    5.12229709037114e-08,
    1.48572235717979e-05,
    6.37261928875436e-04,
    4.89352455891786e-03,
)
_BELOW: Final = _numbers(
    1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03
)
# exp is 2^n times a polynomial, as in Moshier's Cephes, `expf`.
_LEAST: Final = np.float32(-87.3)  # below, the result is almost 0
_LOG2_E, _LN2_HIGH, _LN2_LOW = (
    np.float32(1.44269504088896341),
    np.float32(0.693359375),
    np.float32(-2.12194440e-4),
)
_FRACTION: Final = _numbers(
    1.9875691500e-4,
    1.3981999507e-3,
    8.3334519073e-3,
    4.1665795894e-2,
    1.6666665459e-1,
    5.0000001201e-1,
    1.0,
    1.0,
)


@compiled
def _polynomial(x: np.float32, coefficients: tuple[np.float32, ...]) -> np.float32:
    """Evaluate a polynomial by Horner's rule, coefficients of the highest powers first."""
    total = ZERO
    for coefficient in coefficients:
        total = total * x + coefficient
    return total


@compiled
def tanh(x: np.float32) -> np.float32:
    """The hyperbolic tangent, without branches or calls, so that loops over it are vectorised."""
    x = _FLAT if x > _FLAT else x
    x = -_FLAT if x < -_FLAT else x
    return x * _polynomial(x * x, _ABOVE) / _polynomial(x * x, _BELOW)


@compiled
def exponential(x: np.float32) -> np.float32:
    """The exponential of a number up to 88, also without branches or calls."""
    x = _LEAST if x < _LEAST else x
    n = np.floor(x * _LOG2_E + HALF)
    power: np.float32 = from_bits((np.int32(n) + np.int32(127)) << np.int32(23))
    return power * _polynomial(x - n * _LN2_HIGH - n * _LN2_LOW, _FRACTION)


@compiled
def copy(target: Any, source: Any) -> None:
    """Copy a vector; Numba's slices are slower, and take a second to compile."""
    for i in range(len(source)):
        target[i] = source[i]


@compiled
def add_to(target: Array, source: Array) -> None:
    """Add a vector to the beginning of another."""
    for i in range(len(source)):
        target[i] += source[i]


@compiled
def add_product(sums: Array, given: Array, weight: Weight, factor: np.float32) -> None:
    """Add factor × given @ weight; in eight bits `given` must be from -1 to 1."""
    matrix = weight.matrix
    if is_eight_bit(matrix):
        numbers = np.empty(matrix.shape[1], np.int16)
        _to_16_bits(given, numbers)
        _add_in_eight_bits(sums, numbers, weight, factor / SCALE_16)
        return
    rows, columns = matrix.shape
    whole = rows - rows % 4
    for i in range(0, whole, 4):  # four rows at a time, so that sums are seldom stored
        a, b = factor * given[i], factor * given[i + 1]
        c, d = factor * given[i + 2], factor * given[i + 3]
        for j in range(columns):
            first = a * widen(matrix[i, j]) + b * widen(matrix[i + 1, j])
            sums[j] += first + (c * widen(matrix[i + 2, j]) + d * widen(matrix[i + 3, j]))
    for i in range(whole, rows):
        a = factor * given[i]
        for j in range(columns):
            sums[j] += a * widen(matrix[i, j])


@compiled
def add_products(sums: Array, given: Array, weight: Weight, factor: np.float32) -> None:
    """Add factor × given @ weight for n vectors, (n, inputs) → (n, outputs)."""
    count, matrix = len(given), weight.matrix
    if count == 1:
        add_product(sums[0], given[0], weight, factor)
    elif is_eight_bit(matrix):
        numbers = np.empty((count, matrix.shape[1]), np.int16)
        for n in range(count):
            _to_16_bits(given[n], numbers[n])
        _add_all_in_eight_bits(sums, numbers, weight, factor / SCALE_16)
    else:
        _add_all(sums, given, matrix, factor)


@compiled
def _add_all(sums: Array, given: Array, matrix: Matrix, factor: np.float32) -> None:
    """`add_products` in single or half precision: weights are widened once for all vectors."""
    rows, columns = matrix.shape
    panel = np.empty((4, columns), np.float32)
    for i in range(0, rows, 4):
        here = min(4, rows - i)
        for k in range(4):
            for j in range(columns):
                panel[k, j] = widen(matrix[i + k, j]) if k < here else ZERO
        for n in range(len(given)):
            a = factor * given[n, i]
            b = factor * given[n, i + 1] if here > 1 else ZERO
            c = factor * given[n, i + 2] if here > 2 else ZERO
            d = factor * given[n, i + 3] if here > 3 else ZERO
            row = sums[n]
            for j in range(columns):
                first = a * panel[0, j] + b * panel[1, j]
                row[j] += first + (c * panel[2, j] + d * panel[3, j])


@compiled
def _add_in_eight_bits(sums: Array, numbers: Any, weight: Weight, factor: np.float32) -> None:
    outputs = len(sums)
    for j in range(0, outputs, ROWS):
        found = four_products(weight.matrix, numbers, j)
        for k in range(ROWS):
            if j + k < outputs:
                sums[j + k] += factor * weight.scales[j + k] * np.float32(found[k])


@compiled
def _add_all_in_eight_bits(sums: Array, numbers: Any, weight: Weight, factor: np.float32) -> None:
    outputs = sums.shape[1]
    for j in range(0, outputs, ROWS):
        for n in range(len(numbers)):
            found = four_products(weight.matrix, numbers[n], j)
            for k in range(ROWS):
                if j + k < outputs:
                    sums[n, j + k] += factor * weight.scales[j + k] * np.float32(found[k])


@compiled
def _to_16_bits(given: Array, numbers: NDArray[np.int16]) -> None:
    """Numbers from -1 to 1 as integers, with zeros after them."""
    for i in range(len(given)):
        numbers[i] = np.int16(np.floor(given[i] * SCALE_16 + HALF))
    for i in range(len(given), len(numbers)):
        numbers[i] = 0


@compiled
def dot(one: Array, other: Matrix) -> np.float32:
    """The product of two vectors; `other` may be longer."""
    total = ZERO
    for i in range(len(one)):
        total += one[i] * widen(other[i])
    return total


@compiled
def gate(sums: Array, before: Array, cell: Array, output: Array) -> None:
    """One step of an LSTM, as in `lstm.step`, from `before` to `cell` and `output`."""
    size = len(cell)
    for j in range(4 * size):
        sums[j] = tanh(sums[j])
    inputs, forgets, outputs = sums[:size], sums[size : 2 * size], sums[2 * size : 3 * size]
    cells = sums[3 * size :]
    for j in range(size):
        remaining = (HALF + HALF * forgets[j]) * before[j]
        cell[j] = remaining + (HALF + HALF * inputs[j]) * cells[j]
    for j in range(size):
        output[j] = (HALF + HALF * outputs[j]) * tanh(cell[j])
