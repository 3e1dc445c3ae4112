"""The log is written in the background: one line of JSON per record, and never a wait."""

from __future__ import annotations

import io
import json
import logging
import sys
from threading import Event
from time import monotonic

from grammax.service.log import LOG_CONFIG, BackgroundHandler


def logger_with(handler: logging.Handler) -> logging.Logger:
    logger = logging.Logger("of a test", "INFO")
    logger.addHandler(handler)
    return logger


def test_every_record_is_one_line_of_json() -> None:
    stream = io.StringIO()
    handler = BackgroundHandler(stream)
    logger = logger_with(handler)
    logger.info({"path": "/parse", "query": "a\nb\u2028c"})
    logger.warning("%s\nsecond line", "first line")
    try:
        raise ValueError("broken")
    except ValueError:
        logger.exception("it failed")
    handler.close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lines[0] == {"path": "/parse", "query": "a\nb\u2028c"}
    assert (lines[1]["level"], lines[1]["message"]) == ("warning", "first line\nsecond line")
    assert "ValueError: broken" in lines[2]["traceback"]


def test_no_version_of_python_configures_the_handler_as_one_of_its_own() -> None:
    (handler,) = LOG_CONFIG["handlers"].values()
    assert "class" not in handler  # Python 3.12 gives a QueueHandler arguments of its own
    name = handler["()"].rpartition(".")
    assert getattr(sys.modules[name[0]], name[2]) is BackgroundHandler


class Stuck(io.StringIO):
    """A stream whose reader takes nothing until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.going = Event()

    def write(self, text: str) -> int:
        self.going.wait(10)
        return super().write(text)


def test_a_stuck_reader_holds_up_no_one_and_lost_lines_are_counted() -> None:
    stream = Stuck()
    handler = BackgroundHandler(stream, queued=10)
    logger = logger_with(handler)
    began = monotonic()
    for number in range(100):
        logger.info({"number": number})
    assert monotonic() - began < 1
    stream.going.set()
    while not handler.queue.empty():
        pass
    logger.info({"number": 100})
    handler.close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    lost = sum(line.get("lines_lost", 0) for line in lines)
    assert lines[0] == {"number": 0}
    assert lines[-1] == {"number": 100}
    assert lost + sum("number" in line for line in lines) == 101
    assert lost >= 85


def test_closing_does_not_wait_for_a_stuck_reader() -> None:
    stream = Stuck()
    handler = BackgroundHandler(stream, queued=2)
    logger = logger_with(handler)
    for number in range(5):
        logger.info({"number": number})
    began = monotonic()
    handler.close()
    assert monotonic() - began < 5
    stream.going.set()
