"""What can go wrong in a search.

SearchError
├── BudgetTooShort   no sentence of the grammar is that short
└── NoScore          a head gave nothing to choose from: NaN, mostly
"""

from __future__ import annotations

from grammax.errors import GrammaxError


class SearchError(GrammaxError):
    """A search that cannot end in a sentence."""


class BudgetTooShort(SearchError):
    """No sentence fits `budget` tokens; the shortest has `needed`, None if only the empty one is.

    >>> raise BudgetTooShort(3, 6)
    Traceback (most recent call last):
    ...
    grammax.search.errors.BudgetTooShort: no sentence of the grammar fits a budget of 3 tokens: \
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
    """No permitted token has a score to choose by."""
