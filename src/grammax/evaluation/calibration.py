"""Calibration of confidences, and the trade-off between risk and coverage.

Bins are of equal width, as in Guo et al., *On Calibration of Modern Neural Networks* (2017),
section 2; the curve of risk and coverage is that of Geifman and El-Yaniv, *Selective Classification
for Deep Neural Networks* (2017), and its area the mean risk over all coverages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, final

import numpy as np
from numpy.typing import NDArray


@final
@dataclass(frozen=True, slots=True)
class Bin:
    """The queries whose confidence lies between two bounds; the means of an empty bin are None."""

    low: float
    high: float
    queries: int
    confidence: float | None
    accuracy: float | None


@final
@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The error rate if only the most confident queries are answered, by their share."""

    coverage: tuple[float, ...]  # 1/n, 2/n, ... 1
    risk: tuple[float, ...]
    area: float  # under the curve: the lower, the better confidence separates right from wrong


@final
@dataclass(frozen=True, slots=True)
class Judged:
    """A judged query."""

    confidence: float
    abstained: bool
    right: bool


@final
@dataclass(frozen=True, slots=True)
class SplitCalibration:
    """The calibration figures of a split; means over no query are None."""

    split: str
    queries: int
    accuracy: float | None
    confidence: float | None  # the mean
    error_10: float | None  # the expected calibration error in 10 bins, and in 15
    error_15: float | None
    abstained: int
    abstained_wrong: int  # of these, those that would have been wrong
    accuracy_covered: float | None  # of the queries that were not abstained on
    bins: tuple[Bin, ...]
    curve: RiskCoverage

    @classmethod
    def from_judged(cls, split: str, judged: Sequence[Judged]) -> Self:
        confidences = [query.confidence for query in judged]
        right = [query.right for query in judged]
        return cls(
            split,
            len(judged),
            accuracy=_mean(right),
            confidence=_mean(confidences),
            error_10=calibration_error(confidences, right, 10),
            error_15=calibration_error(confidences, right, 15),
            abstained=sum(query.abstained for query in judged),
            abstained_wrong=sum(query.abstained and not query.right for query in judged),
            accuracy_covered=_mean([query.right for query in judged if not query.abstained]),
            bins=reliability(confidences, right, 10),
            curve=risk_coverage(confidences, right),
        )

    @property
    def coverage(self) -> float | None:
        """The share of the queries that were not abstained on."""
        return 1 - self.abstained / self.queries if self.queries else None


@final
@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """The calibration of a parser, split by split, and its abstention on other texts."""

    domain: str
    version: str
    model: str
    splits: tuple[SplitCalibration, ...]
    out_of_domain: int
    out_of_domain_abstained: int
    near_misses: int = 0
    near_misses_abstained: int = 0


def reliability(confidences: Sequence[float], right: Sequence[bool], bins: int) -> tuple[Bin, ...]:
    """Bins of equal width from 0 to 1; the last one includes 1."""
    confidence, hits = _checked(confidences, right)
    number = np.minimum((confidence * bins).astype(int), bins - 1)
    found = []
    for index in range(bins):
        inside = number == index
        found.append(
            Bin(
                index / bins,
                (index + 1) / bins,
                int(inside.sum()),
                _mean(confidence[inside].tolist()),
                _mean(hits[inside].tolist()),
            )
        )
    return tuple(found)


def calibration_error(
    confidences: Sequence[float], right: Sequence[bool], bins: int
) -> float | None:
    """The mean distance of confidence and accuracy over bins, weighted by their queries.

    >>> calibration_error([0.75, 0.75, 0.5, 0.5], [True, True, True, False], 10)
    0.125
    """
    if not len(right):
        return None
    total = sum(
        found.queries * abs(found.confidence - found.accuracy)
        for found in reliability(confidences, right, bins)
        if found.confidence is not None and found.accuracy is not None
    )
    return total / len(right)


def risk_coverage(confidences: Sequence[float], right: Sequence[bool]) -> RiskCoverage:
    """The curve, by falling confidence; mistakes among equal confidences are spread evenly."""
    confidence, hits = _checked(confidences, right)
    if not len(hits):
        return RiskCoverage((), (), 0.0)
    _, group = np.unique(-confidence, return_inverse=True)
    shares = np.bincount(group, ~hits) / np.bincount(group)
    wrong = shares[np.sort(group)]
    answered = np.arange(1, len(hits) + 1)
    risk = np.cumsum(wrong) / answered
    coverage = answered / len(hits)
    return RiskCoverage(tuple(coverage.tolist()), tuple(risk.tolist()), float(risk.mean()))


def _checked(
    confidences: Sequence[float], right: Sequence[bool]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    confidence, hits = np.array(confidences, np.float64), np.array(right, bool)
    if confidence.shape != hits.shape:
        raise ValueError(f"{len(confidence)} confidences do not fit {len(hits)} outcomes")
    if not ((confidence >= 0) & (confidence <= 1)).all():
        raise ValueError("a confidence is a probability: 0 to 1")
    return confidence, hits


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None
