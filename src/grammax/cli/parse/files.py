"""The files of a batch: queries, one per line, and the JSON lines that are written for them.

Both are read in constant memory. An output file can be continued: its rows are compared with the
queries line by line, and other queries, another model or another catalogue are refused. A last
line that was cut off is written again.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, NamedTuple

from grammax.errors import FileFormatError, GrammaxError
from grammax.files import lock_descriptor

Row = Mapping[str, Any]
LONGEST: Final = 1 << 20  # bytes of a query
_LONGEST_ROW: Final = 16 * LONGEST
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_ROW_START: Final = b'{"line": '
_SHOWN: Final = 200  # characters of a line that is too long
_QUOTED: Final = 60  # characters of a query in a message


class OutputInUse(GrammaxError):
    """Another process writes to the file."""


class Line(NamedTuple):
    """A line of a file of queries, and its problem, if it has one."""

    number: int  # from 1
    text: str
    size: int  # in bytes, with its line break
    problem: str = ""


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """The lines of a stream, ended by newlines only; problems are reported, not raised.

    >>> from io import BytesIO
    >>> [line[1:] for line in read_lines(BytesIO(b"attic\\r\\n\\ncaf\\xe9"))]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('attic', 7, ''),
     ('', 1, 'the line is empty'),
     ('caf\\\\xe9', 4, 'not UTF-8: byte 0xe9 at position 4')]
    """
    number = 0
    while piece := stream.readline(LONGEST + 1):
        number += 1
        size = len(piece) + (_skip(stream) if _is_cut(piece) else 0)
        yield _line(number, piece.removeprefix(_BYTE_ORDER_MARK) if number == 1 else piece, size)


@contextmanager
def appended(path: Path, overwrite: bool) -> Iterator[IO[bytes]]:
    """Open an output file for this process alone, at its beginning; writing appends to it.

    With `overwrite` it is emptied. A pipe or a device is only written to.
    """
    regular = path.is_file() or not path.exists()
    try:
        with path.open("a+b" if regular else "wb") as file:
            if regular:
                _lock(file, path)
                if overwrite:
                    file.truncate(0)
                file.seek(0)
            yield file
    except OSError as error:  # the error of a full disk does not name the file
        if error.filename is not None or isinstance(error, BrokenPipeError):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def skip_done(
    file: IO[bytes], path: Path, queries: Iterator[Line], fits: Callable[[Row], bool]
) -> Iterator[Line]:
    """Skip the queries whose rows the file already has, and cut off an incomplete last line."""
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return
    end = 0
    for number, raw in enumerate(iter(lambda: file.readline(_LONGEST_ROW), b""), 1):
        if not raw.endswith(b"\n"):
            if not raw.startswith(_ROW_START[: len(raw)]):
                raise _not_an_output(path, number)
            break
        row = _row(raw, path, number)
        query = next(queries, None)
        if query is None:
            raise _mismatch(path, f"there are {number - 1:,} queries, and it has more lines")
        if (row.get("line"), row.get("text")) != (query.number, query.text):
            there, here = f"{row.get('text')!r:.{_QUOTED}}", f"{query.text!r:.{_QUOTED}}"
            raise _mismatch(path, f"its line {number:,} is of {there}, and the query is {here}")
        if "error" not in row and not fits(row):
            raise _mismatch(path, "it was written with another model, catalogue or --best")
        end += len(raw)
        yield query
    file.truncate(end)


def write_rows(file: IO[bytes] | None, rows: list[Row]) -> None:
    """Write and flush rows; to stdout if there is no file."""
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if file is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        file.write(text.encode("ascii"))
        file.flush()


def _is_cut(piece: bytes) -> bool:
    return len(piece) > LONGEST and not piece.endswith(b"\n")


def _skip(stream: BinaryIO) -> int:
    """Read to the end of a line that is too long; returns the number of bytes."""
    skipped = 0
    while piece := stream.readline(LONGEST + 1):
        skipped += len(piece)
        if not _is_cut(piece):
            break
    return skipped


def _line(number: int, piece: bytes, size: int) -> Line:
    piece = piece.rstrip(b"\r\n")
    if len(piece) > LONGEST:
        shown = piece[:_SHOWN].decode(errors="backslashreplace")
        return Line(number, f"{shown} ...", size, f"longer than {LONGEST:,} bytes")
    try:
        text = piece.decode()
    except UnicodeDecodeError as error:
        shown = piece.decode(errors="backslashreplace")
        wrong = f"not UTF-8: byte 0x{piece[error.start]:02x} at position {error.start + 1}"
        return Line(number, shown, size, wrong)
    return Line(number, text, size, "" if text.strip() else "the line is empty")


def _row(raw: bytes, path: Path, number: int) -> Row:
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        raise _not_an_output(path, number) from None
    if not isinstance(row, dict) or "line" not in row:
        raise _not_an_output(path, number)
    return row


def _not_an_output(path: Path, number: int) -> FileFormatError:
    return FileFormatError(
        f"{path}, line {number}: `grammax parse` did not write this. Give another file, or "
        f"--overwrite to replace its content."
    )


def _mismatch(path: Path, why: str) -> GrammaxError:
    return GrammaxError(
        f"{path} does not fit, so it cannot be continued: {why}. Give another file, or "
        f"--overwrite to start again."
    )


def _lock(file: IO[bytes], path: Path) -> None:
    if not lock_descriptor(file.fileno(), wait=False):
        raise OutputInUse(f"{path}: another process is writing to it.")
