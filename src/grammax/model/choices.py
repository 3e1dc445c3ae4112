"""`Choices`: what competes at the steps of a batch, as arrays for one call of the output layer.

In: `Options` and a target for each step at which there is a choice. Out: *few*, the steps with a
small set of rows, as columns of one matrix that has each row of the batch once; and *many*, the
steps with large sets, grouped by set. No PyTorch: worker processes prepare them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from grammax.head.protocol import Options
from grammax.head.rows import grouped, positions_of
from grammax.vocabulary import Span

Ints = NDArray[np.int64]
A = TypeVar("A")  # arrays where they are prepared, tensors where they are used

FEW: Final = 256  # rows up to which a set of rows is one of few


class FewRows(NamedTuple, Generic[A]):
    """Members with small sets: m of them, at most w rows each, u different rows in all."""

    members: A  # (m)
    rows: A  # (u), ascending
    columns: A  # (m, w): the places of a member's rows among `rows`, padded with -1
    wanted: A  # (m): the column of the target


class ManyRows(NamedTuple, Generic[A]):
    """Members with large sets, those of a set together."""

    members: A  # (m)
    wanted: A  # (m): the place of the target when the rows of its set are laid end to end
    sets: list[tuple[tuple[Span, ...], int]]  # permitted rows, and how many members have them


class Choices(NamedTuple, Generic[A]):
    """The choices of a batch; each of its members is in one of the two parts."""

    members: int
    few: FewRows[A] | None
    many: ManyRows[A] | None


def choices(
    options: Sequence[Options], targets: Sequence[int], end: int, few: int = FEW
) -> Choices[Ints]:
    """The choices with these options and targets; `end` is the row of the end."""
    small = [member for member, choice in enumerate(options) if choice.permitted.size <= few]
    large = [member for member, choice in enumerate(options) if choice.permitted.size > few]
    return Choices(
        len(options),
        _few(small, options, targets, end) if small else None,
        _many(large, options, targets, end) if large else None,
    )


def _few(
    members: list[int], options: Sequence[Options], targets: Sequence[int], end: int
) -> FewRows[Ints]:
    each = [options[member].ids(end) for member in members]
    lengths = np.array([len(ids) for ids in each])
    rows, places = np.unique(np.concatenate(each), return_inverse=True)
    columns = np.full((len(each), lengths.max()), -1, np.int64)
    columns[np.arange(columns.shape[1]) < lengths[:, None]] = places
    chosen = np.searchsorted(rows, [targets[member] for member in members])
    wanted = (columns == chosen[:, None]).argmax(1)
    return FewRows(np.array(members), rows, columns, wanted)


def _many(
    members: list[int], options: Sequence[Options], targets: Sequence[int], end: int
) -> ManyRows[Ints]:
    groups = grouped([options[member].spans(end) for member in members])
    order = [members[place] for places in groups.values() for place in places]
    wanted = [
        positions_of(spans, [(targets[members[place]], targets[members[place]] + 1)])[0][0]
        for spans, places in groups.items()
        for place in places
    ]
    sets = [(spans, len(places)) for spans, places in groups.items()]
    return ManyRows(np.array(order), np.array(wanted), sets)


def arrays(values: Any) -> Iterator[NDArray[Any]]:
    """The arrays in nested named tuples, in their order."""
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from arrays(value)


def with_tensors(values: Any, tensors: Iterator[Any]) -> Any:
    """The same named tuples with tensors in place of their arrays, which are taken in order."""
    return type(values)(*(_with_tensor(value, tensors) for value in values))


def _with_tensor(value: Any, tensors: Iterator[Any]) -> Any:
    if isinstance(value, np.ndarray):
        return next(tensors)
    return with_tensors(value, tensors) if isinstance(value, tuple) else value
