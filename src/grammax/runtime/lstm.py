"""One step of an LSTM in a few calls of NumPy.

PyTorch stores the rows of an LSTM in the order input, forget, cell, output. Here the three gates
come first and are scaled by ½, because σ(x) = ½ + ½ tanh(½ x): one tanh serves all four.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
_HALF: Final = np.float32(0.5)


def half_scaled(rows: Array) -> Array:
    """Rows in PyTorch's order, (4e, ...) → rows for `step`: gates first, scaled by ½."""
    inputs, forgets, cells, outputs = np.split(rows, 4)
    return np.concatenate([_HALF * inputs, _HALF * forgets, _HALF * outputs, cells])


def step(gates: Array, cell: Array) -> tuple[Array, Array]:
    """Sums of gates, (..., 4e), which are overwritten, and cell, (..., e) → output and cell."""
    size = cell.shape[-1]
    np.tanh(gates, gates)
    opened = gates[..., : 3 * size]
    np.multiply(opened, _HALF, opened)
    np.add(opened, _HALF, opened)
    remaining = opened[..., size : 2 * size] * cell
    new = opened[..., :size] * gates[..., 3 * size :]
    np.add(remaining, new, remaining)
    np.tanh(remaining, new)
    return np.multiply(opened[..., 2 * size :], new, new), remaining
