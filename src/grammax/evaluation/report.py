"""Outcomes in figures: dataclasses that `dataclasses.asdict` turns into JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, final

from grammax.evaluation.bootstrap import Share, bootstrap
from grammax.evaluation.outcome import Outcome
from grammax.language.domain import Domain


@final
@dataclass(frozen=True, slots=True)
class SplitReport:
    """The figures of a split; a share is None if nothing was measured."""

    split: str
    queries: int
    exact: Share | None
    denotation: Share | None
    ungrammatical: int
    ill_typed: int  # grammatical, but ill-typed
    mistakes: Mapping[str, int]  # the count of each class, the most frequent first

    @classmethod
    def from_outcomes(cls, split: str, outcomes: Sequence[Outcome]) -> Self:
        mistakes = Counter(outcome.mistake for outcome in outcomes if outcome.mistake is not None)
        denotations = [o.denotation for o in outcomes if o.denotation is not None]
        return cls(
            split,
            len(outcomes),
            exact=_share([outcome.exact for outcome in outcomes]),
            denotation=_share(denotations),
            ungrammatical=sum(not outcome.grammatical for outcome in outcomes),
            ill_typed=sum(outcome.grammatical and not outcome.well_typed for outcome in outcomes),
            mistakes=dict(mistakes.most_common()),
        )


@final
@dataclass(frozen=True, slots=True)
class Report:
    """The results of a model on the splits of a domain, and how it was decoded."""

    domain: str
    version: str
    model: str
    grammar: str
    beam: int
    splits: tuple[SplitReport, ...]

    @classmethod
    def from_outcomes(
        cls,
        domain: Domain,
        outcomes: Mapping[str, Sequence[Outcome]],
        *,
        model: str,
        grammar: str,
        beam: int = 1,
    ) -> Self:
        splits = tuple(SplitReport.from_outcomes(name, judged) for name, judged in outcomes.items())
        return cls(domain.name, domain.version, model, grammar, beam, splits)

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The classes of mistake that occur in any split, the most frequent first."""
        total: Counter[str] = Counter()
        for split in self.splits:
            total.update(split.mistakes)
        return tuple(sort for sort, _ in total.most_common())


def _share(hits: Sequence[bool]) -> Share | None:
    return bootstrap(sum(hits), len(hits)) if hits else None
