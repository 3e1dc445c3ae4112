"""CSV files as people have them → typed tables of a DuckDB connection.

Found out here: the encoding, the separator, whether there is a header, and names for all columns.
Every column is then loaded as text and read as numbers, dates or booleans where its values are
(`readings`). Lines with too few cells are filled up; cells beyond the header get columns.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, final

import ibis

from grammax.tables.inspect.description import InspectError
from grammax.tables.inspect.readings import is_value, read_texts, readings_of
from grammax.tables.inspect.tokens import distinct_names

_HEAD: Final = 256 * 1024  # characters that the dialect is read from
_CHUNK: Final = 1 << 20
_SEPARATORS: Final = (",", ";", "\t", "|")
_LONGEST_NAME: Final = 80
_TEXTS: Final = "grammax: the texts of a file"


@final
@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is written."""

    encoding: str
    separator: str
    header: bool
    skip: int  # lines before the first row, the header among them
    names: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Loaded:
    """What is to be said about a file that was loaded; doubts and units by column."""

    notes: tuple[str, ...]
    doubts: Mapping[str, str]
    units: Mapping[str, str]


def load_csv(connection: Any, file: Path, table: str) -> Loaded:
    """Create a table from a file."""
    dialect = dialect_of(file)
    with _as_utf8(file, dialect.encoding) as readable:
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
            ignore_errors=True,
            parallel=False,  # needed for `null_padding` with line breaks inside quotes
            compression="gzip" if readable.suffix == ".gz" else "none",
        ).create(_TEXTS)
    texts = ibis.table(dict.fromkeys(dialect.names, "string"), name=_TEXTS)
    readings, doubts = readings_of(texts, partial(_rows, connection))
    typed = read_texts(texts, {name: reading.how for name, reading in readings.items()})
    connection.con.sql(connection.compile(typed)).create(table)
    connection.con.execute(f'DROP TABLE "{_TEXTS}"')
    units = {name: reading.unit for name, reading in readings.items() if reading.unit}
    return Loaded(_notes(file, dialect), doubts, units)


def dialect_of(file: Path) -> Dialect:
    """The dialect of a file, from its beginning and from its bytes."""
    encoding = _encoding(file)
    with _opened(file) as binary:
        head = binary.read(_HEAD).decode(encoding, errors="replace").lstrip("\ufeff")
    if not head.strip():
        raise InspectError(f"{file} is empty. Give a file with at least a header.")
    if "\0" in head:
        raise InspectError(
            f"{file} is not a text file, nor Parquet, DuckDB or SQLite. Export it as CSV."
        )
    separator = _separator(head)
    rows, blank = _rows_of(head, separator)
    header = _is_header(rows)
    width = max(len(row) for row in rows)
    given = [cell[:_LONGEST_NAME] for cell in rows[0]] if header else []
    names = distinct_names([*given, *[""] * (width - len(given))])
    return Dialect(encoding, separator, header, blank + header, names)


def _rows(connection: Any, expression: Any) -> list[Any]:
    found: list[Any] = connection.con.execute(connection.compile(expression)).fetchall()
    return found


def _opened(file: Path) -> BinaryIO | gzip.GzipFile:
    if file.suffix == ".gz":
        return gzip.open(file, "rb")
    return file.open("rb")


def _encoding(file: Path) -> str:
    """UTF-8 if all bytes are, UTF-16 by its mark, else Windows-1252, as nearly all others."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with _opened(file) as binary:
        first = binary.read(_CHUNK)
        if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        chunk = first
        try:
            while chunk:
                decoder.decode(chunk)
                chunk = binary.read(_CHUNK)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8"


@contextmanager
def _as_utf8(file: Path, encoding: str) -> Iterator[Path]:
    """The file itself, or a copy of it in UTF-8 for as long as it is read."""
    if encoding == "utf-8":
        yield file
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.csv"
        decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        with _opened(file) as binary, copy.open("w", encoding="utf-8", newline="") as out:
            while chunk := binary.read(_CHUNK):
                out.write(decoder.decode(chunk))
            out.write(decoder.decode(b"", final=True))
        yield copy


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
    if len(head) >= _HEAD and len(lines) > 1:
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


def _notes(file: Path, dialect: Dialect) -> tuple[str, ...]:
    found = []
    if not dialect.header:
        found.append(
            f"{file.name} has no header, so its columns are called column_1, column_2 and so on."
        )
    if dialect.encoding != "utf-8":
        found.append(f"{file.name} is not UTF-8; it was read as {dialect.encoding}.")
    return tuple(found)
