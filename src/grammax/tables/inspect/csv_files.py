"""CSV files as people have them → typed tables of a DuckDB connection.

Found out here: the separator, whether there is a header, and names for all columns. Every column is
then loaded as text and read as numbers, dates or booleans where its values are (`readings`). Lines
with too few cells are filled up; cells beyond the header get columns. What was not read as it
stands is told.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, final

import ibis

from grammax.tables.inspect.csv_text import HEAD, TextFile, look_through
from grammax.tables.inspect.description import InspectError
from grammax.tables.inspect.readings import is_value, read_texts, readings_of
from grammax.tables.inspect.tokens import distinct_names

_SEPARATORS: Final = (",", ";", "\t", "|")
_LONGEST_NAME: Final = 80
_MOST_COLUMNS: Final = 20_000
_LEFT_OUT: Final = 10_000  # lines that are counted
_SWALLOWED: Final = 3  # lines inside quotation marks that look like rows
_TEXTS: Final = "grammax: the texts of a file"


@final
@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is written."""

    separator: str
    header: bool
    skip: int  # lines before the first row, the header among them
    names: tuple[str, ...]
    broken: bool = False  # whether quotation marks lack their partners
    notes: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Loaded:
    """What is to be said about a file that was loaded; doubts and units by column."""

    notes: tuple[str, ...]
    doubts: Mapping[str, str]
    units: Mapping[str, str]


def load_csv(connection: Any, file: Path, table: str) -> Loaded:
    """Create a table from a file."""
    stored = look_through(file)
    dialect = dialect_of(stored)
    with stored.readable(dialect.broken) as readable:
        connection.con.read_csv(
            str(readable),
            columns=dict.fromkeys(dialect.names, "VARCHAR"),
            auto_detect=False,
            delimiter=dialect.separator,
            quotechar='"',
            escapechar='"',
            header=False,
            skiprows=dialect.skip,
            null_padding=True,
            strict_mode=False,
            store_rejects=True,  # lines that are too long or too wide
            rejects_limit=_LEFT_OUT,
            parallel=False,  # needed for `null_padding` with line breaks inside quotes
            compression="gzip" if stored.compressed and readable == file else "none",
        ).create(_TEXTS)
    [(left_out,)] = connection.con.execute("SELECT count(*) FROM reject_errors").fetchall()
    connection.con.execute("DROP TABLE reject_errors; DROP TABLE reject_scans")
    texts = ibis.table(dict.fromkeys(dialect.names, "string"), name=_TEXTS)
    readings, doubts = readings_of(texts, partial(_rows, connection))
    typed = read_texts(texts, {name: reading.how for name, reading in readings.items()})
    connection.con.sql(connection.compile(typed)).create(table)
    connection.con.execute(f'DROP TABLE "{_TEXTS}"')
    units = {name: reading.unit for name, reading in readings.items() if reading.unit}
    return Loaded(tuple(_notes(stored, dialect, left_out)), doubts, units)


def dialect_of(stored: TextFile) -> Dialect:
    """The dialect of a file, from its beginning."""
    head, file = stored.head(), stored.path
    if not head.strip():
        raise InspectError(f"{file} is empty. Give a file with at least a header.")
    if head.lstrip()[:1] in ("{", "[") and ".json" in file.name.lower():
        raise InspectError(f"{file} is JSON, which is not read. Export it as CSV or Parquet.")
    separator = _separator(head)
    broken = _is_broken(head, separator)
    rows, blank = _rows_of(head.replace('"', "") if broken else head, separator)
    header = _is_header(rows)
    width = max(len(row) for row in rows)
    if width > _MOST_COLUMNS:
        raise InspectError(
            f"{file} has a line of {width:,} cells, but a table has at most {_MOST_COLUMNS:,} "
            f"columns. Give a file with one row per line."
        )
    given = [cell[:_LONGEST_NAME] for cell in rows[0]] if header else []
    names = distinct_names([*given, *[""] * (width - len(given))])
    notes = (*_renamed(given, names), *_ragged(rows))
    return Dialect(separator, header, blank + header, names, broken, notes)


def _rows(connection: Any, expression: Any) -> list[Any]:
    found: list[Any] = connection.con.execute(connection.compile(expression)).fetchall()
    return found


