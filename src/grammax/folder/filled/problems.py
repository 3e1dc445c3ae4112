"""The problems of pairs with kinds that the query fills, with file and line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from grammax.automaton import BoundAutomaton
from grammax.errors import GrammaxError, Location, Problem
from grammax.folder.coverage import attempt
from grammax.folder.data import Line
from grammax.folder.filled.forms import FilledForms
from grammax.folder.filled.mentions import FilledMentions
from grammax.folder.open_kinds import LAST

_HINT: Final = "Write it in the query, say in [filled] how it is written, or list it in a table."


class FillingProblems(NamedTuple):
    """Forms that the grammar refuses, tokens that a query does not mention, and a mean."""

    refused: list[Problem]
    unsaid: list[Problem]
    permitted: float  # tokens per step


def filling_problems(
    lines: Sequence[Line],
    path: Path,
    automaton: BoundAutomaton[Any],
    forms: FilledForms,
    mentions: FilledMentions,
) -> FillingProblems:
    """Check some pairs; `automaton` is that of the forms, with slots."""
    refused: list[Problem] = []
    unsaid: list[Problem] = []
    permitted: list[int] = []
    for number, (query, tokens) in lines:
        where = Location(str(path), number, 1)
        slotted = forms.placed(tokens)
        tried = attempt(slotted, automaton)
        permitted += tried.permitted
        if tried.refused is not None:
            passed = slotted[: len(tried.permitted)]
            at = len(passed) - sum(token.partition("#")[0].endswith(LAST) for token in passed)
            why = forms.misplaced(tokens)
            message = f"token {at} of the logical form: {why or tried.refused}"
            refused.append(Problem("lf", message, "", where))
            continue
        try:
            forms.filled(tokens, mentions.read(query))
        except GrammaxError as error:
            unsaid.append(Problem("unsaid", str(error), _HINT, where, "warning"))
    return FillingProblems(refused, unsaid, fmean(permitted) if permitted else 0.0)
