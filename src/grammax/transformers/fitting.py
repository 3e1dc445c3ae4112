"""`Fitting`: the rows of a constraint from which the text can still end within a budget."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, final

from grammax.search.result import BudgetTooShort
from grammax.subwords.protocol import Constraint
from grammax.transformers.errors import UnsupportedOption
from grammax.vocabulary.rows import Rows

LARGE = 2_000  # rows, each of which is tried only where the budget may run out
ROOM = 256  # tokens beyond four times what is needed, with which it cannot
REMEMBERED = 100_000  # states
METHODS = ("size", "start", "rows", "advance", "forced", "is_done")  # of every constraint


@final
class Fitting:
    """A constraint, and how many tokens its texts may still have. Mutable: it remembers states.

    Where the constraint does not know how many tokens it needs, all its rows fit.
    """

    def __init__(self, constraint: Constraint[Any]) -> None:
        self.constraint: Final = constraint
        known: Callable[[Any], int | None] | None = getattr(constraint, "needed", None)
        self._needed = known
        self._longest: dict[Hashable, int] = {}

    def needed(self, state: Any) -> int | None:
        """The length of a completion that is known to exist, the end included."""
        return None if self._needed is None else self._needed(state)

    def check(self, state: Any, left: int) -> None:
        """Raise `BudgetTooShort` if no completion is known to fit."""
        needed = self.needed(state)
        if needed is not None and needed > left:
            raise BudgetTooShort(left, needed)

    def rows(self, state: Any, left: int) -> Rows:
        """The rows after which `left - 1` further tokens are enough; `BudgetTooShort` if none."""
        rows = self.constraint.rows(state)
        needed = self.needed(state)
        if needed is None:
            return rows
        if needed > left:
            raise BudgetTooShort(left, needed)
        if rows.size > LARGE and left >= 4 * needed + ROOM:
            return rows  # a longer jump than that is noticed after it: see `check`
        if self._longest_after(state, rows) <= left:
            return rows
        return Rows.from_ids([row for row in rows if self._after(state, row) <= left])

    def _longest_after(self, state: Any, rows: Rows) -> int:
        """The largest number of tokens that is needed from here if one of the rows is taken."""
        try:
            found = self._longest.get(state)
        except TypeError:  # a state that is no key is not remembered
            return max(self._after(state, row) for row in rows)
        if found is None:
            found = max((self._after(state, row) for row in rows), default=0)
            if len(self._longest) >= REMEMBERED:
                self._longest.clear()
            self._longest[state] = found
        return found

    def _after(self, state: Any, row: int) -> int:
        assert self._needed is not None
        return 1 + (self._needed(self.constraint.advance(state, row)) or 0)


def each(constraint: Constraint[Any] | Sequence[Constraint[Any]]) -> list[Fitting]:
    """One constraint, or one per sequence; equal ones share what they remember."""
    given = list(constraint) if isinstance(constraint, Sequence) else [constraint]
    for one in given:
        missing = [name for name in METHODS if not hasattr(one, name)]
        if missing:
            raise UnsupportedOption(
                f"{type(one).__name__} has no {', '.join(missing)}, so it is no constraint. "
                f"grammax.subwords.constraint(automaton, tokenizer) makes one, and from_xgrammar "
                f"and from_llguidance make one of a matcher."
            )
    made = {id(one): Fitting(one) for one in given}
    return [made[id(one)] for one in given]
