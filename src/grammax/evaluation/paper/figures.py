"""The figures of the table, computed from the measured seconds and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, compress
from statistics import fmean, median, stdev
from typing import NamedTuple, Self, final

from grammax.automaton.walk import accepts_tokens
from grammax.evaluation.paper.published import Published, published
from grammax.evaluation.paper.rows import TableRow
from grammax.language.domain import Domain, Pair
from grammax.search import Decoded


class Measured(NamedTuple):
    """The measurements of a row: its sentence for each pair, and its mean seconds in each run."""

    row: TableRow
    found: Sequence[Decoded]
    by_run: Sequence[float]


@final
@dataclass(frozen=True, slots=True)
class Figures:
    """A row of the table.

    A step is a token, or the end where it was scored. `permitted` counts the tokens that the
    grammar permits at the steps where the sentence continues: for NSP all tokens. `multiplied`
    counts the rows that the head multiplies at a step; under a grammar forced tokens are not
    scored and count 0. `multiplied` is the figure to compare with the tokens in the paper's table.

    A grammar that does not accept an expected logical form cannot find it. Exact match is therefore
    given twice: over all queries, and over the `shared_queries`, whose expected logical forms all
    grammars of the table accept.
    """

    name: str
    grammar: str | None
    queries: int
    seconds: float  # per query: the mean over the runs of their means
    deviation: float  # over the runs
    median: float  # over the runs
    by_run: tuple[float, ...]
    speedup: float  # over NSP, of the medians
    permitted: float
    multiplied: float
    length: float  # tokens per sentence
    memory_mb: float  # beyond the model
    exact_match_percent: float
    shared_queries: int
    shared_exact_match_percent: float | None  # None if there are no such queries
    ungrammatical: int
    accepted_percent: float  # the share of expected logical forms that the grammar accepts
    paper: Published | None

    @classmethod
    def measured(
        cls,
        measured: Measured,
        domain: Domain,
        pairs: Sequence[Pair],
        shared: Sequence[bool],
        baseline: float,
    ) -> Self:
        """The figures of a row; `shared` marks the shared queries, `baseline` is NSP's median."""
        row, found, by_run = measured
        right = [domain.same(f.tokens, p.tokens) for f, p in zip(found, pairs, strict=True)]
        went_on = (decoded.permitted[: len(decoded.ids)] for decoded in found)
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
            shared_queries=sum(shared),
            shared_exact_match_percent=(
                100 * fmean(compress(right, shared)) if any(shared) else None
            ),
            ungrammatical=sum(not domain.grammatical(decoded.tokens) for decoded in found),
            accepted_percent=100 * fmean(_accepted(row, pairs)),
            paper=published(domain, row.name),
        )


def table_figures(
    domain: Domain, pairs: Sequence[Pair], measured: Sequence[Measured]
) -> list[Figures]:
    """The figures of all rows; the first row is the baseline."""
    shared = [all(each) for each in zip(*(_accepted(m.row, pairs) for m in measured), strict=True)]
    baseline = median(measured[0].by_run)
    return [Figures.measured(each, domain, pairs, shared, baseline) for each in measured]


def _accepted(row: TableRow, pairs: Sequence[Pair]) -> list[bool]:
    return [accepts_tokens(row.parser.automaton, pair.tokens) for pair in pairs]
