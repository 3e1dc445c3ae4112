"""The confidence interval of a share.

The percentile interval of Efron and Tibshirani, *An Introduction to the Bootstrap* (1993),
chapter 13.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

LEVEL: Final = 0.95


@final
@dataclass(frozen=True, slots=True)
class Share:
    """A share, 0 to 1, and the ends of its confidence interval."""

    value: float
    low: float
    high: float


def bootstrap(
    hits: int, count: int, *, level: float = LEVEL, resamples: int = 10_000, seed: int = 0
) -> Share:
    """The share of hits among `count` outcomes, one or more.

    The hits of a resample follow a binomial distribution. If all outcomes are hits, or all are
    misses, resamples do not differ and the interval is a point.

    >>> bootstrap(50, 100)
    Share(value=0.5, low=0.4, high=0.6)
    """
    if not 0 <= hits <= count or not count:
        raise ValueError(f"{hits} of {count} is not a share: give 0 to n hits of n outcomes, n > 0")
    value = hits / count
    shares = np.random.default_rng(seed).binomial(count, value, resamples) / count
    low, high = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2])
    return Share(value, float(low), float(high))
