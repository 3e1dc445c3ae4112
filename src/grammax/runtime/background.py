"""Work in another thread that ends when the program does.

A daemon thread that is running at exit never lets go of what it refers to. Extensions made with
nanobind, such as DuckDB, then print that instances were leaked. So the thread is asked to end,
which it does at its next step in Python, and awaited for a moment. What fails because of that, such
as a library whose callback was interrupted, is not reported.
"""

from __future__ import annotations

import atexit
import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic
from typing import Final, final

_PATIENCE: Final = 5.0  # seconds; LLVM optimises one function meanwhile
_TRIED_EVERY: Final = 0.05  # seconds: a library may catch the first request


@final
class EndedThread(Thread):
    """A daemon thread whose errors are reported until it is asked to end."""

    def __init__(self, work: Callable[[], object], name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._work = work
        self.asked_to_end = False

    def run(self) -> None:
        try:
            self._work()
        except SystemExit:
            pass
        except Exception:
            if not self.asked_to_end:
                raise


def start(work: Callable[[], object], name: str) -> EndedThread:
    """Start a daemon thread that is ended at exit."""
    thread = EndedThread(work, name)
    thread.start()
    atexit.register(end, thread)
    return thread


def end(thread: EndedThread, patience: float = _PATIENCE) -> None:
    """Have a thread raise `SystemExit`, and wait for it."""
    until = monotonic() + patience
    thread.asked_to_end = True
    with _requests_unreported():
        while thread.is_alive() and monotonic() < until:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit)
            )
            thread.join(_TRIED_EVERY)


@contextmanager
def _requests_unreported() -> Iterator[None]:
    """Say nothing of a `SystemExit` that arrives in a callback, where it cannot be raised."""
    before = sys.unraisablehook

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is not SystemExit:
            before(unraisable)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
