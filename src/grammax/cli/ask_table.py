"""An answer as people read it, or as CSV, numbers in full."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final, Protocol

from grammax.cli.terminal import new_table, plain, print_result
from grammax.language.answer import Answer

NOTE: Final = "Columns marked * are synthetic: generated numbers, no facts."
_SIZES: Final = ((1e12, " tn"), (1e9, " bn"), (1e6, " m"))
Row = Sequence[object]


class HasHeader(Protocol):
    """A column of any answer."""

    @property
    def label(self) -> str: ...
    @property
    def unit(self) -> str | None: ...
    @property
    def synthetic(self) -> bool: ...


def print_table(table: Answer) -> None:
    """The rows, how many there are, and a note where numbers are generated."""
    numbers = [header(column) for column in table.columns if column.type != "text"]
    print_rows([header(column) for column in table.columns], numbers, table.rows)
    total = table.total if table.more else len(table.rows)
    summary = counted(len(table.rows), total, table.seconds, ("row", "rows"))
    print_result(plain(summary if table.rows else "Nothing satisfies this."))
    note = note_of(table)
    if note:
        print_result(plain(note, "dim"))


def print_rows(headers: Sequence[str], numbers: Sequence[str], rows: Sequence[Row]) -> None:
    """A table of rows as people read them, if there are any; `numbers` are set right."""
    shown = new_table(*headers, numbers=numbers)
    for row in rows:
        shown.add_row(*(plain(readable_cell(cell)) for cell in row))
    if rows:
        print_result(shown)


def note_of(table: Answer) -> str:
    """What to say of a table that holds generated numbers; nothing of another."""
    return NOTE if any(column.synthetic for column in table.columns) else ""


def readable_cell(cell: object) -> str:
    """A cell for people.

    >>> [readable_cell(cell) for cell in (1234567890.0, 98765.4, 0.5, None, ("A", "B"))]
    ['1.23 bn', '98,765', '0.5', '–', 'A, B']
    """
    if cell is None:
        return "–"
    if isinstance(cell, float | int):
        for size, name in _SIZES:
            if abs(cell) >= size:
                return f"{cell / size:.3g}{name}"
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.4g}"
    return ", ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


def save_csv(table: Answer, path: Path) -> None:
    """Write the rows to a file."""
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            write_csv(table, file)
    except OSError as error:  # which a full disk raises without the name of the file
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_csv(table: Answer, file: IO[str]) -> None:
    """Write the rows, with a line of headers; several values of a cell are parted by semicolons."""
    write_rows([header(column) for column in table.columns], table.rows, file)


def write_rows(headers: Sequence[str], rows: Sequence[Row], file: IO[str]) -> None:
    """The same of rows and their headers."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(headers)
    for row in rows:
        writer.writerow(["; ".join(map(str, c)) if isinstance(c, tuple) else c for c in row])


def header(column: HasHeader) -> str:
    """A column's label, with its unit and a star where its numbers are generated."""
    unit = f" ({column.unit})" if column.unit else ""
    return f"{column.label}{unit}{'*' if column.synthetic else ''}"


def counted(rows: int, total: int | None, seconds: float, nouns: tuple[str, str]) -> str:
    """How many rows there are, of how many, or None of many more, and how long that took.

    >>> counted(5, 10, 0.2, ("row", "rows")), counted(1, 1, 0.2, ("row", "rows"))
    ('5 of 10 rows, in 200 ms', '1 row, in 200 ms')
    """
    count = f"{rows:,}"
    if total != rows:
        count += f" of {total:,}" if total is not None else " and more"
    return f"{count} {nouns[count != '1']}, in {seconds * 1000:.0f} ms"