def _separator(head: str) -> str:
    """The separator that gives the most lines of one width, of two or more cells."""
    best, best_score = ",", (0.0, 0)
    for separator in _SEPARATORS:
        widths = Counter(len(row) for row in _parsed(head, separator))
        width, lines = max(widths.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
        score = (lines / widths.total() if width > 1 else 0.0, width)
        if score > best_score:
            best, best_score = separator, score
    return best


def _rows_of(head: str, separator: str) -> tuple[list[list[str]], int]:
    """The rows of the beginning, and the number of blank lines before them."""
    blank = len(head) - len(head.lstrip("\r\n"))
    lines_before = head[:blank].count("\n")
    return [row for row in _parsed(head, separator) if row], lines_before


def _parsed(head: str, separator: str) -> list[list[str]]:
    lines = head.splitlines(keepends=True)
    if len(head) >= HEAD and len(lines) > 1:
        lines = lines[:-1]  # cut in the middle
    try:
        return [row for row in csv.reader(lines, delimiter=separator) if row]
    except csv.Error:
        return [line.rstrip("\r\n").split(separator) for line in lines]


def _is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns.

    Names are texts, mostly short and different from what is below them: a first row with a number
    or date, or with texts that occur again in their column, is data.
    """
    first, rest = rows[0], rows[1:]
    filled = [cell.strip() for cell in first if cell.strip()]
    if not filled or any(is_value(cell) for cell in filled):
        return bool(filled) and _years_only(filled, rest)
    if not rest:
        return True
    again = sum(
        cell.strip() != "" and any(len(row) > index and row[index] == cell for row in rest)
        for index, cell in enumerate(first)
    )
    return 2 * again < len(filled)


def _years_only(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Whether the numbers of a first row are years as names: "country, 2019, 2020"."""
    numbers = [cell for cell in first if is_value(cell)]
    years = all(cell.isdigit() and 1800 <= int(cell) <= 2100 for cell in numbers)
    rising = numbers == sorted(set(numbers))
    return years and rising and 1 < len(numbers) < len(first) and bool(rest)


def _is_broken(head: str, separator: str) -> bool:
    """Whether a quotation mark without its partner makes one cell of several rows.

    Lines inside a cell have any number of separators; rows have as many as the first line.
    """
    lines = head.lstrip().splitlines()
    if '"' not in head or len(lines) < _SWALLOWED:
        return False
    usual = lines[0].count(separator)
    reader = csv.reader(lines, delimiter=separator)
    inside, before = list[str](), 0
    try:
        for _ in reader:
            inside += lines[before + 1 : reader.line_num - 1]
            before = reader.line_num
    except csv.Error:  # a cell that is too long
        return True
    alike = sum(line.count(separator) == usual for line in inside)
    return usual > 0 and alike >= _SWALLOWED and 2 * alike > len(inside)


def _renamed(given: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Which columns have the same name, and what they are called instead."""
    again = [
        f"{name} for {cell.strip()}"
        for cell, name in zip(given, names, strict=False)
        if cell.strip() and " ".join(cell.split()) != name
    ]
    if again:
        some = ", ".join(again[:3]) + (" and others" if len(again) > 3 else "")
        yield f"Some columns have the same name; they are called {some}."


def _ragged(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """How many of the first rows are shorter or longer than the others."""
    widths = Counter(map(len, rows))
    usual = widths.most_common(1)[0][0]
    short = sum(n for width, n in widths.items() if width < usual)
    long = widths.total() - widths[usual] - short
    if short or long:
        first = f"Of the first {len(rows):,} lines" if len(rows) > 1 else "Of its lines"
        yield (
            f"{first}, {short:,} have fewer than {usual} cells and {long:,} have more. Missing "
            f"cells are empty; further cells are in columns of their own."
        )


def _notes(stored: TextFile, dialect: Dialect, left_out: int) -> Iterator[str]:
    name = stored.path.name
    if not dialect.header:
        yield f"{name} has no header, so its columns are called column_1, column_2 and so on."
    if stored.encoding != "utf-8":
        yield f"{name} is not UTF-8; it was read as {stored.encoding}."
    if dialect.broken:
        yield (
            f"{name} has quotation marks without a partner: lines with an odd number of them were "
            f"read without theirs."
        )
    if left_out:
        more = " or more" if left_out >= _LEFT_OUT else ""
        yield f"{name}: {left_out:,}{more} lines could not be read and were left out."
    yield from dialect.notes
