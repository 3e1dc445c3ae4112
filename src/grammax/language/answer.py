"""`Answer`: the denotation of a logical form, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias, final, runtime_checkable

from grammax.errors import GrammaxError

Tokens = tuple[str, ...]
ANSWER_SECONDS: Final = 10.0

Cell: TypeAlias = "str | float | tuple[str, ...] | None"
"""A text, a number, several texts, or None if the value is unknown."""


class AnswerTooSlow(GrammaxError):
    """An answer that was stopped at its time limit."""


class Column(NamedTuple):
    """A column of an answer."""

    label: str
    field: str | None = None  # the token of the field that it shows, if it shows one
    type: str = "text"  # "text", or a number type of the domain, such as "money"
    unit: str | None = None
    synthetic: bool = False  # generated data; must be marked where it is shown


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of an answer, in order.

    `rows` are for display; `token_rows` are the same rows with enum values as tokens. `total` is
    the number of rows without a limit, if known; `more` says whether there are more rows than
    these. `notes` are plain sentences on what was left out, how rows are sorted, and what there is
    no data of. The rows of a `summary` are groups, with their aggregates.

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

    def answer(self, tokens: Tokens, limit: int, seconds: float = ANSWER_SECONDS) -> Answer:
        """The answer to a logical form, at most `limit` rows.

        Raises `AnswerTooSlow` if it takes longer than `seconds`.
        """

    def same(self, one: Tokens, other: Tokens) -> bool:
        """Whether two logical forms have the same answer. Two empty answers are not the same."""


@runtime_checkable
class ShowsSql(Protocol):
    """A data store that shows its queries as SQL."""

    def sql(self, tokens: Tokens) -> str:
        """The query of a logical form as SQL, for a person to read."""
