"""What a search asks of a grammar: a state of it and the remaining budget, and the choices there.

A token is taken only if the shortest completion after it fits the remaining budget. The head's best
token is tried first, so the grammar is asked about one token per step; only if that token does not
fit are all permitted kinds tried. The budget does not change probabilities: everything that the
grammar permits competes.

`DecodingState` is for automata; `grammax.search.constrained` has the same for sub-words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Generic,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    final,
)

from grammax.automaton.protocol import Automaton
from grammax.errors import TokenNotPermitted
from grammax.head.protocol import Candidate, HeadError, NoEndRow, Options, Scores
from grammax.search.constrained import ConstrainedState
from grammax.search.result import BudgetTooShort, Ending, NoScore
from grammax.vocabulary import Permitted, Span, merge_spans

if TYPE_CHECKING:
    from grammax.subwords.protocol import Constraint

S = TypeVar("S")

_WIDER: Final = 8  # how many times as many rows are tried where none of the best fits

AnyGrammar: TypeAlias = "Automaton[Any] | Constraint[Any]"
"""What a search decodes under: an automaton over words, or a constraint over sub-words."""


class RowIds(Protocol):
    """The numbering of an output layer's rows: of a head, or of a scorer."""

    @property
    def tokens(self) -> int: ...

    @property
    def end(self) -> int | None: ...


class SearchState(Protocol):
    """A state of a grammar, and the number of tokens left of the budget. An immutable value."""

    @property
    def left(self) -> int: ...

    @property
    def complete(self) -> bool:
        """Whether nothing may follow."""

    @property
    def read_end(self) -> bool:
        """Whether the token before was the end."""

    @property
    def end(self) -> int | None:
        """The row of the end where that is no token; None where the end is a token."""

    @property
    def may_end(self) -> bool:
        """Whether the sentence may end here without a further token."""

    @property
    def size(self) -> int:
        """The number of permitted tokens."""

    def options(self) -> Options:
        """The competitors here."""

    def after(self, token: int) -> SearchState | None:
        """The state after a token; None if the grammar or the budget does not allow it."""

    def run_ahead(self) -> tuple[list[int], SearchState]:
        """The forced tokens from here to the next choice, and the state after them."""

    def fitting(self) -> list[Span] | None:
        """The permitted rows that fit the budget; None where each would have to be tried."""

    def texts(self, ids: Sequence[int]) -> tuple[str, ...]:
        """The tokens of ids; none where only a tokenizer knows them."""


@final
class DecodingState(Generic[S]):
    """A state of an automaton and the number of tokens left of the budget. An immutable value.

    `needed` is the fewest tokens to a complete sentence, never more than `left`. `end` is the
    head's row for the end of the sentence.
    """

    __slots__ = ("automaton", "end", "left", "may_end", "needed", "permitted", "state")

    read_end = False  # the end is no token

    def __init__(
        self,
        automaton: Automaton[S],
        state: S,
        left: int,
        needed: int,
        may_end: bool,
        end: int | None = None,
    ) -> None:
        self.automaton = automaton
        self.state = state
        self.left = left
        self.needed = needed
        self.may_end = may_end
        self.end = end
        self.permitted: Permitted = automaton.next_tokens(state)

    @property
    def complete(self) -> bool:
        """Whether nothing may follow."""
        return not self.permitted.size

    @property
    def size(self) -> int:
        """The number of permitted tokens."""
        return self.permitted.size

    @property
    def forced(self) -> int | None:
        """The only permitted token, unless the sentence may end instead."""
        return None if self.may_end else self.permitted.forced

    def options(self) -> Options:
        """The competitors here."""
        if self.may_end and self.end is None:
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
        if needed > left:
            return None
        return DecodingState(automaton, state, left, needed, not needed, self.end)

    def after_forced(self, token: int) -> DecodingState[S]:
        """The state after the only permitted token, which always fits the budget."""
        state = self.automaton.pass_token(self.state, token)
        # `needed` is 0 here only before the first token, where a sentence may not be empty.
        needed = self.needed - 1 if self.needed else self.automaton.tokens_to_accept(state)
        return DecodingState(self.automaton, state, self.left - 1, needed, not needed, self.end)

    def run_ahead(self) -> tuple[list[int], DecodingState[S]]:
        """The forced tokens from here to the next choice, and the state after them."""
        state, forced = self, []
        while (token := state.forced) is not None:
            forced.append(token)
            state = state.after_forced(token)
        return forced, state

    def fitting(self) -> list[Span]:
        """The permitted rows that fit the budget."""
        spans = self.automaton.vocabulary.spans
        kinds = [k for k in self.permitted.kind_numbers if self.after(spans(k)[0][0])]
        rows = self.permitted.among(kinds)
        if self.may_end and self.end is not None:
            return list(merge_spans([*rows, (self.end, self.end + 1)]))
        return list(rows)

    def texts(self, ids: Sequence[int]) -> tuple[str, ...]:
        """The tokens of ids."""
        tokens = self.automaton.vocabulary.tokens
        return tuple([tokens[token] for token in ids])


