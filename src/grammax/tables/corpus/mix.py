"""`Mix`: how often each construct of the language occurs in a corpus.

A probability of 0 leaves a construct out; `PAPER_MIX` has those of the paper and of the first
edition of the language only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final


@final
@dataclass(frozen=True, slots=True)
class Mix:
    """Probabilities: of kinds of queries, then of parts of a query, then of kinds of a part."""

    one: float = 0.08  # columns of rows that are named: "casablanca length"
    bare_one: float = 0.25  # such queries without a column: "casablanca vs vertigo"
    groups: float = 0.03  # "german thrillers or french comedies"
    summary: float = 0.19  # aggregates and `by`

    rank: float = 0.62  # of queries with few constraints; of others a third of it
    columns: float = 0.15
    sort: float = 0.08
    time: float = 0.13  # of a field that has a history
    excluded: float = 0.2
    named: float = 0.04  # named thresholds

    countless: float = 0.55  # ranks without a count
    adjective: float = 0.35  # of those: "cheap", not "cheapest"
    ratio_rank: float = 0.05
    change_rank: float = 0.06
    ordered_rank: float = 0.04

    between: float = 0.10  # of comparisons
    peers: float = 0.05  # a field against a field
    times: float = 0.04  # a field at two times
    sign: float = 0.14  # a field against zero
    ratio: float = 0.06
    change: float = 0.06
    either: float = 0.12  # of two comparisons: "a or b"

    by: float = 0.5  # of summaries
    grouped_rank: float = 0.38  # of summaries by a field
    grouped_filter: float = 0.2
    period: float = 0.08
    of_ranked: float = 0.08  # of summaries without `by`: "average length of the 10 newest"

    idioms: float = 0.55  # words of a field instead of its name, where it has some
    telegraphic: float = 0.48
    courtesy: float = 0.1  # words that mean nothing


DEFAULT_MIX: Final = Mix()
PAPER_MIX: Final = Mix(
    one=0.05, bare_one=0, groups=0.05, summary=0, rank=0.3, columns=0.2, sort=0.1, named=0,
    countless=0, ratio_rank=0, change_rank=0, ordered_rank=0, between=0.09, peers=0.07, times=0,
    sign=0, ratio=0, change=0, either=0.18, idioms=0, courtesy=0,
)  # fmt: skip
"""NOT, AND, OR, comparisons, columns, ranks with a count, and times."""
