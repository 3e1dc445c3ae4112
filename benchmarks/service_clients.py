"""Clients of a service on loopback: well behaved ones that are timed, and all sorts of others."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from time import perf_counter
from typing import cast

from report import Row

_HOST = "127.0.0.1"
_SLOW_CLIENTS = 20
_SORTS = 20  # of random bytes, and of random letters


@dataclass(slots=True)
class Timed:
    """What clients saw."""

    seconds: list[float] = field(default_factory=list)
    errors: int = 0

    def row(self, name: str, seconds: float) -> Row:
        """A row of a table, for a load that took so many seconds."""
        ordered = sorted(self.seconds)
        return {
            "name": name,
            "requests": len(ordered),
            "a second": len(ordered) / seconds,
            "p50 ms": 1e3 * ordered[len(ordered) // 2],
            "p99 ms": 1e3 * ordered[int(0.99 * len(ordered))],
            "slowest ms": 1e3 * ordered[-1],
            "errors": self.errors,
        }


class Client(asyncio.Protocol):
    """One connection, kept open; the next request is sent when the answer to the last is there.

    With an `interval` requests are due so often, and are timed from when they were due.
    """

    def __init__(
        self, requests: Sequence[bytes], timed: Timed, end: float, due: float, interval: float
    ) -> None:
        self._requests, self._timed, self._end = requests, timed, end
        self._due, self._interval = due, interval
        self._number = 0
        self._received = bytearray()
        self._length = 0
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._next()

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._length:
            head = self._received.find(b"\r\n\r\n")
            if head < 0:
                return
            lines = bytes(self._received[:head]).lower().split(b"\r\n")
            length = next(line for line in lines if line.startswith(b"content-length:"))
            self._length = head + 4 + int(length.partition(b":")[2])
            self._timed.errors += lines[0].split()[1] != b"200"
        if len(self._received) >= self._length:
            self._timed.seconds.append(perf_counter() - self._due)
            self._received.clear()
            self._length = 0
            self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        if perf_counter() < self._end:
            self._timed.errors += 1

    def _next(self) -> None:
        assert self._transport is not None
        now = perf_counter()
        if self._interval:
            self._due += self._interval
            if self._due > now:
                loop = asyncio.get_running_loop()
                loop.call_later(self._due - now, self._send)
                return
        else:
            self._due = now
        self._send()

    def _send(self) -> None:
        assert self._transport is not None
        if perf_counter() >= self._end:
            self._transport.close()
            return
        self._transport.write(self._requests[self._number % len(self._requests)])
        self._number += 1


async def load(
    port: int,
    path: str,
    queries: Sequence[str],
    clients: int,
    seconds: float,
    rate: float | None = None,
) -> Timed:
    """So many clients for some seconds: as fast as they are answered, or at a rate."""
    timed = Timed()
    requests = [post(path, json.dumps({"query": query}).encode()) for query in queries]
    loop = asyncio.get_running_loop()
    begin = perf_counter()
    interval = clients / rate if rate else 0.0
    for number in range(clients):
        first = number * len(requests) // clients
        mine = [*requests[first:], *requests[:first]]
        due = begin + interval * number / clients
        client = Client(mine, timed, begin + seconds, due, interval)
        await loop.create_connection(lambda client=client: client, _HOST, port)  # type: ignore[misc]
    await asyncio.sleep(begin + seconds - perf_counter() + 0.5)
    return timed


def post(path: str, body: bytes) -> bytes:
    """A request as it goes over the wire."""
    head = f"POST {path} HTTP/1.1\r\nHost: {_HOST}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def disturbing(port: int, seconds: float) -> Counter[str]:
    """`nuisance`, for a process of its own."""
    return asyncio.run(nuisance(port, seconds))


async def nuisance(port: int, seconds: float) -> Counter[str]:
    """Random bytes, malformed JSON, huge bodies and slow clients; what they were told."""
    told: Counter[str] = Counter()
    chance = random.Random(0)
    # Made before the clock starts: what is measured is the service, not who makes them up.
    sorts: list[list[bytes]] = [
        [chance.randbytes(10_000) for _ in range(_SORTS)],
        [post("/parse", chance.randbytes(10_000)) for _ in range(_SORTS)],
        [
            post("/parse", json.dumps({"query": _letters(chance, 10_000)}).encode())
            for _ in range(_SORTS)
        ],
        [post("/parse", b'{"query": "german steel"')],
        [post("/parse", b'{"query": 3, "colour": []}')],
        [post("/parse", b" " * 10_000_000)],
        [post("/nowhere", b"{}")],
    ]
    end = perf_counter() + seconds
    work: list[Awaitable[None]] = [_again(port, cycle(sort), end, told) for sort in sorts]
    work += [_slow(port, end, told, number % 2 == 0) for number in range(_SLOW_CLIENTS)]
    await asyncio.gather(*work)
    return told


async def _again(port: int, data: Iterator[bytes], end: float, told: Counter[str]) -> None:
    """Some ten times a second, each on a connection of its own."""
    while perf_counter() < end:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(15):
                told[await _answer(port, next(data))] += 1
        await asyncio.sleep(0.1)


async def _answer(port: int, data: bytes) -> str:
    reader, writer = await asyncio.open_connection(_HOST, port)
    try:
        with suppress(OSError):
            writer.write(data)
            await writer.drain()
        with suppress(OSError):
            line = await reader.readline()
            return line.decode("latin-1").split(" ")[1] if line else "closed"
        return "closed"
    finally:
        writer.close()


async def _slow(port: int, end: float, told: Counter[str], headers: bool) -> None:
    """A byte a second, of the headers or of the body."""
    data = post("/parse", b'{"query": "german steel"}' + b" " * 1_000)
    sent = 10 if headers else data.find(b"\r\n\r\n") + 6
    while perf_counter() < end:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(_HOST, port)
            writer.write(data[:sent])
            place = sent
            while perf_counter() < end and not reader.at_eof() and not writer.is_closing():
                await asyncio.sleep(1)
                writer.write(data[place : place + 1])
                place += 1
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.001):
                        if line := await reader.readline():
                            told["slow " + line.decode("latin-1").split(" ")[1]] += 1
                        else:
                            told["slow closed"] += 1
                        break
            writer.close()


def _letters(chance: random.Random, count: int) -> str:
    return "".join(map(chr, chance.choices(range(1, 0xD7FF), k=count)))
