"""Decoder and head for one query at a time through compiled loops.

They make the same choices as `RuntimeDecoder` and `RuntimeSpans` in half of the time. Calls are
cheap here, so each step computes only what it needs, and values for a choice are computed only at
choices. Weights that are exact in half precision are stored as such, which halves the bytes read.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite
from typing import Any, Final, NamedTuple, final

import numpy as np
from llvmlite.binding import get_host_cpu_features
from numpy.typing import NDArray

from grammax.head.protocol import Candidate, Options
from grammax.head.rows import id_at
from grammax.reading.coverage import Covered, coverage_mask, covered_after
from grammax.reading.reader import Query
from grammax.runtime.decoder import Encoded, RuntimeDecoder
from grammax.runtime.head import RowParts, RuntimeSpans, SpanGroup, SpanScores
from grammax.runtime.kernel import attend, encode, read, score, score_rows
from grammax.runtime.lstm import Array
from grammax.search.protocol import Run
from grammax.vocabulary import Ids, Span

_REMEMBERED: Final = 4_096  # sets of spans with their segments; a grammar has fewer


class CompiledState(NamedTuple):
    """The state after the tokens read so far. An immutable value."""

    encoded: Encoded
    covered: Covered
    mask: Array  # (length): 1 where a name is covered
    recurrent: Array  # (2, 2e): cell and output


@final
class CompiledDecoder:
    """`Decoder` of `grammax.search`, with the inputs of a `RuntimeDecoder`.

    Threads may share it, and run at the same time.
    """

    def __init__(self, plain: RuntimeDecoder) -> None:
        self._plain = plain
        w = plain.weights
        gates = 4 * w.config.decoder
        # Gates are scaled by ½, and half precision cannot represent the half of its smallest
        # numbers; doubled, all weights equal those of the checkpoint.
        self._encoder = to_float16(2 * w.encoder_states)
        self._gates = to_float16(2 * w.state[:, :gates])
        self._hidden = to_float16(w.state[:, gates:])
        self._bias = w.state_bias

    def start(self, query: Query) -> CompiledState:
        """The state before the first token."""
        w = self._plain.weights
        table, uncovered = self._plain.inputs.read(query)
        both, recurrent = encode(table, self._encoder)
        values = np.empty((len(both), w.config.hidden), np.float32)
        np.matmul(both, w.context, out=values[:, : w.learnt])
        values[:, w.learnt :] = table[:, 8 * w.config.encoder :]
        encoded = Encoded(query, both @ w.attention, values, uncovered)
        mask = np.zeros(len(both), np.float32)
        first = CompiledState(encoded, frozenset(), mask, recurrent)
        return self.step(first, (self._plain.beginning,))

    def step(self, state: CompiledState, run: Run) -> CompiledState:
        """The state after one more run."""
        encoded, covered, mask, recurrent = state
        recurrent = read(recurrent, self._plain.input_of(run), self._gates)
        now = covered_after(encoded.query.names, run, covered)
        if now is not covered:
            mask = coverage_mask(now, len(mask))
        return CompiledState(encoded, now, mask, recurrent)

    def hidden(self, state: CompiledState) -> Array:
        """The hidden vector, (d)."""
        return self.attend(state)[0]

    def attend(self, state: CompiledState) -> tuple[Array, Array]:
        """The hidden vector, (d), and the attention weight of each word, (length)."""
        (_, keys, values, uncovered), _, mask, recurrent = state
        return attend(recurrent, keys, values, uncovered, mask, self._hidden, self._bias)


@final
class CompiledSpans:
    """`Head` of `grammax.search` over composed rows; threads may share it."""

    def __init__(self, plain: RuntimeSpans, parts: RowParts) -> None:
        self._plain = plain
        self._parts = parts
        # Always read-only, mapped or not, so that the kernel is compiled for one type.
        self._spelt = plain.rows.spelt.view()
        self._spelt.setflags(write=False)
        self._kinds = to_float16(_padded(parts.kinds))
        self._own = to_float16(_padded(parts.own))
        self._own_of = np.full(len(parts.kind_of), -1, np.int64)
        self._own_of[parts.seen] = np.arange(len(parts.seen))
        self._segments: dict[tuple[Span, ...], Ids] = {}
        self.tokens = plain.tokens
        self.end = plain.end
        self.memory_bytes = self._kinds.nbytes + self._own.nbytes

    def scores(self, hidden: Array, options: Options) -> BestScores:
        """(d) → scores of the permitted rows; those of a set that was narrowed, one by one."""
        parts = self._parts
        if options.permitted.rows is not None:
            rows = options.ids(self.end)
            found = score_rows(
                hidden, self._spelt, self._kinds, self._own, parts.kind_of, self._own_of, rows
            )
            return BestScores(*found, options, self.end, int(rows[found[1]]))
        spans = options.spans(self.end)
        segments = self._segments.get(spans)
        if segments is None:
            segments = _segments(parts, spans)
            if len(self._segments) < _REMEMBERED:
                self._segments[spans] = segments
        found = score(hidden, self._spelt, self._kinds, self._own, parts.seen, segments)
        return BestScores(*found, options, self.end, id_at(spans, found[1]))

    def scores_of(self, hidden: Array, options: Sequence[Options]) -> list[SpanGroup]:
        """(n, d) → scores of the permitted rows, one group per permitted set."""
        return self._plain.scores_of(hidden, options)


@final
class BestScores:
    """The scores of one hidden vector, of which the best is known."""

    __slots__ = ("_best", "_end", "_loss", "_options", "_values")

    def __init__(
        self,
        values: Array,
        _: int,
        loss: float,
        options: Options,
        end: int | None,
        best: int,
    ) -> None:
        self._values = values
        self._best = best  # an id
        self._loss = loss  # minus the log-probability of the best
        self._options = options
        self._end = end

    @property
    def size(self) -> int:
        """The number of rows that were multiplied."""
        return len(self._values)

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The best `count` ids, best first, with their log-probabilities."""
        if count > 1 or among is not None:
            spans = self._options.spans(self._end)
            return SpanScores(self._values, spans).best(count, among)
        return [(self._best, -self._loss)] if isfinite(self._loss) else []


def to_float16(matrix: Array) -> NDArray[Any]:
    """The matrix in half precision, as bits; the matrix itself if that is not exact."""
    with np.errstate(over="ignore"):
        float16 = matrix.astype(np.float16)
    exact = np.array_equal(float16, matrix) and _widens()
    return float16.view(np.uint16) if exact else np.ascontiguousarray(matrix)


def _widens() -> bool:
    """Whether the processor converts half precision: x86 since 2012, and ARM with 64 bits."""
    try:
        features = get_host_cpu_features()
    except RuntimeError:  # some processors are unknown to LLVM
        return False
    return bool(features.get("f16c") or features.get("neon"))


def _padded(rows: Array) -> Array:
    """The matrix padded with zeros to a multiple of 64 columns, so that loops have no remainder."""
    return np.pad(rows, ((0, 0), (0, -rows.shape[1] % 64)))


def _segments(parts: RowParts, spans: Sequence[Span]) -> Ids:
    """The spans, each divided where its kind changes, as `kernel.score` reads them."""
    found: list[tuple[int, ...]] = []
    for start, stop in spans:
        kinds = parts.kind_of[start:stop]
        cuts = [start, *(start + 1 + np.flatnonzero(np.diff(kinds))).tolist(), stop]
        for first, last in pairwise(cuts):
            some, end = np.searchsorted(parts.seen, (first, last)).tolist()
            found.append((first, last, int(parts.kind_of[first]), some, end))
    return np.array(found, np.int64)
