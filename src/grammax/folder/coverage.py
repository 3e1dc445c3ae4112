"""How many logical forms a grammar accepts, where it refuses others, and how much it permits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from grammax.automaton import BoundAutomaton
from grammax.errors import GrammaxError, Location, Problem
from grammax.folder.data import Line
from grammax.language.domain import Tokens


class Coverage(NamedTuple):
    """Some logical forms under a grammar."""

    forms: int
    accepted: float  # share
    unknown: int  # forms with tokens that the grammar does not have
    permitted: float  # tokens per step, on average
    tokens: int  # in the grammar's vocabulary


class Walked(NamedTuple):
    """One logical form under a grammar."""

    permitted: list[int]  # how many tokens at each step, up to the one that was refused
    refused: GrammaxError | None  # why, if it was


def walk(form: Tokens, automaton: BoundAutomaton[Any]) -> Walked:
    """Pass a logical form to an automaton, token by token."""
    state, permitted = automaton.start, []
    try:
        for token in form:
            permitted.append(automaton.next_tokens(state).size)
            state = automaton.pass_token(state, token)
    except GrammaxError as error:
        return Walked(permitted, error)
    if automaton.accepts(state):
        return Walked(permitted, None)
    following = " ".join(list(automaton.next_tokens(state).kinds)[:8])
    return Walked(permitted, GrammaxError(f"it is not complete; what may follow: {following}"))


def coverage(forms: Sequence[Tokens], automaton: BoundAutomaton[Any]) -> Coverage:
    """Measure an automaton on logical forms; one that it refuses counts up to there."""
    walked = [walk(form, automaton) for form in forms]
    permitted = [size for each in walked for size in each.permitted]
    unknown = sum(any(token not in automaton.vocabulary for token in form) for form in forms)
    share = fmean(each.refused is None for each in walked) if walked else 0.0
    mean = fmean(permitted) if permitted else 0.0
    return Coverage(len(forms), share, unknown, mean, len(automaton.vocabulary))


def refused(
    lines: Sequence[Line], path: Path, automaton: BoundAutomaton[Any]
) -> tuple[list[Problem], float]:
    """A problem for each form that the automaton refuses, and the tokens permitted per step."""
    problems: list[Problem] = []
    permitted: list[int] = []
    for number, pair in lines:
        walked = walk(pair.tokens, automaton)
        permitted += walked.permitted
        if walked.refused is not None:
            message = f"token {len(walked.permitted)} of the logical form: {walked.refused}"
            problems.append(Problem("lf", message, "", Location(str(path), number, 1)))
    return problems, fmean(permitted) if permitted else 0.0
