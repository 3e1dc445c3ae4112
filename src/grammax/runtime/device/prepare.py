"""Queries → the arrays that are sent to the device, in a few passes over the batch.

Names are numbered within their query, and sets of names are bits of an integer: that a word is part
of a name, that a token is what it may mean, that it is covered. So a query has 63 names at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grammax.reading.reader import Query
from grammax.runtime.device.words import Key, WordTable, word_keys
from grammax.vocabulary import Ids

MOST_NAMES: Final = 63


class Shape(NamedTuple):
    """The shape of a batch: queries, words and tokens of each."""

    queries: int
    words: int
    rows: int


class Prepared(NamedTuple):
    """A batch of n queries; what belongs to a query is side by side, from `..._first[query]` on."""

    slots: Ids  # the row of each word in the `WordTable`
    within: Ids  # the names that each word is part of
    words_first: Ids  # (n + 1)
    rows: Ids  # tokens that are available or named, ascending for each query
    means: Ids  # the names that may mean each of these tokens
    available: NDArray[np.bool_]  # whether it is available
    rows_first: Ids  # (n + 1)

    @property
    def queries(self) -> int:
        """The number of queries."""
        return len(self.words_first) - 1

    @property
    def longest(self) -> int:
        """The words of the longest query."""
        return int(np.diff(self.words_first).max())

    @property
    def most_rows(self) -> int:
        """The largest number of rows."""
        return int(np.diff(self.rows_first).max())


def fits(query: Query) -> bool:
    """Whether the device can decode a query."""
    return len(query.names) <= MOST_NAMES


def prepare(queries: Sequence[Query], table: WordTable, *, narrowed: bool) -> Prepared:
    """The arrays of some queries; `narrowed` if only available tokens of some kinds compete."""
    keys: list[Key] = []
    within: list[int] = []
    rows: list[list[tuple[int, int]]] = []
    there: list[bool] = []
    for query in queries:
        keys += word_keys(query)
        available = query.available.ids if narrowed and query.available else ()
        marks, means = [0] * len(query.ids), dict.fromkeys(available, 0)
        for number, (start, stop, ids) in enumerate(query.names):
            bit = 1 << number
            for at in range(start, stop):
                marks[at] |= bit
            for token in ids:
                means[token] = means.get(token, 0) | bit
        within += marks
        rows.append(sorted(means.items()))
        if len(means) == len(available):
            there += [True] * len(means)
        else:
            known = frozenset(available)
            there += [token in known for token, _ in rows[-1]]
    flat = np.array(list(chain.from_iterable(rows)), np.int64).reshape(-1, 2)
    return Prepared(
        table.find(keys),
        np.array(within, np.int64),
        _offsets(len(query.ids) for query in queries),
        flat[:, 0],
        flat[:, 1],
        np.array(there, np.bool_),
        _offsets(map(len, rows)),
    )


def host_tensors(shape: Shape, *, pinned: bool) -> dict[str, Tensor]:
    """The tensors of a batch that are sent to the device; from pinned memory, without waiting."""
    n, words, rows = shape

    def numbers(*size: int, kind: torch.dtype = torch.int64) -> Tensor:
        return torch.zeros(*size, dtype=kind, pin_memory=pinned)

    return {
        "slots": numbers(n, words),
        "within": numbers(n, words),
        "lengths": numbers(n),
        "rows": numbers(n, rows),
        "means": numbers(n, rows),
        "available": numbers(n, rows, kind=torch.bool),
    }


def fill(tensors: Mapping[str, Tensor], batch: Prepared, nothing: int) -> None:
    """Write a batch into tensors; `nothing` pads tokens."""
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    for name, array in arrays.items():
        array.fill({"rows": nothing, "lengths": 1}.get(name, 0))
    arrays["lengths"][: batch.queries] = np.diff(batch.words_first)
    for names, first in (
        (("slots", "within"), batch.words_first),
        (("rows", "means", "available"), batch.rows_first),
    ):
        lengths = np.diff(first)
        query = np.repeat(np.arange(len(lengths)), lengths)
        place = np.arange(first[-1]) - first[:-1].repeat(lengths)
        for name in names:
            arrays[name][query, place] = getattr(batch, name)


def _offsets(lengths: Iterable[int]) -> Ids:
    return np.array([0, *accumulate(lengths)], np.int64)
