"""`Answer`: the denotation of a logical form, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias, final, runtime_checkable

from grammax.errors import GrammaxError

Tokens = tuple[str, ...]
ANSWER_SECONDS: Final = 10.0

Cell: TypeAlias = "str | float | tuple[str, ...] | None"
"""A text, a number, several texts, or None if the value is unknown."""


class AnswerTooSlow(GrammaxError):
    """An answer that was stopped at its time limit."""


class NoSuchColumn(GrammaxError):
    """An answer was to be sorted by a column that it does not have."""

    def __init__(self, given: int | str, columns: Sequence[str]) -> None:
        self.given, self.columns = given, tuple(columns)
        listed = ", ".join(f"{index} ({name})" for index, name in enumerate(columns))
        super().__init__(
            f"The answer cannot be sorted by {given!r}: it has no such column. "
            f"Its columns are {listed or 'none'}."
        )
        self.hint = "Sort by the number of a column, from 0, or by the field that it shows."


class Sort(NamedTuple):
    """An order of all rows by one column, given by its number or by the token of its field."""

    column: int | str
    descending: bool = False


class View(NamedTuple):
    """The part of an answer that is shown.

    Without a `sort` the rows have the order of the logical form. `offset` is the number of rows
    that are left out at the beginning. `defaults` adds the domain's default columns to an answer
    that would show no number.
    """

    offset: int = 0
    sort: Sort | None = None
    defaults: bool = False


BEGINNING: Final = View()


class Column(NamedTuple):
    """A column of an answer."""

    label: str
    field: str | None = None  # the token of the field that it shows, if it shows one
    type: str = "text"  # "text", or a number type of the domain, such as "money"
    unit: str | None = None
    synthetic: bool = False  # generated data; must be marked where it is shown
    default: bool = False  # shown although the logical form does not mention it


class Without(NamedTuple):
    """A condition that a logical form could do without, and the rows that then remain."""

    condition: str  # in English
    tokens: Tokens  # the logical form without the condition; empty if nothing is left
    remaining: int
    has_data: bool = True  # whether any row has a value that the condition could be about
    alone: int | None = None  # rows that satisfy this condition alone, if nothing else helps
    alone_tokens: Tokens = ()  # the logical form with this condition alone


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of an answer, in order.

    `rows` are for display; `token_rows` are the same rows with enum values as tokens. `total` is
    the number of rows without a limit, if known; `more` says whether there are more rows after
    these. `notes` are plain sentences on what was left out, how rows are sorted, and what there is
    no data of. The rows of a `summary` are groups, with their aggregates. `diagnosis` says of an
    empty answer which conditions remove everything. `key` is the number of the column that
    identifies a row, if single rows can be opened.

    >>> answer = Answer((Column("Title"), Column("Year", "FLD_YEAR", "count")), (("Alien", 1979),))
    >>> len(answer), answer.synthetic, answer.token_rows == answer.rows
    (1, False, True)
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    token_rows: tuple[tuple[Cell, ...], ...] = ()
    total: int | None = None
    more: bool = False
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    summary: bool = False
    diagnosis: tuple[Without, ...] = ()
    key: int | None = None

    def __post_init__(self) -> None:
        if not self.token_rows:
            object.__setattr__(self, "token_rows", self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def synthetic(self) -> bool:
        """Whether any column holds generated data."""
        return any(column.synthetic for column in self.columns)


class Answers(Protocol):
    """An open data store that answers logical forms; threads may share it."""

    @property
    def instant(self) -> bool:
        """Whether an answer takes a millisecond or so, so that another thread would not help."""

    def answer(
        self,
        tokens: Tokens,
        limit: int,
        seconds: float = ANSWER_SECONDS,
        view: View = BEGINNING,
    ) -> Answer:
        """The answer to a logical form, at most `limit` rows.

        Raises `AnswerTooSlow` if it takes longer than `seconds`, and `NoSuchColumn` if it has no
        column to be sorted by.
        """

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether two logical forms have the same answer. Two empty answers are not the same."""


class Spread(NamedTuple):
    """How the stored numbers of a field are spread: their percentiles 5, 50 and 95."""

    low: float
    middle: float
    high: float


@runtime_checkable
class KnowsSpreads(Protocol):
    """A data store that knows how the numbers of its fields are spread."""

    def spread(self, token: str, seconds: float = ANSWER_SECONDS) -> Spread | None:
        """The spread of a field, computed once; None if it has no numbers, or takes too long."""


@runtime_checkable
class ShowsSql(Protocol):
    """A data store that shows its queries as SQL."""

    def sql(self, tokens: Tokens, view: View = BEGINNING) -> str:
        """The query of a logical form as SQL, for a person to read, with the order and the columns
        of a view and all rows.
        """


def column_index(wanted: int | str, fields: Sequence[str | None], labels: Sequence[str]) -> int:
    """The number of the column to sort by; raises `NoSuchColumn`.

    >>> column_index("FLD_YEAR", [None, "FLD_YEAR"], ["Title", "Year"])
    1
    """
    if isinstance(wanted, str):
        if wanted in fields:
            return fields.index(wanted)
    elif 0 <= wanted < len(fields):
        return wanted
    named = [field or label for field, label in zip(fields, labels, strict=True)]
    raise NoSuchColumn(wanted, named)
