"""Places of a logical form: what may stand there instead, so that all that follows still follows.

Tokens of one kind are always interchangeable, so kinds are all that is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, final

from grammax.automaton import BoundAutomaton
from grammax.language.domain import Tokens

_KEPT: Final = 4_096  # structures whose places are remembered; people ask in some hundred


def fits(automaton: BoundAutomaton[Any], before: Any, kind: int, rest: Sequence[int]) -> bool:
    """Whether a token of a kind, and then tokens of the kinds in `rest`, complete a form."""
    vocabulary = automaton.vocabulary
    state = before
    for each in (kind, *rest):
        if each not in automaton.next_tokens(state).kind_numbers:
            return False
        state = automaton.pass_token(state, vocabulary.spans(each)[0][0])
    return automaton.accepts(state)


def kinds_of(automaton: BoundAutomaton[Any], tokens: Tokens) -> tuple[int, ...]:
    """The kinds of tokens; -1 for those that there are not."""
    kind_of = automaton.vocabulary.kind_of
    return tuple(-1 if (kind := kind_of(token)) is None else kind for token in tokens)


@final
class Places:
    """Which places of logical forms can be changed; a cache, filled as forms come."""

    def __init__(self, automaton: BoundAutomaton[Any]) -> None:
        self._automaton = automaton
        self._known: dict[tuple[int, ...], tuple[bool, ...]] = {}

    def changeable(self, tokens: Tokens) -> tuple[bool, ...]:
        """Of each token of a form, whether something else may stand in its place."""
        kinds = kinds_of(self._automaton, tokens)
        found = self._known.get(kinds)
        if found is None:
            found = tuple(self._changeable(kinds))
            if len(self._known) < _KEPT:
                self._known[kinds] = found
        return found

    def _changeable(self, kinds: tuple[int, ...]) -> Iterable[bool]:
        automaton = self._automaton
        spans = automaton.vocabulary.spans
        state = automaton.start
        for place, kind in enumerate(kinds):
            rows = sum(stop - start for start, stop in spans(kind))
            others = automaton.next_tokens(state).kind_numbers - {kind}
            rest = kinds[place + 1 :]
            yield rows > 1 or any(fits(automaton, state, other, rest) for other in others)
            state = automaton.pass_token(state, spans(kind)[0][0])
