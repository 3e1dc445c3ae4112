"""Read values to add from a file: a table in TSV or CSV, or JSON lines.

    kind<TAB>name<TAB>aliases<TAB>token
    genre<TAB>Film noir<TAB>noir|noirs<TAB>GEN_FILM_NOIR

The first line names the columns, in any order; `kind` may be called `type`, aliases are separated
by bars, and `aliases` and `token` are optional. In JSON, aliases may be a list. A folder's table of
tokens has no `name`: then the domain takes the first alias, or the words of the token.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from grammax.language.changes import ChangeProblem, ChangesRefused, NewValue
from grammax.text import did_you_mean, nearest

T = TypeVar("T")
_COLUMNS: Final = ("kind", "type", "name", "aliases", "token")
_ALIAS_SIGN: Final = "|"


class Table(NamedTuple):
    """The values of a file with their line numbers, and the problems of other lines."""

    path: Path
    lines: tuple[int, ...]
    values: tuple[NewValue, ...]
    problems: tuple[ChangeProblem, ...]

    def apply(self, change: Callable[[Sequence[NewValue]], T]) -> T:
        """The result of `change` on the values; `ChangesRefused` lists all lines with problems."""
        problems = list(self.problems)
        try:
            made = change(self.values)
        except ChangesRefused as refused:
            for problem in refused.problems:
                line = self.lines[problem.index]
                problems.append(replace(problem, index=line, where=_where(self.path, line)))
        if problems:
            raise ChangesRefused(sorted(problems, key=lambda problem: problem.index))
        return made


def read_table(path: Path) -> Table:
    """The values of a file; lines without a valid value are listed as problems."""
    text = path.read_bytes().decode("utf-8-sig", "replace")
    lines: list[int] = []
    values: list[NewValue] = []
    problems: list[ChangeProblem] = []
    for number, row in _rows(path, text):
        try:
            if isinstance(row, Exception):
                raise row
            values.append(_value(row))
            lines.append(number)
        except ValueError as error:
            problems.append(ChangeProblem(number, str(row), str(error), _where(path, number)))
    if not (values or problems):
        message = "there is no line with a value in it. Write a line for each, below the columns."
        problems.append(ChangeProblem(0, "", message, str(path)))
    return Table(path, tuple(lines), tuple(values), tuple(problems))


def _rows(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any] | ValueError]]:
    """Line numbers with the cells of the lines, or with the reason why they cannot be read."""
    if path.suffix in (".json", ".jsonl") or text.lstrip().startswith("{"):
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield number, _json(line)
        return
    first = text.partition("\n")[0]
    tabs = path.suffix == ".tsv" or (path.suffix != ".csv" and "\t" in first)
    lines = StringIO(text, "")
    reader = csv.reader(lines, "excel-tab", quoting=csv.QUOTE_NONE) if tabs else csv.reader(lines)
    head = next(_cells(reader), [])
    if isinstance(head, ValueError):
        yield 1, head
        return
    columns = [cell.strip().lower() for cell in head]
    wrong = _wrong_columns(columns)
    if wrong:
        yield 1, ValueError(wrong)
        return
    for cells in _cells(reader):
        if isinstance(cells, ValueError):
            yield reader.line_num, cells
            return
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(columns):
            found = (
                f"there are {len(cells)} cells, and {len(columns)} columns: {', '.join(columns)}."
            )
            yield reader.line_num, ValueError(found)
        else:
            yield reader.line_num, dict(zip(columns, cells, strict=False))


def _cells(reader: Iterator[list[str]]) -> Iterator[list[str] | ValueError]:
    """The cells of each line, or the reason why no more can be read."""
    try:
        yield from reader
    except csv.Error as error:
        yield ValueError(f"this line cannot be read ({error}). Is a quotation mark missing?")


def _json(line: str) -> Mapping[str, Any] | ValueError:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return ValueError(f"this is not JSON ({error}). Write an object with a kind and a name.")
    if not isinstance(row, dict):
        return ValueError('this is not a JSON object. Write {"kind": ..., "name": ...}.')
    wrong = _wrong_columns(list(row))
    return ValueError(wrong) if wrong else row


def _wrong_columns(columns: Sequence[str]) -> str:
    for column in columns:
        if column not in _COLUMNS:
            close = nearest(column, _COLUMNS, 1)
            hint = did_you_mean(close) or f"there are {', '.join(_COLUMNS)}."
            return f"there is no column {column[:40]!r}; {hint}"
    if not {"name", "token"} & {*columns} or not {"kind", "type"} & {*columns}:
        return f"the columns are {', '.join(columns) or 'none'}; a kind and a name are needed."
    if len({*columns}) < len(columns) or {"kind", "type"} <= {*columns}:
        return f"the columns {', '.join(columns)} name one thing twice."
    return ""


def _value(row: Mapping[str, Any]) -> NewValue:
    texts = {key: row.get(key) or "" for key in ("name", "token")}
    texts["kind"] = row.get("kind") or row.get("type") or ""
    for key, text in texts.items():
        if not isinstance(text, str):
            raise ValueError(f"the {key} is {text!r:.40}, not a text.")
        if "\ufffd" in text:
            raise ValueError(f"the {key} {text[:40]!r} is not in UTF-8. Save the file as UTF-8.")
    aliases = row.get("aliases") or ()
    if isinstance(aliases, str):
        aliases = [alias.strip() for alias in aliases.split(_ALIAS_SIGN)]
    if not isinstance(aliases, list | tuple) or not all(isinstance(a, str) for a in aliases):
        raise ValueError(f"the aliases are {aliases!r:.40}, not a list of texts.")
    return NewValue(
        texts["name"], texts["kind"], tuple(filter(None, aliases)), texts["token"].strip()
    )


def _where(path: Path, line: int) -> str:
    return f"{path}, line {line}"
