"""The connections of a worker by client, so that those of one client never keep others out.

A connection waits if its client must act next: it is idle, or a request is not yet complete.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Generic, TypeVar, final

C = TypeVar("C")
CONNECTIONS: Final = 2_000  # per worker
CLIENT_CONNECTIONS: Final = 256
_OTHER_FILES: Final = 200  # that a worker may have open beside its connections


@final
class Peers(Generic[C]):
    """The connections of each client; those that wait, the one that has waited longest first."""

    def __init__(self) -> None:
        self._all: dict[str, set[C]] = {}
        self._waiting: dict[str, OrderedDict[C, None]] = {}
        self._count = 0

    def add(self, client: str, connection: C) -> None:
        """A new connection, which waits."""
        self._all.setdefault(client, set()).add(connection)
        self._count += 1
        self.waits(client, connection)

    def remove(self, client: str, connection: C) -> None:
        """A connection that has ended."""
        found = self._all.get(client)
        if found is None or connection not in found:
            return
        found.remove(connection)
        self._count -= 1
        self.works(client, connection)
        if not found:
            del self._all[client]

    def waits(self, client: str, connection: C) -> None:
        """From now on the connection waits for its client."""
        if connection in self._all.get(client, ()):
            waiting = self._waiting.setdefault(client, OrderedDict())
            waiting[connection] = None
            waiting.move_to_end(connection)

    def works(self, client: str, connection: C) -> None:
        """A request of the connection is being handled."""
        waiting = self._waiting.get(client)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._waiting[client]

    def of(self, client: str) -> Iterator[C]:
        """The connections of a client."""
        return iter(tuple(self._all.get(client, ())))

    def is_full(self, client: str, is_proxy: bool) -> bool:
        """Whether there are more connections than are permitted, of the client or of all."""
        has_too_many = not is_proxy and len(self._all[client]) > CLIENT_CONNECTIONS
        return has_too_many or self._count > min(CONNECTIONS, _permitted_by_system())

    def superfluous(self, client: str, newest: C) -> C | None:
        """The connection that makes room for the newest: the one that has waited longest.

        It is of the same client if that has too many, else of the client that has the most.
        """
        if len(self._all[client]) > CLIENT_CONNECTIONS:
            return self._longest(client, newest)
        for each in sorted(self._all, key=lambda client: -len(self._all[client])):
            found = self._longest(each, newest)
            if found is not None:
                return found
        return None

    def _longest(self, client: str, newest: C) -> C | None:
        return next((each for each in self._waiting.get(client, ()) if each != newest), None)


@lru_cache(maxsize=1)
def _permitted_by_system() -> int:
    """The connections that the limit of open files leaves room for; it is raised if it may be."""
    try:
        import resource
    except ImportError:  # Windows
        return CONNECTIONS
    wanted = CONNECTIONS + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, soft - _OTHER_FILES)
