"""`Permitted`: a set of kinds with its rows, returned by an automaton's `next_tokens`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from grammax.vocabulary.vocabulary import Vocabulary

Span = tuple[int, int]  # the rows from `start` up to, but not including, `stop`
Ids = NDArray[np.int64]


@final
class Permitted:
    """The tokens that may come next: an interned, immutable set of kinds with its rows.

    A vocabulary builds one object per set of kinds, so `is` compares them and a head can use them
    as cache keys. The exception is a set that was `narrowed` to a subset of its kinds' rows.

    >>> from grammax import Vocabulary
    >>> vocabulary = Vocabulary({"GENRE": ["drama", "comedy"], "EQ": ["="], "NOT": ["not"]})
    >>> permitted = vocabulary.permitted({0, 2})
    >>> permitted.kinds, permitted.spans, permitted.size
    (('GENRE', 'NOT'), ((0, 2), (3, 4)), 3)
    >>> "drama" in permitted, list(permitted.tokens)
    (True, ['drama', 'comedy', 'not'])
    """

    __slots__ = ("_ids", "_vocabulary", "_whole", "kind_numbers", "size", "spans")

    def __init__(
        self,
        vocabulary: Vocabulary,
        kind_numbers: frozenset[int],
        spans: tuple[Span, ...] | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        self._ids: Ids | None = None
        self._whole = spans is None  # all rows of the kinds
        self.kind_numbers: Final = kind_numbers
        self.spans: Final = vocabulary.rows_of(kind_numbers) if spans is None else spans
        self.size: Final = sum(stop - start for start, stop in self.spans)

    def narrowed(self, spans: Iterable[Span]) -> Permitted:
        """A subset of these rows.

        It is never `forced`, even if one row is left, because the model was trained to score this
        step.
        """
        return Permitted(self._vocabulary, self.kind_numbers, merge_spans(spans))

    def among(self, kinds: Collection[int]) -> tuple[Span, ...]:
        """The permitted rows whose kind is one of `kinds`."""
        if self._whole:
            return self._vocabulary.rows_of(kinds)
        kind_of = self._vocabulary.kinds_by_id
        return merge_spans((row, row + 1) for row in self if kind_of[row] in kinds)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the kinds, in row order."""
        in_order = sorted(self.kind_numbers, key=self._vocabulary.spans)
        return tuple(self._vocabulary.kinds[kind] for kind in in_order)

    @property
    def ids(self) -> Ids:
        """The row numbers in ascending order, as a read-only array, built on first access."""
        if self._ids is None:
            ids = np.concatenate([np.arange(*span) for span in self.spans] or [np.arange(0)])
            ids.setflags(write=False)
            self._ids = ids
        return self._ids

    @property
    def forced(self) -> int | None:
        """The permitted id if there is exactly one, else None."""
        return self.spans[0][0] if self.size == 1 and self._whole else None

    @property
    def tokens(self) -> Iterator[str]:
        """The permitted tokens as text, in row order."""
        return chain.from_iterable(
            self._vocabulary.tokens[start:stop] for start, stop in self.spans
        )

    def __contains__(self, token: object) -> bool:
        if not isinstance(token, int | np.integer | str):
            return False
        if self._vocabulary.kind_of(token) not in self.kind_numbers:
            return False
        row = self._vocabulary.id(token) if isinstance(token, str) else token
        return self._whole or any(start <= row < stop for start, stop in self.spans)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(range(start, stop) for start, stop in self.spans)

    def __repr__(self) -> str:
        names = self.kinds
        shown = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
        return f"Permitted({self.size} tokens in {len(self.spans)} spans: {shown})"


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same rows as ascending spans, adjacent ones joined.

    >>> merge_spans([(5, 7), (0, 2), (2, 4)])
    ((0, 4), (5, 7))
    """
    merged: list[Span] = []
    for start, stop in sorted(spans):
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], stop)
        else:
            merged.append((start, stop))
    return tuple(merged)
