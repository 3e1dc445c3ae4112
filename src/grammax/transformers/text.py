"""`Text`: a sequence that grows under a constraint, always up to its next choice."""

from __future__ import annotations

from typing import Any, final

from grammax.transformers.fitting import Fitting
from grammax.vocabulary.rows import Rows


@final
class Text:
    """The ids written so far, and those of them that the model has not read. Mutable.

    `rows` is what may come next; None where nothing is to be chosen: the end was read, or the
    budget is used up. Trying whether each of them leaves enough of the budget takes 0.5 ms where
    there are 60,000 names; where the best alone is wanted, `checks_later` has that done for what
    was chosen.
    """

    __slots__ = (
        "budget",
        "checks_later",
        "fitting",
        "ids",
        "is_done",
        "member",
        "rows",
        "state",
        "unread",
    )

    def __init__(
        self, member: int, fitting: Fitting, budget: int, prompt: list[int], checks_later: bool
    ) -> None:
        self.checks_later = checks_later
        self.member = member
        self.fitting = fitting
        self.budget = budget
        self.ids: list[int] = []
        self.unread = prompt
        self.state: Any = fitting.constraint.start()
        self.is_done = False
        self.rows: Rows | None = None
        fitting.check(self.state, budget)
        self._run_ahead()

    def fitting_rows(self) -> Rows:
        """The rows after which the text can still end within the budget."""
        return self.fitting.rows(self.state, self.budget - len(self.ids))

    def fits(self, token: int) -> bool:
        """Whether the text can still end within the budget after a permitted id."""
        needed = self.fitting.needed(self.fitting.constraint.advance(self.state, token))
        return needed is None or len(self.ids) + 1 + needed <= self.budget

    def take(self, token: int) -> None:
        """Write a chosen id, and those that are forced after it."""
        self._write(token)
        self._run_ahead()

    def read(self, length: int) -> list[int]:
        """The next ids that the model reads, at most so many."""
        block, self.unread = self.unread[:length], self.unread[length:]
        return block

    def _run_ahead(self) -> None:
        """Write what is forced, up to a choice, the end, or the budget."""
        self.rows = None
        constraint = self.fitting.constraint
        while not self.is_done and len(self.ids) < self.budget:
            run = constraint.forced(self.state)
            if not run:
                rows = constraint.rows(self.state) if self.checks_later else self.fitting_rows()
                if rows.size != 1:
                    self.rows = rows
                    return
                run = tuple(rows)
            for token in run[: self.budget - len(self.ids)]:
                self._write(token)

    def _write(self, token: int) -> None:
        self.state = self.fitting.constraint.advance(self.state, token)
        self.ids.append(token)
        self.unread.append(token)
        self.is_done = self.fitting.constraint.is_done(self.state)
