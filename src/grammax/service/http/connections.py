"""Limits of connections: their number, and the time and the size of the headers of a request.

uvicorn takes a protocol class as its `http` setting. Bodies have separate limits, in `limits`.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final, final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from grammax.service.schemas.base import Error, ErrorDetail, encode

HEADER_SECONDS: Final = 10.0
CONNECTIONS: Final = 2_000  # per worker
HEADER_BYTES: Final = 32_768  # of the first line and all headers together
URL_BYTES: Final = 8_192
_DRAINED: Final = 1_000_000  # bytes
_DRAIN_SECONDS: Final = 1.0


class _HeadRefused(Exception):
    """Raised in a callback of the parser, which then stops reading."""


@final
class LimitedConnection(HttpToolsProtocol):
    """uvicorn's HTTP/1.1 protocol with limits.

    A connection is closed if its headers take too long or are too large. If there are too many
    connections, the one that has been idle the longest makes room for the new one, so that idle
    connections never keep others out.
    """

    _timer: asyncio.TimerHandle | None = None
    _head: int = 0  # bytes since the end of the last complete headers
    _in_head: bool = True
    _used: float = 0.0  # the time of the last bytes, by the clock of the loop
    _refusal: bytes | None = None
    _left_to_drain: int | None = None  # bytes, once the connection was refused

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._used = self.loop.time()
        if len(self.connections) > CONNECTIONS and not self._make_room():
            self._refuse(_response(503, "too_many_connections", _FULL, "Retry-After: 2\r\n"))
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        if self._left_to_drain is not None:
            self._left_to_drain -= len(data)
            if self._left_to_drain < 0:
                self.transport.abort()
            return
        self._used = self.loop.time()
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > HEADER_BYTES:
            self._refuse(_TOO_LARGE)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if not self._in_head:  # on a connection that is kept alive
            self._in_head, self._head = True, 0
        if self._timer is None:
            self._start_timer()

    def on_headers_complete(self) -> None:
        self._stop_timer()
        self._in_head = False
        if len(self.url) > URL_BYTES:
            self._refusal = _URL_TOO_LONG
        elif sum(len(name) + len(value) + 4 for name, value in self.headers) > HEADER_BYTES:
            self._refusal = _TOO_LARGE
        if self._refusal is not None:
            raise _HeadRefused
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Respond to what cannot be read, or to headers that were refused."""
        if self._refusal is None:
            super().send_400_response(msg)
        else:
            self._refuse(self._refusal)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being handled on the connection."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def _make_room(self) -> bool:
        """Close the connection that has been idle the longest; False if none is idle."""
        others = (each for each in self.connections if isinstance(each, LimitedConnection))
        idle = (
            each
            for each in others
            if each is not self and each.is_idle and not each.transport.is_closing()
        )
        oldest = min(idle, key=lambda each: each._used, default=None)
        if oldest is None:
            return False
        oldest.transport.abort()  # what is closed gently may stay for as long as its client likes
        return True

    def _refuse(self, response: bytes) -> None:
        """Respond, and ignore what still comes: a connection closed at once may lose the response.

        This ends when the client closes the connection, or after a second.
        """
        if self._left_to_drain is None and not self.transport.is_closing():
            self._left_to_drain = _DRAINED
            self.transport.write(response)
            self.transport.write_eof()
            self.loop.call_later(_DRAIN_SECONDS, self.transport.abort)

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(HEADER_SECONDS, self._close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


def _response(status: int, code: str, told: tuple[str, str], headers: str = "") -> bytes:
    """A whole response, for connections whose requests never reach the application."""
    body = encode(Error(ErrorDetail(code, *told, "")))
    return (
        f"HTTP/1.1 {status} Refused\r\nContent-Type: application/json\r\n{headers}"
        f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


_FULL: Final = (
    "There are too many connections already, and none of them is idle.",
    "Come again after the seconds in Retry-After.",
)
_TOO_LARGE: Final = _response(
    431,
    "headers_too_large",
    (f"The headers have more than {HEADER_BYTES:,} bytes.", "Send fewer or shorter headers."),
)
_URL_TOO_LONG: Final = _response(
    414,
    "url_too_long",
    (f"The URL has more than {URL_BYTES:,} bytes.", "Send long texts in the body of a POST."),
)
