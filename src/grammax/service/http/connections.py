"""Limits of connections: their number, the time and size of headers, and what nobody reads.

uvicorn takes a protocol class as its `http` setting. Bodies have separate limits, in `limits`.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final, final
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from grammax.service.http.clients import client_name
from grammax.service.http.peers import Peers
from grammax.service.schemas.base import Error, ErrorDetail, encode

HEADER_SECONDS: Final = 10.0
HEADER_BYTES: Final = 32_768  # of the first line and all headers together
HEADERS: Final = 100
URL_BYTES: Final = 8_192
UNREAD_BYTES: Final = 8_000_000  # of all responses to one client but the largest, maybe a file
UNREAD_SECONDS: Final = 10.0  # until a client must have read some of a response
_LEAST_READ: Final = 50_000  # bytes in that time
_PIPELINED: Final = 8  # requests that wait for the response to an earlier one
_DRAINED: Final = 1_000_000  # bytes
_DRAIN_SECONDS: Final = 1.0


class _HeadRefused(Exception):
    """Raised in a callback of the parser, which then stops reading."""


@final
class LimitedConnection(HttpToolsProtocol):
    """uvicorn's HTTP/1.1 protocol with limits.

    A connection is closed if its headers take too long or are too large, or if its client does not
    read its responses. If there are too many connections, of one client or of all, the one that has
    waited the longest for its client makes room for the new one.
    """

    _timer: asyncio.TimerHandle | None = None
    _unread_timer: asyncio.TimerHandle | None = None
    _taken: int = 0  # bytes that are not yet part of a request that the application has
    _refusal: bytes | None = None
    _left_to_drain: int | None = None  # bytes, once the connection was refused
    _client: str = ""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self._client = client_name(address)
        self._peers = _peers.setdefault(self.server_state, Peers())
        self._peers.add(self._client, self)
        if self._peers.is_full(self._client, self._is_proxy) and not self._make_room():
            self._refuse(_response(503, "too_many_connections", _FULL, "Retry-After: 2\r\n"))
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        if self._left_to_drain is not None:
            self._left_to_drain -= len(data)
            if self._left_to_drain < 0:
                self.transport.abort()
            return
        self._taken += len(data)
        super().data_received(data)
        if self._taken > HEADER_BYTES:
            self._refuse(_TOO_LARGE)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._taken = 0
        if self._timer is None:
            self._start_timer()

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= HEADERS:
            self._refusal = _TOO_MANY
            raise _HeadRefused
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._stop_timer()
        self._taken = 0
        if len(self.url) > URL_BYTES:
            self._refusal = _URL_TOO_LONG
        elif sum(len(name) + len(value) + 4 for name, value in self.headers) > HEADER_BYTES:
            self._refusal = _TOO_LARGE
        if self._refusal is not None or len(self.pipeline) >= _PIPELINED:
            raise _HeadRefused
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._taken = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._taken = 0
        if self._is_working:
            self._peers.works(self._client, self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._is_working:
            self._peers.waits(self._client, self)
        if self.flow.write_paused:  # nothing new until the client has read this
            self.flow.pause_reading()

    def pause_writing(self) -> None:
        """The client does not read as fast as responses are written."""
        super().pause_writing()
        unread = [each.unread for each in self._peers.of(self._client)]
        if sum(unread) - max(unread, default=0) > UNREAD_BYTES and not self._is_proxy:
            self.transport.abort()
        elif self._unread_timer is None:
            self._wait_for_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_unread_timer()
        if not self._is_working:
            self.flow.resume_reading()

    def send_400_response(self, msg: str) -> None:
        """Respond to what cannot be read, or to headers that were refused."""
        if self._is_responding:
            self.transport.abort()
        elif self._refusal is None:
            super().send_400_response(msg)
        else:
            self._refuse(self._refusal)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_unread_timer()
        self._peers.remove(self._client, self)
        super().connection_lost(exc)

    @property
    def unread(self) -> int:
        """The bytes of responses that the client has not read."""
        return self.transport.get_write_buffer_size()

    @property
    def _is_working(self) -> bool:
        """Whether a request is being handled on the connection."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def _is_responding(self) -> bool:
        """Whether another response would be taken for that to an earlier request."""
        cycle = self.cycle
        is_due = cycle is not None and (cycle.response_started or not cycle.more_body)
        return self._is_working and (is_due or bool(self.pipeline))

    @property
    def _is_proxy(self) -> bool:
        """Whether the connection is of a trusted proxy, which has those of many clients."""
        trusted = self.config.forwarded_allow_ips or ()
        address = self.client[0] if self.client else ""
        return self.config.proxy_headers and (address in trusted or "*" in trusted)

    def _make_room(self) -> bool:
        """Close the connection that has waited the longest; False if none waits."""
        found = self._peers.superfluous(self._client, self)
        if found is None:
            return False
        self._peers.remove(found._client, found)
        found.transport.abort()  # what is closed gently may stay for as long as its client likes
        return True

    def _refuse(self, response: bytes) -> None:
        """Respond, and ignore what still comes: a connection closed at once may lose the response.

        This ends when the client closes the connection, or after a second.
        """
        if self._is_responding:
            self.transport.abort()
        elif self._left_to_drain is None and not self.transport.is_closing():
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

    def _wait_for_reader(self) -> None:
        """Close the connection unless its client goes on to read."""
        before = self.unread

        def check() -> None:
            self._unread_timer = None
            if self.unread > before - _LEAST_READ:
                self.transport.abort()
            else:
                self._wait_for_reader()

        self._unread_timer = self.loop.call_later(UNREAD_SECONDS, check)

    def _stop_unread_timer(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None


_peers: Final[WeakKeyDictionary[ServerState, Peers[LimitedConnection]]] = WeakKeyDictionary()


def _response(status: int, code: str, told: tuple[str, str], headers: str = "") -> bytes:
    """A whole response, for connections whose requests never reach the application."""
    body = encode(Error(ErrorDetail(code, *told, "")))
    return (
        f"HTTP/1.1 {status} Refused\r\nContent-Type: application/json\r\n{headers}"
        f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode() + body


_FULL: Final = (
    "There are too many connections already, and all of them are being used.",
    "Come again after the seconds in Retry-After.",
)
_TOO_LARGE: Final = _response(
    431,
    "headers_too_large",
    (f"The headers have more than {HEADER_BYTES:,} bytes.", "Send fewer or shorter headers."),
)
_TOO_MANY: Final = _response(
    431,
    "headers_too_large",
    (f"There are more than {HEADERS} headers.", "Send fewer headers."),
)
_URL_TOO_LONG: Final = _response(
    414,
    "url_too_long",
    (f"The URL has more than {URL_BYTES:,} bytes.", "Send long texts in the body of a POST."),
)
