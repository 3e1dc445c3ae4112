"""What a data store can tell of one row, and of the numbers of a column.

>>> [part.low for part in (Part(None, 10.0, 3), Part(10.0, 20.0, 4))]
[None, 10.0]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, final, runtime_checkable

from grammax.errors import GrammaxError
from grammax.language.answer import Cell, Column
from grammax.language.domain import Tokens


class NotNumeric(GrammaxError):
    """A distribution of a column that has no numbers."""

    def __init__(self, label: str, numeric: str) -> None:
        super().__init__(
            f"{label!r} has no numbers. Columns with numbers: {numeric or 'there are none'}."
        )
        self.hint = "Give the number of a column with numbers, or the field that it shows."


class TooManyRows(GrammaxError):
    """An answer with more rows than are read for a distribution."""

    def __init__(self, most: int) -> None:
        super().__init__(f"The answer has more than {most:,} rows; that is the most permitted.")
        self.hint = "Add a condition, or group the rows."


class Known(NamedTuple):
    """A column and the value of one row."""

    column: Column
    value: Cell


class Group(NamedTuple):
    """Values of one row that are shown together."""

    title: str
    values: tuple[Known, ...]


class Peers(NamedTuple):
    """The rows that are most like one row.

    `tokens` are the logical form that lists all of them, of which there are `total`, with the row
    itself. The first of the columns are those that identify and name a row.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    tokens: Tokens
    total: int | None


class RowPage(NamedTuple):
    """One row with its values and its peers."""

    key: str
    name: str
    groups: tuple[Group, ...]
    peers: Peers | None


@final
@dataclass(frozen=True, slots=True)
class Part:
    """How many numbers are at least `low` and below `high`; None: however low, or high."""

    low: float | None
    high: float | None
    count: int


class Distribution(NamedTuple):
    """The numbers of a column: how many of them are in which part of their range."""

    column: Column
    parts: tuple[Part, ...]
    low: float | None
    high: float | None
    median: float | None
    known: int
    missing: int
    logarithmic: bool


@runtime_checkable
class OpensRows(Protocol):
    """A data store that shows single rows, and the distribution of a column."""

    def row(self, key: str, limit: int, seconds: float) -> RowPage | None:
        """The row with a key and at most `limit` peers; None if there is no such row."""

    def distribution(self, tokens: Tokens, column: int | str, seconds: float) -> Distribution:
        """The distribution of a column over all rows of an answer.

        Raises `NoSuchColumn` or `NotNumeric` if there is no such column of numbers, and
        `TooManyRows` if they would take too much memory.
        """
