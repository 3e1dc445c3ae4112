"""Append-only files of JSON lines; a record is acknowledged after it was written to disk.

Several threads and processes may append to one file. Records that arrive at the same time are
written together and synced once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, final

from grammax.files import lock_descriptor, sync_folder

Record = Mapping[str, Any]
_Waiting = tuple[bytes, "Future[None]"]


class Line(NamedTuple):
    """A line of a file; `record` is None if the line is incomplete, as after a power cut."""

    number: int
    record: dict[str, Any] | None


@final
class AppendedFile:
    """Appends records; each future is done when its record has been written to disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failure: OSError | None = None  # of the last write
        self._waiting: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=f"append {path.name}", daemon=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._append(b"")  # raises now if the path cannot be written
        self._thread.start()

    def append(self, record: Record) -> Future[None]:
        """Write a record; the future fails with an `OSError` if that is impossible."""
        done: Future[None] = Future()
        self._waiting.put((json.dumps(record).encode() + b"\n", done))
        return done

    def close(self) -> None:
        """Return when all records have been written."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        while True:
            taken = [self._waiting.get()]
            while not self._waiting.empty():
                taken.append(self._waiting.get())
            given = [each for each in taken if each is not None]
            if given:
                self._finish(given)
            if None in taken:
                return

    def _finish(self, given: list[_Waiting]) -> None:
        error: OSError | None = None
        try:
            self._append(b"".join(data for data, _ in given))
        except OSError as failed:
            error = failed
        self.failure = error
        for _, done in given:
            if not done.set_running_or_notify_cancel():
                continue
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

    def _append(self, data: bytes) -> None:
        """Append under a lock; an incomplete last line is terminated first."""
        fresh = not self.path.exists()
        number = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            lock_descriptor(number)
            size = os.fstat(number).st_size
            if data:
                if size and os.pread(number, 1, size - 1) != b"\n":
                    data = b"\n" + data
                while data:
                    data = data[os.write(number, data) :]
                os.fsync(number)
        finally:
            os.close(number)
        if fresh:
            sync_folder(self.path.parent)


def require_appendable(path: Path) -> None:
    """Raise an `OSError` if a file cannot be appended to; it is created if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
    sync_folder(path.parent)


def read_lines(path: Path) -> Iterator[Line]:
    """The lines of a file, except empty ones."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if line.strip():
            yield Line(number, _record(line))


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


Append = Callable[[Record], "Future[None]"]
