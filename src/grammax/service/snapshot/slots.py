"""Editable slots: the tokens of a logical form that can be replaced while the rest stays valid.

The grammar never distinguishes tokens of one kind, so it suffices to try kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, final

from grammax.automaton import BoundAutomaton
from grammax.language.domain import Tokens

_STEPS: Final = 2_000  # for a form: in very long ones, what comes late cannot be edited
_CACHED: Final = 4_096  # structures; people use some hundreds


def fits(automaton: BoundAutomaton[Any], before: Any, kind: int, rest: Sequence[int]) -> bool:
    """Whether a token of a kind, and then tokens of the kinds in `rest`, complete a form."""
    return _steps_that_fit(automaton, before, kind, rest)[1]


def _steps_that_fit(
    automaton: BoundAutomaton[Any], before: Any, kind: int, rest: Sequence[int]
) -> tuple[int, bool]:
    """The number of tokens that fit, and whether they are all and complete a form."""
    vocabulary = automaton.vocabulary
    state = before
    for number, each in enumerate((kind, *rest)):
        if each not in automaton.next_tokens(state).kind_numbers:
            return number, False
        state = automaton.pass_token(state, vocabulary.spans(each)[0][0])
    return 1 + len(rest), automaton.accepts(state)


def kinds_of(automaton: BoundAutomaton[Any], tokens: Tokens) -> tuple[int, ...]:
    """The kinds of tokens; -1 for tokens that are not in the vocabulary."""
    kind_of = automaton.vocabulary.kind_of
    return tuple(-1 if (kind := kind_of(token)) is None else kind for token in tokens)


@final
class EditableSlots:
    """The editable slots of logical forms; cached by the structure of the form."""

    def __init__(self, automaton: BoundAutomaton[Any]) -> None:
        self._automaton = automaton
        self._of_kinds = lru_cache(_CACHED)(lambda kinds: tuple(self._editable(kinds)))

    def editable(self, tokens: Tokens) -> tuple[bool, ...]:
        """For each token of a form, whether another token is permitted in its place.

        None is in a form with tokens that the query filled, which are not in the vocabulary.
        """
        kinds = kinds_of(self._automaton, tokens)
        return (False,) * len(kinds) if -1 in kinds else self._of_kinds(kinds)

    def _editable(self, kinds: tuple[int, ...]) -> Iterable[bool]:
        automaton, left = self._automaton, _STEPS
        spans = automaton.vocabulary.spans
        state = automaton.start
        for index, kind in enumerate(kinds):
            rows = sum(stop - start for start, stop in spans(kind))
            others = automaton.next_tokens(state).kind_numbers - {kind}
            rest = kinds[index + 1 :]
            others_alike = rows > 1 and kind != automaton.vocabulary.quoted
            is_editable = others_alike
            for other in () if others_alike else others:
                if is_editable or left <= 0:
                    break
                steps, is_editable = _steps_that_fit(automaton, state, other, rest)
                left -= steps
            yield is_editable
            state = automaton.pass_token(state, spans(kind)[0][0])
