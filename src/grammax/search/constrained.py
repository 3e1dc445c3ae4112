"""`ConstrainedState`: a state of a constraint over sub-words and the remaining budget.

The end is an id among the rows, so a text ends where it was read. No kinds decide which rows fit
the budget: where the best one does not, the others are tried in the order of their scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar, final

from grammax.head.protocol import Options
from grammax.vocabulary.rows import Rows

if TYPE_CHECKING:
    from grammax.subwords.protocol import Constraint

C = TypeVar("C")

_NONE: Final = Rows.from_spans(())


@final
class ConstrainedState(Generic[C]):
    """A state of a constraint and the number of ids left of the budget. An immutable value.

    Where the constraint does not know how many ids a completion needs, a search may find no end
    within the budget; then it raises `BudgetTooShort`.
    """

    __slots__ = ("_permitted", "complete", "constraint", "left", "state")

    end = None
    may_end = False

    def __init__(self, constraint: Constraint[C], state: C, left: int) -> None:
        self.constraint = constraint
        self.state = state
        self.left = left
        self.complete = constraint.is_done(state)
        self._permitted: Rows | None = None

    @property
    def permitted(self) -> Rows:
        """The ids that may come next, asked for once; many states are only tried."""
        if self._permitted is None:
            self._permitted = _NONE if self.complete else self.constraint.rows(self.state)
        return self._permitted

    @property
    def read_end(self) -> bool:
        """Whether the id before was the end."""
        return self.complete

    @property
    def size(self) -> int:
        """The number of permitted ids."""
        return self.permitted.size

    def options(self) -> Options:
        """The competitors here."""
        return Options(self.permitted)

    def after(self, token: int) -> ConstrainedState[C] | None:
        """The state after an id; None if the constraint or the budget does not allow it."""
        if token not in self.permitted:  # of a head that scores other rows too
            return None
        state = self.constraint.advance(self.state, token)
        after = ConstrainedState(self.constraint, state, self.left - 1)
        return after if after._fits() else None

    def run_ahead(self) -> tuple[list[int], ConstrainedState[C]]:
        """The forced ids from here to the next choice, and the state after them."""
        advance, state = self.constraint.advance, self.state
        forced = list(self.constraint.forced(state)[: self.left]) if not self.complete else []
        if not forced:
            return forced, self
        for token in forced:
            state = advance(state, token)
        return forced, ConstrainedState(self.constraint, state, self.left - len(forced))

    def fitting(self) -> None:
        """None: no kinds decide which rows fit the budget."""

    def texts(self, ids: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        """None: the text of ids is known to their tokenizer."""
        return ()

    def _fits(self) -> bool:
        needed = 0 if self.complete else self.constraint.needed(self.state)
        return (1 if needed is None else needed) <= self.left
