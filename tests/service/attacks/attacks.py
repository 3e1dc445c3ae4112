"""Attacks on a service on loopback, each of them bounded in time, in bytes and in connections.

python tests/service/attacks/attacks.py PORT SECONDS ADDRESS NAME ...

Attacks run together, from one address of loopback (127.0.0.1, 127.0.0.9), and print what they were
told: how often each status.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from service.attacks.clients import Connection, repeat, request

Attack = Callable[[int, str, float, Counter[str]], Awaitable[None]]
MOST_BYTES = 300_000_000  # of endless headers, and such
CONNECTIONS = 2_500
SLOW = 240
_WORDS = (
    "german french steel banks software companies market cap above below top by p/e price debt "
    "revenue with dividend yield largest smallest and not in germany japan sorted last year over"
)

_STEMS = (
    "PRETAX_INCOME PAYABLES PPE_NET PPE_GROSS PENSION_LIABILITIES PROVISIONS PREFERRED_EQUITY "
    "PAID_IN_CAPITAL PREMIUMS_EARNED PREMIUMS_WRITTEN"
)

_OTHERS = (
    "MKT_CAP PRICE PE_RATIO EBITDA NET_INCOME SALES_REV_TURN COMMON_EQUITY RETAINED_EARNINGS "
    "TREASURY_STOCK INVESTED_CAPITAL CAPITAL_EMPLOYED TOT_CAPITAL NET_CASH FREE_FLOAT_MKT_CAP "
    "TOT_DEPOSITS ORDER_BACKLOG NET_ASSET_VALUE COST_OF_REVENUE OPER_EXPENSES SGA_EXPENSE "
    "EMPLOYEE_COSTS DEPREC_AMORT IMPAIRMENTS P_CF P_FCF P_CASH PB_RATIO PS_RATIO PEG_RATIO"
)

WORDS = _WORDS.split()
KEYS = ("NVDA", "GOOG", "AAPL", "no such key")
COLUMNS = (
    *_OTHERS.split(),
    *(f"{stem}{end}" for end in ("", "_AVG_5Y", "_PER_SHARE") for stem in _STEMS.split()),
)


def text(words: int, seed: int) -> str:
    """A long query; each seed has another."""
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def columns(count: int) -> str:
    """A logical form with so many columns."""
    shown = (f"(display FLD_{COLUMNS[number % len(COLUMNS)]})" for number in range(count))
    return f"(AND {' '.join(shown)})"


def nested(depth: int, chance: random.Random) -> str:
    """A deep logical form, unlike most others."""
    if not depth:
        return "(FLD_MKT_CAP GR 1)"
    inner = nested(depth - 1, chance)
    return chance.choice((f"(NOT {inner})", f"(OR (FLD_MKT_CAP GR 1) {inner})"))


def nested_tokens(depth: int, chance: random.Random) -> list[str]:
    """The tokens of a deep logical form."""
    return nested(depth, chance).replace("(", "( ").replace(")", " )").split()


async def _endless(
    port: int, source: str, seconds: float, told: Counter[str], head: bytes, more: bytes
) -> None:
    """Begin a request that never ends, again and again."""
    end, left = monotonic() + seconds, MOST_BYTES

    async def one() -> None:
        nonlocal left
        while monotonic() < end and left > 0:
            with suppress(OSError, EOFError):
                async with Connection(port, source) as connection:
                    await connection.send(head)
                    while monotonic() < end and left > 0:
                        left -= len(more)
                        await connection.send(more)
                        if connection.reader.at_eof():
                            break
            told["ended"] += 1
            await asyncio.sleep(0.02)

    await asyncio.gather(*(one() for _ in range(4)))


async def endless_headers(port: int, source: str, seconds: float, told: Counter[str]) -> None:
    """300 MB in one header."""
    head = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
    await _endless(port, source, seconds, told, head, b"x" * 1_000_000)


async def many_headers(port: int, source: str, seconds: float, told: Counter[str]) -> None:
    """Endlessly many headers."""
    head = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    await _endless(port, source, seconds, told, head, b"a:\r\n" * 100_000)


async def endless_url(port: int, source: str, seconds: float, told: Counter[str]) -> None:
    """An address without an end."""
    await _endless(port, source, seconds, told, b"GET /", b"x" * 1_000_000)


async def endless_trailer(port: int, source: str, seconds: float, told: Counter[str]) -> None:
    """A header after a body in chunks."""
    head = (
        b"POST /parse HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\nX: "
    )
    await _endless(port, source, seconds, told, head, b"x" * 1_000_000)


async def pipelined(port: int, source: str, seconds: float, told: Counter[str]) -> None:
    """Thousands of requests that wait for the first response."""
    first = request("/complete", {"text": text(60, 0)})
    await _endless(port, source, seconds, told, first, request("/health") * 5_000)


async def _hold(
    port: int,
    source: str,
    seconds: float,
    told: Counter[str],
    count: int,
    begin: bytes,
    byte: bytes,
) -> None:
    """Keep so many connections open, and send a byte a second on each, if any."""
    end = monotonic() + seconds

    async def one(number: int) -> None:
        await asyncio.sleep(number / 1_000)
        while monotonic() < end:
            with suppress(OSError, EOFError):
                async with Connection(port, source) as connection:
                    await connection.send(begin)
                    while monotonic() < end and not connection.reader.at_eof():
                        with suppress(TimeoutError):
                            async with asyncio.timeout(1.0):
                                await connection.reader.read(100)
                        await connection.send(byte)
            told["ended"] += 1
            await asyncio.sleep(1.0)

    await asyncio.gather(*(one(number) for number in range(count)))


async def idle(port: int, source: str, seconds: float, told: Counter[str]) -> None:
    """2,500 connections on which nothing comes."""
    await _hold(port, source, seconds, told, CONNECTIONS, b"", b"")


async def slow_headers(port: int, source: str, seconds: float, told: Counter[str]) -> None:
    """A byte of a header each second."""
    await _hold(port, source, seconds, told, SLOW, b"GET / HTTP/1.1\r\nX: " + b"x" * 30_000, b"x")


async def slow_bodies(port: int, source: str, seconds: float, told: Counter[str]) -> None:
    """Bodies of which a byte comes each second."""
    begin = request("/parse", b" " * 65_000)[:-2_000]
    await _hold(port, source, seconds, told, SLOW, begin, b" ")


async def unread(port: int, source: str, seconds: float, told: Counter[str]) -> None:
    """Large answers that nobody reads."""
    body = {"lf": columns(50), "rows": 1_000}
    end = monotonic() + seconds

    async def one() -> None:
        while monotonic() < end:
            with suppress(OSError, EOFError):
                async with Connection(port, source, 1_000) as connection:
                    connection.writer.transport.pause_reading()  # type: ignore[attr-defined]
                    while monotonic() < end and not connection.writer.is_closing():
                        await connection.send(request("/run", body))
                        await asyncio.sleep(1.0)
            told["ended"] += 1
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one() for _ in range(SLOW)))


def flood(requests: Callable[[], Iterator[bytes]], at_once: int = 32, pause: float = 0.0) -> Attack:
    """An attack that sends requests as fast as they are answered."""

    async def attack(port: int, source: str, seconds: float, told: Counter[str]) -> None:
        await repeat(port, source, seconds, list(requests()), at_once, told, pause)

    return attack


def _deep_json() -> Iterator[bytes]:
    for opening in (b"[", b'{"a":', b'{"query":['):
        yield request("/parse", opening * (60_000 // len(opening)))


def _gzip_bombs() -> Iterator[bytes]:
    bomb = gzip.compress(b'{"query": "' + b"x" * 30_000_000 + b'"}')
    yield request("/parse", bomb, ("Content-Encoding: gzip",))


def _completions() -> Iterator[bytes]:
    for seed in range(50):
        yield request("/complete", {"text": f"{text(92, seed)} ge", "limit": 50})


def _columns() -> Iterator[bytes]:
    for count in (95, 64, 59):
        yield request("/run", {"lf": columns(count), "rows": 1_000})
    yield request("/ask", {"query": f"show {text(90, 1)}", "rows": 1_000, "anyway": True})


def _forms() -> Iterator[bytes]:
    chance = random.Random(0)
    for depth in range(20, 60):
        yield request("/run", {"lf": nested(depth, chance), "rows": 1_000})


def _batches() -> Iterator[bytes]:
    for seed in range(20):
        yield request("/parse/batch", {"queries": [text(95, 64 * seed + n) for n in range(64)]})


def _readings() -> Iterator[bytes]:
    for seed in range(100):
        yield request("/parse", {"query": text(95, seed), "best": 10})


def _exports() -> Iterator[bytes]:
    for kind in ("csv", "parquet", "sql"):
        yield request("/export", {"lf": columns(59), "format": kind})


def _corrections() -> Iterator[bytes]:
    lf = columns(59)
    for seed in range(50):
        yield request("/corrections", {"query": text(95, seed), "lf": lf})


def _edits() -> Iterator[bytes]:
    chance = random.Random(0)
    for seed in range(30):
        tokens = nested_tokens(40, chance)
        yield request("/next", {"tokens": tokens, "place": 9, "search": "e", "limit": 500})
        yield request("/edit", {"tokens": tokens, "text": f"and only {text(90, seed)}"})
        yield request("/explain", {"query": text(95, seed)})
    yield request("/catalogue?search=" + "industrial%20" * 18 + "&limit=500")


def _rows() -> Iterator[bytes]:
    for number in range(40):
        lf = f"(AND (FLD_MKT_CAP GR {number}) {columns(30)[5:]}"
        yield request("/distribution", {"lf": lf, "column": 3})
        yield request("/row", {"key": KEYS[number % len(KEYS)], "limit": 20})
        yield request(f"/fields?search={'erp'[number % 3]}")


def _foreign() -> Iterator[bytes]:
    body = {"query": "german steel", "lf": "(FLD_MKT_CAP GR 1)"}
    yield request("/corrections", body, host="rebound.example:8000")
    yield request("/corrections", body, ("Origin: https://evil.example",))
    yield request("/", host="rebound.example")


def _pages() -> Iterator[bytes]:
    for path in ("/openapi.json", "/metrics", "/domain", "/", "/static/js/app.js", "/nowhere"):
        yield request(path)
        yield request(path, method="HEAD")


def _asked() -> Iterator[bytes]:
    for seed in range(100):
        yield request("/ask", {"query": text(5, seed)})


ATTACKS: dict[str, Attack] = {
    "300 MB of headers": endless_headers,
    "endless headers": many_headers,
    "endless URL": endless_url,
    "endless trailer": endless_trailer,
    "pipelined requests": pipelined,
    "2,500 connections": idle,
    "slow headers": slow_headers,
    "slow bodies": slow_bodies,
    "answers not read": unread,
    "deep JSON": flood(_deep_json),
    "gzip bombs": flood(_gzip_bombs),
    "/complete, 95 words": flood(_completions),
    "/run, 95 columns": flood(_columns),
    "/run, deep forms": flood(_forms),
    "/parse/batch": flood(_batches),
    "/parse, ten readings": flood(_readings),
    "/export": flood(_exports, 16),
    "/corrections": flood(_corrections),
    "/next, /edit, /explain": flood(_edits),
    "/row, /distribution, /fields": flood(_rows),
    "foreign hosts": flood(_foreign),
    "all paths": flood(lambda: (each for each in _pages() if b"HEAD" not in each)),
    "all slots": flood(_asked, 128),
}


async def attack(port: int, seconds: float, source: str, names: Sequence[str]) -> Counter[str]:
    """Attacks together; what they were told."""
    told: Counter[str] = Counter()
    await asyncio.gather(*(ATTACKS[name](port, source, seconds, told) for name in names))
    return told


def main(arguments: Sequence[str]) -> Any:
    """Attack as the command line says; returns what was told."""
    port, seconds, source, *names = arguments
    return asyncio.run(attack(int(port), float(seconds), source, names))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(sys.argv[1:])))
