"""One line of JSON a request, on stderr; a reader that is slow or stuck holds up no request."""

from __future__ import annotations

import json
import logging
import os
import sys
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from typing import Any, Final, final

_EVERY: Final = 0.2  # seconds
_MOST: Final = 20_000  # lines that wait; more are counted, and not kept


def now() -> str:
    """The time, as logs and files have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@final
class JsonFormatter(logging.Formatter):
    """What uvicorn has to say, a line of JSON too."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": now(), "level": record.levelname.lower(), "message": record.getMessage()}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


@final
class RequestLog:
    """Lines are written by a thread, some times a second."""

    def __init__(self, number: int | None = None) -> None:
        self._number = sys.stderr.fileno() if number is None else number
        self._lines: list[str] = []
        self._lost = 0
        self._lock = Lock()
        self._stop = Event()
        self._thread = Thread(target=self._work, name="request log", daemon=True)
        self._thread.start()

    def write(self, line: dict[str, Any]) -> None:
        """Write a line, soon."""
        with self._lock:
            if len(self._lines) < _MOST:
                self._lines.append(json.dumps(line))
            else:
                self._lost += 1

    def close(self) -> None:
        """Write what is left."""
        self._stop.set()
        self._thread.join(timeout=2.0)

    def _work(self) -> None:
        while not self._stop.wait(_EVERY):
            self._flush()
        self._flush()

    def _flush(self) -> None:
        with self._lock:
            lines, lost = self._lines, self._lost
            self._lines, self._lost = [], 0
        if lost:
            lines.append(json.dumps({"lines_lost": lost}))
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            while data:
                data = data[os.write(self._number, data) :]
        except OSError:
            pass  # no one reads any more
