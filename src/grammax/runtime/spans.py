"""The output layer under a grammar, in NumPy: the permitted rows where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log
from typing import Final, final

import numpy as np

from grammax.head.protocol import Candidate, Options
from grammax.head.rows import grouped, id_at, positions_of
from grammax.runtime.parts import RowParts
from grammax.runtime.recurrence import Array
from grammax.vocabulary import Span

_LONG: Final = 4_000  # rows: of shorter spans the whole rows are multiplied


@final
class SpanScores:
    """The scores of one hidden vector; rows of `spans` laid end to end."""

    __slots__ = ("spans", "values")

    def __init__(self, values: Array, spans: tuple[Span, ...]) -> None:
        self.values = values
        self.spans = spans

    @property
    def size(self) -> int:
        """How many rows were multiplied."""
        return len(self.values)

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The best `count` ids, best first, with their log-probabilities."""
        values, spans = self.values, self.spans
        place = int(values.argmax())
        top = values[place]
        shares = values - top
        log_sum = log(np.add.reduce(np.exp(shares, shares)))
        if count == 1 and among is None:
            return [(id_at(spans, place), -log_sum)] if isfinite(log_sum) else []
        total = float(top) + log_sum
        if among is not None:
            places = positions_of(spans, among)
            values = np.concatenate([values[first:last] for first, last in places])
            spans = tuple(among)
        kept = min(count, len(values))
        best = np.argpartition(-values, kept - 1)[:kept].tolist()
        best.sort(key=lambda place: -values[place])
        return [
            (id_at(spans, place), float(values[place]) - total)
            for place in best
            if np.isfinite(values[place])
        ]


@final
class SpanGroup:
    """The scores of several hidden vectors with equal options, (members, k)."""

    __slots__ = ("members", "spans", "values")

    def __init__(self, members: Sequence[int], values: Array, spans: tuple[Span, ...]) -> None:
        self.members = members
        self.values = values
        self.spans = spans

    def best(self, count: int) -> list[list[Candidate]]:
        """For each member its best `count` ids."""
        if count > 1:
            return [self.member(place).best(count) for place in range(len(self.members))]
        values = self.values
        places = values.argmax(-1)
        tops = np.take_along_axis(values, places[:, None], -1)
        logs = -np.log(np.exp(values - tops).sum(-1))
        pairs = zip(places.tolist(), logs.tolist(), strict=True)
        return [[(id_at(self.spans, place), log)] if isfinite(log) else [] for place, log in pairs]

    def member(self, place: int) -> SpanScores:
        """The scores of one member."""
        return SpanScores(self.values[place], self.spans)


@final
class RuntimeSpans:
    """`Head` of `grammax.search` over a matrix in kind order; threads may share it.

    Spans of `long` rows or more are multiplied through the `parts` of their rows, if they have any.
    """

    memory_bytes = 0

    def __init__(
        self,
        rows: Array,
        bias: Array,
        tokens: int,
        parts: RowParts | None = None,
        long: int = _LONG,
    ) -> None:
        self._rows = rows
        self._bias = bias
        self._parts = parts
        self._long = long
        self.tokens = tokens
        self.end = tokens if len(rows) > tokens else None

    def scores(self, hidden: Array, options: Options) -> SpanScores:
        """(d) → scores of the permitted rows."""
        spans = options.spans(self.end)
        return SpanScores(self._products(hidden, spans), spans)

    def scores_of(self, hidden: Array, options: Sequence[Options]) -> list[SpanGroup]:
        """(n, d) → scores of the permitted rows, a group for each permitted set."""
        found = []
        for choice, members in grouped(options).items():
            spans = choice.spans(self.end)
            found.append(SpanGroup(members, self._products(hidden[members], spans), spans))
        return found

    def _products(self, hidden: Array, spans: tuple[Span, ...]) -> Array:
        """(..., d) → (..., k)."""
        found = [self._product(hidden, span) for span in spans]
        return found[0] if len(found) == 1 else np.concatenate(found, -1)

    def _product(self, hidden: Array, span: Span) -> Array:
        start, stop = span
        if self._parts is not None and stop - start >= self._long:
            return self._parts.products(hidden, span)
        scores: Array = hidden @ self._rows[start:stop].T
        scores += self._bias[start:stop]
        return scores
