"""The output layer under a grammar, in NumPy: views of the permitted rows, no copies.

Long spans of composed rows are multiplied in parts. The rows of a kind differ only by the hash
embeddings of their tokens' names and, for tokens seen in training, by a learnt part. So in a span
of 40,000 names 128 numbers per row are read instead of 300, and the common part of the scores is
added once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, log
from typing import Final, NamedTuple, final

import numpy as np

from grammax.head.protocol import Candidate, Options
from grammax.head.rows import grouped, id_at, positions_of
from grammax.runtime.cache import OutputRows
from grammax.runtime.lstm import Array
from grammax.vocabulary import Ids, Span

_LONG: Final = 4_000  # rows; in shorter spans whole rows are multiplied


@final
class RuntimeSpans:
    """`Head` of `grammax.search`; threads may share it.

    Spans of `long` rows or more are multiplied in `parts`, if the rows are composed.
    """

    memory_bytes = 0

    def __init__(
        self,
        rows: OutputRows,
        tokens: int,
        parts: RowParts | None = None,
        long: int = _LONG,
    ) -> None:
        self.rows = rows
        self.parts = parts
        self.tokens = tokens
        self.end = tokens if len(rows.whole) > tokens else None
        self._whole, self._bias = rows.whole, rows.bias
        self._long = long

    def scores(self, hidden: Array, options: Options) -> SpanScores:
        """(d) → scores of the permitted rows."""
        return SpanScores(self._products(hidden, options), options.spans(self.end))

    def scores_of(self, hidden: Array, options: Sequence[Options]) -> list[SpanGroup]:
        """(n, d) → scores of the permitted rows, one group per permitted set."""
        found = []
        for choice, members in grouped(options).items():
            values = self._products(hidden[members], choice)
            found.append(SpanGroup(members, values, choice.spans(self.end)))
        return found

    def _products(self, hidden: Array, options: Options) -> Array:
        """(..., d) → (..., k); the few rows of a set that was narrowed are gathered."""
        if options.narrowed:
            rows = options.ids(self.end)
            scores: Array = hidden @ self._whole[rows].T
            scores += self._bias[rows]
            return scores
        found = [self._product(hidden, span) for span in options.spans(self.end)]
        return found[0] if len(found) == 1 else np.concatenate(found, -1)

    def _product(self, hidden: Array, span: Span) -> Array:
        start, stop = span
        if self.parts is not None and stop - start >= self._long:
            return self.parts.products(hidden, self.rows.spelt, span)
        scores: Array = hidden @ self._whole[start:stop].T
        scores += self._bias[start:stop]
        return scores


@final
@dataclass(frozen=True, slots=True, eq=False)
class RowParts:
    """The learnt parts of composed rows; the last column of `kinds` and `own` is a bias."""

    kinds: Array  # (kinds + 1, learnt + 1)
    own: Array  # (seen, learnt + 1)
    seen: Ids  # tokens with a part of their own, ascending
    kind_of: Ids  # (V + 1)
    _segments: dict[Span, _Segments] = field(default_factory=dict)  # cache of the segments of spans

    def products(self, hidden: Array, spelt: Array, span: Span) -> Array:
        """Hidden vectors (..., d), and the hash embeddings of all rows → scores, (..., k)."""
        found = self._segments.get(span)
        if found is None:
            found = self._segments[span] = self._find_segments(span)
        learnt = self.kinds.shape[1] - 1
        first = hidden[..., :learnt]
        scores: Array = hidden[..., learnt:] @ spelt[slice(*span)].T
        common = first @ found.kinds.T + found.biases
        scores += common if found.kind_of is None else common[..., found.kind_of]
        own = self.own[found.seen]
        if len(own):
            scores[..., found.indices] += first @ own[:, :-1].T + own[:, -1]
        return scores

    def _find_segments(self, span: Span) -> _Segments:
        start, stop = span
        kinds, kind_of = np.unique(self.kind_of[start:stop], return_inverse=True)
        parts = self.kinds[kinds]
        first, last = np.searchsorted(self.seen, span).tolist()
        return _Segments(
            np.ascontiguousarray(parts[:, :-1]),
            parts[:, -1],
            kind_of if len(kinds) > 1 else None,
            slice(first, last),
            self.seen[first:last] - start,
        )


class _Segments(NamedTuple):
    """The segments of a span; indices count from its start."""

    kinds: Array  # (m, learnt): learnt parts of its m kinds
    biases: Array  # (m)
    kind_of: Ids | None  # (k): number of each row's kind among those; None if there is one kind
    seen: slice  # numbers of the tokens with a part of their own
    indices: Ids  # of those


@final
class SpanScores:
    """The scores of one hidden vector; rows of `spans` laid end to end."""

    __slots__ = ("spans", "values")

    def __init__(self, values: Array, spans: tuple[Span, ...]) -> None:
        self.values = values
        self.spans = spans

    @property
    def size(self) -> int:
        """The number of rows that were multiplied."""
        return len(self.values)

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The best `count` ids, best first, with their log-probabilities."""
        values, spans = self.values, self.spans
        index = int(values.argmax())
        top = values[index]
        shares = values - top
        log_sum = log(np.add.reduce(np.exp(shares, shares)))
        if count == 1 and among is None:
            return [(id_at(spans, index), -log_sum)] if isfinite(log_sum) else []
        total = float(top) + log_sum
        if among is not None:
            ranges = positions_of(spans, among)
            values = np.concatenate([values[first:last] for first, last in ranges])
            spans = tuple(among)
        most = min(count, len(values))
        best = np.argpartition(-values, most - 1)[:most].tolist()
        best.sort(key=lambda index: -values[index])
        return [
            (id_at(spans, index), float(values[index]) - total)
            for index in best
            if np.isfinite(values[index])
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
            return [self.member(number).best(count) for number in range(len(self.members))]
        values = self.values
        indices = values.argmax(-1)
        tops = np.take_along_axis(values, indices[:, None], -1)
        logs = -np.log(np.exp(values - tops).sum(-1))
        pairs = zip(indices.tolist(), logs.tolist(), strict=True)
        return [[(id_at(self.spans, index), log)] if isfinite(log) else [] for index, log in pairs]

    def member(self, number: int) -> SpanScores:
        """The scores of one member."""
        return SpanScores(self.values[number], self.spans)
