"""The network's inner loops, compiled by Numba: one call where NumPy needs many.

Weights that are exact in half precision are stored as such and widened when read, which halves the
bytes read and lets the decoder's weights fit the second-level cache. Sums may be reordered, but NaN
and infinities are as in NumPy. Compiled code is cached on disk and releases the GIL.

Only `compiled` imports this module, because Numba takes a third of a second to load.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log, log1p
from typing import Any, Final, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from grammax.runtime.lstm import Array
from grammax.vocabulary import Ids

Function = TypeVar("Function", bound=Callable[..., Any])
Matrix = NDArray[Any]  # float32, or half precision as uint16

_REORDERED: Final = {"reassoc", "contract", "nsz", "arcp", "afn"}


def _compiled(function: Function) -> Function:
    """Compile a function on its first call, with Numba's cache on disk."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": _REORDERED}
    try:
        return cast("Function", njit(cache=True, **options)(function))
    except RuntimeError:  # no folder can be written to
        return cast("Function", njit(**options)(function))


def _widening(context: Any, number: Any) -> Any:  # noqa: ARG001
    """A number of a `Matrix` as float32."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ARG001
        if number == types.float32:
            return given[0]
        return builder.fpext(builder.bitcast(given[0], ir.HalfType()), ir.FloatType())

    return types.float32(number), generate


def _reading(context: Any, bits: Any) -> Any:  # noqa: ARG001
    """The float32 that has these bits."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:  # noqa: ARG001
        return builder.bitcast(given[0], ir.FloatType())

    return types.float32(types.int32), generate


_wide: Any = intrinsic(_widening)
_from_bits: Any = intrinsic(_reading)

_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)


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


@_compiled
def _polynomial(x: np.float32, coefficients: tuple[np.float32, ...]) -> np.float32:
    """Evaluate a polynomial by Horner's rule, coefficients of the highest powers first."""
    total = _ZERO
    for coefficient in coefficients:
        total = total * x + coefficient
    return total


@_compiled
def tanh(x: np.float32) -> np.float32:
    """The hyperbolic tangent, without branches or calls, so that loops over it are vectorised."""
    x = _FLAT if x > _FLAT else x
    x = -_FLAT if x < -_FLAT else x
    return x * _polynomial(x * x, _ABOVE) / _polynomial(x * x, _BELOW)


@_compiled
def exponential(x: np.float32) -> np.float32:
    """The exponential of a number up to 88, also without branches or calls."""
    x = _LEAST if x < _LEAST else x
    n = np.floor(x * _LOG2_E + _HALF)
    power: np.float32 = _from_bits((np.int32(n) + np.int32(127)) << np.int32(23))
    return power * _polynomial(x - n * _LN2_HIGH - n * _LN2_LOW, _FRACTION)


@_compiled
def _add_product(sums: Array, given: Array, matrix: Matrix, scale: np.float32) -> None:
    """Add scale × given @ matrix, four rows at a time, so that sums are seldom stored."""
    rows, columns = matrix.shape
    whole = rows - rows % 4
    for i in range(0, whole, 4):
        a, b = scale * given[i], scale * given[i + 1]
        c, d = scale * given[i + 2], scale * given[i + 3]
        for j in range(columns):
            first = a * _wide(matrix[i, j]) + b * _wide(matrix[i + 1, j])
            sums[j] += first + (c * _wide(matrix[i + 2, j]) + d * _wide(matrix[i + 3, j]))
    for i in range(whole, rows):
        a = scale * given[i]
        for j in range(columns):
            sums[j] += a * _wide(matrix[i, j])


@_compiled
def _dot(one: Array, other: Matrix) -> np.float32:
    """The product of two vectors; `other` may be longer."""
    total = _ZERO
    for i in range(len(one)):
        total += one[i] * _wide(other[i])
    return total


@_compiled
def _gated(sums: Array, before: Array, cell: Array, output: Array) -> None:
    """One step of an LSTM, as in `lstm.step`, from `before` to `cell` and `output`."""
    size = len(cell)
    for j in range(4 * size):
        sums[j] = tanh(sums[j])
    inputs, forgets, outputs = sums[:size], sums[size : 2 * size], sums[2 * size : 3 * size]
    cells = sums[3 * size :]
    for j in range(size):
        remaining = (_HALF + _HALF * forgets[j]) * before[j]
        cell[j] = remaining + (_HALF + _HALF * inputs[j]) * cells[j]
    for j in range(size):
        output[j] = (_HALF + _HALF * outputs[j]) * tanh(cell[j])


