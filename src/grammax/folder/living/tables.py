"""Tables of tokens, with their kinds and what people call them.

A table is CSV, TSV or Parquet with the columns `token`, `kind` and, optionally, `aliases`,
separated by `|`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from grammax.errors import FileFormatError, VocabularyError
from grammax.grammar.kinds import read_tokens
from grammax.text import did_you_mean, nearest

_ENDINGS: Final = (".tsv", ".csv", ".parquet")


class Tables(NamedTuple):
    """Tokens by kind, and their aliases."""

    tokens: dict[str, tuple[str, ...]]
    aliases: dict[str, tuple[str, ...]]


def read_tables(paths: Sequence[Path]) -> Tables:
    """All tables together; a token that is listed twice in one kind counts once."""
    tokens: dict[str, dict[str, None]] = {}
    aliases: dict[str, tuple[str, ...]] = {}
    for path in paths:
        if not path.exists():
            raise FileFormatError(_no_table(path))
        if path.suffix == ".parquet":
            rows = _parquet(path)
            for token, kind, called in rows:
                tokens.setdefault(kind, {})[token] = None
                aliases |= {token: called} if called else {}
            continue
        for kind, some in read_tokens(path).items():
            tokens.setdefault(kind, {}).update(dict.fromkeys(some))
        aliases |= _aliases(path)
    return Tables({kind: tuple(some) for kind, some in tokens.items()}, aliases)


def _no_table(path: Path) -> str:
    """What to do if a table is missing."""
    beside = path.parent.iterdir() if path.parent.is_dir() else ()
    there = [each.name for each in beside if each.suffix in _ENDINGS]
    meant = did_you_mean(nearest(path.name, there), sentence=True)
    return (
        f"{path}: there is no such file; `tables` in the settings names it. {meant}"
        f"{' ' * bool(meant)}Write a table there with the columns token, kind and aliases, or take "
        f"it out of `tables`."
    )


def _aliases(path: Path) -> dict[str, tuple[str, ...]]:
    """Token → aliases of a table that `read_tokens` has read."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        if path.suffix.lower() == ".csv":
            rows: Iterator[list[str]] = csv.reader(file)
        else:
            rows = (line.rstrip("\r\n").split("\t") for line in file)
        header = next(rows)
        if "aliases" not in header:
            return {}
        token, aliases = header.index("token"), header.index("aliases")
        return {
            row[token]: called
            for row in rows
            if len(row) > aliases and (called := _split_aliases(row[aliases]))
        }


def _parquet(path: Path) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    try:
        import duckdb
    except ModuleNotFoundError:
        message = f'{path}: Parquet needs DuckDB: pip install "grammax[eqs]"; or save it as CSV'
        raise VocabularyError(message) from None
    try:
        table = duckdb.read_parquet(str(path))
        wanted = [
            name if name in table.columns else "NULL" for name in ("token", "kind", "aliases")
        ]
        rows = table.project(", ".join(wanted)).fetchall()
    except duckdb.Error as error:
        raise VocabularyError(f"{path} cannot be read as Parquet: {error}") from None
    for token, kind, called in rows:
        if not isinstance(token, str) or not isinstance(kind, str):
            raise VocabularyError(f"{path}: it needs the columns token and kind, both texts")
        yield token, kind, _split_aliases(called or "")


def _split_aliases(text: str) -> tuple[str, ...]:
    if "|" not in text:  # as in most rows of a large table
        alias = text.strip()
        return (alias,) if alias else ()
    return tuple(alias for part in text.split("|") if (alias := part.strip()))
