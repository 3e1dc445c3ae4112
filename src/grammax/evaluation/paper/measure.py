"""Time the rows of the table, interleaved on one thread.

Queries are taken in blocks. Each block runs through all rows before the next one, each time
beginning with another row, so that disturbances of the machine affect all rows alike. A block is
long enough for the weights of a row to return to the processor's cache.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Final

import torch

from grammax.errors import GrammaxError
from grammax.evaluation.paper.figures import Figures, Measured, table_figures
from grammax.evaluation.paper.rows import TableRow
from grammax.head.cached_rows import CachedRows
from grammax.head.spans import Spans
from grammax.language.domain import Domain, Pair
from grammax.reading.parse import QueryNotice
from grammax.search import Decoded

TableProgress = Callable[[str, int], None]  # the current run, and how many more queries are done

BLOCK: Final = 8
_WARM_UP: Final = 2


class NothingToMeasure(GrammaxError):
    """A split without queries."""


def measure(
    domain: Domain,
    rows: Sequence[TableRow],
    pairs: Sequence[Pair],
    runs: int,
    progress: TableProgress = lambda *_: None,
) -> list[Figures]:
    """The figures of all rows; the first row is the baseline."""
    if not pairs:
        raise NothingToMeasure(f"there are no test queries of {domain.name}: its split is empty")
    totals = [[0.0] * runs for _ in rows]
    found: list[list[Decoded]] = [[] for _ in rows]
    with _one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        progress("warming up", 0)
        _warm_up(rows, pairs)
        for run, block, numbers in _turns(len(rows), pairs, runs):
            for number in numbers:
                parse = rows[number].parser.parse
                for pair in block:
                    started = perf_counter()
                    parsed = parse(pair.query)
                    totals[number][run] += perf_counter() - started
                    if not run:
                        found[number].append(parsed)
            progress(f"run {run + 1} of {runs}", len(block))
    by_run = [[total / len(pairs) for total in row] for row in totals]
    return table_figures(domain, pairs, list(map(Measured, rows, found, by_run)))


def _warm_up(rows: Sequence[TableRow], pairs: Sequence[Pair]) -> None:
    """Fill the caches of rows and of automata before anything is timed.

    Rows that depend on such caches parse all queries, the others a few.
    """
    for row in rows:
        quick = isinstance(row.parser.head, CachedRows | Spans)
        for pair in pairs if quick else pairs[:_WARM_UP]:
            row.parser.parse(pair.query)


def _turns(
    rows: int, pairs: Sequence[Pair], runs: int
) -> Iterator[tuple[int, Sequence[Pair], list[int]]]:
    """For each run and block the order of the rows, each time beginning with the next one."""
    first = 0
    for run in range(runs):
        for start in range(0, len(pairs), BLOCK):
            yield run, pairs[start : start + BLOCK], [*range(first, rows), *range(first)]
            first = (first + 1) % rows


@contextmanager
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
