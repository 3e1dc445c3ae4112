"""What only real connections show: clients that are slow or break off, and huge bodies."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from threading import Thread
from time import monotonic, sleep

import pytest
from service.attacks.attacks import columns
from starlette.testclient import TestClient
from uvicorn import Config, Server

from grammax.service.http import connections, peers
from grammax.service.http.connections import LimitedConnection
from grammax.service.http.middleware import RequestMiddleware


@pytest.fixture(scope="module")
def port(service: RequestMiddleware, client: TestClient) -> Iterator[int]:
    """The service on a port of loopback, in a thread."""
    seconds, connections.HEADER_SECONDS = connections.HEADER_SECONDS, 0.3  # type: ignore[misc]
    config = Config(
        service,
        http=LimitedConnection,
        lifespan="off",
        ws="none",
        log_config=None,
        proxy_headers=False,
    )
    server = Server(config)
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)  # also of its connections
    bound.bind(("127.0.0.1", 0))
    thread = Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    while not server.started:
        sleep(0.01)
    yield bound.getsockname()[1]
    server.should_exit = True
    thread.join(10)
    bound.close()
    connections.HEADER_SECONDS = seconds  # type: ignore[misc]


def test_headers_that_come_too_slowly_end_the_connection(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as slow:
        slow.sendall(b"POST /parse HTTP/1.1\r\nHost:")
        began = monotonic()
        assert asked(port, b'{"query": "german steel"}') == 200  # meanwhile others are served
        assert slow.recv(100) == b""
        assert monotonic() - began < 5


def test_a_connection_on_which_nothing_comes_is_ended(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as idle:
        assert idle.recv(100) == b""


def test_a_huge_body_is_refused_and_not_taken_in(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as huge:
        huge.sendall(request(b"", length=10**12))
        sent = 0
        try:
            while sent < 50_000_000:
                sent += huge.send(b" " * 65_536)
        except OSError:
            pass  # closed, as it should be
        assert sent < 20_000_000


def test_the_refusal_of_a_large_body_is_heard(port: int) -> None:
    assert asked(port, b" " * 500_000) == 413


def test_who_breaks_off_harms_no_one(port: int) -> None:
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as gone:
            gone.sendall(request(b'{"query', length=100))
    with socket.create_connection(("127.0.0.1", port), timeout=10) as noise:
        noise.sendall(b"\x00\xff\x16\x03" * 2_500)
        assert noise.recv(100).startswith(b"HTTP/1.1 400")
    assert asked(port, b'{"query": "german steel"}') == 200


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 4\r\nContent-Length: 40\r\n",
        b"Content-Length: +4\r\n",
        b"Transfer-Encoding: xchunked\r\n",
    ],
)
def test_a_body_of_two_lengths_smuggles_no_request(port: int, headers: bytes) -> None:
    """What a proxy may read as a body is never read as a second request."""
    head = b"POST /parse HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
    hidden = b"GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(head + headers + b"\r\n0\r\n\r\n" + hidden)
        answer = connection.makefile("rb").read()
    assert b"grammax_requests" not in answer
    assert answer.startswith(b"HTTP/1.1 400")


def test_a_connection_too_many_is_told_so(port: int, monkeypatch) -> None:
    monkeypatch.setattr(peers, "CONNECTIONS", 0)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        answer = connection.makefile("rb").read()
    assert (status(answer), code(answer)) == (503, "too_many_connections")


@pytest.mark.parametrize("limit", ["CONNECTIONS", "CLIENT_CONNECTIONS"])
def test_an_idle_connection_makes_room_for_a_new_one(port: int, limit: str, monkeypatch) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 30.0)
    with ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        monkeypatch.setattr(peers, limit, 4)
        for _ in range(10):
            assert asked(port, b'{"query": "german steel"}') == 200


def test_endless_headers_are_refused_and_not_taken_in(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as endless:
        endless.sendall(b"GET /health HTTP/1.1\r\nHost: here\r\nX-Long: ")
        sent = 0
        with suppress(OSError):
            while sent < 50_000_000:
                sent += endless.send(b"x" * 65_536)
    assert sent < 20_000_000


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"GET /health?" + b"x" * 20_000 + b" HTTP/1.1\r\n", (414, "url_too_long")),
        (b"GET /health HTTP/1.1\r\n" + b"X: y\r\n" * 12_000, (431, "headers_too_large")),
        (b"GET /health HTTP/1.1\r\n" + b"X: y\r\n" * 101, (431, "headers_too_large")),
        (b"GET /health HTTP/1.1\r\nX: " + b"x" * 40_000 + b"\r\n", (431, "headers_too_large")),
    ],
)
def test_a_head_that_is_too_large_is_told_so(port: int, head: bytes, expected) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(head + b"Host: here\r\n\r\n")
        answer = connection.makefile("rb").read()
    assert (status(answer), code(answer)) == expected
    assert asked(port, b'{"query": "german steel"}') == 200


@pytest.mark.parametrize("last", [b"0\r\nX: ", b"5;"])
def test_what_follows_a_body_in_chunks_is_refused_if_it_never_ends(port: int, last: bytes) -> None:
    head = request(b"").partition(b"Content-Length")[0]
    with socket.create_connection(("127.0.0.1", port), timeout=10) as endless:
        endless.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n" + last)
        sent = 0
        with suppress(OSError):
            while sent < 50_000_000:
                sent += endless.send(b"x" * 65_536)
    assert sent < 20_000_000


def test_requests_that_do_not_wait_for_responses_are_ended(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as eager:
        with suppress(OSError):
            eager.sendall(request(b'{"query": "german steel"}') * 200)
        with suppress(OSError):
            while eager.recv(65_536):
                pass
    assert asked(port, b'{"query": "german steel"}') == 200


def test_some_requests_that_do_not_wait_are_answered_in_order(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as eager:
        eager.sendall(b"".join(request(b'{"query": "top %d"}' % n) for n in range(2, 7)))
        answers, found = eager.makefile("rb"), []
        for _ in range(5):
            head = b"".join(iter(answers.readline, b"\r\n")).lower()
            length = int(head.partition(b"content-length: ")[2].split()[0])
            found.append(json.loads(answers.read(length))["query"])
    assert found == [f"top {n}" for n in range(2, 7)]


def test_a_client_that_does_not_read_is_disconnected(port: int, monkeypatch) -> None:
    monkeypatch.setattr(connections, "UNREAD_SECONDS", 0.2)
    with asked_for_a_file(port) as idler:
        sleep(1)
        stated, came = length_and_bytes(idler)
    assert came < stated


def test_nobody_can_leave_more_unread_than_is_permitted_beside_one_file(
    port: int, monkeypatch
) -> None:
    monkeypatch.setattr(connections, "UNREAD_BYTES", 1_000)
    with asked_for_a_file(port) as reader, asked_for_a_file(port) as idler:
        stated, came = length_and_bytes(reader)
        assert came == stated > 500_000
        stated, came = length_and_bytes(idler)
        assert came < stated


def asked_for_a_file(port: int) -> socket.socket:
    """A connection on which a file begins to come, too large for the buffers of the system."""
    asking = socket.socket()
    asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    asking.settimeout(10)
    asking.connect(("127.0.0.1", port))
    asking.sendall(request(json.dumps({"lf": columns(20)}).encode(), path="/export"))
    assert asking.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
    return asking


def length_and_bytes(connection: socket.socket) -> tuple[int, int]:
    """How long a body should be, and how many of its bytes come."""
    with connection.makefile("rb") as answer:
        head = b"".join(iter(answer.readline, b"\r\n")).lower()
        stated = int(head.partition(b"content-length: ")[2].split()[0])
        came = 0
        with suppress(OSError):
            while came < stated and (part := answer.read1(stated - came)):
                came += len(part)
    return stated, came


def status(answer: bytes) -> int:
    return int(answer.split()[1])


def code(answer: bytes) -> str:
    return str(json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"])


def request(body: bytes, length: int | None = None, path: str = "/parse") -> bytes:
    size = len(body) if length is None else length
    head = f"POST {path} HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {size}\r\n\r\n".encode() + body


def asked(port: int, body: bytes) -> int:
    """The status that a body gets."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request(body))
        answer = connection.makefile("rb").readline().split()
        return int(json.loads(answer[1]))
