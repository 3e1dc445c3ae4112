"""Scores as arrays: `ListedScores` of a model of one's own, and the distribution of any scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, cast, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grammax.head.protocol import Candidate, Scores
from grammax.search.result import SearchError
from grammax.vocabulary import Ids, Span

Logs: TypeAlias = NDArray[np.float64]


@final
class ListedScores:
    """The scores of some rows, given as an array: `values[i]` is the score of the row `ids[i]`.

    They are numbers before a softmax, such as those of a classifier's `decision_function`, or
    log-probabilities. A row with the score -inf does not compete.

    >>> scores = ListedScores([4, 7, 9], [0.0, 2.0, 2.0])
    >>> [(row, round(log, 2)) for row, log in scores.best(2)]
    [(7, -0.76), (9, -0.76)]
    """

    __slots__ = ("_logs", "ids")

    def __init__(self, ids: ArrayLike, values: ArrayLike) -> None:
        self.ids: Ids = np.asarray(ids, np.int64)
        given: Logs = np.asarray(values, np.float64)
        if self.ids.ndim != 1 or self.ids.shape != given.shape:
            raise SearchError(
                f"scores are one number for each id: the ids have shape {self.ids.shape}, and the "
                f"scores {given.shape}"
            )
        self._logs = _log_softmax(given)

    @property
    def size(self) -> int:
        """The number of rows scored."""
        return len(self.ids)

    def distribution(self) -> tuple[Ids, Logs]:
        """The ids and their log-probabilities."""
        return self.ids, self._logs

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The best `count` ids, best first, with their log-probabilities."""
        return ranked(self.ids, self._logs, self._logs, count, among)


class _WithDistribution(Protocol):
    def distribution(self) -> tuple[Ids, Logs]: ...


def distribution(scores: Scores) -> tuple[Ids, Logs]:
    """All ids that compete, with their log-probabilities.

    Scores that have a method `distribution` are asked for it; others are ranked as a whole.
    """
    if hasattr(scores, "distribution"):
        return cast("_WithDistribution", scores).distribution()
    candidates = scores.best(scores.size)
    ids = np.array([token for token, _ in candidates], np.int64)
    return ids, np.array([log for _, log in candidates], np.float64)


def ranked(
    ids: Ids, logs: Logs, keys: Logs, count: int, among: Sequence[Span] | None = None
) -> list[Candidate]:
    """The `count` ids with the largest `keys`, with their `logs`; those of -inf or NaN left out."""
    if among is not None:
        inner = within(ids, among)
        ids, logs, keys = ids[inner], logs[inner], keys[inner]
    if not len(keys):
        return []
    if count == 1:
        order = np.argmax(keys, keepdims=True)
    elif count < len(keys):
        order = np.argpartition(-keys, count - 1)[:count]
        order = order[np.argsort(-keys[order], kind="stable")]
    else:
        order = np.argsort(-keys, kind="stable")
    return [
        (token, log)
        for token, log in zip(ids[order].tolist(), logs[order].tolist(), strict=True)
        if log > -np.inf
    ]


def within(ids: Ids, spans: Sequence[Span]) -> NDArray[np.bool_]:
    """Which ids are rows of some ascending spans.

    >>> within(np.array([9, 2, 6]), [(1, 3), (6, 8)]).tolist()
    [False, True, True]
    """
    if not spans:
        return np.zeros(len(ids), np.bool_)
    starts, stops = np.array(spans, np.int64).T
    index = np.searchsorted(starts, ids, side="right") - 1
    found: NDArray[np.bool_] = (index >= 0) & (ids < stops[index])
    return found


def _log_softmax(values: Logs) -> Logs:
    """Log-probabilities; all NaN where a score is NaN or infinite, all -inf where none competes."""
    top = values.max(initial=-np.inf)
    if not np.isfinite(top):
        return values if top == -np.inf else np.full_like(values, np.nan)
    shares: Logs = values - top
    found: Logs = shares - np.log(np.exp(shares).sum())
    return found
