"""A finished parse → the probability that its logical form is right, and whether to abstain.

Two things can be wrong. The text may be no query of the domain at all, which its words tell: many
are then strange, and few are accounted for. Or the logical form may be another than was meant,
which the network's own odds tell, and words that it does not account for. Each is a logistic
regression of two or three weights, as held-out pairs are few; the confidence is their product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, Literal, Self, final

import numpy as np
from numpy.typing import NDArray

from grammax.confidence import logistic
from grammax.confidence.accounting import account
from grammax.confidence.features import Features, features
from grammax.confidence.logistic import Logistic
from grammax.confidence.usage import Attention, Usage
from grammax.errors import GrammaxError
from grammax.model.header import Header
from grammax.reading.reader import Query
from grammax.search import Decoded

Abstention = Literal["out of domain", "unsure", "cut"]
"""Why a parser abstains: the text asks for nothing that the domain can express, the logical form is
likely wrong, or the text is longer than what is read of it."""

_STRANGERS: Final = 0.1  # share of the texts in use that are no queries: a guess
_EVEN: Final = 0.5
_LOST: Final = 0.03  # share of true queries that abstaining may cost
_CAUGHT: Final = 0.95  # share of the texts that are no queries; for more no query is given up
_DEVIATIONS: Final = 1.645  # so many keep a promise 19 times of 20


class NotACalibration(GrammaxError):
    """JSON that no calibration wrote."""


@final
@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to be thought of a parse."""

    confidence: float  # the probability that the logical form is right
    why: Abstention | None  # what speaks against giving it, if anything does
    unaccounted: tuple[int, ...]  # places of words that nothing in it accounts for

    @property
    def abstains(self) -> bool:
        """Whether the parser should offer what it found, rather than give it."""
        return self.why is not None


@final
@dataclass(frozen=True, slots=True)
class Calibration:
    """All that was learnt of when a parser is right. It is small, and kept with its network."""

    is_query: Logistic
    is_right: Logistic  # of queries
    least_query: float  # below, a text is taken for no query
    least_confidence: float
    usage: Usage

    def judge(
        self, query: Query, decoded: Decoded, attention: Attention | None = None
    ) -> Judgement:
        """The judgement of a parse; `attention` is that of each choice, if it was watched."""
        accounted = account(query, decoded, attention, self.usage)
        found = features(query, decoded, accounted)
        is_query = self.is_query.probability(_of_query(found))
        confidence = is_query * self.is_right.probability(_of_form(found))
        why: Abstention | None = None
        if query.cut:
            why = "cut"
        elif is_query < self.least_query:
            why = "out of domain"
        elif confidence < self.least_confidence:
            why = "unsure"
        return Judgement(confidence, why, accounted.unaccounted)

    def to_json(self) -> dict[str, Any]:
        """As JSON keeps it."""
        return {
            "is_query": self.is_query.to_json(),
            "is_right": self.is_right.to_json(),
            "least_query": self.least_query,
            "least_confidence": self.least_confidence,
            "usage": self.usage.to_json(),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """What `to_json` gave; `NotACalibration` if it is something else."""
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
                f"this is no calibration of grammax: {type(error).__name__} {error}. Train again."
            ) from error


def stored_calibration(header: Header) -> Calibration | None:
    """The calibration that a model's file holds; None if the model is not calibrated."""
    return None if header.confidence is None else Calibration.from_json(header.confidence)


def fit(
    queries: Sequence[Features],
    right: Sequence[bool],
    strangers: Sequence[Features],
    usage: Usage,
    counts: Sequence[float] | None = None,
) -> Calibration:
    """The calibration of a parser whose features were taken of queries and of other texts.

    `right` says which of the queries were parsed rightly, and `counts` as how many each counts.
    """
    if not queries:
        raise ValueError("a calibration is learnt from queries, and none was given")
    counts = counts or [1.0] * len(queries)
    total = sum(counts)
    each = total / len(strangers) if strangers else 0.0  # both sides count the same
    is_query = logistic.fit(  # with no strangers it is sure of every text
        [_of_query(row) for row in (*queries, *strangers)],
        [True] * len(queries) + [False] * len(strangers),
        [*counts, *[each] * len(strangers)],
    )
    if strangers:
        is_query = is_query.with_share(_EVEN, 1 - _STRANGERS)
    is_right = logistic.fit([_of_form(row) for row in queries], right, counts)
    as_query = np.array([is_query.probability(_of_query(row)) for row in queries])
    as_right = np.array([is_right.probability(_of_form(row)) for row in queries])
    lost = _lost(total)
    least_query = 0.0
    if strangers:
        as_stranger = np.array([is_query.probability(_of_query(row)) for row in strangers])
        wanted = float(np.quantile(as_stranger, _CAUGHT))
        least_query = min(wanted, _quantile(as_query, counts, lost))
    confidence = np.where(as_query < least_query, 0.0, as_query * as_right)
    # Nobody is served by keeping back what is more likely right than wrong.
    least_confidence = min(_quantile(confidence, counts, lost), _EVEN)
    return Calibration(is_query, is_right, least_query, least_confidence, usage)


def _lost(queries: float) -> float:
    """The share of so many queries that may be lost, so that of others hardly more than 3 % are.

    >>> round(_lost(200), 3), round(_lost(20_000), 3)
    (0.01, 0.028)
    """
    return max(0.0, _LOST - _DEVIATIONS * sqrt(_LOST * (1 - _LOST) / queries))


def _of_query(row: Features) -> tuple[float, ...]:
    """What tells a query from other texts. Not its length: a word may be a query."""
    return row.odds, row.accounted, row.strange


def _of_form(row: Features) -> tuple[float, ...]:
    """What tells right logical forms from wrong ones."""
    return row.odds, row.unaccounted


def _quantile(values: NDArray[np.float64], counts: Sequence[float], share: float) -> float:
    """The largest value below which at most a share of the counts lies."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(np.asarray(counts)[order]) / sum(counts)
    return float(values[order][int(np.searchsorted(below, share, side="right"))])
