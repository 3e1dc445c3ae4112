"""The paper's table as it was measured, for people: rows, footnotes and claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from grammax.cli.terminal import new_table, plain, print_result
from grammax.evaluation.benchmark import Claim, machine_line

if TYPE_CHECKING:
    from grammax.evaluation.paper.figures import Figures
    from grammax.evaluation.paper.published import Published

_MEASURED = (
    "seconds a query", "median", "speed-up", "permitted", "rows", "length", "MB", "exact %",
    "shared exact %", "ungrammatical", "accepted %",
)  # fmt: skip
_PUBLISHED = ("paper: seconds", "speed-up", "tokens", "exact %")


def print_table(
    table: Sequence[Figures], claims: Sequence[Claim], on: Mapping[str, object]
) -> None:
    """The table, what its columns mean, and the claims."""
    print_result(plain(machine_line(on), "dim"))
    published = _PUBLISHED if any(row.paper for row in table) else ()
    numbers = (*_MEASURED, *published)
    shown = new_table("row", *numbers, numbers=numbers)
    for row in table:
        cells = (*_measured(row), *(_published(row.paper) if published else ()))
        shown.add_row(plain(row.name), *cells)
    print_result(shown)
    print_result(plain("\n".join(_footnotes(table)), "dim"))
    print_claims(claims)


def print_claims(claims: Sequence[Claim]) -> None:
    """One line per claim, and whether it is met."""
    table = new_table("claim", "target", "measured", "met")
    for claim in claims:
        met = plain("yes") if claim.met else plain("NO", "bold red")
        table.add_row(plain(claim.claim), claim.target, claim.measured, met)
    print_result(table)


def _measured(row: Figures) -> Iterator[str]:
    yield _seconds(row.seconds, row.deviation, 4)
    yield f"{row.median:.4f}"
    yield speedup(row.speedup)
    yield f"{row.permitted:,.0f}"
    yield f"{row.multiplied:,.0f}"
    yield f"{row.length:.1f}"
    yield f"{row.memory_mb:,.1f}"
    yield f"{row.exact_match_percent:.2f}"
    yield _percent(row.shared_exact_match_percent)
    yield f"{row.ungrammatical:,}"
    yield f"{row.accepted_percent:.1f}"


def _published(row: Published | None) -> Iterator[str]:
    if row is None:
        yield from "–" * len(_PUBLISHED)
        return
    yield _seconds(row.seconds, row.deviation, 3)
    yield speedup(row.speedup)
    yield f"{row.tokens:,}"
    yield _percent(row.exact_match_percent)


def _footnotes(table: Sequence[Figures]) -> Iterator[str]:
    first = table[0]
    yield (
        f"Queries: {first.queries:,}; runs: {len(first.by_run)}. Seconds a query: mean ± standard "
        f"deviation over the runs, and their median; the speed-up over {first.name} is that of "
        f"medians. All rows share one network, on one thread."
    )
    loose = table[1].grammar
    yield f"The rows from {table[1].name} on have the grammar {loose}, unless they name another."
    yield (
        "permitted: tokens that the grammar permits at a step. rows: what is multiplied at a step, "
        "nothing where the token is forced. length: tokens a sentence. MB: kept beyond the model."
    )
    for grammar, share in {row.grammar: row.accepted_percent for row in table}.items():
        if share < 100:
            yield (
                f"accepted: {grammar} accepts only {share:.1f} % of the expected logical forms; "
                f"under it the others are out of reach, whatever the network."
            )
    yield (
        f"shared: the {first.shared_queries:,} queries whose expected logical forms all grammars "
        f"of the table accept, so that rows are compared on the same forms."
    )
    if any(row.paper for row in table):
        yield (
            "paper: Table 1 of Xiao, Teichmann and Arkoudas (2019), on their machine and corpus; "
            "its tokens count all where the grammar is not used, so compare them with rows."
        )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.2f}"


def _seconds(mean: float, deviation: float, digits: int) -> str:
    return f"{mean:.{digits}f} ± {deviation:.{digits}f}"


def speedup(factor: float) -> str:
    """A speed-up for people.

    >>> speedup(0.0589), speedup(3.88), speedup(51.2)
    ('0.06×', '3.9×', '51×')
    """
    digits = 2 if factor < 1 else 1 if factor < 10 else 0
    return f"{factor:.{digits}f}×"
