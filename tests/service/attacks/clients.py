"""Connections that say what they like, and an honest client that is timed."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic, perf_counter

HOST = "127.0.0.1"
PATIENCE_S = 20.0
QUERIES = (
    "german steel",
    "top 5 banks by market cap",
    "french software companies",
    "p/e below 10",
    "largest japanese car makers",
    "dividend yield above 4%",
)


@dataclass(slots=True)
class Timed:
    """What the honest client saw: the seconds of each request, and errors."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def quantile(self, part: float) -> float:
        """The seconds within which so many of the requests were answered."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("inf")


class Connection:
    """One connection, kept open; it reads no more than it is asked to."""

    def __init__(self, port: int, source: str, unread: int = 2**16) -> None:
        self._port, self._source, self._unread = port, source, unread

    async def __aenter__(self) -> Connection:
        self.reader, self.writer = await asyncio.open_connection(
            HOST, self._port, local_addr=(self._source, 0), limit=self._unread
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.transport.abort()

    async def send(self, data: bytes) -> None:
        """Send, and wait until the other side has taken most of it."""
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> tuple[int, bytes]:
        """The status and the body of the next response."""
        head = await self.reader.readuntil(b"\r\n\r\n")
        lengths = [
            line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
        ]
        body = await self.reader.readexactly(int(lengths[0].partition(b":")[2])) if lengths else b""
        return int(head.split(b" ", 2)[1]), body


def request(
    path: str, body: object = None, headers: Sequence[str] = (), host: str = HOST, method: str = ""
) -> bytes:
    """A request as it goes over the wire; a body that is not of bytes is sent as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"{method or ('GET' if body is None else 'POST')} {path} HTTP/1.1", f"Host: {host}"]
    lines += headers
    if body is None:
        return "\r\n".join((*lines, "", "")).encode()
    lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join((*lines, "", "")).encode() + content


async def ask_steadily(port: int, seconds: float, source: str, interval: float = 0.1) -> Timed:
    """Ask a short query at each interval, and time it from when it was due."""
    timed, number = Timed(), 0
    begin = due = perf_counter()
    while due < begin + seconds:
        try:
            async with Connection(port, source) as connection:
                while due < begin + seconds:
                    await asyncio.sleep(max(0.0, due - perf_counter()))
                    query = QUERIES[number % len(QUERIES)]
                    number += 1
                    async with asyncio.timeout(PATIENCE_S):
                        await connection.send(request("/ask", {"query": query}))
                        status, body = await connection.answer()
                    timed.seconds.append(perf_counter() - due)
                    if status != 200:
                        timed.errors.append(f"{status} {body[:200]!r}")
                    due = max(due + interval, perf_counter() - interval)
        except (OSError, EOFError, TimeoutError) as error:
            timed.errors.append(repr(error))
            due += interval
    return timed


async def repeat(
    port: int,
    source: str,
    seconds: float,
    requests: Sequence[bytes],
    at_once: int,
    told: Counter[str],
    pause: float = 0.0,
) -> None:
    """Send requests over so many connections, the next one when the last is answered."""
    end = monotonic() + seconds

    async def one(number: int) -> None:
        while monotonic() < end:
            with suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(PATIENCE_S), Connection(port, source) as connection:
                    while monotonic() < end:
                        await connection.send(requests[number % len(requests)])
                        number += 1
                        status, _ = await connection.answer()
                        told[str(status)] += 1
                        await asyncio.sleep(pause)
            await asyncio.sleep(0.01)

    await asyncio.gather(*(one(number) for number in range(at_once)))
