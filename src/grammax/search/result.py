"""`Decoded`, the result of a search, and the errors that a search raises.

SearchError
├── BudgetTooShort   no sentence of the grammar is that short
└── NoScore          a head gave nothing to choose from, usually because of NaN
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grammax.errors import GrammaxError
from grammax.search.protocol import Run, runs

# forced: nothing could follow; chosen: by the model; budget: no continuation fitted the budget.
Ending = Literal["forced", "chosen", "budget"]


@dataclass(frozen=True, slots=True)
class Decoded:
    """A sentence, its log-probability, and its cost.

    `permitted` and `scored` have one entry per token, and one more if the end was scored: the
    number of tokens that the grammar permitted there, and of rows multiplied (0 if forced).
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    log_probability: float  # under the grammar: among the permitted tokens
    permitted: tuple[int, ...]
    scored: tuple[int, ...]
    ending: Ending

    def runs(self, decisions_only: bool) -> list[Run]:
        """The runs that a decoder reads, step by step."""
        return runs(zip(self.ids, map(bool, self.scored), strict=False), decisions_only)

    def __str__(self) -> str:
        return " ".join(self.tokens)


class SearchError(GrammaxError):
    """A search that cannot produce a sentence."""


class BudgetTooShort(SearchError):
    """No sentence fits `budget` tokens.

    The shortest has `needed` tokens; None if the empty sentence is the only one.

    >>> raise BudgetTooShort(3, 6)
    Traceback (most recent call last):
    ...
    grammax.search.result.BudgetTooShort: no sentence of the grammar fits a budget of 3 tokens: \
the shortest that is not empty has 6. Give a budget of 6 or more.
    """

    def __init__(self, budget: int, needed: int | None) -> None:
        self.budget = budget
        self.needed = needed
        if needed is None:
            reason = "its only sentence is the empty one. Check the grammar."
        else:
            reason = (
                f"the shortest that is not empty has {needed}. Give a budget of {needed} or more."
            )
        super().__init__(f"no sentence of the grammar fits a budget of {budget} tokens: {reason}")


class NoScore(SearchError):
    """No permitted token has a usable score."""
