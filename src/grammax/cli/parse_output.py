"""The file that a batch writes: a JSON line for each query, so that it can be gone on with.

What is there is compared with the queries, line by line: other queries, another model or another
catalogue are refused. A last line that was cut off is written again.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from grammax.cli.parse_lines import LONGEST, Line
from grammax.errors import FileFormatError, GrammaxError
from grammax.files import lock_descriptor

Row = Mapping[str, Any]
_LONGEST_ROW: Final = 16 * LONGEST
_BEGIN: Final = b'{"line": '
_SHOWN: Final = 60


class OutputInUse(GrammaxError):
    """Another process writes to the file."""


@contextmanager
def appended(path: Path, overwrite: bool) -> Iterator[IO[bytes]]:
    """The file, at its beginning, for one process; what is written comes behind all that is there.

    With `overwrite` it is empty. What is no plain file, such as a pipe, is only written to.
    """
    plain = path.is_file() or not path.exists()
    try:
        with path.open("a+b" if plain else "wb") as file:
            if plain:
                _lock(file, path)
                if overwrite:
                    file.truncate(0)
                file.seek(0)
            yield file
    except OSError as error:  # which a full disk raises without the name of the file
        if error.filename is not None or isinstance(error, BrokenPipeError):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def skip_done(
    file: IO[bytes], path: Path, queries: Iterator[Line], fits: Callable[[Row], bool]
) -> Iterator[Line]:
    """Pass over the queries that the file has the rows of, and cut off what is no whole line."""
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return
    end = 0
    for number, raw in enumerate(iter(lambda: file.readline(_LONGEST_ROW), b""), 1):
        if not raw.endswith(b"\n"):
            if not raw.startswith(_BEGIN[: len(raw)]):
                raise _no_output(path, number)
            break
        row = _row(raw, path, number)
        query = next(queries, None)
        if query is None:
            raise _other(path, f"there are {number - 1:,} queries, and it has more lines")
        if (row.get("line"), row.get("text")) != (query.number, query.text):
            there, here = f"{row.get('text')!r:.{_SHOWN}}", f"{query.text!r:.{_SHOWN}}"
            raise _other(path, f"its line {number:,} is of {there}, and the query is {here}")
        if "error" not in row and not fits(row):
            raise _other(path, "it was written with another model, catalogue or --best")
        end += len(raw)
        yield query
    file.truncate(end)


def write_rows(file: IO[bytes] | None, rows: list[Row]) -> None:
    """Write rows, and see them off; to stdout if there is no file."""
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if file is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        file.write(text.encode("ascii"))
        file.flush()


def _row(raw: bytes, path: Path, number: int) -> Row:
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        raise _no_output(path, number) from None
    if not isinstance(row, dict) or "line" not in row:
        raise _no_output(path, number)
    return row


def _no_output(path: Path, number: int) -> FileFormatError:
    return FileFormatError(
        f"{path}, line {number}: this is nothing that `grammax parse` wrote. Give another file, or "
        f"--overwrite to lose what it holds."
    )


def _other(path: Path, why: str) -> GrammaxError:
    return GrammaxError(
        f"{path} does not fit, so it cannot be gone on with: {why}. Give another file, or "
        f"--overwrite to begin anew."
    )


def _lock(file: IO[bytes], path: Path) -> None:
    if not lock_descriptor(file.fileno(), wait=False):
        raise OutputInUse(f"{path}: another process is writing to it.")
