"""A parse and its answer, as text, as JSON, and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from grammax.cli.parse.report import not_understood, print_remarks, read_typos
from grammax.cli.terminal import new_table, plain, print_result
from grammax.language.answer import Column

if TYPE_CHECKING:
    from grammax.language.answer import Answer
    from grammax.language.capabilities import Explainable
    from grammax.parser import Answered, Parsed

NOTE: Final = "Columns marked * are synthetic: generated numbers, not facts."
_SIZES: Final = ((1e12, " tn"), (1e9, " bn"), (1e6, " m"))
_TEXTS: Final = ("text", "date")
_COUNTLESS: Final = ("year", "coordinate", "code")  # types whose numbers are no quantities
_ANY: Final = Column("", type="number")


def answered_json(found: Answered, domain: Explainable) -> dict[str, Any]:
    """A parse with its readings and its answer, which is null where the parser abstained."""
    parsed, answer = found.parsed, found.answer
    return {
        "text": parsed.text,
        "lf": parsed.lf,
        "paraphrase": domain.paraphrase(parsed.tokens),
        "confidence": parsed.confidence,
        "abstains": parsed.abstains,
        "why": parsed.why,
        "not_understood": not_understood(parsed),
        "notices": parsed.notices,
        "typos": read_typos(parsed),
        "best": [
            {"lf": lf, "paraphrase": domain.paraphrase(tokens), "probability": probability}
            for lf, tokens, probability in parsed.best
        ],
        "version": parsed.version,
        "seconds": {"parse": sum(parsed.seconds), "answer": answer.seconds if answer else None},
        "answer": None if answer is None else answer_json(answer),
    }


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer, with a note where its numbers are generated."""
    return {
        "columns": [column._asdict() for column in answer.columns],
        "rows": answer.rows,
        "total": answer.total,
        "more": answer.more,
        "note": NOTE if answer.synthetic else "",
        "notes": answer.notes,
        "summary": answer.summary,
    }


def print_answered(found: Answered, domain: Explainable, *, show_best: bool) -> None:
    """Print the logical form, its meaning and its answer; with `show_best` also other readings."""
    assert found.answer is not None
    parsed = found.parsed
    print_remarks(parsed)
    print_form(parsed.lf, domain.paraphrase(parsed.tokens))
    if domain.about and (words := taken_for(parsed, domain)):
        print_result(plain(" · ".join(f"{word} → {label}" for word, label in words), "dim"))
    print_result(plain(""))
    print_answer(found.answer)
    if show_best and len(parsed.best) > 1:
        print_result(plain(""))
        _print_readings(parsed, domain, "Readings")


def taken_for(parsed: Parsed, domain: Explainable) -> list[tuple[str, str]]:
    """The words of a query that were taken for a column or a value, and its name.

    A column that its value alone stands for is left out, and so are names themselves.
    """
    chips = domain.chips(parsed.tokens)
    found: dict[tuple[str, str], None] = {}
    for index, (chip, positions) in enumerate(zip(chips, parsed.sources, strict=False)):
        typed = parsed.typed(positions)
        if chip.role == "field" and [each.role for each in chips[index + 1 : index + 3]] == [
            "operator",
            "value",
        ]:
            names = {word for name in domain.wordings(chip.token) for word in name.lower().split()}
            typed = tuple(word for word in typed if word.lower() in names)
        words = " ".join(typed)
        if chip.role in ("field", "value") and words.lower() not in ("", chip.label.lower()):
            found[words, chip.label] = None
    return list(found)


def print_abstention(parsed: Parsed, domain: Explainable) -> None:
    """Print why the parser abstains, and the readings to choose from."""
    print_remarks(parsed)
    _print_readings(parsed, domain, "Closest readings")


def print_form(lf: str, meaning: str) -> None:
    """Print a logical form and, if it differs, its meaning in English."""
    print_result(plain(lf, "cyan"))
    if meaning != lf:
        print_result(plain(meaning, "italic"))


