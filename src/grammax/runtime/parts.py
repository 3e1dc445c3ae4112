"""Long spans through their parts: what is spelt row by row, what is learnt kind by kind.

The rows of a kind differ by how their tokens are spelt and, where a token was seen in training, by
a part of its own. So of 40,000 companies 128 numbers a row are read and not 300, and a score that
all have in common is added once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from grammax.runtime.recurrence import Array
from grammax.vocabulary import Ids, Span


class _Segments(NamedTuple):
    """A span, with places counted from its start."""

    kinds: Array  # (m, learnt): of the kinds that are in it
    biases: Array  # (m)
    kind_of: Ids | None  # (k): by number among those; None where all are of one kind
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
        common = first @ found.kinds.T + found.biases
        scores += common if found.kind_of is None else common[..., found.kind_of]
        own = self.own[found.seen]
        if len(own):
            scores[..., found.places] += first @ own[:, :-1].T + own[:, -1]
        return scores

    def _segments(self, span: Span) -> _Segments:
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
