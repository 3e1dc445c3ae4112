"""Seeded noise: each series has its own generator, so that a new field does not change others."""

from __future__ import annotations

from typing import TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
"""Companies × quarters, or companies × 1."""


def generator(seed: int, name: str) -> np.random.Generator:
    """The generator of a named series."""
    return np.random.default_rng([seed, crc32(name.encode())])


def wander(
    random: np.random.Generator, shape: tuple[int, int], persistence: float, scale: float
) -> Array:
    """Autocorrelated noise: AR(1) over quarters, with standard deviation `scale`.

    >>> wander(np.random.default_rng(1), (500, 40), 0.9, 2.0).std().round()
    np.float64(2.0)
    """
    noise = random.standard_normal(shape)
    fresh = (1 - persistence**2) ** 0.5
    for quarter in range(1, shape[1]):
        noise[:, quarter] *= fresh
        noise[:, quarter] += persistence * noise[:, quarter - 1]
    noise *= scale
    return noise


def significant(values: Array, digits: int) -> Array:
    """Values rounded to some significant digits, which halves the size of a store.

    >>> significant(np.array([123456.0, -0.0123456, 0.0]), 3)
    array([ 1.23e+05, -1.23e-02,  0.00e+00])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        magnitude = np.floor(np.log10(np.abs(values)))
    decimals = np.where(np.isfinite(magnitude), digits - 1 - magnitude, 0)
    up, down = 10.0 ** np.maximum(decimals, 0), 10.0 ** np.maximum(-decimals, 0)
    return np.asarray(np.rint(values * up / down) / up * down)


def year_sum(flow: Array) -> Array:
    """The sum over the last four quarters; with fewer quarters, four times their mean."""
    total = np.cumsum(flow, axis=1)
    total[:, 4:] -= total[:, :-4].copy()
    known = np.minimum(np.arange(1, flow.shape[1] + 1), 4)
    return np.asarray(total * (4 / known))
