"""`Decoded`, the result of a search, and the errors that a search raises.

SearchError
├── NotCompiled      a grammar that is neither an automaton nor a constraint
├── BudgetTooShort   no sentence of the grammar is that short
├── NoScore          a head gave nothing to choose from, usually because of NaN
└── QueriesFailed    some queries of a batch failed; it has the results of the others
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from grammax.errors import GrammaxError
from grammax.search.protocol import Run, runs

T = TypeVar("T")

# forced: nothing could follow; chosen: by the model; budget: no continuation fitted the budget.
Ending = Literal["forced", "chosen", "budget"]


@dataclass(frozen=True, slots=True)
class Decoded:
    """A sentence, its log-probability, and its cost.

    `permitted` and `scored` have one entry per id, and one more if the end was scored: the number
    of tokens that the grammar permitted there, and of rows multiplied (0 if forced). `tokens` are
    those of the ids, unless ids are slots that a query fills: then `lengths` has, for each id, the
    number of tokens that it stands for. Under a constraint over sub-words `ids` have the id of the
    end, as those of a language model, and there are no `tokens`: its tokenizer knows the text.
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    log_probability: float  # under the grammar: among the permitted tokens
    permitted: tuple[int, ...]
    scored: tuple[int, ...]
    ending: Ending
    lengths: tuple[int, ...] | None = None

    def runs(self, decisions_only: bool) -> list[Run]:
        """The runs that a decoder reads, step by step."""
        return runs(zip(self.ids, map(bool, self.scored), strict=False), decisions_only)

    def written(self, tokens: tuple[str, ...], lengths: tuple[int, ...]) -> Decoded:
        """The same with the tokens that are written for its ids, so many for each."""
        return Decoded(
            self.ids,
            tokens,
            self.log_probability,
            self.permitted,
            self.scored,
            self.ending,
            lengths,
        )

    def per_token(
        self, values: Sequence[T], rest: Callable[[T], T] = lambda value: value
    ) -> list[T]:
        """Values of ids as values of tokens: those of a slot's further tokens are `rest` of it."""
        if self.lengths is None or self.lengths.count(1) == len(self.lengths):
            return list(values)
        found: list[T] = []
        for value, length in zip(values, self.lengths, strict=False):
            if length:
                found.append(value)
            if length > 1:
                found += [rest(value)] * (length - 1)
        return [*found, *values[len(self.lengths) :]]

    def __str__(self) -> str:
        return " ".join(self.tokens)


class SearchError(GrammaxError):
    """A search that cannot produce a sentence."""


class NotCompiled(SearchError):
    """What was given as a grammar is neither an automaton nor a constraint over sub-words."""

    def __init__(self, given: object) -> None:
        super().__init__(
            f"{type(given).__name__} is neither an automaton nor a constraint over sub-words. "
            f"A grammar is compiled first: grammax.exact(grammar)."
        )


class BudgetTooShort(SearchError):
    """No sentence fits `budget` tokens.

    The shortest has `needed` tokens; None if the empty sentence is the only one. With `spent`, the
    budget is what was left of it where no permitted token led to an end in time.

    >>> raise BudgetTooShort(3, 6)
    Traceback (most recent call last):
    ...
    grammax.search.result.BudgetTooShort: no sentence of the grammar fits a budget of 3 tokens: \
the shortest that is not empty has 6. Give a budget of 6 or more.
    """

    def __init__(self, budget: int, needed: int | None, *, spent: bool = False) -> None:
        self.budget = budget
        self.needed = needed
        if spent:
            super().__init__(
                f"no permitted token leads to an end within the {budget} tokens that are left of "
                f"the budget. Give a larger budget."
            )
            return
        if needed is None:
            reason = "its only sentence is the empty one. Check the grammar."
        else:
            reason = (
                f"the shortest that is not empty has {needed}. Give a budget of {needed} or more."
            )
        super().__init__(f"no sentence of the grammar fits a budget of {budget} tokens: {reason}")


class NoScore(SearchError):
    """No permitted token has a usable score."""

    def __init__(self, permitted: int) -> None:
        super().__init__(
            f"none of the {permitted:,} permitted tokens has a score: the model gives NaN or -inf. "
            f"Its weights, or its hidden vector, are damaged."
        )


class QueriesFailed(SearchError):
    """Some queries of a batch have no result. The others do, and they are in `found`.

    `found` has one entry per query, in their order: the result, or the error of that query alone.
    `errors` are the errors by the index of their query.
    """

    def __init__(self, found: Sequence[Any]) -> None:
        self.found = list(found)
        self.errors = {n: one for n, one in enumerate(found) if isinstance(one, SearchError)}
        first = min(self.errors)
        super().__init__(
            f"{len(self.errors)} of the {len(found)} queries of a batch failed, first the one with "
            f"index {first}: {self.errors[first]} The results of the others are in this error's "
            f"`found`."
        )


def all_found(found: Sequence[T | SearchError]) -> list[T]:
    """The results of a batch; raises `QueriesFailed` if some of them are errors."""
    results = [one for one in found if not isinstance(one, SearchError)]
    if len(results) < len(found):
        raise QueriesFailed(found)
    return results


def found_or_errors(search: Callable[[], Sequence[T]], queries: int) -> list[T | SearchError]:
    """The results of a search of some queries, with the error of each that failed in its place."""
    try:
        return list(search())
    except QueriesFailed as failed:
        return failed.found
    except SearchError as error:
        if queries != 1:
            raise
        return [error]
