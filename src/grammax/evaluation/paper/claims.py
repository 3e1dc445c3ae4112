"""The project's claims about the table, with the measured figures.

Speed and exact match are claimed for the paper's own domain. For every domain it is claimed that
spans need no memory, and that the exact grammar gives no ungrammatical sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from grammax.evaluation.benchmark import Claim, above, at_least, at_most
from grammax.evaluation.paper.figures import Figures
from grammax.evaluation.paper.published import PUBLISHED
from grammax.evaluation.paper.rows import FULL_CACHE, SPANS

CACHED_SPEEDUP: Final = 4.0
SPANS_SPEEDUP: Final = 30.0


def table_claims(table: Sequence[Figures]) -> list[Claim]:
    """The claims, those that compare with the paper first."""
    tightest = _tightest(table)
    memory = max(row.memory_mb for row in table if row.name.startswith(SPANS))
    of = f"of {tightest.queries:,}"
    return [
        *(_of_paper(table) if table[0].paper else ()),
        at_most("spans need no memory beyond the model", memory, 0, "MB"),
        at_most(f"{tightest.name} is ungrammatical", tightest.ungrammatical, 0, of),
    ]


def _of_paper(table: Sequence[Figures]) -> Iterator[Claim]:
    best = max(row.exact_match_percent or 0.0 for row in PUBLISHED.values())
    cached = next(row for row in table if row.name == FULL_CACHE)
    tightest = _tightest(table)
    for row, speedup in ((cached, CACHED_SPEEDUP), (tightest, SPANS_SPEEDUP)):
        yield at_least(f"{row.name} is faster than {table[0].name}", row.speedup, speedup, "times")
    right = tightest.exact_match_percent
    yield above(f"{tightest.name} is right more often than the paper", right, best, "%")
    if cached.shared_exact_match_percent is not None:
        yield at_least(
            f"{cached.name} is right as often as {table[0].name} on the forms of the paper",
            cached.shared_exact_match_percent - (table[0].shared_exact_match_percent or 0.0),
            0,
            "points",
        )


def _tightest(table: Sequence[Figures]) -> Figures:
    """Spans under the exact grammar, the last row of them."""
    return [row for row in table if row.name.startswith(SPANS)][-1]
