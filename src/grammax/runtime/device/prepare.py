"""Queries → the arrays that are sent to the device, in a few passes over the batch.

Names are numbered within their query, and sets of names are bits of an integer: that a word is part
of a name, that a token is what it may mean, that it is covered. So a query has 63 names at most.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grammax.reading.reader import Query
from grammax.runtime.device.words import WordTable
from grammax.vocabulary import Ids

MOST_NAMES: Final = 63
_TOKEN: Final = 1 << 32  # in a key, below the query


class Shape(NamedTuple):
    """The shape of a batch: queries, words and tokens of each."""

    queries: int
    words: int
    rows: int
    total: int  # words of all queries


def power_of_two(number: int) -> int:
    """The smallest one that is not smaller."""
    return 1 << (number - 1).bit_length()


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
    table.begin()
    words = [word for query in queries for word in query.words]
    words_first = _offsets(len(query.words) for query in queries)
    listed = [match for query in queries for match in query.names]
    per_query = np.array([len(query.names) for query in queries], np.int64)
    query_of = np.arange(len(queries)).repeat(per_query)
    number = np.arange(len(listed)) - (per_query.cumsum() - per_query).repeat(per_query)
    bits = np.int64(1) << number
    spans = np.array([match[:2] for match in listed], np.int64).reshape(-1, 2)
    first, sizes = spans[:, 0] + words_first[query_of], spans[:, 1] - spans[:, 0]
    at = _ranges(first, sizes)  # the words of all names
    within = np.zeros(len(words), np.int64)
    np.bitwise_or.at(within, at, bits.repeat(sizes))
    contexts = np.zeros(len(words), np.int64)
    begins = table.name_contexts([match.ids for match in listed])
    contexts[at] = begins.repeat(sizes) + 1
    contexts[first] = begins
    for word in np.flatnonzero(within & (within - 1)).tolist():  # part of several names
        number_of_query = int(np.searchsorted(words_first, word, "right")) - 1
        place = word - int(words_first[number_of_query])
        names = queries[number_of_query].names
        inside = [match for match in names if match.start <= place < match.stop]
        contexts[word] = table.context(tuple((m.start == place, m.ids) for m in inside))
    available = [q.available.ids if narrowed and q.available else () for q in queries]
    rows, means, there, rows_first = _tokens(
        available, query_of, bits, [match.ids for match in listed]
    )
    slots = table.find(words, contexts)
    return Prepared(slots, within, words_first, rows, means, there, rows_first)


def _tokens(
    available: Sequence[Collection[int]],
    query_of: Ids,
    bits: Ids,
    named: Sequence[Sequence[int]],
) -> tuple[Ids, Ids, NDArray[np.bool_], Ids]:
    """The tokens of each query, ascending: the last four fields of `Prepared`."""
    counts = np.array([len(each) for each in available], np.int64)
    sizes = np.array([len(ids) for ids in named], np.int64)
    tokens = np.array([*chain.from_iterable(available), *chain.from_iterable(named)], np.int64)
    owners = np.concatenate([np.arange(len(available)).repeat(counts), query_of.repeat(sizes)])
    keys, place = np.unique(owners * _TOKEN + tokens, return_inverse=True)
    there = np.zeros(len(keys), np.bool_)
    there[place[: counts.sum()]] = True
    means = np.zeros(len(keys), np.int64)
    np.bitwise_or.at(means, place[counts.sum() :], bits.repeat(sizes))
    query, rows = np.divmod(keys, _TOKEN)
    first = np.searchsorted(query, np.arange(len(available) + 1))
    return rows, means, there, first


def _ranges(first: Ids, sizes: Ids) -> Ids:
    """The numbers of ranges, one range after the other."""
    found: Ids = np.arange(sizes.sum()) + (first - sizes.cumsum() + sizes).repeat(sizes)
    return found


def host_tensors(shape: Shape, *, pinned: bool) -> dict[str, Tensor]:
    """The tensors of a batch that are sent to the device; from pinned memory, without waiting."""
    n, words, rows, _ = shape

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
    _fill_padded(arrays, ("slots", "within"), batch.words_first, batch)
    fill_rows(arrays, batch)


def fill_rows(arrays: Mapping[str, NDArray[Any]], batch: Prepared) -> None:
    """Write what belongs to rows into arrays, (n, a) each."""
    _fill_padded(arrays, ("rows", "means", "available"), batch.rows_first, batch)


def _fill_padded(
    arrays: Mapping[str, NDArray[Any]], names: Iterable[str], first: Ids, batch: Prepared
) -> None:
    lengths = np.diff(first)
    query = np.repeat(np.arange(len(lengths)), lengths)
    place = _ranges(np.zeros_like(lengths), lengths)
    for name in names:
        arrays[name][query, place] = getattr(batch, name)


def _offsets(lengths: Iterable[int]) -> Ids:
    return np.array([0, *accumulate(lengths)], np.int64)
