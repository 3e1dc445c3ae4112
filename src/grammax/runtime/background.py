"""Work in another thread that ends when the program does.

A daemon thread that is running at exit never lets go of what it refers to. Extensions made with
nanobind, such as DuckDB, then print that instances were leaked. So the thread is asked to end,
which it does at its next step in Python, and awaited for a moment.
"""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from time import monotonic
from typing import Final

_PATIENCE: Final = 5.0  # seconds; LLVM optimises one function meanwhile
_TRIED_EVERY: Final = 0.05  # seconds: a library may catch the first request


def start(work: Callable[[], object], name: str) -> Thread:
    """Start a daemon thread that is ended at exit."""

    def run() -> None:
        with suppress(SystemExit):
            work()

    thread = Thread(target=run, name=name, daemon=True)
    thread.start()
    atexit.register(end, thread)
    return thread


def end(thread: Thread, patience: float = _PATIENCE) -> None:
    """Have a thread raise `SystemExit`, and wait for it."""
    until = monotonic() + patience
    while thread.is_alive() and monotonic() < until:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit)
        )
        thread.join(_TRIED_EVERY)
