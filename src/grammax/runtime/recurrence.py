"""One step of an LSTM, in three calls of NumPy's that work and a few that cost nothing.

PyTorch keeps the rows of an LSTM in the order input, forget, cell, output. Here the three gates
come first and their rows are halved, for σ(x) = ½ + ½ tanh(½ x): one tanh does for all four.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
_HALF: Final = np.float32(0.5)


def arranged(rows: Array) -> Array:
    """Rows of an LSTM in PyTorch's order, (4e, ...) → in the order that `step` takes."""
    inputs, forgets, cells, outputs = np.split(rows, 4)
    return np.concatenate([_HALF * inputs, _HALF * forgets, _HALF * outputs, cells])


def step(gates: Array, cell: Array) -> tuple[Array, Array]:
    """What the gates add up to, (..., 4e), overwritten; and the cell, (..., e) → output, cell."""
    size = cell.shape[-1]
    np.tanh(gates, gates)
    opened = gates[..., : 3 * size]
    np.multiply(opened, _HALF, opened)
    np.add(opened, _HALF, opened)
    kept = opened[..., size : 2 * size] * cell
    new = opened[..., :size] * gates[..., 3 * size :]
    np.add(kept, new, kept)
    np.tanh(kept, new)
    return np.multiply(opened[..., 2 * size :], new, new), kept
