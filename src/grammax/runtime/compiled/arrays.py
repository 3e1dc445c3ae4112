"""The weights of a model as arrays for the compiled functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from grammax.model.precision import in_eight_bits
from grammax.runtime.compiled.arithmetic import Matrix, Weight
from grammax.runtime.compiled.compile import converts_half_precision, multiplies_bytes
from grammax.runtime.compiled.intrinsics import LANES, ROWS
from grammax.runtime.compiled.network import NetworkArrays
from grammax.runtime.lstm import Array
from grammax.runtime.weights import Weights

_BLOCK: Final = 64  # columns: loops over multiples of it have no remainder


def network_arrays(weights: Weights, like: NetworkArrays | None = None) -> NetworkArrays:
    """The weights of a model for the compiled functions, in the smallest type that is exact.

    `like` has the same network, and rows of another vocabulary.
    """
    w = weights
    forwards, backwards, gates, hidden, attention, context = like[:6] if like else _matrices(w)
    kinds, own = map(_in_half, _learnt_parts(weights))
    own_of = np.full(len(w.kind_of), -1, np.int32)
    if w.parts is not None:
        own_of[w.parts.seen] = np.arange(len(w.parts.seen))
    return NetworkArrays(
        forwards=forwards,
        backwards=backwards,
        gates=gates,
        hidden=hidden,
        attention=attention,
        context=context,
        hidden_bias=w.state_bias,
        input_bias=w.decoder_bias,
        kinds=kinds,
        own=own,
        kind_of=w.kind_of.astype(np.int32),
        own_of=own_of,
        # Always read-only, mapped or not, so that functions are compiled for one type.
        spelt=_read_only(w.rows.spelt if w.parts is not None else w.rows.whole),
        bias=_read_only(w.rows.bias),
    )


def _matrices(w: Weights) -> Sequence[Weight]:
    """The matrices of the network, in the order of `NetworkArrays`."""
    gates = 4 * w.config.decoder
    # Gates are scaled by ½, and half precision cannot represent the half of its smallest numbers;
    # doubled, all weights equal those of the checkpoint.
    return _smallest(
        [*2 * w.encoder_states, 2 * w.state[:, :gates], w.state[:, gates:], w.attention, w.context]
    )


def _smallest(matrices: list[Array]) -> list[Weight]:
    """All matrices, (inputs, outputs), in eight bits, half or single precision."""
    nothing = np.zeros(0, np.float32)
    eight = [in_eight_bits(matrix.T) for matrix in matrices] if multiplies_bytes() else [None]
    if None not in eight:
        return [_padded_weight(*each) for each in eight if each is not None]
    halves = list(map(_half, matrices))
    if any(half is None for half in halves):
        return [Weight(np.ascontiguousarray(matrix), nothing) for matrix in matrices]
    return [Weight(half, nothing) for half in halves if half is not None]


def _padded_weight(integers: NDArray[np.int8], scales: Array) -> Weight:
    """With zeros, so that neither rows nor columns leave a remainder."""
    outputs, inputs = integers.shape
    padded = np.pad(integers, ((0, -outputs % ROWS), (0, -inputs % LANES)))
    return Weight(np.ascontiguousarray(padded), scales)


def _half(matrix: Array) -> Matrix | None:
    """The matrix in half precision, as bits; None if that is not exact."""
    with np.errstate(over="ignore"):
        half = np.ascontiguousarray(matrix).astype(np.float16)
    exact = converts_half_precision() and np.array_equal(half, matrix)
    return half.view(np.uint16) if exact else None


def _learnt_parts(weights: Weights) -> tuple[Array, Array]:
    """The learnt parts of kinds and of tokens, without bias, padded with zeros."""
    if weights.parts is None:  # rows are not composed: they have no common parts
        kinds = int(weights.kind_of.max()) + 1
        return np.zeros((kinds, _BLOCK), np.float32), np.zeros((1, _BLOCK), np.float32)
    parts = (weights.parts.kinds[:, :-1], weights.parts.own[:, :-1])
    kinds_part, own = (np.pad(rows, ((0, 0), (0, -rows.shape[1] % _BLOCK))) for rows in parts)
    return kinds_part, own


def _in_half(parts: Array) -> Matrix:
    half = _half(parts)
    return np.ascontiguousarray(parts) if half is None else half


def _read_only(array: Array) -> Array:
    view = array.view()
    view.setflags(write=False)
    return view
