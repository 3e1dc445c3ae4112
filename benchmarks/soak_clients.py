"""Honest clients of the soak test: they ask, correct and change, repeat what broke off, and note
all that was acknowledged."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any

HOST = "127.0.0.1"
TIMEOUT = 15.0  # seconds for one answer
REPEATS = 10  # of a request whose connection broke off or that got no answer
LF = "(FLD_DOMICILE EQ enumValue(COU_GERMANY))"
PAUSE = 0.5  # seconds before it is repeated


@dataclass
class Phase:
    """What clients saw while a fault was there."""

    requests: int = 0
    broken: int = 0  # connections, whose requests were repeated
    unanswered: int = 0  # after all repeats
    statuses: Counter[int] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)  # codes of 503
    seconds: list[float] = field(default_factory=list)


@dataclass
class Ledger:
    """What was acknowledged: it must be found in the files at the end."""

    corrections: set[str] = field(default_factory=set)  # ids
    audited: set[str] = field(default_factory=set)  # ids of requests that were answered
    added: set[str] = field(default_factory=set)  # tokens
    removed: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)  # tokens whose change was not acknowledged
    phases: dict[str, Phase] = field(default_factory=dict)
    phase: str = ""
    bugs: list[str] = field(default_factory=list)

    @property
    def current(self) -> Phase:
        """The phase that the clients are in."""
        return self.phases.setdefault(self.phase, Phase())


class Client:
    """One connection, opened anew where it broke off."""

    def __init__(self, port: int, ledger: Ledger, token: str) -> None:
        self._port, self.ledger, self._token = port, ledger, token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
        """The status and the content of an answer; 0 if there is none after all repeats."""
        ledger, began = self.ledger, perf_counter()
        ledger.current.requests += 1
        for _ in range(REPEATS):
            try:
                async with asyncio.timeout(TIMEOUT):
                    status, request, content = await self._exchange(method, path, body)
            except (OSError, TimeoutError, asyncio.IncompleteReadError):
                ledger.current.broken += 1
                self.close()
                await asyncio.sleep(PAUSE)
                continue
            phase = ledger.current
            phase.statuses[status] += 1
            phase.seconds.append(perf_counter() - began)
            if status == 503:
                phase.reasons[str(content.get("error", {}).get("code", ""))] += 1
            elif status >= 500:
                ledger.bugs.append(f"{status} {method} {path} {content}")
            elif method in ("POST", "DELETE"):
                ledger.audited.add(request)
            return status, content
        ledger.current.unanswered += 1
        return 0, {}

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _exchange(
        self, method: str, path: str, body: object
    ) -> tuple[int, str, dict[str, Any]]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(HOST, self._port)
        reader, writer = self._streams
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {self._token}\r\n"
        )
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        writer.write(head.encode() + content)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        received = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.close()
        found = json.loads(received) if "json" in headers["content-type"] else {}
        return int(lines[0].split()[1]), headers["x-request-id"], found


async def asking(client: Client, queries: Sequence[str], interval: float, first: int) -> None:
    """Ask, parse, complete and correct, one request in each interval, until cancelled."""
    ledger = client.ledger
    for number in count(first):
        began = perf_counter()
        query = queries[number % len(queries)]
        if number % 10 == 9:
            body = {"query": f"{query} {number}", "lf": LF}
            status, found = await client.send("POST", "/corrections", body)
            if status == 201:
                ledger.corrections.add(str(found["id"]))
        elif number % 10 == 5:
            await client.send("POST", "/complete", {"text": query[: number % 12 + 1]})
        elif number % 2:
            await client.send("POST", "/parse", {"query": query})
        else:
            await client.send("POST", "/ask", {"query": query, "rows": 5})
        await asyncio.sleep(max(0.0, began + interval - perf_counter()))


async def changing(client: Client, often: dict[str, float]) -> None:
    """Add a value and remove the one before, at the pace of the phase, until cancelled."""
    ledger = client.ledger
    for number in count():
        name, token = f"Soakland {number}", f"COU_SOAKLAND_{number}"
        value = {"name": name, "kind": "country", "token": token}
        status, _ = await client.send("POST", "/catalogue", {"values": [value]})
        if status == 200:
            ledger.added.add(token)
        else:
            ledger.unsure.add(token)
        old = f"COU_SOAKLAND_{number - 2}"
        if old in ledger.added:
            status, _ = await client.send("DELETE", f"/catalogue/{old}")
            if status == 200:
                ledger.added.discard(old)
                ledger.removed.add(old)
            else:
                ledger.added.discard(old)
                ledger.unsure.add(old)
        await asyncio.sleep(often.get(ledger.phase, 3.0))
