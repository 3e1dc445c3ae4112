"""`Interruption`: lets one thread stop what another one is waiting for, such as a data store."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from threading import Lock
from typing import final


@final
class Interruption:
    """A piece of work that may be given up.

    >>> stopped = []
    >>> work = Interruption()
    >>> work.register(lambda: stopped.append("the query"))
    >>> work.interrupt()
    >>> work.is_interrupted, stopped
    (True, ['the query'])
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._stops: list[Callable[[], object]] = []
        self.is_interrupted = False

    def register(self, stop: Callable[[], object]) -> None:
        """Have `stop` called on an interruption: at once if that was before."""
        with self._lock:
            if not self.is_interrupted:
                self._stops.append(stop)
                return
        stop()

    def forget(self, stop: Callable[[], object]) -> None:
        """What `stop` would stop is over."""
        with self._lock:
            if stop in self._stops:
                self._stops.remove(stop)

    def interrupt(self) -> None:
        """Stop what is registered, and whatever will be."""
        with self._lock:
            self.is_interrupted = True
            stops, self._stops = self._stops, []
        for stop in stops:
            stop()


INTERRUPTION: ContextVar[Interruption | None] = ContextVar("grammax_interruption", default=None)
"""The interruption of the work of this thread, if somebody can interrupt it."""
