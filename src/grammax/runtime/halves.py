"""Half precision, where it is exact."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite.binding import get_host_cpu_features
from numpy.typing import NDArray

from grammax.runtime.recurrence import Array


def halved(matrix: Array) -> NDArray[Any]:
    """The bits of the same numbers in half precision, or the matrix where that is not exact."""
    with np.errstate(over="ignore"):
        halves = matrix.astype(np.float16)
    exact = np.array_equal(halves, matrix) and _widens()
    return halves.view(np.uint16) if exact else np.ascontiguousarray(matrix)


def _widens() -> bool:
    """Whether the processor knows half precision: x86 since 2012, and ARM with 64 bits."""
    try:
        features = get_host_cpu_features()
    except RuntimeError:  # of some processors LLVM does not know
        return False
    return bool(features.get("f16c") or features.get("neon"))
