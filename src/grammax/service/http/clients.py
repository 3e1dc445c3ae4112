"""Limits of single clients, so that one of them cannot take what is meant for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final, final

from grammax.service.http.errors import RequestRefused, busy

_WINDOW: Final = 60.0  # seconds


@final
class Slots:
    """The requests that are being handled, of each client and of all."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    @contextmanager
    def slot(self, client: str, for_one: int, for_all: int) -> Iterator[None]:
        """A slot for one request; `RequestRefused` if the client, or all, have too many."""
        taken = self._taken
        if taken.total() >= for_all:
            raise busy(taken.total())
        if taken[client] >= for_one:
            raise busy(taken[client])
        taken[client] += 1
        try:
            yield
        finally:
            taken[client] -= 1
            if not taken[client]:
                del taken[client]


@final
class Quota:
    """A number of requests that each client may send in a minute."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()
        self._began = monotonic()

    def take(self, client: str, most: int) -> None:
        """Count a request; `RequestRefused` if the client has sent too many in this minute."""
        passed = monotonic() - self._began
        if passed >= _WINDOW:
            self._taken.clear()
            self._began, passed = monotonic(), 0.0
        if self._taken[client] >= most:
            raise RequestRefused(
                429,
                "quota_exceeded",
                f"{most} such requests have been taken from your address in this minute.",
                "Send it again after the seconds in Retry-After, or send the service's token.",
                {"Retry-After": str(int(_WINDOW - passed) + 1)},
            )
        self._taken[client] += 1
