"""Pairs of WikiSQL with the columns that its page is known to have.

A question is asked about a table of a page of Wikipedia, and other tables of the page may be among
the training pairs. Their columns follow the question: "who won in 1995 | year | winner". A training
question has those of the other tables, too, never of its own, so a column may be missing from any
of them; half of the questions are about pages without another table and have none.

    python ../wikisql/prepare.py               # the table of columns, if it is not there yet
    python prepare.py                          # reads $GRAMMAX_DATA/wikisql, writes ./pairs
    python prepare.py --data DIR --output DIR
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

COLUMN: Final = "COL:"
SPLITS: Final = ("train", "dev", "test")
MOST: Final = 8  # columns that follow a question: those of most tables first
Columns = Mapping[str, Mapping[str, frozenset[str]]]  # page → table → columns in training pairs


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The pairs of a split."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def page_of(table: str) -> str:
    """The page of a table: "10015132" of "1-10015132-16"."""
    return table.split("-")[1]


def columns_of_pages(path: Path) -> Columns:
    """The columns that the training pairs of each table have, by page."""
    found: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for pair in read(path):
        tables, columns = found[page_of(pair["table"])], frozenset(_columns(pair["lf"]))
        tables[pair["table"]] = tables.get(pair["table"], frozenset()) | columns
    return found


def known(table: str, columns: Columns) -> list[str]:
    """The columns of the other tables of a page."""
    others = columns.get(page_of(table), {})
    counts = Counter(c for name, each in sorted(others.items()) if name != table for c in each)
    return sorted(counts, key=lambda column: (-counts[column], column))[:MOST]


def asked(pair: Mapping[str, Any], columns: Columns) -> str:
    """The question, followed by what the columns of its page are called."""
    called = (column.removeprefix(COLUMN).replace("_", " ") for column in known(pair["table"], columns))
    return " | ".join([pair["question"].replace("|", " "), *called])


def _columns(form: list[str]) -> Iterator[str]:
    return (token for token in form if token.startswith(COLUMN))


def main() -> None:
    """Read the pairs, write them with the columns of their pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = os.environ.get("GRAMMAX_DATA", "")
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(root) if root else None,
        metavar="DIR",
        help="the folder that has wikisql in it [$GRAMMAX_DATA]",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(__file__).parent / "pairs",
        metavar="DIR",
        help="where the pairs go [beside this file]",
    )
    given = parser.parse_args()
    if given.data is None or not (given.data / "wikisql" / "train.jsonl.gz").exists():
        sys.exit(
            f"There is no wikisql/train.jsonl.gz in {given.data or 'GRAMMAX_DATA, not set'}: "
            f"give --data, or set GRAMMAX_DATA."
        )
    columns = columns_of_pages(given.data / "wikisql" / "train.jsonl.gz")
    given.output.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        pairs = list(read(given.data / "wikisql" / f"{split}.jsonl.gz"))
        with gzip.open(given.output / f"{split}.jsonl.gz", "wt", encoding="utf-8") as file:
            for pair in pairs:
                file.write(json.dumps({"question": asked(pair, columns), "lf": pair["lf"]}) + "\n")
        having = sum(bool(known(pair["table"], columns)) for pair in pairs)
        print(f"{split}: {len(pairs):,} pairs, {having:,} with columns of their page")


if __name__ == "__main__":
    main()
