"""The blocks of files of queries, and the file that is written for each.

A block is a range of rows of a file of Parquet, or of lines of any other file. Its file is written
under another name and renamed when it is complete, so a file that is there is whole. What it was
made of is in its metadata: the input's size and time, the rows, the model and the vocabulary.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from glob import glob, has_magic
from itertools import islice
from pathlib import Path
from typing import Final, final
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from grammax.errors import GrammaxError
from grammax.files import SCRATCH_SUFFIX, sync_folder

ROWS: Final = 32_768  # of a block
_KEY: Final = b"grammax"
_PARQUET: Final = (".parquet", ".pq")


class NoQueries(GrammaxError):
    """No file that has queries."""


class OtherOutput(GrammaxError):
    """An output that was made of other queries, or by another model."""


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a file of queries."""

    file: str
    first: int  # row or line, from 0
    rows: int
    size: int  # of the file, in bytes
    changed: int  # the file, in nanoseconds
    output: str  # the name of the file that is written for it
    begin: int = 0  # bytes before the first line

    def table(self, column: str) -> pa.Table:
        """Its rows; lines have one column."""
        if Path(self.file).suffix in _PARQUET:
            return _parquet_rows(Path(self.file), self.first, self.rows)
        with Path(self.file).open("rb") as file:
            file.seek(self.begin)
            lines = [
                line.decode(errors="replace").rstrip("\r\n") for line in islice(file, self.rows)
            ]
        return pa.table({column: pa.array(lines, pa.string())})


def blocks_of(given: str, rows: int = ROWS) -> list[Block]:
    """The blocks of a file, of a folder of Parquet, or of all files that a pattern fits."""
    paths = _paths(given)
    if not paths:
        raise NoQueries(f"There is no file {given}. Give a file, a folder, or a pattern in quotes.")
    names = [path.stem for path in paths]
    found: list[Block] = []
    for number, path in enumerate(paths):
        stem = path.stem if names.count(path.stem) == 1 else f"{number:04}-{path.stem}"
        seen = path.stat()
        for index, (first, count, begin) in enumerate(_ranges(path, rows)):
            output = f"{stem}.{index:05}.parquet"
            where = str(path.absolute())
            block = Block(where, first, count, seen.st_size, seen.st_mtime_ns, output, begin)
            found.append(block)
    if not found:
        raise NoQueries(f"{given} has no queries.")
    return found


def write_block(folder: Path, block: Block, made: pa.Table, version: Mapping[str, str]) -> None:
    """Write the file of a block as a whole; one that is there is replaced."""
    content = made.replace_schema_metadata({_KEY: _mark(block, version)})
    scratch = folder / f".{block.output}.{uuid4().hex}{SCRATCH_SUFFIX}"
    try:
        with scratch.open("wb") as file:
            pq.write_table(content, file)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(folder / block.output)
    finally:
        scratch.unlink(missing_ok=True)
    sync_folder(folder)


def unfinished(folder: Path, blocks: Sequence[Block], version: Mapping[str, str]) -> list[Block]:
    """The blocks without a file; `OtherOutput` if the folder has files of anything else."""
    wanted = {block.output: block for block in blocks}
    there = {path.name for path in folder.glob("*.parquet")}
    for name in sorted(there):
        block = wanted.get(name)
        if block is None or _mark_of(folder / name) != _mark(block, version):
            raise OtherOutput(
                f"{folder / name} is not of these queries, this model and this catalogue. Give "
                f"another folder to -o, or --overwrite to replace what was parsed before."
            )
    return [block for block in blocks if block.output not in there]


def remove_written(folder: Path) -> None:
    """Remove what was parsed before; other files stay."""
    for path in folder.glob("*.parquet"):
        if _mark_of(path) is not None:
            path.unlink()


def remove_scratch(folder: Path) -> None:
    """Remove what lost processes were writing."""
    for path in folder.glob(f".*{SCRATCH_SUFFIX}"):
        path.unlink(missing_ok=True)


def _mark_of(path: Path) -> bytes | None:
    """What a file was made of, in its metadata; None if it is of something else."""
    try:
        return (pq.read_schema(path).metadata or {}).get(_KEY)
    except (pa.ArrowException, OSError):
        return None


def _mark(block: Block, version: Mapping[str, str]) -> bytes:
    return json.dumps(asdict(block) | dict(version), sort_keys=True).encode()


def _paths(given: str) -> list[Path]:
    path = Path(given)
    if path.is_dir():
        return sorted(each for each in path.iterdir() if each.suffix in _PARQUET)
    if path.is_file():
        return [path]
    if not has_magic(given):
        return []
    return sorted(path for path in map(Path, glob(given, recursive=True)) if path.is_file())  # noqa: PTH207


def _ranges(path: Path, rows: int) -> Iterator[tuple[int, int, int]]:
    """For each block its first row, the number of its rows, and the bytes before it."""
    if path.suffix in _PARQUET:
        try:
            total = pq.read_metadata(path).num_rows
        except (pa.ArrowException, OSError) as error:
            raise NoQueries(f"{path} cannot be read as Parquet: {error}") from error
        for first in range(0, total, rows):
            yield first, min(rows, total - first), 0
        return
    first, begin = 0, 0
    with path.open("rb") as file:
        while sizes := [len(line) for line in islice(file, rows)]:
            yield first, len(sizes), begin
            first, begin = first + len(sizes), begin + sum(sizes)


def _parquet_rows(path: Path, first: int, rows: int) -> pa.Table:
    """Some rows of a file; only the row groups that have them are read."""
    with pq.ParquetFile(path) as file:
        groups: list[int] = []
        skipped, before = first, 0
        for number in range(file.num_row_groups):
            size = file.metadata.row_group(number).num_rows
            if before + size > first and before < first + rows:
                if not groups:
                    skipped = first - before
                groups.append(number)
            before += size
        return file.read_row_groups(groups).slice(skipped, rows)
