"""Where a sentence stands in its grammar and its budget, and what it may choose there.

The budget is kept as `assert_finishes` of the laws does it: a token is taken only if the fewest
tokens that then complete the sentence fit what is left. A head's best token is tried first, so the
grammar is asked about one token a step; only where that one does not fit is it asked about all
kinds. Probabilities do not know the budget: they are shared among all that the grammar permits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, final

from grammax.automaton.protocol import Automaton
from grammax.errors import TokenNotPermitted
from grammax.head.protocol import Candidate, Head, HeadError, NoEndRow, Options, Scores
from grammax.search.errors import BudgetTooShort, NoScore
from grammax.search.result import Ending
from grammax.vocabulary import Permitted, Span, merge_spans

S = TypeVar("S")


@final
class Place(Generic[S]):
    """A state of an automaton, with the tokens that are left of the budget. An immutable value.

    `least` is the fewest tokens to a complete sentence, never more than `left`.
    """

    __slots__ = ("automaton", "least", "left", "may_end", "permitted", "state")

    def __init__(
        self, automaton: Automaton[S], state: S, left: int, least: int, may_end: bool
    ) -> None:
        self.automaton = automaton
        self.state = state
        self.left = left
        self.least = least
        self.may_end = may_end
        self.permitted: Permitted = automaton.next_tokens(state)

    @property
    def complete(self) -> bool:
        """Whether nothing may follow."""
        return not self.permitted.size

    @property
    def forced(self) -> int | None:
        """The only way on, where the sentence may not end."""
        return None if self.may_end else self.permitted.forced

    def options(self, end: int | None) -> Options:
        """What competes here; `end` is the head's row for the end."""
        if self.may_end and end is None:
            raise NoEndRow
        return Options(self.permitted, self.may_end)

    def after(self, token: int) -> Place[S] | None:
        """The place after a token; None if the grammar or the budget does not allow it."""
        automaton = self.automaton
        try:
            state = automaton.pass_token(self.state, token)
        except TokenNotPermitted:
            return None
        least, left = automaton.tokens_to_accept(state), self.left - 1
        return None if least > left else Place(automaton, state, left, least, not least)

    def after_forced(self, token: int) -> Place[S]:
        """The place after the only token, which fits: no other sentence is left."""
        state = self.automaton.pass_token(self.state, token)
        # Only before a first token may the sentence be complete and a token be forced all the same.
        least = self.least - 1 if self.least else self.automaton.tokens_to_accept(state)
        return Place(self.automaton, state, self.left - 1, least, not least)

    def run_ahead(self) -> tuple[list[int], Place[S]]:
        """The tokens that are forced from here on, and the place after them."""
        place, forced = self, []
        while (token := place.forced) is not None:
            forced.append(token)
            place = place.after_forced(token)
        return forced, place

    def fitting(self, end: int | None) -> list[Span]:
        """The rows of all that fits the budget."""
        spans = self.automaton.vocabulary.spans
        kinds = [k for k in self.permitted.kind_numbers if self.after(spans(k)[0][0])]
        kept = self.permitted.among(kinds)
        if self.may_end and end is not None:
            return list(merge_spans([*kept, (end, end + 1)]))
        return list(kept)


class Choice(NamedTuple):
    """A token and the place after it, or the end and how it came."""

    token: int | None
    log_probability: float
    place: Place[Any] | None
    ending: Ending | None = None


def opening(automaton: Automaton[S], head: Head[Any], budget: int) -> Place[S]:
    """The place before the first token, where a sentence may not end: results are not empty."""
    vocabulary = automaton.vocabulary
    if head.tokens != len(vocabulary):
        raise HeadError(
            f"the head is for {head.tokens:,} tokens, and the grammar's vocabulary has "
            f"{len(vocabulary):,}. They must be of the same vocabulary, rows in its order."
        )
    state = automaton.start
    least = automaton.tokens_to_accept(state)
    if least > budget or not (least or any(length <= budget for length in _lengths(automaton))):
        raise BudgetTooShort(budget, least or min(_lengths(automaton), default=None))
    return Place(automaton, state, budget, least, may_end=False)


def _lengths(automaton: Automaton[Any]) -> Iterator[int]:
    """Of the shortest sentences that begin with a token of each kind."""
    for kind in automaton.next_tokens(automaton.start).kind_numbers:
        first = automaton.vocabulary.spans(kind)[0][0]
        yield 1 + automaton.tokens_to_accept(automaton.pass_token(automaton.start, first))


def choose(
    place: Place[Any],
    scores: Scores,
    end: int | None,
    count: int,
    listed: Sequence[Candidate] | None = None,
) -> list[Choice]:
    """The best `count` choices that fit, best first; `listed` is the head's best if known."""
    if listed is None:
        listed = scores.best(count)
    found = _fit(place, listed, end, "chosen")
    if len(found) < count and len(listed) == count:
        among = place.fitting(end)
        only_the_end = among == [(end, end + 1)] if end is not None else False
        ending: Ending = "budget" if only_the_end and not found else "chosen"
        found = _fit(place, scores.best(count, among), end, ending)
    if not found:
        raise NoScore(
            f"none of the {place.permitted.size:,} permitted tokens has a score: the model gives "
            f"NaN or -inf. Its weights, or its hidden vector, are damaged."
        )
    return found


def _fit(
    place: Place[Any], listed: Sequence[Candidate], end: int | None, ending: Ending
) -> list[Choice]:
    found = []
    for token, log_probability in listed:
        if token == end:
            if place.may_end:
                found.append(Choice(None, log_probability, None, ending))
            continue
        after = place.after(token)
        if after is not None:
            found.append(Choice(token, log_probability, after))
    return found
