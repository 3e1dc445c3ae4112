"""The text of a CSV file: its encoding, its compression, and a copy that DuckDB can read.

A file is looked through once, in chunks, so memory does not grow with its size or with the length
of its lines. What is not UTF-8, or has quotation marks without a partner, is copied to a temporary
file for as long as it is read.
"""

from __future__ import annotations

import codecs
import gzip
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, final

from grammax.tables.inspect.description import InspectError

HEAD: Final = 256 * 1024  # bytes from which the way of writing is inferred
_CHUNK: Final = 1 << 20
_LONGEST_LINE: Final = 16 << 20  # bytes
_GZIP: Final = b"\x1f\x8b"
_BINARY: Final = 0.01  # of the bytes are none of a text
_NO_TEXT: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_WIDE: Final = 0.3  # of every second byte is zero: two bytes per character


@final
@dataclass(frozen=True, slots=True)
class TextFile:
    """A file of text, as it is stored."""

    path: Path
    encoding: str
    compressed: bool

    def head(self) -> str:
        """Its beginning, without a byte order mark."""
        with _opened(self.path, self.compressed) as binary:
            return binary.read(HEAD).decode(self.encoding, errors="replace").lstrip("\ufeff")

    @contextmanager
    def readable(self, repaired: bool) -> Iterator[Path]:
        """The path of the file, or of a copy of it in UTF-8, which is not compressed.

        With `repaired`, lines with an odd number of quotation marks lose theirs.
        """
        if self.encoding == "utf-8" and not repaired:
            yield self.path
            return
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.csv"
            change = without_odd_quotes if repaired else str
            with copy.open("w", encoding="utf-8", newline="") as out:
                for text in self._texts(by_line=repaired):
                    out.write(change(text))
            yield copy

    def _texts(self, by_line: bool) -> Iterator[str]:
        """The text in parts; each ends with a line if `by_line`."""
        decoder = codecs.getincrementaldecoder(self.encoding)(errors="replace")
        rest = ""
        with _opened(self.path, self.compressed) as binary:
            while chunk := binary.read(_CHUNK):
                rest += decoder.decode(chunk)
                if by_line:
                    *lines, rest = rest.split("\n")
                    yield from (f"{line}\n" for line in lines)
                else:
                    yield rest
                    rest = ""
        yield rest + decoder.decode(b"", final=True)


def without_odd_quotes(line: str) -> str:
    """A line; without its quotation marks, if one of them has no partner."""
    return line.replace('"', "") if line.count('"') % 2 else line


def look_through(path: Path) -> TextFile:
    """The way in which a file of text is stored; `InspectError` if it is none."""
    with path.open("rb") as binary:
        compressed = binary.read(2) == _GZIP
    with _opened(path, compressed) as binary:
        encoding = _encoding(path, lambda: binary.read(_CHUNK))
    return TextFile(path, encoding, compressed)


def _opened(path: Path, compressed: bool) -> BinaryIO | gzip.GzipFile:
    return gzip.open(path, "rb") if compressed else path.open("rb")


def _encoding(path: Path, read: Callable[[], bytes]) -> str:
    """UTF-8 if all bytes are, UTF-16 by its mark or its zeros, else Windows-1252.

    All chunks are read, to see how long the lines are.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    chunk = read()
    found = _two_bytes(chunk[:HEAD])
    if not found and len(_NO_TEXT.findall(chunk[:HEAD])) > _BINARY * len(chunk[:HEAD]):
        raise InspectError(
            f"{path} is not a text file, nor Parquet, DuckDB or SQLite. Export it as CSV."
        )
    length = 0
    while chunk:
        length = _line_length(path, chunk, length)
        if not found:
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                found = "cp1252"  # nearly all files that are not UTF-8
        chunk = read()
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        found = found or "cp1252"
    return found or "utf-8"


def _two_bytes(head: bytes) -> str:
    """UTF-16, with a mark or without; "" for other encodings."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    pairs = len(head) // 2
    first, second = head[0 : 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if pairs and second > _WIDE * pairs > 10 * first:
        return "utf-16-le"
    return "utf-16-be" if pairs and first > _WIDE * pairs > 10 * second else ""


def _line_length(path: Path, chunk: bytes, before: int) -> int:
    """The bytes of the last line so far."""
    first = max(chunk.find(b"\n"), chunk.find(b"\r"))
    if before + (len(chunk) if first < 0 else first) > _LONGEST_LINE:
        raise InspectError(
            f"{path} has a line of more than {_LONGEST_LINE >> 20} MB, so it is no CSV file. Give "
            f"a file with one row per line."
        )
    last = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
    return before + len(chunk) if last < 0 else len(chunk) - last
