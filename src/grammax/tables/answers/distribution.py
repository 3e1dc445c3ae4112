"""The distribution of numbers over parts of their range, with round limits.

Parts are as wide as a round number. Positive numbers of widely different sizes have parts of which
each is a round number times the one before. Where few numbers lie far from the others, the first
and the last part have no outer limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Any, Final

import numpy as np

from grammax.language.answer import Column
from grammax.language.rows import Distribution, Part
from grammax.tables.memory.values import Numbers

_FEWEST, _WANTED, _MOST_PARTS = 5, 20, 40
_SKEWED: Final = 30.0  # times as large as the smallest, without the outliers: logarithmic
_OUTLIERS: Final = 0.02  # of all numbers, on either side
_FAR: Final = 2.0  # times as wide as the range without outliers: they get open parts
_NEARLY, _ERROR = 0.999, 1e-9  # for quotients that are round but for their last digits
_STEPS: Final = (1.0, 2.0, 5.0, 10.0)
_FACTORS: Final = ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0))


def distribution_of(column: Column, cells: Sequence[object]) -> Distribution:
    """The distribution of cells; those that are no finite number are missing.

    >>> found = distribution_of(Column("Length"), [95.0, 101, 119, None])
    >>> found.median, found.missing, found.parts[0]
    (101.0, 1, Part(low=95.0, high=100.0, count=1))
    """
    numbers = _numbers(cells)
    missing = len(cells) - len(numbers)
    if not len(numbers):
        return Distribution(column, (), None, None, None, 0, missing, False)
    low, high = float(numbers.min()), float(numbers.max())
    inner = [float(n) for n in np.quantile(numbers, [_OUTLIERS, 1 - _OUTLIERS])]
    is_logarithmic = low > 0 and inner[1] / inner[0] > _SKEWED
    wanted = max(_FEWEST, min(_WANTED, ceil(2 * len(numbers) ** (1 / 3))))
    if is_logarithmic:
        edges = _powers(*_without_outliers(low, high, inner, np.log10), wanted)
    else:
        whole = bool(np.all(numbers == np.rint(numbers)))
        edges = _steps(*_without_outliers(low, high, inner, np.asarray), wanted, whole)
    median = float(np.median(numbers))
    parts = _parts(numbers, edges)
    return Distribution(column, parts, low, high, median, len(numbers), missing, is_logarithmic)


def _numbers(cells: Sequence[object]) -> Numbers:
    known = [np.nan if cell is None else float(str(cell)) for cell in cells]
    found = np.array(known, np.float64)
    return found[np.isfinite(found)]


def _without_outliers(
    low: float, high: float, inner: Sequence[float], scale: Any
) -> tuple[float, float]:
    """The range that parts divide: that of all numbers, unless a few are far from the others."""
    least, first, last, most = (float(scale(n)) for n in (low, *inner, high))
    width = last - first
    return (
        inner[0] if width and first - least > (_FAR - 1) / 2 * width else low,
        inner[1] if width and most - last > (_FAR - 1) / 2 * width else high,
    )


def _steps(low: float, high: float, wanted: int, is_whole: bool) -> list[float]:
    """Limits that are multiples of a round number."""
    width = (high - low) / wanted or abs(low) / wanted or 1.0
    power = 10.0 ** floor(log10(width))
    step = next(power * times for times in _STEPS if power * times >= width * _NEARLY)
    if is_whole:
        step = max(1.0, step)
    first, last = floor(low / step + _ERROR), floor(high / step + _ERROR) + 1
    digits = max(0, -floor(log10(step)))
    return [round(n * step, digits) for n in range(first, last + 1)]


def _powers(low: float, high: float, wanted: int) -> list[float]:
    """Limits that are round numbers times powers of ten."""
    decades = log10(high / low)
    factors = min(_FACTORS, key=lambda each: abs(len(each) * decades - wanted))
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    edges = [factor * 10.0**power for power in powers for factor in factors]
    first = max([i for i, edge in enumerate(edges) if edge <= low], default=0)
    last = min([i for i, edge in enumerate(edges) if edge > high], default=len(edges) - 1)
    return [float(f"{edge:.6g}") for edge in edges[first : last + 1]]


def _parts(numbers: Numbers, edges: Sequence[float]) -> tuple[Part, ...]:
    if len(edges) > _MOST_PARTS:
        edges = [*edges[:_MOST_PARTS], edges[-1]]
    index = np.searchsorted(np.array(edges[1:-1]), numbers, side="right")
    counts = np.bincount(index, minlength=len(edges) - 1)
    low, high = numbers.min(), numbers.max()
    last = len(counts) - 1
    return tuple(
        Part(
            None if i == 0 and low < edges[0] else edges[i],
            None if i == last and high >= edges[-1] else edges[i + 1],
            int(count),
        )
        for i, count in enumerate(counts)
    )
