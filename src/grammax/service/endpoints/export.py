"""The whole answer to a logical form as a file: CSV (RFC 4180), Parquet, or its query as SQL.

Rows come from the store in a thread, and the file is written there, too. Memory is bounded by the
number of rows of a file and by the number of files that are made at once.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any, Final

from grammax.errors import GrammaxError
from grammax.language.answer import (
    Answer,
    Answers,
    AnswerTooSlow,
    Cell,
    Column,
    NoSuchColumn,
    ShowsSql,
    Tokens,
    View,
)
from grammax.service.endpoints.forms import given_form
from grammax.service.endpoints.render import view_of
from grammax.service.http.context import RequestContext
from grammax.service.http.errors import RequestRefused, bad_form, bad_sort
from grammax.service.memory import freeze_imported
from grammax.service.schemas.answering import ExportRequest
from grammax.service.schemas.base import File
from grammax.service.worker import Worker

MOST_ROWS: Final = 100_000
_CHECKED: Final = 1_000  # rows that are written between two looks at the clock
_MEDIA: Final[Mapping[str, str]] = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "sql": "text/plain; charset=utf-8",
}
MEDIA_TYPES: Final = tuple(each.partition(";")[0] for each in _MEDIA.values())
_FORMULA: Final = re.compile(r"[=+\-@\t\r]")  # a spreadsheet would run a cell that begins so
_NOT_IN_NAMES: Final = re.compile(r"[^\w]+", re.ASCII)


async def export(worker: Worker, context: RequestContext, asked: ExportRequest) -> File:
    """Give the whole answer to a logical form as a file, or its query as SQL."""
    snapshot = worker.snapshot
    tokens, _ = await given_form(worker, context, snapshot, asked)
    store = worker.answers(snapshot)
    make = _maker(asked, store, tokens, monotonic() + worker.limits.seconds)
    try:
        content = await worker.in_thread(make, worker.filing)
    except RequestRefused:
        raise
    except NoSuchColumn as error:
        raise bad_sort(error) from error
    except GrammaxError as error:
        raise bad_form(error) from error
    return File(content, _MEDIA[asked.format], _file_name(asked))


def _maker(asked: ExportRequest, store: Answers, tokens: Tokens, end: float) -> Callable[[], bytes]:
    """The function that makes the content of a file."""
    view = view_of(asked)
    if asked.format == "sql":
        if not isinstance(store, ShowsSql):
            raise RequestRefused(404, "no_sql", "This store does not show its queries as SQL.")
        shows = store
        return lambda: _sql(shows, tokens, view)
    write = csv_file if asked.format == "csv" else parquet_file

    def make() -> bytes:
        left = end - monotonic()
        if left <= 0:
            raise AnswerTooSlow("it waited too long")
        return write(store.answer(tokens, MOST_ROWS, left, view), end)

    return make


def csv_file(answer: Answer, end: float = float("inf")) -> bytes:
    """An answer as CSV with exact numbers; cells that a spreadsheet would run are escaped."""
    written = io.BytesIO()
    text = io.TextIOWrapper(written, "utf-8", "replace", newline="")
    text.write("\ufeff")  # spreadsheets take the text for UTF-8
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([_cell(_heading(column)) for column in answer.columns])
    for start in range(0, len(answer.rows), _CHECKED):
        if monotonic() > end:
            raise AnswerTooSlow("writing the file took too long")
        batch = answer.rows[start : start + _CHECKED]
        writer.writerows([_cell(cell) for cell in row] for row in batch)
    text.flush()
    return written.getvalue()


def parquet_file(answer: Answer, end: float = float("inf")) -> bytes:
    """An answer as Parquet: numbers are doubles, several texts a list, the rest texts."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise RequestRefused(
            422,
            "no_parquet",
            "This service cannot write Parquet: pyarrow is not installed.",
            "Ask for csv, or let the operator run: pip install pyarrow.",
        ) from None
    arrays: list[Any] = []
    names: list[str] = []
    for index, column in enumerate(answer.columns):
        cells = [row[index] for row in answer.rows]
        arrays.append(pyarrow.array(*_typed(cells, column, pyarrow)))
        names.append(_distinct(_heading(column), names))
        if monotonic() > end:
            raise AnswerTooSlow("writing the file took too long")
    written = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays, names), written)
    freeze_imported("pyarrow")
    return written.getvalue()


def _typed(cells: Sequence[Cell], column: Column, pyarrow: Any) -> tuple[list[Any], Any]:
    """The cells of a column of Parquet, and their type."""
    if any(isinstance(cell, tuple) for cell in cells):
        listed = [list(cell) if isinstance(cell, tuple) else cell and [str(cell)] for cell in cells]
        return listed, pyarrow.list_(pyarrow.string())
    known = [cell for cell in cells if cell is not None]
    if all(isinstance(cell, int | float) for cell in known) and (known or column.type != "text"):
        return [None if cell is None else float(str(cell)) for cell in cells], pyarrow.float64()
    return [None if cell is None else str(cell) for cell in cells], pyarrow.string()


def _sql(store: ShowsSql, tokens: Tokens, view: View) -> bytes:
    try:
        found = store.sql(tokens, view).encode()
    except ImportError:
        raise RequestRefused(
            422,
            "no_sql",
            "This service cannot write SQL: Ibis is not installed.",
            "Let the operator run: pip install 'ibis-framework[duckdb]'.",
        ) from None
    freeze_imported("ibis")
    return found


def _cell(value: object) -> object:
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, int | float):
        whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
        return int(value) if whole else value
    text = "; ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    return f"'{text}" if _FORMULA.match(text) else text


def _heading(column: Column) -> str:
    return f"{column.label} ({column.unit})" if column.unit else column.label


def _distinct(name: str, names: Sequence[str]) -> str:
    """A name that the columns before do not have."""
    found, number = name, 2
    while found in names:
        found, number = f"{name} {number}", number + 1
    return found


def _file_name(asked: ExportRequest) -> str:
    """ "grammax long films.csv", from what the file is named after."""
    words = _NOT_IN_NAMES.sub(" ", asked.name).strip()[:60].strip()
    return f"grammax {words or 'answer'}.{asked.format}"
