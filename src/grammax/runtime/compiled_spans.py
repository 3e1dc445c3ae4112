"""The output layer under a grammar through compiled loops: spans in parts, and the best at once.

Spelt parts stay as they are; learnt ones, which are exact in half precision, are kept so.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite
from typing import Final, final

import numpy as np

from grammax.head.protocol import Candidate, Options
from grammax.head.rows import id_at
from grammax.runtime.halves import halved
from grammax.runtime.kernel import score
from grammax.runtime.parts import RowParts
from grammax.runtime.recurrence import Array
from grammax.runtime.spans import RuntimeSpans, SpanGroup, SpanScores
from grammax.vocabulary import Ids, Span

_KEPT: Final = 4_096  # sets of spans whose segments are remembered; a grammar has fewer


@final
class BestScores:
    """The scores of one hidden vector, of which the best is known."""

    __slots__ = ("_loss", "_place", "_spans", "_values")

    def __init__(self, values: Array, place: int, loss: float, spans: tuple[Span, ...]) -> None:
        self._values = values
        self._place = place
        self._loss = loss  # minus the log-probability of the best
        self._spans = spans

    @property
    def size(self) -> int:
        """How many rows were multiplied."""
        return len(self._values)

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The best `count` ids, best first, with their log-probabilities."""
        if count > 1 or among is not None:
            return SpanScores(self._values, self._spans).best(count, among)
        return [(id_at(self._spans, self._place), -self._loss)] if isfinite(self._loss) else []


@final
class CompiledSpans:
    """`Head` of `grammax.search` over composed rows; threads may share it."""

    def __init__(self, plain: RuntimeSpans, parts: RowParts) -> None:
        self._plain = plain
        self._parts = parts
        # Mapped into memory or not, it is compiled for once: as an array that cannot be written to.
        self._spelt = parts.spelt.view()
        self._spelt.setflags(write=False)
        self._kinds = halved(_padded(parts.kinds))
        self._own = halved(_padded(parts.own))
        self._known: dict[tuple[Span, ...], Ids] = {}
        self.tokens = plain.tokens
        self.end = plain.end
        self.memory_bytes = self._kinds.nbytes + self._own.nbytes

    def scores(self, hidden: Array, options: Options) -> BestScores:
        """(d) → scores of the permitted rows."""
        spans = options.spans(self.end)
        segments = self._known.get(spans)
        if segments is None:
            segments = _segments(self._parts, spans)
            if len(self._known) < _KEPT:
                self._known[spans] = segments
        seen = self._parts.seen
        found = score(hidden, self._spelt, self._kinds, self._own, seen, segments)
        return BestScores(*found, spans)

    def scores_of(self, hidden: Array, options: Sequence[Options]) -> list[SpanGroup]:
        """(n, d) → scores of the permitted rows, a group for each permitted set."""
        return self._plain.scores_of(hidden, options)


def _padded(rows: Array) -> Array:
    """With zeros to a multiple of 64 columns: loops over them then have no remainder."""
    return np.pad(rows, ((0, 0), (0, -rows.shape[1] % 64)))


def _segments(parts: RowParts, spans: Sequence[Span]) -> Ids:
    """The spans, each cut where its kind changes, as `kernel.score` reads them."""
    found: list[tuple[int, ...]] = []
    for start, stop in spans:
        kinds = parts.kind_of[start:stop]
        cuts = [start, *(start + 1 + np.flatnonzero(np.diff(kinds))).tolist(), stop]
        for first, last in pairwise(cuts):
            some, end = np.searchsorted(parts.seen, (first, last)).tolist()
            found.append((first, last, int(parts.kind_of[first]), some, end))
    return np.array(found, np.int64)
