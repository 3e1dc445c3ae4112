"""`Permitted`: a set of kinds with its rows, returned by an automaton's `next_tokens`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from operator import index
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

    __slots__ = (
        "_decided",
        "_ids",
        "_spans",
        "_vocabulary",
        "_words",
        "kind_numbers",
        "rows",
        "size",
    )

    def __init__(
        self,
        vocabulary: Vocabulary,
        kind_numbers: frozenset[int],
        rows: tuple[int, ...] | None = None,
        decided: bool = True,
    ) -> None:
        self._vocabulary = vocabulary
        self._decided = decided
        self._ids: Ids | None = None
        self._spans: tuple[Span, ...] | None = None
        self._words: NDArray[np.int32] | None = None
        self.kind_numbers: Final = kind_numbers
        self.rows: Final = rows  # in ascending order, if narrowed to some; None: all of the kinds
        self.size: Final = (
            sum(stop - start for start, stop in self.spans) if rows is None else len(rows)
        )

    def narrowed(self, rows: Iterable[int], *, decided: bool = False) -> Permitted:
        """A subset of these rows.

        Unless it is `decided`, it is never `forced`, even if one row is left, because the model was
        trained to score this step.
        """
        return Permitted(self._vocabulary, self.kind_numbers, tuple(sorted(rows)), decided)

    def among(self, kinds: Collection[int]) -> tuple[Span, ...]:
        """The permitted rows whose kind is one of `kinds`."""
        if self.rows is None:
            return self._vocabulary.rows_of(kinds)
        kind_of = self._vocabulary.kinds_by_id
        return merge_spans((row, row + 1) for row in self.rows if kind_of[row] in kinds)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The rows as ascending spans."""
        if self._spans is None:
            if self.rows is None:
                self._spans = self._vocabulary.rows_of(self.kind_numbers)
            else:
                self._spans = merge_spans((row, row + 1) for row in self.rows)
        return self._spans

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the kinds, in row order."""
        in_order = sorted(self.kind_numbers, key=self._vocabulary.spans)
        return tuple(self._vocabulary.kinds[kind] for kind in in_order)

    @property
    def ids(self) -> Ids:
        """The row numbers in ascending order, as a read-only array, built on first access."""
        if self._ids is None:
            if self.rows is None:
                ids = np.concatenate([np.arange(*span) for span in self.spans] or [np.arange(0)])
            else:
                ids = np.array(self.rows, np.int64)
            ids.setflags(write=False)
            self._ids = ids
        return self._ids

    def fill_bitmask(self, mask: NDArray[np.int32]) -> None:
        """Write the set as bits, as other engines do: bit r % 32 of `mask[r // 32]` is row r.

        The words are computed once for each set; after that it is one copy.

        >>> from grammax import Vocabulary
        >>> mask = np.zeros(1, np.int32)
        >>> vocabulary = Vocabulary({"GENRE": ["drama", "comedy"], "EQ": ["="]})
        >>> vocabulary.permitted({0}).fill_bitmask(mask)
        >>> mask
        array([3], dtype=int32)
        """
        if self._words is None:
            words = -(-len(self._vocabulary) // 32)
            flags = np.zeros(32 * words, np.bool_)
            flags[self.ids] = True
            self._words = np.packbits(flags, bitorder="little").view(np.int32)
        mask[: len(self._words)] = self._words
        mask[len(self._words) :] = 0

    @property
    def forced(self) -> int | None:
        """The permitted id if there is exactly one, else None."""
        if self.size != 1 or not self._decided:
            return None
        return self.spans[0][0] if self.rows is None else self.rows[0]

    @property
    def tokens(self) -> Iterator[str]:
        """The permitted tokens as text, in row order."""
        return chain.from_iterable(
            self._vocabulary.tokens[start:stop] for start, stop in self.spans
        )

    def __contains__(self, token: object) -> bool:
        if not isinstance(token, str):
            try:
                token = index(token)  # type: ignore[arg-type]
            except TypeError:
                return False
        if self._vocabulary.kind_of(token) not in self.kind_numbers:
            return False
        row = self._vocabulary.id(token) if isinstance(token, str) else token
        return self.rows is None or row in self.rows

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
