"""The problems of tables of tokens: columns that nothing reads, and names that two tokens have.

Goes in: tables that `read_tables` has read. Comes out: a warning with file and line for each table
with names in a column that is not `aliases`, and for each name of two tokens of one kind.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from grammax.errors import Location, Problem
from grammax.folder.living.listed import name_key, own_words
from grammax.text import did_you_mean, nearest

_ALIASES: Final = "aliases"
_READ: Final = ("token", "kind", _ALIASES)
_NAMES: Final = "The names of a token are read from the column aliases, with | between them."
_ONE: Final = (
    "Within a kind a name means one token; a query with this one gets either. Leave it out of one "
    "of them, or give one another name."
)


def table_problems(
    paths: Sequence[Path],
    tokens: Mapping[str, Sequence[str]],
    aliases: Mapping[str, Sequence[str]],
) -> list[Problem]:
    """The warnings of some tables, whose tokens by kind and aliases by token are given."""
    return [*_unread_columns(paths), *_same_names(paths, tokens, aliases)]


def _unread_columns(paths: Sequence[Path]) -> list[Problem]:
    """A warning for each table with a column like `aliases`, or with others and without that."""
    problems = []
    for path in paths:
        _, header = next(_rows(path), (0, []))
        others = [name for name in header if name and name not in _READ]
        close = [name for name in others if nearest(name, [_ALIASES])]
        wrong = close or ([] if _ALIASES in header else others)
        if wrong:
            columns = f"column{'s' * (len(wrong) > 1)} {' and '.join(map(repr, wrong))}"
            message = f"nothing reads the {columns}"
            hint = f"{did_you_mean([_ALIASES] if close else [], sentence=True)} {_NAMES}".lstrip()
            problems.append(Problem("column", message, hint, Location(str(path), 1, 1), "warning"))
    return problems


def _same_names(
    paths: Sequence[Path],
    tokens: Mapping[str, Sequence[str]],
    aliases: Mapping[str, Sequence[str]],
) -> list[Problem]:
    """A warning for each name of a token that an earlier token of its kind has."""
    found: list[tuple[str, str, str, str]] = []  # name, kind, token, earlier token
    for kind, some in tokens.items():
        owners: dict[str, str] = {}
        for token in some:
            for name in aliases.get(token) or (own_words(token),):
                owner = owners.setdefault(name_key(name), token)
                if owner != token:
                    found.append((name, kind, token, owner))
    lines = _lines(paths) if found else {}
    parquet = next((str(path) for path in paths if path.suffix == ".parquet"), "")
    problems = []
    for name, kind, token, owner in found:
        where, first = (lines.get((kind, each), Location(parquet)) for each in (token, owner))
        place = f" (line {first.line})" if first.line and first.file == where.file else ""
        message = f"{name!r} is a name of {token} and of {owner}{place}, both {kind}"
        problems.append(Problem("same-name", message, _ONE, where, "warning"))
    return problems


def _lines(paths: Sequence[Path]) -> dict[tuple[str, str], Location]:
    """Where tables first list a token, by its kind and itself."""
    found: dict[tuple[str, str], Location] = {}
    for path in paths:
        rows = _rows(path)
        _, header = next(rows, (0, []))
        if not {"token", "kind"} <= set(header):
            continue
        at = header.index("kind"), header.index("token")
        for number, row in rows:
            if len(row) > max(at):
                found.setdefault((row[at[0]], row[at[1]]), Location(str(path), number, 1))
    return found


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The numbered lines of a table; none of a Parquet file, which has none."""
    if path.suffix == ".parquet":
        return
    with path.open(encoding="utf-8-sig", newline="") as file:
        if path.suffix.lower() == ".csv":
            reader = csv.reader(file)
            yield from ((reader.line_num, row) for row in reader)
        else:
            lines = enumerate(file, start=1)
            yield from ((number, line.rstrip("\r\n").split("\t")) for number, line in lines)
