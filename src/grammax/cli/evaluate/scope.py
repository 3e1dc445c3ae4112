"""The arguments of every kind of evaluation: what to measure, and how to show the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

import typer

from grammax.errors import GrammaxError
from grammax.language.domain import Domain, Pair
from grammax.text import did_you_mean, nearest


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """The first `limit` queries of some splits; shown as a table or JSON, and as a chart."""

    domain: Domain
    splits: Sequence[str]
    limit: int | None
    chart: Path | None
    json: bool

    def __post_init__(self) -> None:
        if not self.splits:
            there = ", ".join(self.domain.splits)
            raise GrammaxError(
                f"{self.domain.name} has no split to evaluate, only {there}. Name a file of pairs "
                f"that are not trained on, such as test, under [splits] in its settings; --split "
                f"{there} measures what was learnt by heart."
            )
        for split in self.splits:
            require_known("split", split, self.domain.splits, self.domain)

    def pairs(self) -> dict[str, Sequence[Pair]]:
        """The pairs of each split."""
        return {split: self.domain.pairs(split)[: self.limit] for split in self.splits}


def chosen_model(domain: Domain, model: Path | None) -> tuple[Path, str]:
    """The model that was given, or the domain's own, and its name in reports."""
    from grammax.domains import trained_model

    if model is not None:
        return model, str(model)
    path = trained_model(domain)
    return path, path.name


def require_known(what: str, given: str, names: Sequence[str], domain: Domain) -> None:
    """Raise if the domain does not have a name."""
    if given not in names:
        close = nearest(given, names)
        hint = did_you_mean(close, sentence=True)
        message = f"{domain.name} has no {what} {given!r}; there is {', '.join(names)}. {hint}"
        raise typer.BadParameter(message.rstrip(), param_hint=f"--{what}")
