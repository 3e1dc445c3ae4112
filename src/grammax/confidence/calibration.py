"""`Calibration`: the confidence in a parse, and whether to abstain.

Two things can be wrong. The text may not be about the domain: then many of its words are unknown,
and few are covered. Or the logical form may not be what was meant: then the network's own odds are
low, or something in the query is not accounted for, because the form is wrong or because no form
can express the query. Each is estimated by a logistic regression with a few weights, because
held-out pairs are few; the confidence is the product of both probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Final, Literal, NamedTuple, Self, final

import numpy as np
from numpy.typing import NDArray

from grammax.confidence import logistic
from grammax.confidence.coverage import Attention, Usage, WordCoverage, word_coverage
from grammax.confidence.features import Features, features
from grammax.confidence.logistic import Logistic
from grammax.errors import GrammaxError
from grammax.model.header import Header
from grammax.reading.reader import Query
from grammax.search import Decoded

Abstention = Literal["out of domain", "inexpressible", "unsure", "cut"]
"""Why a parser abstains.

| reason | meaning |
|---|---|
| out of domain | the text is not about the domain |
| inexpressible | no logical form accounts for some of its words |
| unsure | the logical form is likely wrong |
| cut | the text is longer than the parser reads |
"""

_OUT_OF_DOMAIN: Final = 0.1  # assumed share of out-of-domain texts in use
_NEAR_MISSES: Final = 0.1  # and of queries that no logical form expresses
_EVEN: Final = 0.5
_LOST: Final = 0.05  # share of right readings on which the parser may abstain
_CAUGHT: Final = 0.95  # share of out-of-domain texts and near misses to abstain on
_DEVIATIONS: Final = 1.645  # standard deviations: one-sided, 95 %


class NotACalibration(GrammaxError):
    """JSON that is not a calibration."""


@final
@dataclass(frozen=True, slots=True)
class Judgement:
    """The confidence in a parse, and whether to abstain. Positions are those of words."""

    confidence: float  # the probability that the logical form is right
    why: Abstention | None  # the reason for abstaining, if there is one
    uncovered: tuple[int, ...]  # words that the logical form does not cover, in order
    unused: tuple[int, ...] = ()  # of these, numbers and times that were read and not used
    concerned: tuple[int, ...] = ()  # the words that are the reason for the doubt

    @property
    def abstains(self) -> bool:
        """Whether the logical form should only be suggested."""
        return self.why is not None


class Labelled(NamedTuple):
    """The features of parses that a calibration is learnt from."""

    queries: Sequence[Features]
    right: Sequence[bool]  # which of the queries were parsed correctly
    out_of_domain: Sequence[Features] = ()
    near_misses: Sequence[Features] = ()
    counts: Sequence[float] = ()  # the weight of each query; by default 1

    @property
    def weights(self) -> Sequence[float]:
        """The weight of each query."""
        return self.counts or [1.0] * len(self.queries)


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
        self,
        query: Query,
        decoded: Decoded,
        attention: Attention | None = None,
        *,
        contradictory: bool = False,
    ) -> Judgement:
        """The judgement of a parse; `attention` has the weights of each choice, if recorded."""
        covered = word_coverage(query, decoded, attention, self.usage)
        found = features(query, decoded, covered, contradictory=contradictory)
        confidence = self.confidence(found)
        why: Abstention | None = None
        if query.cut:
            why = "cut"
        elif self.is_query.probability(_of_query(found)) < self.least_query:
            why = "out of domain"
        elif confidence < self.least_confidence:
            why = "inexpressible" if self._depends_on_words(found) else "unsure"
        concerned = _concerned(covered)
        return Judgement(confidence, why, covered.uncovered, covered.unused, concerned)

    def confidence(self, found: Features) -> float:
        """The probability that a parse with these features is right."""
        is_query = self.is_query.probability(_of_query(found))
        return is_query * self.is_right.probability(_of_form(found))

    def with_thresholds(self, given: Labelled) -> Calibration:
        """The same estimates, with thresholds for these parses."""
        least_query, least_confidence = _thresholds(self, given)
        return replace(self, least_query=least_query, least_confidence=least_confidence)

    def _depends_on_words(self, found: Features) -> bool:
        """Whether the parser would not abstain if all words were accounted for."""
        if not (found.foreign or found.odd):
            return False
        known = found._replace(unknown=0.0, foreign=0.0, odd=0.0)
        return self.confidence(known) >= self.least_confidence

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
            is_query, is_right = (Logistic.from_json(values[n]) for n in ("is_query", "is_right"))
            if len(is_query.weights) != len(_QUERY) or len(is_right.weights) != len(_FORM):
                raise ValueError("it has other features")
            return cls(
                is_query,
                is_right,
                float(values["least_query"]),
                float(values["least_confidence"]),
                Usage.from_json(values["usage"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise NotACalibration(
                f"not a calibration of grammax: {type(error).__name__} {error}. Train again."
            ) from error


def stored_calibration(header: Header) -> Calibration | None:
    """The calibration in a model's file; None if the model is not calibrated."""
    return None if header.confidence is None else Calibration.from_json(header.confidence)


