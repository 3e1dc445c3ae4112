"""What was measured of a row: its seconds and its sentences → the figures of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean, median, stdev
from typing import Self, final

from grammax.automaton.protocol import Automaton, S
from grammax.errors import GrammaxError
from grammax.evaluation.paper.published import Published, published
from grammax.evaluation.paper.rows import Row
from grammax.language.domain import Domain, Pair, Tokens
from grammax.search import Decoded


@final
@dataclass(frozen=True, slots=True)
class Figures:
    """A row of the table.

    A step is a token, or the end where it was scored. `permitted` counts what the grammar permits
    at the steps where the sentence went on: for NSP all tokens. `multiplied` counts the rows that
    the head multiplied at a step; under a grammar forced tokens are not scored, and count 0 there.
    So it is `multiplied` that tells of the paper's limits, as the tokens in its table do.
    """

    name: str
    grammar: str | None
    queries: int
    seconds: float  # a query: the mean over the runs of their means
    deviation: float  # over the runs
    median: float  # over the runs
    by_run: tuple[float, ...]
    speedup: float  # over NSP, of the medians
    permitted: float
    multiplied: float
    length: float  # tokens a sentence
    memory_mb: float  # beyond the model
    exact_match_percent: float
    ungrammatical: int
    accepted_percent: float  # of the expected logical forms, by the grammar
    paper: Published | None

    @classmethod
    def of(
        cls,
        row: Row,
        domain: Domain,
        pairs: Sequence[Pair],
        found: Sequence[Decoded],
        by_run: Sequence[float],
        baseline: float,
    ) -> Self:
        """Of a row that found a sentence for each pair; `baseline` is NSP's median."""
        right = [domain.same(f.tokens, p.tokens) for f, p in zip(found, pairs, strict=True)]
        went_on = (decoded.permitted[: len(decoded.ids)] for decoded in found)
        automaton = row.parser.automaton
        return cls(
            name=row.name,
            grammar=row.grammar,
            queries=len(pairs),
            seconds=fmean(by_run),
            deviation=stdev(by_run) if len(by_run) > 1 else 0.0,
            median=median(by_run),
            by_run=tuple(by_run),
            speedup=baseline / median(by_run),
            permitted=fmean(chain.from_iterable(went_on)),
            multiplied=fmean(chain.from_iterable(decoded.scored for decoded in found)),
            length=fmean(len(decoded.ids) for decoded in found),
            memory_mb=row.parser.head.memory_bytes / 1e6,
            exact_match_percent=100 * fmean(right),
            ungrammatical=sum(not domain.grammatical(decoded.tokens) for decoded in found),
            accepted_percent=100 * fmean(accepts(automaton, pair.tokens) for pair in pairs),
            paper=published(domain, row.name),
        )


def accepts(automaton: Automaton[S], tokens: Tokens) -> bool:
    """Whether the tokens are a sentence of the grammar."""
    state = automaton.start
    try:
        for token in automaton.vocabulary.ids(tokens):
            state = automaton.pass_token(state, token)
    except GrammaxError:
        return False
    return automaton.accepts(state)
