"""Pairs of WikiSQL with the columns that its page is known to have.

A question is asked about a table of a page of Wikipedia, and other tables of the page may be among
the pairs of train and dev. Their columns follow the question: "who won in 1995 | year | winner".
Training questions have those of the other tables, too, never of their own table, so what training
sees is what a test question has: half of them have no column, and often one is missing.

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
from collections.abc import Iterable, Iterator, Mapping
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


def columns_of_pages(pairs: Iterable[Mapping[str, Any]]) -> Columns:
    """The columns that some pairs have, by page and table."""
    found: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for pair in pairs:
        tables = found[page_of(pair["table"])]
        columns = frozenset(token for token in pair["lf"] if token.startswith(COLUMN))
        tables[pair["table"]] = tables.get(pair["table"], frozenset()) | columns
    return found


def known(table: str, columns: Columns) -> list[str]:
    """The columns of the other tables of a page."""
    others = columns.get(page_of(table), {})
    counts = Counter(c for name, each in sorted(others.items()) if name != table for c in each)
    return sorted(counts, key=lambda column: (-counts[column], column))[:MOST]


def asked(pair: Mapping[str, Any], columns: Columns) -> str:
    """The question, followed by what the columns of its page are called."""
    others = known(pair["table"], columns)
    called = (column.removeprefix(COLUMN).replace("_", " ") for column in others)
    return " | ".join([pair["question"].replace("|", " "), *called])


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
    given.output.mkdir(parents=True, exist_ok=True)
    splits = {split: list(read(given.data / "wikisql" / f"{split}.jsonl.gz")) for split in SPLITS}
    columns = columns_of_pages([*splits["train"], *splits["dev"]])
    for split, pairs in splits.items():
        with gzip.open(given.output / f"{split}.jsonl.gz", "wt", encoding="utf-8") as file:
            for pair in pairs:
                file.write(json.dumps({"question": asked(pair, columns), "lf": pair["lf"]}) + "\n")
        having = sum(bool(known(pair["table"], columns)) for pair in pairs)
        print(f"{split}: {len(pairs):,} pairs, {having:,} with columns of their page")


if __name__ == "__main__":
    main()
