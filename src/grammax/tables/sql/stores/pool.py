"""`Pool`: so many connections, opened when they are needed; a broken one is not used again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Final, Generic, TypeVar, final

from grammax.tables.query.source import StoreBusy

C = TypeVar("C")
AT_ONCE: Final = 8  # connections of one process


@final
class Pool(Generic[C]):
    """Connections that threads borrow. `usable` tests one, `close` ends one."""

    def __init__(
        self,
        opened: Callable[[], C],
        usable: Callable[[C], bool],
        close: Callable[[C], object],
        size: int = AT_ONCE,
    ) -> None:
        self.size = size
        self._open, self._usable, self._close = opened, usable, close
        self._free = BoundedSemaphore(size)
        self._lock = Lock()
        self._idle: list[C] = []
        self._is_closed = False

    @contextmanager
    def connection(self, seconds: float) -> Iterator[C]:
        """A connection; `StoreBusy` if none is free within the time."""
        if not self._free.acquire(timeout=max(seconds, 0)):
            raise StoreBusy(self.size)
        try:
            with self._lock:
                found = self._idle.pop() if self._idle else None
            connection = self._open() if found is None else found
            try:
                yield connection
            finally:
                self._return(connection)
        finally:
            self._free.release()

    def drop_idle(self) -> None:
        """Close the connections that nobody uses: the server that they lead to has gone."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            self._close(connection)

    def close(self) -> None:
        """Close all connections; those in use when they are returned."""
        self._is_closed = True
        self.drop_idle()

    def _return(self, connection: C) -> None:
        if self._usable(connection) and not self._is_closed:
            with self._lock:
                self._idle.append(connection)
        else:
            self._close(connection)
