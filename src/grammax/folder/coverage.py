"""The coverage of a grammar: the logical forms it accepts, where it refuses others, and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from grammax.automaton import BoundAutomaton
from grammax.automaton.walk import walk
from grammax.errors import GrammaxError, Location, Problem
from grammax.folder.data import Line
from grammax.language.domain import Tokens


class Coverage(NamedTuple):
    """The coverage of some logical forms by a grammar."""

    forms: int
    accepted: float  # share
    unknown: int  # forms with tokens that the grammar does not have
    permitted: float  # tokens per step, on average
    tokens: int  # in the grammar's vocabulary


class Attempt(NamedTuple):
    """The result of passing one logical form to a grammar."""

    permitted: list[int]  # number of permitted tokens at each step, up to the refused one
    refused: GrammaxError | None  # the reason, if it was refused


def attempt(form: Tokens, automaton: BoundAutomaton[Any]) -> Attempt:
    """Pass a logical form to an automaton, token by token."""
    permitted: list[int] = []
    try:
        for step in walk(automaton, form):
            if step.token is not None:
                permitted.append(step.permitted.size)
    except GrammaxError as error:
        return Attempt(permitted, error)
    if automaton.accepts(step.state):
        return Attempt(permitted, None)
    following = " ".join(list(step.permitted.kinds)[:8])
    return Attempt(permitted, GrammaxError(f"it is not complete; what may follow: {following}"))


def coverage(forms: Sequence[Tokens], automaton: BoundAutomaton[Any]) -> Coverage:
    """Measure an automaton on logical forms; a refused one counts up to the refused token."""
    attempts = [attempt(form, automaton) for form in forms]
    permitted = [size for each in attempts for size in each.permitted]
    unknown = sum(any(token not in automaton.vocabulary for token in form) for form in forms)
    share = fmean(each.refused is None for each in attempts) if attempts else 0.0
    mean = fmean(permitted) if permitted else 0.0
    return Coverage(len(forms), share, unknown, mean, len(automaton.vocabulary))


def refused(
    lines: Sequence[Line], path: Path, automaton: BoundAutomaton[Any]
) -> tuple[list[Problem], float]:
    """A problem for each form that the automaton refuses, and the tokens permitted per step."""
    problems: list[Problem] = []
    permitted: list[int] = []
    for number, pair in lines:
        tried = attempt(pair.tokens, automaton)
        permitted += tried.permitted
        if tried.refused is not None:
            message = f"token {len(tried.permitted)} of the logical form: {tried.refused}"
            problems.append(Problem("lf", message, "", Location(str(path), number, 1)))
    return problems, fmean(permitted) if permitted else 0.0
