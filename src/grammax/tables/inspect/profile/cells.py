"""Cells that are here, as tuples of Python values → `Facts`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from grammax.tables.inspect.description import Facts, ValueType

MOST_VALUES: Final = 50_000  # different texts that are listed
LONGEST_MEAN: Final = 60.0  # characters of listed texts, on average
EXAMPLES: Final = 200
_MOST_NUMBERS: Final = 100  # different numbers that are listed
_TEXT_SHOWN: Final = 200  # characters of a listed text


def facts_of(type_: ValueType, cells: Sequence[Any], rows: int) -> Facts:
    """The facts of a column, all of whose cells are given.

    >>> facts_of(ValueType.INTEGER, [3, 1, 3, None], 4).values
    (('3', 2), ('1', 1))
    """
    if type_ is ValueType.LIST:
        return facts_of_lists(cells, rows)
    return facts_of_counts(type_, Counter(cells), rows, examples_of(cells))


def facts_of_counts(
    type_: ValueType, found: Mapping[Any, int], rows: int, examples: tuple[str, ...]
) -> Facts:
    """The facts of a column, given how often each cell occurs; cells may be missing or unclean."""
    counts: Counter[Any] = Counter()
    for cell, n in found.items():
        known = clean(cell)
        if known is not None:
            counts[known] += n
    filled = counts.total()
    numbers = type_.is_number and all(isinstance(cell, int | float) for cell in counts)
    mean = (
        math.fsum(cell * n for cell, n in counts.items()) / filled if numbers and filled else None
    )
    mean_length = None
    if type_ is ValueType.TEXT and filled:
        mean_length = sum(len(str(cell)) * n for cell, n in counts.items()) / filled
    listed = is_listed(type_, len(counts), mean_length)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))) if listed else ()
    ends = list(counts) if numbers else [str(cell) for cell in counts]
    return Facts(
        type_, rows, rows - filled, len(counts), True,
        end(min(ends, default=None), numbers), end(max(ends, default=None), numbers),
        mean, mean_length,
        tuple((as_text(cell), n) for cell, n in ordered), listed, examples,
    )  # fmt: skip


def facts_of_lists(cells: Iterable[Any], rows: int) -> Facts:
    """The facts of a column whose cells are lists of texts; their items are counted."""
    known = [cell for cell in cells if cell is not None]
    counts = Counter(str(item) for items in known for item in items if item is not None)
    listed = len(counts) <= MOST_VALUES
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return Facts(
        ValueType.LIST, rows, rows - len(known), len(counts),
        values=tuple(ordered) if listed else (), complete=listed,
        examples=tuple(text for text, _ in ordered[:EXAMPLES]),
    )  # fmt: skip


def examples_of(cells: Iterable[Any]) -> tuple[str, ...]:
    """The different ones of the first known cells, as texts."""
    known = (cell for cell in map(clean, cells) if cell is not None)
    return tuple(dict.fromkeys(as_text(cell) for cell in islice(known, EXAMPLES)))


def clean(cell: Any) -> Any:
    """A cell as it is counted: not-a-number and empty texts are missing."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    if isinstance(cell, str):
        return cell if cell.strip() else None
    if isinstance(cell, bytes):
        return cell.decode("utf-8", errors="replace")
    return cell


def as_text(cell: Any) -> str:
    """A cell as it is listed."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell)


def end(cell: Any, numbers: bool) -> float | str | None:
    """The least or greatest value, as facts have it."""
    if cell is None:
        return None
    return float(cell) if numbers else str(cell)[:_TEXT_SHOWN]


def is_listed(type_: ValueType, distinct: int, mean_length: float | None) -> bool:
    """Whether the values of a column are listed, so that they can be asked by name."""
    if type_ is ValueType.TEXT:
        return distinct <= MOST_VALUES and (mean_length or 0) <= LONGEST_MEAN
    return distinct <= _MOST_NUMBERS
