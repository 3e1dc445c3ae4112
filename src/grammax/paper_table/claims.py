"""What the project says of the table, compared with what was measured.

Speed and exact match are claimed for the paper's own domain; that spans need no memory, and that
the tightest grammar gives no ungrammatical sentence, for every domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grammax.benchmark import Claim, above, at_least, at_most
from grammax.paper_table.figures import Figures
from grammax.paper_table.published import PUBLISHED
from grammax.paper_table.rows import BASELINE, FULL_CACHE, SPANS

CACHED_SPEEDUP: Final = 4.0
SPANS_SPEEDUP: Final = 30.0


def table_claims(table: Sequence[Figures]) -> list[Claim]:
    """The claims, those that only the paper's domain has first; its last row is the tightest."""
    rows = {row.name: row for row in table}
    tightest = table[-1]
    kept = max(row.memory_mb for row in table if row.name.startswith(SPANS))
    of = f"of {tightest.queries:,}"
    of_paper = _against_paper(rows[FULL_CACHE], tightest) if rows[BASELINE].paper else []
    return [
        *of_paper,
        at_most("spans keep nothing beyond the model", kept, 0, "MB"),
        at_most(f"{tightest.name} is ungrammatical", tightest.ungrammatical, 0, of),
    ]


def _against_paper(cached: Figures, tightest: Figures) -> list[Claim]:
    best = max(row.exact_match_percent or 0.0 for row in PUBLISHED.values())
    return [
        at_least(
            f"{cached.name} is faster than {BASELINE}", cached.speedup, CACHED_SPEEDUP, "times"
        ),
        at_least(
            f"{tightest.name} is faster than {BASELINE}", tightest.speedup, SPANS_SPEEDUP, "times"
        ),
        above(
            f"{tightest.name} is right more often than the paper",
            tightest.exact_match_percent,
            best,
            "%",
        ),
    ]
