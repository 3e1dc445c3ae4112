"""Limits of connections: their number, and the time until the headers of a request are complete.

uvicorn takes a protocol class as its `http` setting. Bodies have a separate time limit, in
`limits`.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final, final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from grammax.service.schemas.base import Error, ErrorDetail, encode

HEADER_SECONDS: Final = 10.0
CONNECTIONS: Final = 2_000  # per worker
_BODY: Final = encode(
    Error(
        ErrorDetail(
            "too_many_connections",
            f"There are {CONNECTIONS:,} connections already.",
            "Come again after the seconds in Retry-After.",
            "",
        )
    )
)
_FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 2\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)


@final
class HeaderTimeout(HttpToolsProtocol):
    """uvicorn's HTTP/1.1 protocol; a connection is closed if its headers take too long."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > CONNECTIONS:
            transport.write(_FULL)
            transport.close()
        self._start_timer()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._timer is None:
            self._start_timer()

    def on_headers_complete(self) -> None:
        self._stop_timer()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(HEADER_SECONDS, self._close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
