"""Pairs of WikiSQL → tables of its columns and values, by type.

The type of a value is how it is written. A column has a type if the training and development pairs
show only values of that type, in at least five pairs; any other column is open: it takes any value.

    python prepare.py                          # reads $GRAMMAX_DATA/wikisql, writes ./tables
    python prepare.py --data DIR --output DIR
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

COLUMN, VALUE = "COL:", "VAL:"
MIN_COUNT: Final = 5  # times that a column must be seen before it has a type
_NUMBER: Final = re.compile(r"[-+−]?[$£€¥]?\s?\d[\d,]*(\.\d+)?\s?%?")
_YEAR: Final = re.compile(r"(1[5-9]|20)\d\d")
_MONTH: Final = re.compile(r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_TYPES: Final = {
    "NUMBER_COLUMN": {"NUMBER", "YEAR"},
    "CODE_COLUMN": {"CODE", "NUMBER", "YEAR"},
    "DATE_COLUMN": {"DATE", "CODE", "NUMBER", "YEAR"},
    "TEXT_COLUMN": {"TEXT", "MIXED"},
}  # as in the grammar; the first that fits is taken


def type_of(value: str) -> str:
    """The type of a value: how it is written."""
    if _NUMBER.fullmatch(value):
        return "YEAR" if _YEAR.fullmatch(value) else "NUMBER"
    if not re.search(r"\d", value):
        return "TEXT"
    if _MONTH.search(value):
        return "DATE"
    return "MIXED" if re.search(r"[^\W\d_]{3}", value) else "CODE"


def kind_of(seen: Counter[str]) -> str:
    """The kind of a column, by how often it was seen with values of each type."""
    if seen.total() >= MIN_COUNT:
        for kind, types in _TYPES.items():
            if set(seen) <= types:
                return kind
    return "OPEN_COLUMN"


def forms(path: Path) -> Iterator[list[str]]:
    """The logical forms of a split."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)["lf"]


def tables(data: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The kinds of all columns and values, including those of the test pairs."""
    columns: dict[str, Counter[str]] = {}
    values: dict[str, str] = {}
    for split in ("train", "dev", "test"):
        for form in forms(data / f"{split}.jsonl.gz"):
            for index, token in enumerate(form):
                if token.startswith(COLUMN):
                    columns.setdefault(token, Counter())
                elif token.startswith(VALUE):
                    values[token] = type_of(token.removeprefix(VALUE))
                    if split != "test":
                        columns[form[index - 2]][values[token]] += 1
    return {column: kind_of(seen) for column, seen in columns.items()}, values


def write(path: Path, kinds: dict[str, str]) -> None:
    """Write a table of tokens, kinds, and what people call them."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None)
        rows.writerow(("token", "kind", "aliases"))
        for token, kind in sorted(kinds.items(), key=lambda each: (each[1], each[0])):
            called = token[len(VALUE) :].replace("_", " ") if token[:4] == COLUMN else token[4:]
            rows.writerow((token, kind, called.replace("|", " ").strip() or token[4:]))


def main() -> None:
    """Read the pairs, write the tables."""
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
        default=Path(__file__).parent / "tables",
        metavar="DIR",
        help="where the tables go [beside this file]",
    )
    given = parser.parse_args()
    if given.data is None or not (given.data / "wikisql" / "train.jsonl.gz").exists():
        sys.exit(
            f"There is no wikisql/train.jsonl.gz in {given.data or 'GRAMMAX_DATA, not set'}: "
            f"give --data, or set GRAMMAX_DATA."
        )
    columns, values = tables(given.data / "wikisql")
    given.output.mkdir(parents=True, exist_ok=True)
    write(given.output / "columns.tsv", columns)
    write(given.output / "values.tsv", values)
    for name, kinds in (("columns", columns), ("values", values)):
        counts = ", ".join(f"{n:,} {kind}" for kind, n in Counter(kinds.values()).most_common())
        print(f"{len(kinds):,} {name}: {counts}")


if __name__ == "__main__":
    main()
