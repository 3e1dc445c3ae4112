"""`Rows`: the rows of an output layer that compete at one step, as spans or as ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grammax.vocabulary.permitted import Ids, Span, merge_spans


@final
class Rows:
    """A set of row numbers, ascending. An immutable value; spans and ids are each made when asked.

    A set of neighbours is best read as spans, which are views of the output matrix; a set of
    scattered rows is best gathered by its ids. Who makes such sets makes each of them once where
    that is possible, so that copies of rows can be kept by set.

    >>> rows = Rows.from_spans([(5, 8), (9, 10)])
    >>> rows.size, rows.ids.tolist(), 7 in rows, 8 in rows
    (4, [5, 6, 7, 9], True, False)
    >>> rows == Rows.from_ids([9, 7, 6, 5])
    True
    """

    __slots__ = ("_hash", "_ids", "_spans", "size")

    def __init__(self, spans: tuple[Span, ...] | None, ids: Ids | None) -> None:
        """Use `from_spans`, `from_ids` or `from_bitmask`."""
        self._spans = spans
        self._ids = ids
        self._hash: int | None = None
        if ids is not None:
            size = len(ids)
        else:
            assert spans is not None
            size = sum(stop - start for start, stop in spans)
        self.size: Final = size

    @classmethod
    def from_spans(cls, spans: Iterable[Span]) -> Rows:
        """The rows of disjoint spans, in any order."""
        return cls(merge_spans(span for span in spans if span[0] < span[1]), None)

    @classmethod
    def from_ids(cls, ids: ArrayLike) -> Rows:
        """The rows with these numbers, in any order; each counts once."""
        found: Ids = np.unique(np.asarray(ids, np.int64))
        found.setflags(write=False)
        return cls(None, found)

    @classmethod
    def from_bitmask(cls, mask: NDArray[np.int32], rows: int) -> Rows:
        """The rows whose bit is set: row r is bit r % 32 of word r // 32, as in other engines.

        >>> Rows.from_bitmask(np.array([0b1010, 1], np.int32), 40).ids.tolist()
        [1, 3, 32]
        """
        bits = np.unpackbits(mask.view(np.uint8), bitorder="little")[:rows]
        found: Ids = np.flatnonzero(bits)
        found.setflags(write=False)
        return cls(None, found)

    @property
    def ids(self) -> Ids:
        """The row numbers, ascending, as a read-only array."""
        if self._ids is None:
            ids = np.concatenate([np.arange(*span) for span in self.spans] or [np.arange(0)])
            ids.setflags(write=False)
            self._ids = ids
        return self._ids

    @property
    def spans(self) -> tuple[Span, ...]:
        """The rows as ascending spans, no two of which touch."""
        if self._spans is None:
            ids = self.ids
            breaks = np.flatnonzero(np.diff(ids) != 1)
            starts = ids[np.concatenate(([0], breaks + 1))] if len(ids) else ids
            stops = ids[np.concatenate((breaks, [len(ids) - 1]))] + 1 if len(ids) else ids
            self._spans = tuple(zip(starts.tolist(), stops.tolist(), strict=True))
        return self._spans

    def __contains__(self, row: object) -> bool:
        if not isinstance(row, (int, np.integer)):
            return False
        if self._ids is None:
            return any(start <= row < stop for start, stop in self.spans)
        index = int(np.searchsorted(self._ids, row))
        return index < self.size and bool(self._ids[index] == row)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(range(start, stop) for start, stop in self.spans)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rows):
            return NotImplemented
        return self is other or (self.size == other.size and self.spans == other.spans)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self.spans)
        return self._hash

    def __repr__(self) -> str:
        return f"Rows({self.size:,} rows in {len(self.spans):,} spans)"
