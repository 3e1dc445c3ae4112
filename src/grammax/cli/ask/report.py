"""What was understood of a query, and the answer: as lines for people and as JSON."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Protocol, final

from grammax.cli.terminal import new_table, plain, print_message, print_result
from grammax.language.answer import Answer
from grammax.language.capabilities import Explainable
from grammax.parser import Parsed

_WHY: Final[Mapping[str, str]] = {
    "out of domain": "This looks like nothing that could be answered here.",
    "unsure": "It is not clear what is meant.",
    "cut": "The query is too long: its end was not read.",
}


NOTE: Final = "Columns marked * are synthetic: generated numbers, no facts."
_SIZES: Final = ((1e12, " tn"), (1e9, " bn"), (1e6, " m"))
Row = Sequence[object]


class Reading(NamedTuple):
    """A logical form, and what it says."""

    lf: str
    paraphrase: str
    probability: float  # by the network


@final
@dataclass(frozen=True, slots=True)
class Understood:
    """A query with its readings, the best first, in the terms of people."""

    parsed: Parsed
    readings: tuple[Reading, ...]

    @property
    def not_understood(self) -> tuple[str, ...]:
        """The words that nothing in the logical form accounts for."""
        return tuple(self.parsed.words[place] for place in self.parsed.uncovered)

    @property
    def typos(self) -> dict[str, str]:
        """Words that were put right: as they were typed → as they were read."""
        return {typed: self.parsed.words[place] for place, typed in self.parsed.typos}


def understood(parsed: Parsed, domain: Explainable) -> Understood:
    """What a parse says in English."""
    readings = (
        Reading(one.lf, domain.paraphrase(one.tokens), one.probability) for one in parsed.best
    )
    return Understood(parsed, tuple(readings))


def report_json(found: Understood, table: Answer | None) -> dict[str, Any]:
    """All of it for JSON; `answer` is null where the parser abstained."""
    parsed = found.parsed
    return {
        "text": parsed.text,
        "lf": parsed.lf,
        "paraphrase": found.readings[0].paraphrase,
        "confidence": parsed.confidence,
        "abstains": parsed.abstains,
        "why": parsed.why,
        "not_understood": list(found.not_understood),
        "typos": found.typos,
        "best": [reading._asdict() for reading in found.readings],
        "version": parsed.version,
        "seconds": {"parse": sum(parsed.seconds), "answer": table.seconds if table else None},
        "answer": None if table is None else table_json(table),
    }


def table_json(table: Answer) -> dict[str, Any]:
    """An answer for JSON."""
    return {
        "columns": [column._asdict() for column in table.columns],
        "rows": table.rows,
        "total": table.total,
        "more": table.more,
        "note": note_of(table),
    }


def print_understood(found: Understood) -> None:
    """The logical form and what it means; on stderr what was not quite as it was typed."""
    print_remarks(found)
    print_result(plain(found.parsed.lf, "cyan"))
    print_result(plain(found.readings[0].paraphrase, "italic"))


def print_remarks(found: Understood) -> None:
    """On stderr: why the parser abstains, words that were put right, and words that say nothing."""
    why = found.parsed.why
    if why is not None:
        print_message(_WHY.get(why, f"The parser abstains: {why}."), "yellow")
    for typed, read in found.typos.items():
        print_message(f"Read as {read}: {typed}", "yellow")
    if found.not_understood:
        print_message(f"Not understood: {', '.join(found.not_understood)}", "yellow")


def print_readings(found: Understood, title: str) -> None:
    """The readings, numbered: what each means, and its logical form below."""
    print_result(plain(title, "bold"))
    for number, (lf, meaning, _) in enumerate(found.readings, 1):
        print_result(plain(f"{number:>3}  {meaning}"))
        print_result(plain(f"     {lf}", "cyan"))


def print_answer(found: Understood, table: Answer, many: bool) -> None:
    """The answer below what was understood, and the other readings if they were asked for."""
    print_understood(found)
    print_result(plain(""))
    print_table(table)
    if many and len(found.readings) > 1:
        print_result(plain(""))
        print_readings(found, "Readings")


def print_offer(found: Understood) -> None:
    """What to say instead of an answer."""
    print_remarks(found)
    print_readings(found, "It may mean")


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
