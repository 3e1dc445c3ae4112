"""A living catalogue: how long changes take, what queries take after them, and how many are right.

python benchmarks/living.py [--quick] [--json] [--chart FILE]

Names are made up, but those of the accuracy: 500 real ones (`grammax.domains.eqs.added_values`).
The last rows are of a folder of one's own, which is trained first; that needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from statistics import median
from time import perf_counter

from living_folder import SIZES, folder_rows
from report import Claim, Options, Row, progress, run

import grammax
from grammax import NewValue, Parser
from grammax.domains.eqs.added_values import added_pairs, with_added_values
from grammax.domains.eqs.domain import load
from grammax.evaluation.benchmark import at_least, at_most

SYLLABLES = ("ba", "co", "di", "fu", "ge", "hi", "jo", "ka", "lu", "me", "no", "pe", "ro", "vi")
QUERIES = ("german steel", "steel western europe not german", "ford market cap")
COUNTRY = NewValue("Wakanda", "country", ("wakandan",))
_MANY = 100_000


def main(options: Options) -> tuple[list[Row], list[Claim]]:
    """Add and remove one, a thousand and many; then parse."""
    progress("loading")
    parser = grammax.load("eqs")
    values = companies(_MANY)
    rows: list[Row] = []
    first = timed(lambda: parser.with_values(values[:1]), 1)
    rows.append(row("add one, the first after a start", first))
    repeats = 5 if options.quick else 25
    thousand = parser.with_values(values[1:1001])
    tokens = parser.domain.vocabulary.tokens_of("ISSUER_VALUE")
    changes: dict[str, Callable[[], Parser]] = {
        "add one company": lambda: parser.with_values(values[:1]),
        "add one country": lambda: parser.with_values([COUNTRY]),
        "add one to 1,000 that were added": lambda: thousand.with_values(values[:1]),
        "remove one": lambda: parser.without_values(["COU_GERMANY"]),
        "add 1,000": lambda: parser.with_values(values[:1000]),
        "remove 1,000": lambda: parser.without_values(tokens[5:2005:2]),
    }
    taken = {name: timed(change, repeats) for name, change in changes.items()}
    rows += [row(name, seconds) for name, seconds in taken.items()]
    if not options.quick:
        progress(f"adding {_MANY:,}")
        rows.append(row(f"add {_MANY:,}", timed(lambda: parser.with_values(values), 1)))
    for query, (name, one) in product(
        QUERIES, {"as loaded": parser, "1,000 added": thousand}.items()
    ):
        one.parse(query)
        rows.append(row(f"{query}, {name}", timed(lambda one=one, q=query: one.parse(q), 200)))  # type: ignore[misc]
    right, pairs = accuracy(100 if options.quick else 331)
    rows.append({"pairs with a value that was added": pairs, "exact match": right / pairs})
    folders, slowest, exact = folder_rows(repeats)
    return [*rows, *folders], [
        at_most("one value, the first after a start", 1e3 * first[0], 50, "ms"),
        at_most("one value", 1e3 * median(taken["add one company"]), 50, "ms"),
        at_most("1,000 values", median(taken["add 1,000"]), 1, "s"),
        at_least("queries with a value that was added, exact match", 100 * right / pairs, 80, "%"),
        at_most(f"one name in a folder with {SIZES[-1]:,}", slowest, 50, "ms"),
        at_least("queries with a name that a folder got later, exact match", 100 * exact, 80, "%"),
    ]


def companies(count: int) -> list[NewValue]:
    """So many companies, no two of one name."""
    words = map("".join, product(SYLLABLES, repeat=5))
    return [NewValue(f"{word.title()} Works", "company", (word,)) for word in islice(words, count)]


def accuracy(count: int) -> tuple[int, int]:
    """How many of so many pairs are parsed right."""
    progress("parsing queries with values that were added")
    domain = with_added_values(load())
    pairs = added_pairs(domain, count)
    found = grammax.load(domain).parse_batch([pair.query for pair in pairs])
    right = sum(
        domain.same(one.tokens, pair.tokens) for one, pair in zip(found, pairs, strict=True)
    )
    return right, len(pairs)


def timed(work: Callable[[], object], repeats: int) -> list[float]:
    """The seconds of each repeat."""
    taken = []
    for _ in range(repeats):
        started = perf_counter()
        work()
        taken.append(perf_counter() - started)
    return taken


def row(name: str, seconds: list[float]) -> Row:
    """Median and slowest."""
    return {"name": name, "ms": 1e3 * median(seconds), "slowest, ms": 1e3 * max(seconds)}


if __name__ == "__main__":
    run("living", __doc__ or "", main, chart="ms")
