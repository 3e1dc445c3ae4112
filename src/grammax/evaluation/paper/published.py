"""The paper's figures: its Table 1, and the accuracies in the text of its section 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from grammax.language.domain import Domain

GRAMMAR: Final = "paper"
"""The name of the paper's own grammar, in the domain that has it."""

_BASELINE: Final = 0.260


@final
@dataclass(frozen=True, slots=True)
class Published:
    """A published row; times are in seconds per query.

    `tokens` is the number of tokens that a step is normalised over: the permitted ones, or all
    where the grammar is not used.
    """

    seconds: float
    deviation: float
    tokens: int
    speedup: float
    exact_match_percent: float | None


def _row(
    seconds: float, deviation: float, tokens: int, exact_match_percent: float | None = None
) -> Published:
    return Published(seconds, deviation, tokens, _BASELINE / seconds, exact_match_percent)


PUBLISHED: Final[Mapping[str, Published]] = {
    "NSP": _row(_BASELINE, 0.002, 56209, 80.33),
    "NSP-G(500)": _row(0.079, 0.000, 9643),
    "NSP-G(10⁴)": _row(0.252, 0.000, 6981),
    "NSP-G(all)": _row(4.416, 0.029, 6336, 80.67),
    "NSP-GC(500)": _row(0.074, 0.000, 9643),
    "NSP-GC(10⁴)": _row(0.069, 0.000, 6981),
    "NSP-GC(all)": _row(0.067, 0.000, 6336, 80.67),
}


def published(domain: Domain, row: str) -> Published | None:
    """The published row of that name; None if the domain is not the paper's."""
    return PUBLISHED.get(row) if GRAMMAR in domain.grammars else None
