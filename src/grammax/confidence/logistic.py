"""Logistic regression.

Fitted by Newton's method (iteratively reweighted least squares), with an L2 penalty and with
targets a little inside 0 and 1 (Platt, *Probabilistic Outputs for Support Vector Machines*, 1999,
section 2.2), so that the weights stay finite even if the rows are separable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import exp, log
from typing import Any, Final, Self, final

import numpy as np
from numpy.typing import NDArray

_PENALTY: Final = 1.0  # on the weight of a standardised feature
_ROUNDS: Final = 100
_NEAR: Final = 1e-9


@final
@dataclass(frozen=True, slots=True)
class Logistic:
    """One weight per feature, and the means of the features."""

    bias: float
    weights: tuple[float, ...]
    means: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != len(self.means):
            raise ValueError(f"{len(self.weights)} weights do not fit {len(self.means)} means")

    def probability(self, row: Sequence[float]) -> float:
        """The probability of a hit for a row of features.

        >>> Logistic(0.0, (1.0,), (2.0,)).probability([2.0])
        0.5
        """
        total = self.bias
        for number, weight, mean in zip(row, self.weights, self.means, strict=True):
            total += weight * (number - mean)
        return 1 / (1 + exp(-total)) if total > -700 else 0.0

    def with_share(self, trained: float, share: float) -> Logistic:
        """The regression, adjusted to another share of hits than in training."""
        more = log(share / (1 - share)) - log(trained / (1 - trained))
        return replace(self, bias=self.bias + more)

    def with_features(self, count: int) -> Logistic:
        """The regression of so many features; those that it was fitted without have no weight."""
        missing = (0.0,) * (count - len(self.weights))
        return replace(self, weights=self.weights + missing, means=self.means + missing)

    def to_json(self) -> dict[str, Any]:
        """The weights for JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        weights, means = (tuple(map(float, values[name])) for name in ("weights", "means"))
        return cls(float(values["bias"]), weights, means)


def fit(rows: Sequence[Sequence[float]], hits: Sequence[bool], counts: Sequence[float]) -> Logistic:
    """The regression of hits on rows; `counts` is the weight of each row."""
    given = np.array(rows, np.float64)
    hit, weight = np.array(hits, bool), np.array(counts, np.float64)
    means = np.average(given, axis=0, weights=weight)
    spread = np.sqrt(np.average((given - means) ** 2, axis=0, weights=weight))
    spread[spread < _NEAR] = 1.0
    table = np.column_stack([np.ones(len(given)), (given - means) / spread])
    found = _newton(table, _targets(hit, weight), weight)
    scaled = found[1:] / spread
    return Logistic(float(found[0]), tuple(scaled.tolist()), tuple(means.tolist()))


def _targets(hit: NDArray[np.bool_], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Platt's targets: 1 and 0 with the uncertainty that the number of rows leaves."""
    hits, misses = weight[hit].sum(), weight[~hit].sum()
    found: NDArray[np.float64] = np.where(hit, (hits + 1) / (hits + 2), 1 / (misses + 2))
    return found


def _newton(
    table: NDArray[np.float64], target: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    penalty = np.full(table.shape[1], _PENALTY)
    penalty[0] = 0.0
    found = np.zeros(table.shape[1])
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-np.clip(table @ found, -30, 30)))
        slope = table.T @ (weight * (target - likely)) - penalty * found
        bend = (table * (weight * likely * (1 - likely))[:, None]).T @ table + np.diag(penalty)
        move = np.linalg.solve(bend, slope)
        found += move * min(1.0, 5 / max(np.abs(move).max(), _NEAR))
        if np.abs(move).max() < _NEAR:
            break
    return found
