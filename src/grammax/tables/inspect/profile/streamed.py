"""Facts of a table whose rows pass by once, counted here.

SQLite decodes a row for every aggregate of it, one row after the other: a pass that only fetches
the rows is several times quicker than one that aggregates them. Each column has a counter of its
values; a column with more different values than are listed goes on with its range, its mean, and an
estimate of their number (distinct sampling: P. Gibbons, VLDB 2001), in bounded memory.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, final
from zlib import crc32

import numpy as np

from grammax.tables.inspect.description import Facts, ValueType
from grammax.tables.inspect.profile.cells import (
    MOST_VALUES,
    clean,
    end,
    examples_of,
    facts_of_counts,
    facts_of_lists,
)
from grammax.tables.inspect.profile.columns import plain_table, sample_of
from grammax.tables.inspect.source import DataSource

_KEPT: Final = 1 << 15  # different values of the sample
_WHOLE: Final = 1 << 32
_UNIQUE: Final = 0.95  # of a sample, from which on the number of different values grows with it
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing


def streamed(
    source: DataSource, table: Any, types: Mapping[str, ValueType], rows: int, sampled: int | None
) -> dict[str, Facts]:
    """The facts of some columns of a table, of a sample of its rows if `sampled`."""
    plain = plain_table(table, types)
    part = sample_of(plain, sampled / rows if sampled else 1.0, source.connection.name)
    columns = {name: _Column(type_) for name, type_ in types.items()}
    for batch in source.batches(part):
        for column, cells in zip(columns.values(), zip(*batch, strict=True), strict=True):
            column.add(cells)
    return {name: column.facts(rows, bool(sampled)) for name, column in columns.items()}


@final
class _Column:
    """What was seen of a column so far."""

    def __init__(self, type_: ValueType) -> None:
        self._type, self._seen = type_, 0
        self._examples: tuple[str, ...] = ()
        self._counts: Counter[Any] | None = Counter()  # None: they are too many
        self._many = _Many(type_)
        self._lists: list[Any] = []

    def add(self, cells: Sequence[Any]) -> None:
        if not self._seen:
            self._examples = examples_of(cells)
        self._seen += len(cells)
        if self._type is ValueType.LIST:
            self._lists += cells[: MOST_VALUES - len(self._lists)]
        elif self._counts is None:
            self._many.add(cells)
        else:
            self._counts.update(cells)
            if len(self._counts) > MOST_VALUES + 1:  # missing cells count as one
                self._many.add([*self._counts.elements()])
                self._counts = None

    def facts(self, rows: int, sampled: bool) -> Facts:
        """The facts of a table with so many rows, all of which were seen unless `sampled`."""
        if self._type is ValueType.LIST:
            found = facts_of_lists(self._lists, self._seen)
        elif self._counts is None:
            found = self._many.facts(self._seen, self._examples)
        else:
            found = facts_of_counts(self._type, self._counts, self._seen, self._examples)
        if not sampled:
            return replace(found, rows=rows, nulls=max(0, rows - found.filled))
        times = rows / max(1, self._seen)
        unique = found.distinct > _UNIQUE * found.filled
        return replace(
            found, rows=rows, nulls=round(times * found.nulls), exact=False,
            distinct=round(times * found.distinct) if unique else found.distinct,
        )  # fmt: skip


@final
class _Many:
    """A column with many different values: they are estimated, not listed."""

    def __init__(self, type_: ValueType) -> None:
        self._type, self._known, self._total, self._numbers = type_, 0, 0.0, type_.is_number
        self._ends: list[Any] = []  # the least and the greatest
        self._kept: set[int] = set()
        self._below = _WHOLE  # hashes that are kept

    def add(self, cells: Sequence[Any]) -> None:
        known = self._cleaned(cells)
        if not known:
            return
        self._known += len(known)
        self._ends = [min((*self._ends, min(known))), max((*self._ends, max(known)))]
        self._total += math.fsum(known) if self._numbers else sum(map(len, known))
        self._keep(known)

    def _cleaned(self, cells: Sequence[Any]) -> list[Any]:
        """The known cells, all numbers or all texts; in this order, as most are clean."""
        types = {*map(type, cells)} - {type(None)}
        if self._numbers and types <= {int, float, bool}:
            known = [cell for cell in cells if cell is not None]
            return known if math.isfinite(sum(known)) else [*filter(math.isfinite, known)]
        if self._numbers:
            # SQLite keeps a text in a column of numbers, if it is put there.
            self._numbers, self._total, self._ends = False, 0.0, []
        if types <= {str}:
            texts = [*filter(None, cells)]
            if any(map(str.isspace, texts)):
                texts = [text for text in texts if not text.isspace()]
            return texts
        return [str(cell) for cell in map(clean, cells) if cell is not None]

    def _keep(self, known: Sequence[Any]) -> None:
        """Keep those whose hash is below a limit, which falls as they become too many."""
        signs = map(hash, known) if self._numbers else map(crc32, map(str.encode, known))
        mixed = np.fromiter(signs, np.int64, len(known)).view(np.uint64) * _MIX >> np.uint64(32)
        self._kept.update(mixed[mixed < self._below].tolist())
        while len(self._kept) > _KEPT:
            self._below >>= 1
            self._kept = {sign for sign in self._kept if sign < self._below}

    def facts(self, seen: int, examples: tuple[str, ...]) -> Facts:
        mean = self._total / self._known
        distinct = min(self._known, round(len(self._kept) * _WHOLE / self._below))
        return Facts(
            self._type, seen, seen - self._known, distinct, False,
            end(self._ends[0], self._numbers), end(self._ends[1], self._numbers),
            mean if self._numbers else None,
            mean if self._type is ValueType.TEXT else None,
            complete=False, examples=examples,
        )  # fmt: skip
