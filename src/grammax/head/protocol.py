"""The interface of a head: a hidden vector and `Options` in, `Scores` out.

**The end of a sentence** has its own row, by default after the tokens: in an output layer of V + 1
rows, it is row V. It competes only where the grammar lets the sentence end *or* continue. Where
nothing may follow, the sentence ends without scoring, so a grammar that always forces the end needs
no such row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from grammax.errors import GrammaxError
from grammax.vocabulary import Ids, Permitted, Span, merge_spans
from grammax.vocabulary.rows import Rows

Vector = TypeVar("Vector", contravariant=True)

# An id and its log-probability among the rows that competed with it.
Candidate = tuple[int, float]


class HeadError(GrammaxError):
    """An output layer that does not fit the vocabulary or the grammar."""


class NoEndRow(HeadError):
    """A sentence may end or continue, and the output layer has no row for the end."""

    def __init__(self) -> None:
        super().__init__(
            "the sentence may end here or go on, and the output layer has no row for the end. Give "
            "it one row more than the vocabulary has tokens: the last row is the end's."
        )


class Options(NamedTuple):
    """The competitors at a step: the permitted tokens, and the end if the sentence may end.

    Under a grammar over sub-words the permitted are `Rows`, the id of the end among them.
    """

    permitted: Permitted | Rows
    may_end: bool = False

    @property
    def narrowed(self) -> bool:
        """Whether the rows are a query's own: few, scattered, and not permitted a second time."""
        return isinstance(self.permitted, Permitted) and self.permitted.rows is not None

    def spans(self, end: int | None) -> tuple[Span, ...]:
        """The rows that compete, in ascending order; `end` is the end's row."""
        spans = self.permitted.spans
        if not self.may_end:
            return spans
        if end is None:
            raise NoEndRow
        if spans and spans[-1][1] == end:
            return (*spans[:-1], (spans[-1][0], end + 1))
        if spans and spans[-1][1] > end:  # a model that has it elsewhere
            return merge_spans((*spans, (end, end + 1)))
        return (*spans, (end, end + 1))

    def ids(self, end: int | None) -> Ids:
        """The ids of the rows that compete, in ascending order."""
        ids = self.permitted.ids
        if not self.may_end:
            return ids
        if end is None:
            raise NoEndRow
        if len(ids) and ids[-1] > end:
            return np.insert(ids, np.searchsorted(ids, end), end)
        return np.append(ids, end)


class Scores(Protocol):
    """The scores of one hidden vector."""

    @property
    def size(self) -> int:
        """The number of rows multiplied."""

    def best(self, count: int, among: Sequence[Span] | None = None) -> list[Candidate]:
        """The best `count` ids, best first; fewer if fewer compete.

        `among` restricts the choice to some of the rows; log-probabilities do not change.
        """


class Group(Protocol):
    """The scores of the hidden vectors at `members` of a batch, which have equal options."""

    @property
    def members(self) -> Sequence[int]: ...

    def best(self, count: int) -> list[list[Candidate]]:
        """The best `count` ids of each member."""

    def member(self, row: int) -> Scores:
        """The scores of the member `members[row]`."""


class Head(Protocol[Vector]):
    """An output layer under a grammar. Its scores equal those of `EveryRow` for the same rows."""

    @property
    def tokens(self) -> int:
        """The number of rows that are tokens: the size of the vocabulary."""

    @property
    def end(self) -> int | None:
        """The id of the end, if it has a row."""

    @property
    def memory_bytes(self) -> int:
        """Memory beyond the model's own weights."""

    def scores(self, hidden: Vector, options: Options) -> Scores:
        """The scores of one hidden vector, of shape (d)."""

    def scores_of(self, hidden: Vector, options: Sequence[Options]) -> Sequence[Group]:
        """The scores of a batch of shape (n, d), each member with its own options."""
