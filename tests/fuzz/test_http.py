"""HTTP: whatever is sent, the service answers or closes the connection, and goes on."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from fuzz.given import damaged, fuzz, mutated
from hypothesis import strategies as st
from service.given import GERMAN, LF
from service.processes import ask, port_of, starting

from grammax.files import cache_folder

pytestmark = pytest.mark.slow
BODIES: dict[str, Any] = {
    "/ask": {"query": "german steel", "rows": 3, "offset": 0, "sort": {"column": 1}},
    "/parse": {"query": "german steel", "best": 2, "typing": True},
    "/parse/batch": {"queries": ["german steel", "banks"]},
    "/run": {"lf": LF, "rows": 3},
    "/export": {"lf": LF, "format": "csv"},
    "/edit": {"tokens": GERMAN, "text": "now french"},
    "/next": {"tokens": GERMAN, "place": 3},
    "/complete": {"text": "german s"},
    "/explain": {"query": "german steel"},
    "/row": {"key": "AAPL"},
    "/distribution": {"lf": LF, "column": 1},
    "/corrections": {"query": "german", "lf": LF},
    "/catalogue": {"values": [{"name": "Wakanda", "kind": "country"}]},
}
ADDRESSES = ("/catalogue?search=german&limit=3", "/fields?search=p", "/static/js/app.js", "/domain")
_SECONDS = 15.0


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """The port of a service that is ready, and its log."""
    folder = tmp_path_factory.mktemp("service")
    with starting(folder, "--quiet", "--timeout", "2", cache=cache_folder()) as (process, log):
        port, end = port_of(process, log), monotonic() + 120
        while ask(port, "GET", "/ready")[0] != 200:
            assert monotonic() < end
            sleep(0.1)
        yield port, log
        assert process.poll() is None


def request(path: str, body: bytes, method: str = "POST") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode("utf-8", "replace") + body


def first_line(port: int, sent: bytes) -> bytes:
    """How an answer begins; nothing if the connection was closed without one."""
    with socket.create_connection(("127.0.0.1", port), timeout=_SECONDS) as connection:
        with suppress(OSError):
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
        try:
            return connection.recv(65_536).partition(b"\r\n")[0]
        except TimeoutError:
            raise AssertionError(f"no answer within {_SECONDS:g} seconds") from None
        except OSError:
            return b""


def good(line: bytes) -> bool:
    """Whether an answer is none, or a status that is not a bug."""
    return not line or (line.startswith(b"HTTP/1.1 ") and line[9:12] not in (b"500", b"502"))


def no_bug_in(log: Path) -> None:
    assert "Traceback" not in log.read_text(errors="replace")


def test_bodies(service: tuple[int, Path]) -> None:
    port, log = service
    words = [
        "null",
        "[]",
        "{}",
        "-1",
        "1e309",
        "9" * 25,
        '"\\ud800"',
        "true",
        '"query":',
        "[" * 900,
    ]
    texts = {path: json.dumps(body) for path, body in BODIES.items()}
    given = [mutated([t], words).map(lambda b, p=p: (p, b)) for p, t in texts.items()]

    def check(edit: tuple[str, str]) -> None:
        line = first_line(port, request(edit[0], edit[1].encode(errors="surrogatepass")))
        assert good(line), line
        assert line[9:10] in b"24" or line[9:12] == b"503", line

    fuzz(st.one_of(given), check)
    no_bug_in(log)
    assert ask(port, "POST", "/parse", {"query": "german steel"})[0] == 200


def test_requests(service: tuple[int, Path]) -> None:
    port, log = service
    whole = [request(path, json.dumps(body).encode()) for path, body in BODIES.items()]
    whole += [request(path, b"", "GET") for path in ADDRESSES]
    texts = [each.decode() for each in whole]
    words = ["\r\n", "\r\n\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: 5\r\n", "%00",
             "Content-Encoding: gzip\r\n", "HTTP/0.9", "OPTIONS", "Expect: 100-continue\r\n",
             "Upgrade: websocket\r\n", "../..", "?a=1&a=2", "X-Request-Id: \x7f\r\n"]  # fmt: skip

    def check(sent: bytes) -> None:
        assert good(line := first_line(port, sent)), line

    changed = mutated(texts, words).map(lambda text: text.encode(errors="surrogatepass"))
    given = st.one_of(changed, st.sampled_from(whole).flatmap(damaged), st.binary(max_size=300))
    fuzz(given, check)
    no_bug_in(log)
    assert ask(port, "POST", "/parse", {"query": "german steel"})[0] == 200
