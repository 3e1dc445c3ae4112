"""`Calibration`: the confidence in a parse, and whether to abstain.

Two things can be wrong. The text may be out of domain: then many of its words are unknown, and few
are covered. Or the logical form may be wrong: then the network's own odds are low, or words are
uncovered. Each is estimated by a logistic regression with only two or three weights, because
held-out pairs are few; the confidence is the product of both probabilities. The features take
microseconds to compute and need no further decoding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import expm1, log, sqrt
from typing import Any, Final, Literal, NamedTuple, Self, final

import numpy as np
from numpy.typing import NDArray

from grammax.confidence import logistic
from grammax.confidence.coverage import Attention, Usage, WordCoverage, word_coverage
from grammax.confidence.logistic import Logistic
from grammax.errors import GrammaxError
from grammax.model.header import Header
from grammax.reading.reader import Query
from grammax.search import Decoded

Abstention = Literal["out of domain", "unsure", "cut"]
"""Why a parser abstains: the text is out of domain, the logical form is likely wrong, or the text
is longer than the parser reads."""

_OUT_OF_DOMAIN: Final = 0.1  # assumed share of out-of-domain texts in use
_EVEN: Final = 0.5
_LOST: Final = 0.03  # share of queries on which the parser may abstain
_CAUGHT: Final = 0.95  # share of out-of-domain texts to abstain on
_DEVIATIONS: Final = 1.645  # standard deviations: one-sided, 95 %
_CERTAIN: Final = 1e-6  # the smallest difference from 1 of a probability in single precision
_MOST: Final = 3  # uncovered words that are counted


class NotACalibration(GrammaxError):
    """JSON that is not a calibration."""


@final
@dataclass(frozen=True, slots=True)
class Judgement:
    """The confidence in a parse, and whether to abstain."""

    confidence: float  # the probability that the logical form is right
    why: Abstention | None  # the reason for abstaining, if there is one
    uncovered: tuple[int, ...]  # positions of words that the logical form does not cover

    @property
    def abstains(self) -> bool:
        """Whether the logical form should only be suggested."""
        return self.why is not None


@final
@dataclass(frozen=True, slots=True)
class Calibration:
    """The learnt calibration of a parser; it is small and stored with the network."""

    is_query: Logistic  # whether a text is in the domain
    is_right: Logistic  # whether the logical form of a query is right
    least_query: float  # the parser abstains on texts below
    least_confidence: float  # and on logical forms below
    usage: Usage

    def judge(
        self, query: Query, decoded: Decoded, attention: Attention | None = None
    ) -> Judgement:
        """The judgement of a parse; `attention` has the weights of each choice, if recorded."""
        covered = word_coverage(query, decoded, attention, self.usage)
        found = features(query, decoded, covered)
        is_query = self.is_query.probability(_of_query(found))
        confidence = is_query * self.is_right.probability(_of_form(found))
        why: Abstention | None = None
        if query.cut:
            why = "cut"
        elif is_query < self.least_query:
            why = "out of domain"
        elif confidence < self.least_confidence:
            why = "unsure"
        return Judgement(confidence, why, covered.uncovered)

    def to_json(self) -> dict[str, Any]:
        """The calibration for JSON."""
        return {
            "is_query": self.is_query.to_json(),
            "is_right": self.is_right.to_json(),
            "least_query": self.least_query,
            "least_confidence": self.least_confidence,
            "usage": self.usage.to_json(),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; `NotACalibration` if the values are something else."""
        try:
            return cls(
                Logistic.from_json(values["is_query"]),
                Logistic.from_json(values["is_right"]),
                float(values["least_query"]),
                float(values["least_confidence"]),
                Usage.from_json(values["usage"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise NotACalibration(
                f"not a calibration of grammax: {type(error).__name__} {error}. Train again."
            ) from error


class Features(NamedTuple):
    """The features that distinguish right parses from wrong ones."""

    odds: float  # logarithm of the network's odds of the logical form against all others
    covered: float  # share of the words that are in covered names, or attended
    unknown: float  # share of the words that training never saw outside names
    uncovered: float  # number of uncovered words


def features(query: Query, decoded: Decoded, coverage: WordCoverage) -> Features:
    """The features of a parse."""
    words = len(query.words)
    logarithm = min(decoded.log_probability, -_CERTAIN)
    return Features(
        odds=logarithm - log(-expm1(logarithm)),
        covered=(len(coverage.named) + len(coverage.attended)) / words,
        unknown=len(coverage.unknown) / words,
        uncovered=float(min(len(coverage.uncovered), _MOST)),
    )


def stored_calibration(header: Header) -> Calibration | None:
    """The calibration in a model's file; None if the model is not calibrated."""
    return None if header.confidence is None else Calibration.from_json(header.confidence)


def fit(
    queries: Sequence[Features],
    right: Sequence[bool],
    out_of_domain: Sequence[Features],
    usage: Usage,
    counts: Sequence[float] | None = None,
) -> Calibration:
    """The calibration of a parser from the features of queries and of out-of-domain texts.

    `right` says which of the queries were parsed correctly, and `counts` is the weight of each.
    """
    if not queries:
        raise ValueError("a calibration is learnt from queries, and none was given")
    counts = counts or [1.0] * len(queries)
    is_query = _fit_is_query(queries, out_of_domain, counts)
    is_right = logistic.fit([_of_form(row) for row in queries], right, counts)
    as_query = np.array([is_query.probability(_of_query(row)) for row in queries])
    as_right = np.array([is_right.probability(_of_form(row)) for row in queries])
    lost = _lost(sum(counts))
    least_query = 0.0
    if out_of_domain:
        others = np.array([is_query.probability(_of_query(row)) for row in out_of_domain])
        caught = float(np.quantile(others, _CAUGHT))
        least_query = min(caught, _quantile(as_query, counts, lost))
    confidence = np.where(as_query < least_query, 0.0, as_query * as_right)
    # A logical form that is more likely right than wrong is always given.
    least_confidence = min(_quantile(confidence, counts, lost), _EVEN)
    return Calibration(is_query, is_right, least_query, least_confidence, usage)


def _fit_is_query(
    queries: Sequence[Features], out_of_domain: Sequence[Features], counts: Sequence[float]
) -> Logistic:
    """The regression for being in the domain; without out-of-domain texts, almost constantly 1."""
    each = sum(counts) / len(out_of_domain) if out_of_domain else 0.0  # both sides weigh the same
    found = logistic.fit(
        [_of_query(row) for row in (*queries, *out_of_domain)],
        [True] * len(queries) + [False] * len(out_of_domain),
        [*counts, *[each] * len(out_of_domain)],
    )
    return found.with_share(_EVEN, 1 - _OUT_OF_DOMAIN) if out_of_domain else found


def _lost(queries: float) -> float:
    """The share of these queries to abstain on, so that of others at most about 3 % are lost.

    >>> round(_lost(200), 3), round(_lost(20_000), 3)
    (0.01, 0.028)
    """
    return max(0.0, _LOST - _DEVIATIONS * sqrt(_LOST * (1 - _LOST) / queries))


def _of_query(row: Features) -> tuple[float, ...]:
    """The features of queries. Length is not among them, because one word may be a query."""
    return row.odds, row.covered, row.unknown


def _of_form(row: Features) -> tuple[float, ...]:
    """The features of right logical forms."""
    return row.odds, row.uncovered


def _quantile(values: NDArray[np.float64], counts: Sequence[float], share: float) -> float:
    """The largest value below which at most a share of the counts lies."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(np.asarray(counts)[order]) / sum(counts)
    return float(values[order][int(np.searchsorted(below, share, side="right"))])
