"""Parse a file of queries to one JSON line per query, in order, in constant memory."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import IO, Any, BinaryIO, Final, final

from grammax.cli.parse.files import Line, Row, appended, read_lines, skip_done, write_rows
from grammax.cli.parse.report import not_understood
from grammax.cli.parse.workers import in_processes
from grammax.cli.terminal import late_progress
from grammax.errors import GrammaxError
from grammax.parser import Parsed, Parser
from grammax.parser.each import parse_each
from grammax.reading.parse import QueryNotice

_CHUNK: Final = 1_024  # queries; those of similar length are parsed together


@final
@dataclass(frozen=True, slots=True)
class Batch:
    """The input and the output of a batch; None stands for stdin and stdout."""

    source: Path | None
    output: Path | None
    overwrite: bool
    best: int
    workers: int
    model: str  # a hash, so that the output of another model is not continued
    device: str | None = None  # that decodes; None stands for the CPU, without PyTorch


@final
@dataclass(slots=True)
class Counts:
    """How many queries were parsed so far, and with what result."""

    before: int = 0  # rows of an earlier run
    queries: int = 0
    abstained: int = 0
    errors: int = 0
    seconds: float = 0.0

    def add(self, rows: Sequence[Row]) -> None:
        """Count more rows."""
        self.queries += len(rows)
        self.abstained += sum(bool(row.get("abstains")) for row in rows)
        self.errors += sum("error" in row for row in rows)

    def __str__(self) -> str:
        rate = self.queries / self.seconds if self.seconds else 0.0
        text = (
            f"{self.queries:,} {'query' if self.queries == 1 else 'queries'} in "
            f"{self.seconds:.1f} s ({rate:,.0f} per second): {self.abstained:,} abstained, "
            f"{self.errors:,} with an error"
        )
        return f"{text}; {self.before:,} were there already" if self.before else text


def run_batch(parser: Parser, batch: Batch, counts: Counts) -> None:
    """Parse all queries of a file; `counts` is up to date even when interrupted."""
    started = perf_counter()
    with ExitStack() as stack:
        source = _source(batch, stack)
        tell = stack.enter_context(late_progress(_size(batch.source)))
        queries = read_lines(source)
        file: IO[bytes] | None = None
        if batch.output is not None:
            file = stack.enter_context(appended(batch.output, batch.overwrite))
            for query in skip_done(file, batch.output, queries, _fits(parser, batch)):
                counts.before += 1
                tell("reading the existing rows", query.size)
        started = perf_counter()
        work = partial(_rows, parser, batch)
        for chunk, rows in in_processes(work, _chunks(queries), batch.workers):
            write_rows(file, rows)
            counts.add(rows)
            counts.seconds = perf_counter() - started
            rate = counts.queries / counts.seconds
            what = f"{counts.before + counts.queries:,} queries, {rate:,.0f} per second"
            tell(what, sum(line.size for line in chunk))


def _source(batch: Batch, stack: ExitStack) -> BinaryIO:
    if batch.source is None:
        return sys.stdin.buffer
    if batch.output is not None and batch.output.exists() and _same(batch.source, batch.output):
        raise GrammaxError(
            f"{batch.output} is the file of queries itself. Give another file to -o."
        )
    return stack.enter_context(batch.source.open("rb"))


def _same(one: Path, other: Path) -> bool:
    return one.is_file() and one.samefile(other)


def _size(source: Path | None) -> int | None:
    return source.stat().st_size if source is not None and source.is_file() else None


def _chunks(lines: Iterator[Line]) -> Iterator[list[Line]]:
    while chunk := list(islice(lines, _CHUNK)):
        yield chunk


def _fits(parser: Parser, batch: Batch) -> Callable[[Row], bool]:
    version = parser.domain.version
    return lambda row: (
        (row.get("version"), row.get("model"), "best" in row)
        == (version, batch.model, batch.best > 1)
    )


def _rows(parser: Parser, batch: Batch, chunk: Sequence[Line]) -> list[Row]:
    """The rows of a chunk; a line that cannot be parsed has an error in its row."""
    texts = [line.text for line in chunk if not line.problem]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        found = iter(parse_each(parser, texts, batch.best, batch.device))
    return [_row(line, line.problem or next(found), batch) for line in chunk]


def _row(line: Line, found: Parsed | str, batch: Batch) -> Row:
    result = {"error": found} if isinstance(found, str) else _result(found, batch)
    return {"line": line.number, "text": line.text} | result


def _result(found: Parsed, batch: Batch) -> dict[str, Any]:
    result: dict[str, Any] = {
        "lf": found.lf,
        "confidence": round(found.confidence, 4),
        "abstains": found.abstains,
        "why": found.why,
        "not_understood": not_understood(found),
        "notices": found.notices,
    }
    if batch.best > 1:
        result["best"] = [{"lf": one.lf, "probability": one.probability} for one in found.best]
    return result | {"version": found.version, "model": batch.model}