@_compiled
def encode(table: Array, doubled: Matrix) -> tuple[Array, Array]:
    """The table of `Inputs`, and twice the recurrent weights of both directions, (2, e, 4e)

    → outputs of both directions, (n, 2e), and the decoder's first cell, 0, and output, (2, 2e).
    """
    length, size = len(table), doubled.shape[1]
    both, start = np.empty((length, 2 * size), np.float32), np.zeros((2, 2 * size), np.float32)
    cell, output = np.empty(size, np.float32), np.empty(size, np.float32)
    sums = np.empty(4 * size, np.float32)
    for side in range(2):
        cell[:] = _ZERO
        output[:] = _ZERO
        for step in range(length):
            word = step if side == 0 else length - 1 - step
            for gate in range(4):
                first = (2 * gate + side) * size
                for j in range(size):
                    sums[gate * size + j] = table[word, first + j]
            _add_product(sums, output, doubled[side], _HALF)
            _gated(sums, cell, cell, output)
            both[word, side * size : (side + 1) * size] = output
        start[1, side * size : (side + 1) * size] = output
    return both, start


@_compiled
def read(before: Array, given: Array, doubled: Matrix) -> Array:
    """Cell and output, (2, 2e), and inputs of the gates, (8e) → the next cell and output."""
    after, sums = np.empty_like(before), given.copy()
    _add_product(sums, before[1], doubled, _HALF)
    _gated(sums, before[0], after[0], after[1])
    return after


@_compiled
def attend(
    state: Array,
    keys: Array,
    values: Array,
    uncovered: Array,
    mask: Array,
    matrix: Matrix,
    bias: Array,
) -> tuple[Array, Array]:
    """The hidden vector, (d), and the attention weight of each word, (n).

    `matrix` and `bias` are those of the hidden vector, the weight of covered words, and strength.
    """
    output, (length, learnt), size = state[1], uncovered.shape, values.shape[1]
    linear = bias.copy()
    _add_product(linear, output, matrix, _ONE)
    weights, top = np.empty(length, np.float32), np.float32(-np.inf)
    for word in range(length):
        weights[word] = _dot(output, keys[word]) + linear[learnt] * mask[word]
        top = max(top, weights[word])
    total = _ZERO
    for word in range(length):
        weights[word] = exponential(weights[word] - top)
        total += weights[word]
    for word in range(length):
        weights[word] /= total
    hidden = np.zeros(size, np.float32)
    _add_product(hidden, weights, values, _ONE)
    _add_product(linear[:learnt], _ONE - mask, uncovered, _ONE)
    for j in range(learnt):
        hidden[j] = tanh(hidden[j] + linear[j])
    strength = np.float64(linear[learnt + 1])
    scale = np.float32(max(strength, 0.0) + log1p(exp(-abs(strength))))
    for j in range(learnt, size):
        hidden[j] *= scale
    return hidden, weights


@_compiled
def score(
    hidden: Array, spelt: Array, kinds: Matrix, own: Matrix, seen: Ids, segments: Ids
) -> tuple[Array, int, float]:
    """Scores of all segments, the index of the best one, and minus its log-probability.

    A segment has five numbers: its first row and the row after its last, its kind, and the same
    two of the tokens with a part of their own. The other arguments are as in `RowParts`; `kinds`
    and `own` may have zeros after the bias.
    """
    learnt = len(hidden) - spelt.shape[1]
    first = np.zeros(kinds.shape[1], np.float32)
    rest = hidden[learnt:].copy()  # aligned: 20 % faster to read
    first[:learnt] = hidden[:learnt]
    first[learnt] = _ONE
    scores = np.empty((segments[:, 1] - segments[:, 0]).sum(), np.float32)
    begin, best, top = 0, 0, np.float32(-np.inf)
    for segment in range(len(segments)):
        start, stop, kind, some, end = segments[segment]
        part = scores[begin : begin + stop - start]
        part[:] = _dot(first, kinds[kind])
        for number in range(some, end):
            part[seen[number] - start] += _dot(first, own[number])
        for row in range(stop - start):
            part[row] += _dot(rest, spelt[start + row])
            if part[row] > top:
                best, top = begin + row, part[row]
        begin += stop - start
    total = _ZERO
    for index in range(begin):
        total += exponential(scores[index] - top)
    return scores, best, log(total)


@_compiled
def score_rows(
    hidden: Array, spelt: Array, kinds: Matrix, own: Matrix, kind_of: Ids, own_of: Ids, rows: Ids
) -> tuple[Array, int, float]:
    """Scores of some rows, the index of the best one, and minus its log-probability.

    `own_of` is the number of a row's own part, or -1; the other arguments are as in `score`.
    """
    learnt = len(hidden) - spelt.shape[1]
    first = np.zeros(kinds.shape[1], np.float32)
    rest = hidden[learnt:].copy()
    first[:learnt] = hidden[:learnt]
    first[learnt] = _ONE
    scores = np.empty(len(rows), np.float32)
    best, top = 0, np.float32(-np.inf)
    kind, common = np.int64(-1), _ZERO
    for index in range(len(rows)):
        row = rows[index]
        if kind_of[row] != kind:  # rows of one kind follow each other
            kind = kind_of[row]
            common = _dot(first, kinds[kind])
        total = common + _dot(rest, spelt[row])
        if own_of[row] >= 0:
            total += _dot(first, own[own_of[row]])
        scores[index] = total
        if total > top:
            best, top = index, total
    total = _ZERO
    for index in range(len(rows)):
        total += exponential(scores[index] - top)
    return scores, best, log(total)
