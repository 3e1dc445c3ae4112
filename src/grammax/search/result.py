"""`Decoded`: a sentence that a search found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grammax.search.protocol import Run, runs

# Nothing could follow; the model chose to end; nothing that could follow fitted the budget.
Ending = Literal["forced", "chosen", "budget"]


@dataclass(frozen=True, slots=True)
class Decoded:
    """A sentence, what the model thinks of it, and what it cost.

    `permitted` and `scored` have an entry for each token, and one more if the end was scored:
    how many tokens the grammar permitted there, and how many rows were multiplied (0 if forced).
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    log_probability: float  # as the head's rows give it: under the grammar, among the permitted
    permitted: tuple[int, ...]
    scored: tuple[int, ...]
    ending: Ending
    full_log_probability: float | None = None  # as the full softmax gives it, if asked for

    def runs(self, decisions_only: bool) -> list[Run]:
        """What a decoder reads of it, step by step."""
        return runs(zip(self.ids, map(bool, self.scored), strict=False), decisions_only)

    def __str__(self) -> str:
        return " ".join(self.tokens)
