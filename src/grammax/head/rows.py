"""Arithmetic of spans and batches: positions among scores ↔ ids, members by options."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

from grammax.head.protocol import Options
from grammax.vocabulary import Ids, Span

K = TypeVar("K", bound=Hashable)


def id_at(spans: Sequence[Span], position: int) -> int:
    """The id at a position when the rows of `spans` are laid end to end.

    >>> id_at([(5, 7), (9, 12)], 2)
    9
    """
    for start, stop in spans:
        if position < stop - start:
            return start + position
        position -= stop - start
    raise IndexError(f"the spans {spans} have no position {position}")


def ids_of(spans: Sequence[Span]) -> Ids:
    """The ids of the rows of `spans`, laid end to end.

    >>> ids_of([(5, 7), (9, 12)]).tolist()
    [5, 6, 9, 10, 11]
    """
    if not spans:
        return np.arange(0)
    starts, stops = np.array(spans, np.int64).T
    lengths = stops - starts
    before = lengths.cumsum() - lengths
    found: Ids = np.repeat(starts - before, lengths) + np.arange(lengths.sum())
    return found


def positions_of(spans: Sequence[Span], inner: Sequence[Span]) -> list[Span]:
    """The positions of the rows of `inner` when those of `spans` are laid end to end.

    >>> positions_of([(5, 7), (9, 12)], [(6, 7), (10, 12)])
    [(1, 2), (3, 5)]
    """
    found: list[Span] = []
    offset = 0
    waiting = list(reversed(inner))
    for start, stop in spans:
        while waiting and waiting[-1][1] <= stop:
            first, last = waiting.pop()
            found.append((first - start + offset, last - start + offset))
        offset += stop - start
    assert not waiting, f"{inner} is not within {spans}"
    return found


def grouped(keys: Sequence[K]) -> dict[K, list[int]]:
    """The members of a batch by key, keys in the order of their first member.

    >>> grouped("abca")
    {'a': [0, 3], 'b': [1], 'c': [2]}
    """
    found: dict[K, list[int]] = {}
    for member, key in enumerate(keys):
        found.setdefault(key, []).append(member)
    return found


def within(options: Options, limit: int | None) -> bool:
    """Whether few enough tokens are permitted for the grammar to be used at this step."""
    return limit is None or options.permitted.size < limit


def within_limit(options: Sequence[Options], limit: int | None) -> dict[Options | None, list[int]]:
    """Members by options; the key None has those to which the grammar is not applied."""
    return grouped([choice if within(choice, limit) else None for choice in options])
