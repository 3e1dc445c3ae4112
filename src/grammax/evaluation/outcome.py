"""Judge a prediction: exact match, denotation, grammar, types, and class of mistake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from grammax.language.answer import Answers
from grammax.language.domain import Domain, Pair, Tokens

UNGRAMMATICAL: Final = "ungrammatical"


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """A query with its expected and its predicted logical form."""

    query: str
    expected: Tokens
    predicted: Tokens
    exact: bool
    denotation: bool | None  # None if answers were not compared
    grammatical: bool
    well_typed: bool
    mistake: str | None  # None if the match is exact


def judge(domain: Domain, pair: Pair, predicted: Tokens, answers: Answers | None) -> Outcome:
    """Compare a prediction with its pair; answers are compared only where the match is not exact.

    An ungrammatical prediction has no meaning, so its answer is not compared.
    """
    query, expected = pair
    if not domain.grammatical(predicted):
        return Outcome(
            query,
            expected,
            predicted,
            exact=False,
            denotation=None if answers is None else False,
            grammatical=False,
            well_typed=False,
            mistake=UNGRAMMATICAL,
        )
    exact = domain.same(predicted, expected)
    return Outcome(
        query,
        expected,
        predicted,
        exact=exact,
        denotation=None if answers is None else exact or answers.same(predicted, expected),
        grammatical=True,
        well_typed=domain.well_typed(predicted),
        mistake=None if exact else domain.mistake(predicted, expected),
    )
