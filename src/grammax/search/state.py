"""`DecodingState`: a state of the grammar and the remaining budget, and the choices there.

A token is taken only if the shortest completion after it fits the remaining budget. The head's best
token is tried first, so the grammar is asked about one token per step; only if that token does not
fit are all permitted kinds tried. The budget does not change probabilities: everything that the
grammar permits competes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, final

from grammax.automaton.protocol import Automaton
from grammax.errors import TokenNotPermitted
from grammax.head.protocol import Candidate, Head, HeadError, NoEndRow, Options, Scores
from grammax.search.result import BudgetTooShort, Ending, NoScore
from grammax.vocabulary import Permitted, Span, merge_spans

S = TypeVar("S")


@final
class DecodingState(Generic[S]):
    """A state of an automaton and the number of tokens left of the budget. An immutable value.

    `needed` is the fewest tokens to a complete sentence, never more than `left`.
    """

    __slots__ = ("automaton", "left", "may_end", "needed", "permitted", "state")

    def __init__(
        self, automaton: Automaton[S], state: S, left: int, needed: int, may_end: bool
    ) -> None:
        self.automaton = automaton
        self.state = state
        self.left = left
        self.needed = needed
        self.may_end = may_end
        self.permitted: Permitted = automaton.next_tokens(state)

    @property
    def complete(self) -> bool:
        """Whether nothing may follow."""
        return not self.permitted.size

    @property
    def forced(self) -> int | None:
        """The only permitted token, unless the sentence may end instead."""
        return None if self.may_end else self.permitted.forced

    def options(self, end: int | None) -> Options:
        """The competitors here; `end` is the head's row for the end of the sentence."""
        if self.may_end and end is None:
            raise NoEndRow
        return Options(self.permitted, self.may_end)

    def after(self, token: int) -> DecodingState[S] | None:
        """The state after a token; None if the grammar or the budget does not allow it."""
        automaton = self.automaton
        try:
            state = automaton.pass_token(self.state, token)
        except TokenNotPermitted:
            return None
        needed, left = automaton.tokens_to_accept(state), self.left - 1
        return None if needed > left else DecodingState(automaton, state, left, needed, not needed)

    def after_forced(self, token: int) -> DecodingState[S]:
        """The state after the only permitted token, which always fits the budget."""
        state = self.automaton.pass_token(self.state, token)
        # `needed` is 0 here only before the first token, where a sentence may not be empty.
        needed = self.needed - 1 if self.needed else self.automaton.tokens_to_accept(state)
        return DecodingState(self.automaton, state, self.left - 1, needed, not needed)

    def run_ahead(self) -> tuple[list[int], DecodingState[S]]:
        """The forced tokens from here to the next choice, and the state after them."""
        state, forced = self, []
        while (token := state.forced) is not None:
            forced.append(token)
            state = state.after_forced(token)
        return forced, state

    def fitting(self, end: int | None) -> list[Span]:
        """The permitted rows that fit the budget."""
        spans = self.automaton.vocabulary.spans
        kinds = [k for k in self.permitted.kind_numbers if self.after(spans(k)[0][0])]
        rows = self.permitted.among(kinds)
        if self.may_end and end is not None:
            return list(merge_spans([*rows, (end, end + 1)]))
        return list(rows)


class Choice(NamedTuple):
    """A token and the state after it; the end of the sentence has neither."""

    token: int | None
    log_probability: float
    state: DecodingState[Any] | None
    ending: Ending | None = None


def initial_state(automaton: Automaton[S], head: Head[Any], budget: int) -> DecodingState[S]:
    """The state before the first token, where a sentence may not end: results are not empty."""
    vocabulary = automaton.vocabulary
    if head.tokens != len(vocabulary):
        raise HeadError(
            f"the head is for {head.tokens:,} tokens, and the grammar's vocabulary has "
            f"{len(vocabulary):,}. They must be of the same vocabulary, rows in its order."
        )
    state = automaton.start
    needed = automaton.tokens_to_accept(state)
    if needed > budget or not (needed or any(length <= budget for length in _lengths(automaton))):
        raise BudgetTooShort(budget, needed or min(_lengths(automaton), default=None))
    return DecodingState(automaton, state, budget, needed, may_end=False)


def choose(
    state: DecodingState[Any],
    scores: Scores,
    end: int | None,
    count: int,
    listed: Sequence[Candidate] | None = None,
) -> list[Choice]:
    """The best `count` choices that fit, best first; `listed` is the head's best if known."""
    if listed is None:
        listed = scores.best(count)
    found = _fitting(state, listed, end, "chosen")
    if len(found) < count and len(listed) == count:
        among = state.fitting(end)
        if not among:  # what a query permits may need more than the shortest sentence does
            raise BudgetTooShort(state.left, None)
        only_the_end = among == [(end, end + 1)] if end is not None else False
        ending: Ending = "budget" if only_the_end and not found else "chosen"
        found = _fitting(state, scores.best(count, among), end, ending)
    if not found:
        raise NoScore(state.permitted.size)
    return found


def _lengths(automaton: Automaton[Any]) -> Iterator[int]:
    """For each kind that may come first, the length of the shortest sentence with it."""
    for kind in automaton.next_tokens(automaton.start).kind_numbers:
        first = automaton.vocabulary.spans(kind)[0][0]
        yield 1 + automaton.tokens_to_accept(automaton.pass_token(automaton.start, first))


def _fitting(
    state: DecodingState[Any], listed: Sequence[Candidate], end: int | None, ending: Ending
) -> list[Choice]:
    found = []
    for token, log_probability in listed:
        if token == end:
            if state.may_end:
                found.append(Choice(None, log_probability, None, ending))
            continue
        after = state.after(token)
        if after is not None:
            found.append(Choice(token, log_probability, after))
    return found
