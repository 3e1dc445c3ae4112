"""Fuzzing for a fixed time: seconds for each sort of input, and a limit for one example.

Each sort has `SECONDS`, or as many as `GRAMMAX_FUZZ_SECONDS` says; then examples are drawn at
random instead of the same ones each time. Texts are mostly mutations of good ones, since noise
alone is refused at the first character.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SECONDS = 1.2
LEAST = 10  # examples, however long they take
VARIABLE = "GRAMMAX_FUZZ_SECONDS"
HANGS = 30  # seconds of one example
_MOST = 100_000  # examples
T = TypeVar("T")
JUNK = (
    *("", " ", "\n", "\t", "\0", "\ufeff", "\u202e", "é", "🐂", "\U0010ffff", "\ud800"),
    *("(", ")", "[", "]", "{", "}", '"', "'", "`", "\\", "/", "|", "*", "+", "?", "~", ":", "%"),
    *("=", "-", ".", ",", "#", "_", "$", "&", "<", ">", "!", "//", '""', "0", "-1", "1e999", "NaN"),
    *("9" * 40, "((((", "))))", "[[[[", "true", "null", "inf", "../", "/etc/passwd", "%s", "${x}"),
)


class Hangs(BaseException):
    """An example took too long."""


def fuzz(strategy: st.SearchStrategy[T], check: Callable[[T], object]) -> None:
    """Check examples until the time is over."""
    seconds = float(os.environ.get(VARIABLE, SECONDS))
    end, tried, failed = monotonic() + seconds, 0, False

    @settings(
        max_examples=_MOST,
        derandomize=VARIABLE not in os.environ,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def body(example: T) -> None:
        nonlocal tried, failed
        if monotonic() > end and tried >= LEAST and not failed:
            raise Over
        tried += 1
        try:
            with limited():
                check(example)
        except BaseException as error:
            error.add_note(f"the example: {example!r:.2000}")
            failed = True  # it is made smaller now, which takes as long as it takes
            raise

    with suppress(Over):
        body()
    assert tried >= LEAST


class Over(BaseException):
    """The time is over."""


@contextmanager
def limited(seconds: int = HANGS) -> Iterator[None]:
    """Raise `Hangs` in what takes longer, where the system has alarms."""
    if sys.platform == "win32":
        yield
        return

    def ring(*_: object) -> None:
        raise Hangs(f"one example took longer than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def mutated(texts: Sequence[str], words: Sequence[str] = ()) -> st.SearchStrategy[str]:
    """Good texts with parts removed, doubled, moved and replaced by junk and by other words."""
    parts = st.one_of(
        st.sampled_from(JUNK), st.text(max_size=8), st.sampled_from([*words] or list(JUNK))
    )
    edits = st.lists(
        st.tuples(st.sampled_from(["insert", "delete", "replace", "double", "swap"]),
                  st.floats(0, 1), st.integers(0, 12), parts),
        max_size=6,
    )  # fmt: skip
    return st.builds(_edited, st.sampled_from(texts), edits)


def _edited(text: str, edits: Sequence[tuple[str, float, int, str]]) -> str:
    for how, where, size, part in edits:
        at = int(where * len(text))
        end = at + size
        if how == "insert":
            text = text[:at] + part + text[at:]
        elif how == "delete":
            text = text[:at] + text[end:]
        elif how == "replace":
            text = text[:at] + part + text[end:]
        elif how == "double":
            text = text[:end] + text[at:end] * 3 + text[end:]
        else:
            text = text[end:] + text[:at] + text[at:end]
    return text


def damaged(content: bytes, head: int = 4_096) -> st.SearchStrategy[bytes]:
    """Good bytes with some changed, mostly in their head, or cut off."""
    places = st.one_of(
        st.integers(0, min(head, len(content) - 1)), st.integers(0, len(content) - 1)
    )
    changes = st.lists(st.tuples(places, st.binary(max_size=8)), min_size=1, max_size=4)
    lengths = st.one_of(st.just(len(content)), st.integers(0, len(content)))

    def made(given_: tuple[Any, int]) -> bytes:
        found, (edits, length) = bytearray(content), given_
        for place, part in edits:
            found[place : place + len(part)] = part
        return bytes(found[:length])

    return st.tuples(changes, lengths).map(made)
