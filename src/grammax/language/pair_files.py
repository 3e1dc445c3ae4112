"""Which files of a folder have the pairs of a language, and which its tokens.

Goes in: a folder without settings. Comes out: its files of pairs by split, its tables of tokens,
and whether these are all of its tables, so that it is no data to ask about.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

SPLITS: Final = ("train", "dev", "test")
UTTERANCES: Final = ("query", "question", "utterance", "text")
FORMS: Final = ("lf", "logical form", "logical_form", "sql")
SCHEMA_FILE: Final = "schema.toml"
_SUFFIXES: Final = (".jsonl.gz", ".tsv.gz", ".jsonl", ".tsv")
TABLES: Final = (*_SUFFIXES, ".csv", ".csv.gz", ".tab", ".parquet", ".pq", ".parq")
_READ: Final = 5  # lines of a file
_LONGEST: Final = 1 << 16  # characters of them
_BRACKETED: Final = 0.5  # share of second columns with a bracket that makes them logical forms


def pair_files(folder: Path) -> dict[str, str]:
    """The file of each split that a folder has; TSV, if there are several."""
    found: dict[str, str] = {}
    for split in SPLITS:
        for suffix in _SUFFIXES:
            if (folder / f"{split}{suffix}").is_file():
                found[split] = f"{split}{suffix}"
    return found


def token_tables(folder: Path) -> list[str]:
    """The names of a folder's tables of tokens, those with the columns token and kind."""
    files = (path for path in folder.iterdir() if path.suffix in (".tsv", ".csv"))
    return sorted(path.name for path in files if path.is_file() and _has_tokens(path))


def other_files(folder: Path) -> list[str]:
    """Files that may be pairs, but have not the name of a split."""
    known = {*pair_files(folder).values(), *token_tables(folder)}
    files = (
        path.name for path in folder.iterdir() if path.name.endswith((*_SUFFIXES, ".csv", ".txt"))
    )
    return sorted(name for name in files if name not in known)


def is_language(folder: Path) -> bool:
    """Whether a folder has pairs or a grammar, and no table but those of a language."""
    if not folder.is_dir() or (folder / SCHEMA_FILE).is_file():
        return False
    files = [path for path in folder.iterdir() if path.is_file() and path.name[0] != "."]
    tables = [path for path in files if path.name.lower().endswith(TABLES)]
    pairs = [path for path in tables if _has_pairs(path)]
    others = [
        path
        for path in tables
        if path not in pairs and not _has_tokens(path) and path.stat().st_size
    ]
    return not others and bool(pairs or any(path.suffix == ".lark" for path in files))


def _has_pairs(path: Path) -> bool:
    """Whether a file has the name of a split, and lines with two columns like those of pairs."""
    split, _, ending = path.name.lower().partition(".")
    if split not in SPLITS or f".{ending}" not in _SUFFIXES:
        return False
    lines = list(_first_lines(path))
    if ".jsonl" in path.name.lower():
        return any(map(_is_json_pair, lines))
    rows = [[column.strip() for column in line.split("\t")] for line in lines]
    if not rows or any(len(row) != 2 for row in rows):
        return False
    if rows[0][0].lower() in UTTERANCES and rows[0][1].lower() in FORMS:
        return True
    return sum("(" in row[1] for row in rows) >= _BRACKETED * len(rows)


def _is_json_pair(line: str) -> bool:
    try:
        row = json.loads(line)
    except ValueError:
        return False
    return isinstance(row, dict) and "lf" in row and any(key in row for key in UTTERANCES)


def _has_tokens(path: Path) -> bool:
    """Whether a file is a table of tokens: its header has `token` and `kind`."""
    separator = "," if ".csv" in path.name.lower() else "\t"
    header = next(_first_lines(path), "").strip().split(separator)
    return {"token", "kind"} <= set(header)


def _first_lines(path: Path) -> Iterator[str]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            text = file.read(_LONGEST).decode("utf-8-sig", "replace")
    except (OSError, EOFError):
        return iter(())
    return islice((line for line in text.splitlines() if line.strip()), _READ)
