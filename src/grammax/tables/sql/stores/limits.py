"""`limited`: a query is interrupted at its time limit, or when nobody waits for it any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Final, final

from grammax.language.interruption import INTERRUPTION
from grammax.tables.query.source import GivenUp, StoreError, TooSlow

_AGAIN: Final = 0.05  # seconds; what is stopped before it begins is stopped again


@final
class Limit:
    """Watches a query, and knows what has interrupted it, if anything has."""

    def __init__(self, seconds: float, stop: Callable[[], object]) -> None:
        self._seconds, self._stop = seconds, stop
        self._lock = Lock()  # an interrupt must not reach what runs next
        self._woken, self._over = Event(), Event()
        self._is_expired = self._is_given_up = False

    @property
    def interrupted(self) -> StoreError | None:
        """The error of a query that was interrupted."""
        if self._is_given_up:
            return GivenUp()
        return TooSlow(self._seconds) if self._is_expired else None

    def give_up(self) -> None:
        """Have the query stopped, since nobody waits for its answer."""
        self._is_given_up = True
        self._woken.set()

    def end(self) -> None:
        """The query is over: nothing is interrupted from now on."""
        with self._lock:
            self._over.set()
        self._woken.set()

    def watch(self) -> None:
        """Wait for the end of the query or of its time, and stop it."""
        if not self._woken.wait(max(self._seconds, 0)):
            self._is_expired = True
        while not self._over.is_set():
            with self._lock:
                if not self._over.is_set():
                    with suppress(Exception):  # of a driver: the query may just have ended
                        self._stop()
            self._over.wait(_AGAIN)


@contextmanager
def limited(seconds: float, stop: Callable[[], object]) -> Iterator[Limit]:
    """Call `stop`, from another thread, when the time is over or the query is given up.

    What is raised inside is replaced by `TooSlow` or `GivenUp` if it was interrupted.
    """
    interruption = INTERRUPTION.get()
    if interruption is not None and interruption.is_interrupted:
        raise GivenUp
    if seconds <= 0:
        raise TooSlow(seconds)
    limit = Limit(seconds, stop)
    watcher = Thread(target=limit.watch, daemon=True)
    watcher.start()
    if interruption is not None:
        interruption.register(limit.give_up)
    try:
        yield limit
    except Exception as error:
        limit.end()
        interrupted = limit.interrupted
        if interrupted is None or isinstance(error, TooSlow | GivenUp):
            raise
        raise interrupted from None
    finally:
        limit.end()
        if interruption is not None:
            interruption.forget(limit.give_up)
        watcher.join()  # at exit it would hold what it stops
