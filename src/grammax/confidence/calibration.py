"""`Calibration`: the confidence in a parse, and whether to abstain.

The confidence is a logistic regression with a few weights, because held-out pairs are few: the
network's own odds, and doubts about words, numbers and names that the logical form does not account
for. It is low for wrong logical forms, for queries that no form can express, and for texts about
something else. A second regression tells the last from the others, for the reason that is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any, Final, Literal, NamedTuple, Self, final

import numpy as np
from numpy.typing import NDArray

from grammax.confidence import logistic
from grammax.confidence.coverage import Attention, Usage, WordCoverage, word_coverage
from grammax.confidence.features import Features, features
from grammax.confidence.logistic import Logistic
from grammax.confidence.wording import Wording
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
_NEAR_MISSES: Final = 0.14  # and of queries that no logical form expresses
_EVEN: Final = 0.5
_LEAST: Final = 0.6  # confidence below which a logical form is only a suggestion
_LOST: Final = 0.05  # share of right readings on which the parser may abstain
_DEVIATIONS: Final = 1.645  # standard deviations: one-sided, 95 %
_CONTRADICTORY: Final = 0.1  # assumed share of contradictory forms that are meant
_WORDED: Final = 1.0  # score of a text that is worded like a query
_FOREIGN: Final = -1.0  # score of a text that is worded like no query
_QUERY: Final = 3  # features that tell what a text is about
_FIRST: Final = 11  # features that all calibrations have; files of earlier releases lack the rest


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
    contradictory: bool = False  # whether conditions of the form exclude one another

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


class Aims(NamedTuple):
    """What the least confidence is chosen for.

    `unwarned` comes first, then to lose few right readings.
    """

    caught: float = 0.93  # share of out-of-domain texts and near misses to abstain on
    wrong: float = 0.0  # share of wrong readings to abstain on
    lost: float | None = None  # most right readings to abstain on; None: 5 %, of others too
    unwarned: float = 1.0  # share of all readings that may be wrong without a warning


@final
@dataclass(frozen=True, slots=True)
class Calibration:
    """The learnt calibration of a parser; it is small and stored with the network."""

    is_query: Logistic  # whether a text is about the domain
    is_right: Logistic  # whether the logical form is right
    least_query: float  # below, the reason for abstaining is the text's subject
    least_confidence: float  # below, the parser abstains
    usage: Usage
    wording: Wording = field(default_factory=Wording)
    pairs: int = 0  # that it was learnt from; 0 if the file does not say

    def judge(
        self,
        query: Query,
        decoded: Decoded,
        attention: Attention | None = None,
        *,
        contradictory: bool = False,
    ) -> Judgement:
        """The judgement of a parse; `attention` has the weights of each choice, if recorded.

        A form whose conditions exclude one another is seldom meant; that is too rare to be learnt.
        """
        covered = word_coverage(query, decoded, attention, self.usage)
        found = features(query, decoded, covered, self.wording.score(query))
        confidence = self.confidence(found) * (_CONTRADICTORY if contradictory else 1.0)
        why: Abstention | None = None
        if query.cut:
            why = "cut"
        elif confidence < self.least_confidence:
            why = self._reason(found)
        concerned = self.wording.suspects(query) or _concerned(covered)
        return Judgement(
            confidence, why, covered.uncovered, covered.unused, concerned, contradictory
        )

    def confidence(self, found: Features) -> float:
        """The probability that a parse with these features is right."""
        return self.is_right.probability(found)

    def with_threshold(self, given: Labelled, aims: Aims | None = None) -> Calibration:
        """The same estimates, with the least confidence for these parses."""
        return replace(self, least_confidence=_least_confidence(self, given, aims or Aims()))

    def _reason(self, found: Features) -> Abstention:
        if self.is_query.probability(_of_query(found)) < self.least_query:
            return "out of domain"
        if found.wording <= _FOREIGN:
            return "inexpressible"
        if found.foreign or found.odd or found.substituted or found.wording < 0:
            worded = _WORDED if found.wording < 0 else found.wording
            known = found._replace(
                unknown=0.0, foreign=0.0, odd=0.0, substituted=0.0, wording=worded
            )
            if self.confidence(known) >= self.least_confidence:  # only the words are in doubt
                return "inexpressible"
        return "unsure"

    def to_json(self) -> dict[str, Any]:
        """The calibration for JSON."""
        return {
            "is_query": self.is_query.to_json(),
            "is_right": self.is_right.to_json(),
            "least_query": self.least_query,
            "least_confidence": self.least_confidence,
            "usage": self.usage.to_json(),
            "wording": self.wording.to_json(),
            "pairs": self.pairs,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; `NotACalibration` if the values are something else."""
        try:
            is_query, is_right = (Logistic.from_json(values[n]) for n in ("is_query", "is_right"))
            count = len(Features._fields)
            if len(is_query.weights) != _QUERY or not _FIRST <= len(is_right.weights) <= count:
                raise ValueError("it has other features")
            return cls(
                is_query,
                is_right.with_features(count),
                float(values["least_query"]),
                float(values["least_confidence"]),
                Usage.from_json(values["usage"]),
                Wording.from_json(values["wording"]),
                int(values.get("pairs", 0)),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise NotACalibration(
                f"not a calibration of grammax: {type(error).__name__} {error}. Train again."
            ) from error


def stored_calibration(header: Header) -> Calibration | None:
    """The calibration in a model's file; None if the model is not calibrated."""
    return None if header.confidence is None else Calibration.from_json(header.confidence)


def fit(
    given: Labelled, usage: Usage, wording: Wording | None = None, aims: Aims | None = None
) -> Calibration:
    """The calibration of a parser from the features of its parses.

    Without out-of-domain texts and near misses every text counts as a query that can be expressed.
    """
    if not given.queries:
        raise ValueError("a calibration is learnt from queries, and none was given")
    others = bool(given.out_of_domain)
    made = Calibration(
        _fit_is_query(given),
        _fit_is_right(given),
        _EVEN if others else 0.0,
        0.0,
        usage,
        wording or Wording(),
    )
    return made.with_threshold(given, aims)


def _fit_is_query(given: Labelled) -> Logistic:
    """The regression for being about the domain, as near misses are; both sides weigh the same."""
    about, others = [*given.queries, *given.near_misses], given.out_of_domain
    near = sum(given.weights) / max(1, len(given.near_misses))  # as much as all queries
    counts = [*given.weights, *[near] * len(given.near_misses)]
    return logistic.fit(
        [_of_query(row) for row in (*about, *others)],
        [True] * len(about) + [False] * len(others),
        [*counts, *[sum(counts) / max(1, len(others))] * len(others)],
    )


def _fit_is_right(given: Labelled) -> Logistic:
    """The regression for right logical forms; of texts to abstain on each form is wrong."""
    near, others, total = given.near_misses, given.out_of_domain, sum(given.weights)
    left = 1 - _NEAR_MISSES * bool(near) - _OUT_OF_DOMAIN * bool(others)
    counts = [
        *given.weights,
        *[total * _NEAR_MISSES / left / max(1, len(near))] * len(near),
        *[total * _OUT_OF_DOMAIN / left / max(1, len(others))] * len(others),
    ]
    wrong = [False] * (len(near) + len(others))
    return logistic.fit([*given.queries, *near, *others], [*given.right, *wrong], counts)


def _least_confidence(made: Calibration, given: Labelled, aims: Aims) -> float:
    """The least confidence of a reading that is given.

    As many texts to abstain on as possible are caught, up to a share, and logical forms that are
    more likely wrong than right; but few right readings may be lost. Where there are texts to
    abstain on, it is at least 0.6.
    """
    confidence = np.array([made.confidence(row) for row in given.queries])
    counts, right = np.asarray(given.weights), np.array(given.right, bool)
    floor = _LEAST if given.near_misses or given.out_of_domain else 0.0
    least = max(_EVEN, floor)
    for texts in (given.near_misses, given.out_of_domain):
        if texts:
            caught = float(np.quantile([made.confidence(row) for row in texts], aims.caught))
            least = max(least, caught)
    if aims.wrong and not right.all():
        least = max(least, _quantile(confidence[~right], counts[~right], aims.wrong))
    if not right.any():
        return least
    lost = _lost(counts[right].sum()) if aims.lost is None else aims.lost
    most = max(1.0, aims.unwarned * counts.sum())  # one proves nothing
    warned = _warning(confidence, counts * ~right, most)
    return max(floor, warned, min(least, _quantile(confidence[right], counts[right], lost)))


def _warning(confidence: NDArray[np.float64], wrong: NDArray[np.float64], most: float) -> float:
    """The least confidence above which wrong readings do not count for more than `most`."""
    order = np.argsort(-confidence, kind="stable")
    too_many = np.flatnonzero(np.cumsum(wrong[order]) > most)
    return float(np.nextafter(confidence[order[too_many[0]]], 2.0)) if len(too_many) else 0.0


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
    """The features of subjects. Length is not among them, because one word may be a query."""
    return row.covered, row.unknown, float(row.named > 0)


def _quantile(values: NDArray[np.float64], counts: NDArray[np.float64], share: float) -> float:
    """The largest value below which at most a share of the counts lies."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(counts[order]) / counts.sum()
    return float(values[order][int(np.searchsorted(below, share, side="right"))])