def fit(given: Labelled, usage: Usage) -> Calibration:
    """The calibration of a parser from the features of its parses.

    Without out-of-domain texts and near misses every text counts as a query that can be expressed.
    """
    if not given.queries:
        raise ValueError("a calibration is learnt from queries, and none was given")
    made = Calibration(_fit_is_query(given), _fit_is_right(given), 0.0, 0.0, usage)
    return made.with_thresholds(given)


_QUERY: Final = ("odds", "covered", "unknown")
"""The features of queries. Length is not among them, because one word may be a query."""
_FORM: Final = ("odds", "foreign", "odd", "unused", "doubtful", "implied", "contradictory")
"""The features of right logical forms."""


def _fit_is_query(given: Labelled) -> Logistic:
    """The regression for being in the domain; without out-of-domain texts, almost constantly 1."""
    counts, others = given.weights, given.out_of_domain
    each = sum(counts) / len(others) if others else 0.0  # both sides weigh the same
    found = logistic.fit(
        [_of_query(row) for row in (*given.queries, *others)],
        [True] * len(given.queries) + [False] * len(others),
        [*counts, *[each] * len(others)],
    )
    return found.with_share(_EVEN, 1 - _OUT_OF_DOMAIN) if others else found


def _fit_is_right(given: Labelled) -> Logistic:
    """The regression for right logical forms; near misses are wrong, whatever their form."""
    counts, near = given.weights, given.near_misses
    each = sum(counts) * _NEAR_MISSES / (1 - _NEAR_MISSES) / max(1, len(near))
    return logistic.fit(
        [_of_form(row) for row in (*given.queries, *near)],
        [*given.right, *[False] * len(near)],
        [*counts, *[each] * len(near)],
    )


def _thresholds(made: Calibration, given: Labelled) -> tuple[float, float]:
    """The least probability of a query, and the least confidence.

    As many out-of-domain texts and near misses as possible are caught, up to a share, and logical
    forms that are more likely wrong than right; but few right readings may be lost.
    """
    counts = [c for c, right in zip(given.weights, given.right, strict=True) if right]
    kept = [row for row, right in zip(given.queries, given.right, strict=True) if right]
    if not kept:
        return 0.0, _EVEN
    as_query = np.array([made.is_query.probability(_of_query(row)) for row in kept])
    share, least_query = _lost(sum(counts)), 0.0
    if given.out_of_domain:
        others = [made.is_query.probability(_of_query(row)) for row in given.out_of_domain]
        caught = float(np.quantile(others, _CAUGHT))
        least_query = min(caught, _quantile(as_query, counts, share / 2))
    confidence = np.array([made.confidence(row) for row in kept])
    confidence[as_query < least_query] = 0.0
    least = _EVEN
    if given.near_misses:
        near = [made.confidence(row) for row in given.near_misses]
        least = max(_EVEN, float(np.quantile(near, _CAUGHT)))
    return least_query, min(least, _quantile(confidence, counts, share))


def _lost(readings: float) -> float:
    """The share of these right readings to abstain on, so that of others at most 5 % are lost.

    >>> round(_lost(200), 3), round(_lost(20_000), 3)
    (0.025, 0.047)
    """
    return max(0.0, _LOST - _DEVIATIONS * sqrt(_LOST * (1 - _LOST) / readings))


def _concerned(covered: WordCoverage) -> tuple[int, ...]:
    """The words that are the reason for a doubt: unknown ones, else ignored ones."""
    return tuple(sorted(covered.unknown + covered.odd)) or covered.ignored


def _of_query(row: Features) -> tuple[float, ...]:
    return row.odds, row.covered, row.unknown


def _of_form(row: Features) -> tuple[float, ...]:
    return (
        row.odds, row.foreign, row.odd, row.unused, row.doubtful, row.implied, row.contradictory,
    )  # fmt: skip


def _quantile(values: NDArray[np.float64], counts: Sequence[float], share: float) -> float:
    """The largest value below which at most a share of the counts lies."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(np.asarray(counts)[order]) / sum(counts)
    return float(values[order][int(np.searchsorted(below, share, side="right"))])
