"""A file of queries → its lines, numbered, in constant memory; what is none is told, not raised."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

LONGEST: Final = 1 << 20  # bytes of a query
_SHOWN: Final = 200
_MARK: Final = b"\xef\xbb\xbf"  # with which some editors begin a file


class Line(NamedTuple):
    """A line, and what is wrong with it, if anything is."""

    number: int  # from 1
    text: str
    size: int  # in bytes, its end included
    problem: str = ""


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """The lines of a stream; only a newline ends one.

    >>> from io import BytesIO
    >>> [line[1:] for line in read_lines(BytesIO(b"steel\\r\\n\\ncaf\\xe9"))]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('steel', 7, ''),
     ('', 1, 'the line is empty'),
     ('caf\\\\xe9', 4, 'no UTF-8: the byte 0xe9 at place 4')]
    """
    number = 0
    while piece := stream.readline(LONGEST + 1):
        number += 1
        size = len(piece) + (_skip(stream) if _goes_on(piece) else 0)
        yield _line(number, piece.removeprefix(_MARK) if number == 1 else piece, size)


def _goes_on(piece: bytes) -> bool:
    return len(piece) > LONGEST and not piece.endswith(b"\n")


def _skip(stream: BinaryIO) -> int:
    """Read to the end of a line that is too long; how many bytes that were."""
    skipped = 0
    while piece := stream.readline(LONGEST + 1):
        skipped += len(piece)
        if not _goes_on(piece):
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
        wrong = f"no UTF-8: the byte 0x{piece[error.start]:02x} at place {error.start + 1}"
        return Line(number, shown, size, wrong)
    return Line(number, text, size, "" if text.strip() else "the line is empty")
