"""One step of an LSTM, in three calls of NumPy's that work and a few that cost nothing.

PyTorch keeps the rows of an LSTM in the order input, forget, cell, output. Here the three gates
come first and their rows are halved, for σ(x) = ½ + ½ tanh(½ x): one tanh does for all four.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def arranged(rows: Array) -> Array:
    """Rows of an LSTM in PyTorch's order, (4e, ...) → in the order that `step` takes."""
    inputs, forgets, cells, outputs = np.split(rows, 4)
    half = np.float32(0.5)
    return np.concatenate([half * inputs, half * forgets, half * outputs, cells])


def step(gates: Array, cell: Array) -> tuple[Array, Array]:
    """What the gates add up to, (..., 4e), overwritten; and the cell, (..., e) → output, cell."""
    size = cell.shape[-1]
    np.tanh(gates, out=gates)
    opened = gates[..., : 3 * size]
    opened *= 0.5
    opened += 0.5
    kept = opened[..., size : 2 * size] * cell
    kept += opened[..., :size] * gates[..., 3 * size :]
    return opened[..., 2 * size :] * np.tanh(kept), kept
