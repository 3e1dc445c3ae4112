"""Limits of single clients, so that one of them cannot take what is meant for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from time import monotonic
from typing import Final, final

from grammax.service.http.errors import RequestRefused, busy

_WINDOW: Final = 60.0  # seconds
_NETWORK: Final = 64  # bits of an IPv6 address that its owner cannot choose


@lru_cache(maxsize=4_096)
def client_name(address: str) -> str:
    """What limits take for one client: an address, or the network of an IPv6 address."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found.packed, 128)).supernet(new_prefix=_NETWORK))


@final
class Slots:
    """The requests that are being handled, of each client and of all."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    @contextmanager
    def slot(self, client: str, for_one: int, for_all: int) -> Iterator[None]:
        """A slot for one request; `RequestRefused` if the client has too many.

        If all slots are taken, a client that has less than its part of them still has one.
        """
        taken = self._taken
        if taken[client] >= for_one:
            raise busy(taken[client])
        if (total := taken.total()) >= for_all:
            clients = len(taken) + (client not in taken)
            if taken[client] >= for_all // clients:
                raise busy(total)
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
