"""Connections: not too many, and none on which a request does not get going."""

from __future__ import annotations

import asyncio
from typing import Any, Final, final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from grammax.service.shown import encoded

HEADER_SECONDS: Final = 10.0
CONNECTIONS: Final = 2_000  # of a worker
_TOLD: Final = encoded(
    {
        "error": {
            "code": "too_many_connections",
            "message": f"There are {CONNECTIONS:,} connections already.",
            "hint": "Come again after the seconds in Retry-After.",
            "request_id": "",
        }
    }
)
_FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 2\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_TOLD), _TOLD)
)


@final
class PatientProtocol(HttpToolsProtocol):
    """uvicorn's HTTP, with limits on connections and on the time that headers may take.

    Bodies have a limit of their own, where they are read.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > CONNECTIONS:
            transport.write(_FULL)
            transport.close()
        self._wait()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._timer is None:
            self._wait()

    def on_headers_complete(self) -> None:
        self._cancel()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._timer = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
