"""An answer as people read it, or as CSV, numbers in full."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import IO, Final

from grammax.cli.terminal import new_table, plain, print_result
from grammax.domain import Column, Table

NOTE: Final = "Columns marked * are synthetic: generated numbers, no facts."
_SIZES: Final = ((1e12, " tn"), (1e9, " bn"), (1e6, " m"))


def print_table(table: Table) -> None:
    """The rows, how many there are, and a note where numbers are generated."""
    headers = [_header(column) for column in table.columns]
    numbers = [
        header
        for header, column in zip(headers, table.columns, strict=True)
        if column.type != "text"
    ]
    shown = new_table(*headers, numbers=numbers)
    for row in table.rows:
        shown.add_row(*(plain(readable_cell(cell)) for cell in row))
    if table.rows:
        print_result(shown)
    print_result(plain(_summary(table)))
    note = note_of(table)
    if note:
        print_result(plain(note, "dim"))


def note_of(table: Table) -> str:
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


def save_csv(table: Table, path: Path) -> None:
    """Write the rows to a file."""
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            write_csv(table, file)
    except OSError as error:  # which a full disk raises without the name of the file
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_csv(table: Table, file: IO[str]) -> None:
    """Write the rows, with a line of headers; several values of a cell are parted by semicolons."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_header(column) for column in table.columns])
    for row in table.rows:
        writer.writerow(["; ".join(cell) if isinstance(cell, tuple) else cell for cell in row])


def _header(column: Column) -> str:
    unit = f" ({column.unit})" if column.unit else ""
    return f"{column.label}{unit}{'*' if column.synthetic else ''}"


def _summary(table: Table) -> str:
    if not table.rows:
        return "Nothing satisfies this."
    count = f"{len(table.rows):,}"
    if table.more:
        count += f" of {table.total:,}" if table.total is not None else " and more"
    noun = "row" if count == "1" else "rows"
    return f"{count} {noun}, in {table.seconds * 1000:.0f} ms"