class Choice(NamedTuple):
    """A token and the state after it; an end that is no token has neither."""

    token: int | None
    log_probability: float
    state: SearchState | None
    ending: Ending | None = None


def initial_state(grammar: AnyGrammar, rows: RowIds, budget: int) -> SearchState:
    """The state before the first token.

    A sentence of an automaton may not end there: results are not empty.
    """
    if not hasattr(grammar, "next_tokens"):
        return _initial_constrained(grammar, rows, budget)
    automaton = cast("Automaton[Any]", grammar)
    vocabulary = automaton.vocabulary
    if rows.tokens != len(vocabulary):
        raise HeadError(
            f"the head is for {rows.tokens:,} tokens, and the grammar's vocabulary has "
            f"{len(vocabulary):,}. They must be of the same vocabulary, rows in its order."
        )
    state = automaton.start
    needed = automaton.tokens_to_accept(state)
    if needed > budget or not (needed or any(length <= budget for length in _lengths(automaton))):
        raise BudgetTooShort(budget, needed or min(_lengths(automaton), default=None))
    return DecodingState(automaton, state, budget, needed, may_end=False, end=rows.end)


def _initial_constrained(constraint: Constraint[Any], rows: RowIds, budget: int) -> SearchState:
    if rows.tokens < constraint.size:
        raise HeadError(
            f"the head is for {rows.tokens:,} tokens, and the constraint for {constraint.size:,} "
            f"ids of a tokenizer. They must be of the same tokenizer."
        )
    state = constraint.start()
    needed = constraint.needed(state)
    if needed is not None and needed > budget:
        raise BudgetTooShort(budget, needed)
    return ConstrainedState(constraint, state, budget)


def choose(
    state: SearchState,
    scores: Scores,
    count: int,
    listed: Sequence[Candidate] | None = None,
) -> list[Choice]:
    """The best `count` choices that fit, best first; `listed` is the head's best if known."""
    if listed is None:
        listed = scores.best(count)
    found = _fitting(state, listed, "chosen")
    if len(found) < count and len(listed) == count:
        among = state.fitting()
        if among is None:
            found = _first_fitting(state, scores, count, ending="chosen" if found else "budget")
        elif among:
            only_the_end = state.end is not None and among == [(state.end, state.end + 1)]
            ending: Ending = "budget" if only_the_end and not found else "chosen"
            found = _fitting(state, scores.best(count, among), ending)
    if not found and listed:  # what a query permits may need more than the shortest sentence does
        raise BudgetTooShort(state.left, None, spent=True)
    if not found:
        raise NoScore(state.size)
    return found


def _lengths(automaton: Automaton[Any]) -> Iterator[int]:
    """For each kind that may come first, the length of the shortest sentence with it."""
    for kind in automaton.next_tokens(automaton.start).kind_numbers:
        first = automaton.vocabulary.spans(kind)[0][0]
        yield 1 + automaton.tokens_to_accept(automaton.pass_token(automaton.start, first))


def _first_fitting(state: SearchState, scores: Scores, count: int, ending: Ending) -> list[Choice]:
    """The best `count` choices that fit, where rows are tried one by one: in the order of scores.

    The end is by the budget if it is chosen though something better did not fit.
    """
    found: list[Choice] = []
    tried, asked = 0, count
    while len(found) < count:
        asked *= _WIDER
        listed = scores.best(asked)
        for candidate in listed[tried:]:
            found += _fitting(state, [candidate], ending)
            if len(found) == count:
                break
        tried = len(listed)
        if tried < asked:
            break
    return found


def _fitting(state: SearchState, listed: Sequence[Candidate], ending: Ending) -> list[Choice]:
    found = []
    end = state.end
    for token, log_probability in listed:
        if token == end:
            if state.may_end:
                found.append(Choice(None, log_probability, None, ending))
            continue
        after = state.after(token)
        if after is not None:
            found.append(Choice(token, log_probability, after, ending if after.read_end else None))
    return found
