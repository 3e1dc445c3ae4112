"""The log: one line of JSON per request on stderr, written in the background.

`LOG_CONFIG` is passed to uvicorn as `log_config`. Records of uvicorn and of the service go into a
bounded queue, so that a slow or stuck reader of stderr never delays a request.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener
from queue import Full, Queue
from threading import Thread
from typing import IO, Any, Final, final

LOGGER: Final = logging.getLogger("grammax.service")
_QUEUED: Final = 20_000  # records; further ones are counted and dropped
_CLOSING_SECONDS: Final = 2.0

LOG_CONFIG: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    # A factory: since Python 3.12 a "class" that is a QueueHandler gets other arguments.
    "handlers": {"stderr": {"()": "grammax.service.log.BackgroundHandler"}},
    "loggers": {
        name: {"handlers": ["stderr"], "level": "INFO", "propagate": False}
        for name in ("uvicorn", LOGGER.name, "grammax.cache")
    },
}


def now() -> str:
    """The time in UTC, as the log and the files of records write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@final
class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON; the message may be a dictionary of fields."""

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record.msg, dict):
            return json.dumps(record.msg)
        line = {"time": now(), "level": record.levelname.lower(), "message": record.getMessage()}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


@final
class BackgroundHandler(QueueHandler):
    """Writes records to a stream from a thread; when the queue is full they are only counted."""

    queue: Queue[Any]

    def __init__(self, stream: IO[str] | None = None, queued: int = _QUEUED) -> None:
        super().__init__(Queue(queued))
        target = logging.StreamHandler(sys.stderr if stream is None else stream)
        target.setFormatter(JsonFormatter())
        self._dropped = 0
        self._listener = QueueListener(self.queue, target)
        self._listener.start()

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        """The record itself: the thread that writes it also formats it."""
        return record

    def enqueue(self, record: logging.LogRecord) -> None:
        """Queue a record, after one that reports how many were dropped before it."""
        try:
            if self._dropped:
                lost = {"time": now(), "level": "warning", "lines_lost": self._dropped}
                self.queue.put_nowait(logging.makeLogRecord({"msg": lost}))
                self._dropped = 0
            self.queue.put_nowait(record)
        except Full:
            self._dropped += 1

    def close(self) -> None:
        """Write the queued records, unless the reader is stuck."""
        ending = Thread(target=self._stop, name="end of the log", daemon=True)
        ending.start()
        ending.join(_CLOSING_SECONDS)
        super().close()

    def _stop(self) -> None:
        try:
            self._listener.stop()
        except (Full, AttributeError):  # a stuck reader; or it was stopped before
            return
