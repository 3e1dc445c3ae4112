"""The measured table as text: rows, footnotes and claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Final

from grammax.cli.terminal import new_table, plain, print_result
from grammax.evaluation.benchmark import Claim, machine_line

if TYPE_CHECKING:
    from grammax.evaluation.paper.figures import Figures
    from grammax.evaluation.paper.published import Published

WIDTH: Final = 100  # columns of a terminal that the tables fit in

_SPEED: Final = ("s per query", "speed-up", "permitted", "rows", "MB")
_ACCURACY: Final = ("exact %", "shared exact %", "accepted %", "ungrammatical", "length")


def print_table(
    table: Sequence[Figures], claims: Sequence[Claim], on: Mapping[str, object]
) -> None:
    """The table in two parts, speed and accuracy, then what its columns mean, and the claims."""
    print_result(plain(machine_line(on), "dim"))
    has_paper = any(row.paper for row in table)
    _print_part(table, _SPEED, _speed, ("paper: s", "speed-up") if has_paper else (), _paper_speed)
    print_result(plain(""))
    published = ("paper: exact %",) if has_paper else ()
    _print_part(table, _ACCURACY, _accuracy, published, _paper_accuracy)
    for note in _footnotes(table):
        print_result(plain(fill(note, WIDTH), "dim"))
    print_claims(claims)


def print_claims(claims: Sequence[Claim]) -> None:
    """One line per claim, and whether it is met."""
    table = new_table("claim", "target", "measured", "met")
    for claim in claims:
        met = plain("yes") if claim.met else plain("NO", "bold red")
        table.add_row(plain(claim.claim), claim.target, claim.measured, met)
    print_result(table)


def _print_part(
    table: Sequence[Figures],
    columns: Sequence[str],
    cells: Callable[[Figures], Iterator[str]],
    paper_columns: Sequence[str],
    paper_cells: Callable[[Published], Iterator[str]],
) -> None:
    numbers = (*columns, *paper_columns)
    shown = new_table("row", *numbers, numbers=numbers)
    for row in table:
        missing = iter("–" * len(paper_columns))
        published = paper_cells(row.paper) if row.paper and paper_columns else missing
        shown.add_row(plain(row.name), *cells(row), *published)
    print_result(shown)


def _speed(row: Figures) -> Iterator[str]:
    yield _seconds(row.seconds, row.deviation, 4)
    yield speedup(row.speedup)
    yield f"{row.permitted:,.0f}"
    yield f"{row.multiplied:,.0f}"
    yield f"{row.memory_mb:,.1f}"


def _accuracy(row: Figures) -> Iterator[str]:
    yield f"{row.exact_match_percent:.2f}"
    yield _percent(row.shared_exact_match_percent)
    yield f"{row.accepted_percent:.1f}"
    yield f"{row.ungrammatical:,}"
    yield f"{row.length:.1f}"


def _paper_speed(row: Published) -> Iterator[str]:
    yield _seconds(row.seconds, row.deviation, 3)
    yield speedup(row.speedup)


def _paper_accuracy(row: Published) -> Iterator[str]:
    yield _percent(row.exact_match_percent)


def _footnotes(table: Sequence[Figures]) -> Iterator[str]:
    first = table[0]
    yield (
        f"Queries: {first.queries:,}; runs: {len(first.by_run)}. s per query: mean ± standard "
        f"deviation over the runs; the speed-up over {first.name} is that of the medians. All rows "
        f"share one network, on one thread."
    )
    loose = table[1].grammar
    yield f"The rows from {table[1].name} on have the grammar {loose}, unless they name another."
    yield (
        "permitted: tokens that the grammar permits per step. rows: rows that are multiplied per "
        "step, 0 where the token is forced. MB: memory beyond the model. length: tokens per form."
    )
    yield (
        f"shared: the {first.shared_queries:,} queries whose expected logical forms all grammars "
        f"of the table accept, so that rows are compared on the same forms."
    )
    for grammar, share in {row.grammar: row.accepted_percent for row in table}.items():
        if share < 100:
            yield (
                f"accepted: {grammar} accepts only {share:.1f} % of the expected logical forms; "
                f"under it the others cannot be found, whatever the network."
            )
    if any(row.paper for row in table):
        yield (
            "paper: Table 1 of Xiao, Teichmann and Arkoudas (2019), on their machine and corpus."
        )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.2f}"


def _seconds(mean: float, deviation: float, digits: int) -> str:
    return f"{mean:.{digits}f} ± {deviation:.{digits}f}"


def speedup(factor: float) -> str:
    """A speed-up as text.

    >>> speedup(0.0589), speedup(3.88), speedup(51.2)
    ('0.06×', '3.9×', '51×')
    """
    digits = 2 if factor < 1 else 1 if factor < 10 else 0
    return f"{factor:.{digits}f}×"
