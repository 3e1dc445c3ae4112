"""How many logical forms a grammar accepts, and how much it permits on the way."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

from grammax.automaton import BoundAutomaton
from grammax.domain import Tokens
from grammax.errors import GrammaxError


class Coverage(NamedTuple):
    """Some logical forms under a grammar."""

    forms: int
    accepted: float  # share
    unknown: int  # forms with tokens that the grammar does not have
    permitted: float  # tokens a step, on average


def coverage(forms: Sequence[Tokens], automaton: BoundAutomaton[Any]) -> Coverage:
    """What an automaton makes of logical forms; one that it refuses counts up to there."""
    accepted = unknown = 0
    permitted: list[int] = []
    for form in forms:
        state = automaton.start
        unknown += any(token not in automaton.vocabulary for token in form)
        try:
            for token in form:
                permitted.append(automaton.next_tokens(state).size)
                state = automaton.pass_token(state, token)
            accepted += automaton.accepts(state)
        except GrammaxError:
            continue
    share = accepted / len(forms) if forms else 0.0
    return Coverage(len(forms), share, unknown, fmean(permitted) if permitted else 0.0)
