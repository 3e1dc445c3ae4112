"""Long spans through their parts: what is spelt row by row, what is learnt kind by kind.

The rows of a kind differ by how their tokens are spelt and, where a token was seen in training, by
a part of its own. So of 40,000 companies 128 numbers a row are read and not 300, and a score that
all have in common is added once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, final

import numpy as np

from grammax.runtime.recurrence import Array
from grammax.vocabulary import Ids, Span


class _Segments(NamedTuple):
    """A span, with places counted from its start."""

    kinds: tuple[tuple[int, slice], ...]  # each with its rows
    seen: slice  # numbers of tokens with a part of their own
    places: Ids  # of those


@final
@dataclass(frozen=True, slots=True, eq=False)
class RowParts:
    """What composed rows are made of, the last column of `kinds` and `own` being a bias."""

    spelt: Array  # (V + 1, s)
    kinds: Array  # (kinds + 1, learnt + 1)
    own: Array  # (seen, learnt + 1)
    seen: Ids  # ascending
    kind_of: Ids  # (V + 1)
    _known: dict[Span, _Segments]

    @classmethod
    def of(cls, spelt: Array, kinds: Array, own: Array, seen: Ids, kind_of: Ids) -> RowParts:
        """The parts; where they lie in a span is remembered."""
        return cls(spelt, kinds, own, seen, kind_of, {})

    def products(self, hidden: Array, span: Span) -> Array:
        """(..., d) → the scores of a span, (..., k)."""
        found = self._known.get(span)
        if found is None:
            found = self._known[span] = self._segments(span)
        learnt = self.kinds.shape[1] - 1
        first = hidden[..., :learnt]
        scores: Array = hidden[..., learnt:] @ self.spelt[slice(*span)].T
        for kind, rows in found.kinds:
            part = self.kinds[kind]
            scores[..., rows] += (first @ part[:-1] + part[-1])[..., None]
        own = self.own[found.seen]
        if len(own):
            scores[..., found.places] += first @ own[:, :-1].T + own[:, -1]
        return scores

    def _segments(self, span: Span) -> _Segments:
        start, stop = span
        kinds = self.kind_of[start:stop]
        edges = np.flatnonzero(np.diff(kinds)) + 1
        bounds = [0, *edges.tolist(), stop - start]
        first, last = np.searchsorted(self.seen, span).tolist()
        return _Segments(
            tuple((int(kinds[a]), slice(a, b)) for a, b in pairwise(bounds)),
            slice(first, last),
            self.seen[first:last] - start,
        )