def print_answer(
    answer: Answer,
    *,
    nouns: tuple[str, str] = ("row", "rows"),
    nothing: str = "Nothing",
    note: str = NOTE,
) -> None:
    """Print the rows as a table, their number, its notes, and a note on generated numbers."""
    headers = [header(column) for column in answer.columns]
    numbers = [header(column) for column in answer.columns if column.type not in _TEXTS]
    if answer.rows:
        table = new_table(*headers, numbers=numbers)
        for row in answer.rows:
            cells = zip(row, answer.columns, strict=True)
            table.add_row(*(plain(readable_cell(cell, column)) for cell, column in cells))
        print_result(table)
        total = answer.total if answer.more else len(answer)
        print_result(plain(counted(len(answer), total, answer.seconds, nouns)))
    else:
        print_result(plain(f"{nothing} satisfies this."))
    for each in (*answer.notes, *([note] if answer.synthetic else [])):
        print_result(plain(each, "dim"))


def save_csv(answer: Answer, path: Path) -> None:
    """Write the rows to a file."""
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            write_csv(answer, file)
    except OSError as error:  # the error of a full disk does not name the file
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_csv(answer: Answer, file: IO[str]) -> None:
    """Write a line of headers and the rows; semicolons separate several values of a cell."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([header(column) for column in answer.columns])
    for row in answer.rows:
        writer.writerow(["; ".join(map(str, c)) if isinstance(c, tuple) else c for c in row])


def header(column: Column) -> str:
    """A column's label, with its unit, and a star where its numbers are generated."""
    unit = f" ({column.unit})" if column.unit else ""
    return f"{column.label}{unit}{'*' if column.synthetic else ''}"


def readable_cell(cell: object, column: Column = _ANY) -> str:
    """A cell as text: a year without commas, an amount with the sign of its currency.

    >>> [readable_cell(cell) for cell in (1234567890.0, 98765.4, 0.5, None, ("A", "B"))]
    ['1.23 bn', '98,765', '0.5', '–', 'A, B']
    >>> readable_cell(2018.0, Column("Year", type="year"))
    '2018'
    >>> readable_cell(-5e6, Column("Cost", type="money", unit="$"))
    '-$5 m'
    """
    if cell is None:
        return "–"
    if isinstance(cell, float | int):
        if column.type in _COUNTLESS:
            return f"{cell:.10g}"
        unit = column.unit or ""
        if column.type == "money" and unit and not unit.isalnum():
            return f"{'-' * (cell < 0)}{unit}{_number(abs(cell))}"
        return _number(cell)
    return ", ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


def _number(value: float) -> str:
    for size, name in _SIZES:
        if abs(value) >= size:
            return f"{value / size:.3g}{name}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def counted(rows: int, total: int | None, seconds: float, nouns: Sequence[str]) -> str:
    """The number of rows shown, their total (None if unknown), and the time.

    >>> counted(5, 10, 0.2, ("row", "rows")), counted(1, 1, 0.2, ("row", "rows"))
    ('5 of 10 rows, in 200 ms', '1 row, in 200 ms')
    """
    count = f"{rows:,}"
    if total != rows:
        count += f" of {total:,}" if total is not None else " and more"
    return f"{count} {nouns[count != '1']}, in {seconds * 1000:.0f} ms"


def _print_readings(parsed: Parsed, domain: Explainable, title: str) -> None:
    """Print the readings, numbered, each with its meaning and its logical form."""
    print_result(plain(title, "bold"))
    for number, (lf, tokens, _) in enumerate(parsed.best, 1):
        meaning = domain.paraphrase(tokens)
        if meaning == lf:
            print_result(plain(f"{number:>3}  {lf}", "cyan"))
            continue
        print_result(plain(f"{number:>3}  {meaning}"))
        print_result(plain(f"     {lf}", "cyan"))
