"""The configuration of nginx in deploy/, before replicas that note what they are sent."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
try:
    import replicas_proxy as proxy  # type: ignore[import-not-found]
finally:
    sys.path.pop(0)

pytestmark = pytest.mark.skipif(proxy.nginx() is None, reason="no nginx")
TEXT = proxy.CONFIGURATION.read_text(encoding="utf-8")


class Replica(ThreadingHTTPServer):
    """Answers every request with a status, or breaks off where that is 0."""

    daemon_threads = True

    def __init__(self, status: int) -> None:
        self.status, self.seen = status, list[tuple[str, str, str]]()
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Replica

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        named = self.headers["Host"], self.headers["X-Forwarded-For"]
        self.server.seen.append((self.path, *named))
        if not self.server.status:
            self.close_connection = True
            return
        body = b'{"error": {"code": "from the replica"}}'
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def replica(status: int) -> Iterator[Replica]:
    with Replica(status) as made:
        Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield made
        finally:
            made.shutdown()


Proxied = Callable[..., tuple[int, list[Replica]]]


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[Proxied]:
    """The port of nginx before replicas of some statuses; None is a replica that is not there."""
    with ExitStack() as stack:

        def start(*statuses: int | None) -> tuple[int, list[Replica]]:
            made = [None if s is None else stack.enter_context(replica(s)) for s in statuses]
            ports = [proxy.free_port() if m is None else m.server_address[1] for m in made]
            port = stack.enter_context(proxy.proxied(tmp_path, ports))
            return port, [each for each in made if each is not None]

        yield start


def send(port: int, method: str, path: str, body: str = "{}") -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        headers = {"Host": "search.example", "X-Forwarded-For": "1.2.3.4"}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read()
        return response.status, content
    finally:
        connection.close()


def test_nginx_reads_it_as_it_is(tmp_path: Path) -> None:
    key, certificate = tmp_path / "search.key", tmp_path / "search.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x"]
    try:
        done = subprocess.run(
            [*command, "-keyout", key, "-out", certificate], capture_output=True, timeout=60
        )
    except OSError:
        pytest.skip("no openssl")
    assert done.returncode == 0
    text = TEXT.replace("/etc/ssl", str(tmp_path))
    text = text.replace("listen 443", f"listen 127.0.0.1:{proxy.free_port()}")
    for content, is_good in ((text, True), (text.replace("least_conn", "least_con"), False)):
        configuration = proxy.written(tmp_path, content)
        command = [proxy.nginx(), "-t", "-p", str(tmp_path), "-c", str(configuration)]
        done = subprocess.run(command, capture_output=True, timeout=60)
        assert (done.returncode == 0) is is_good, done.stderr


@pytest.mark.parametrize("path", ["/ask", "/catalogue", "/catalogue/COU_X", "/corrections"])
def test_replicas_see_the_path_the_host_and_the_client(proxied: Proxied, path: str) -> None:
    port, (only,) = proxied(200)
    assert send(port, "POST", f"/search{path}")[0] == 200
    assert only.seen == [(path, "search.example", "127.0.0.1")]


@pytest.mark.parametrize("second", [503, 0, None], ids=["loads", "ends", "is gone"])
def test_queries_pass_over_a_replica_that_cannot_answer(proxied: Proxied, second) -> None:
    port, (first, *_) = proxied(200, second)
    assert [send(port, "POST", "/search/ask")[0] for _ in range(6)] == [200] * 6
    assert len(first.seen) == 6


def test_a_change_is_never_sent_twice(proxied: Proxied) -> None:
    port, made = proxied(0, 0)
    status, body = send(port, "POST", "/search/corrections")
    assert (status, json.loads(body)["error"]["code"]) == (503, "unavailable")
    assert sum(len(each.seen) for each in made) == 1


def test_a_change_goes_to_the_replica_that_is_there(proxied: Proxied) -> None:
    port, (only,) = proxied(200, None)
    assert [send(port, "POST", "/search/corrections")[0] for _ in range(4)] == [200] * 4
    assert len(only.seen) == 4


def test_where_no_replica_is_left_the_reason_has_the_form_of_the_service(proxied: Proxied) -> None:
    port, _ = proxied(None, None)
    status, body = send(port, "POST", "/search/ask")
    assert status == 503
    assert {*json.loads(body)["error"]} == {"code", "message", "hint", "request_id"}


def test_a_reason_of_the_service_is_passed_on(proxied: Proxied) -> None:
    port, _ = proxied(503, 503)
    assert send(port, "POST", "/search/ask") == (503, b'{"error": {"code": "from the replica"}}')


@pytest.mark.parametrize("path", ["metrics", "health", "ready"])
def test_what_monitors_ask_is_not_for_others(proxied: Proxied, path: str) -> None:
    port, (only,) = proxied(200)
    assert send(port, "GET", f"/search/{path}")[0] == 404
    assert only.seen == []


def test_the_limit_of_a_body_is_that_of_the_service(proxied: Proxied) -> None:
    port, _ = proxied(200)
    assert re.search(r"client_max_body_size 64k;", TEXT)
    assert send(port, "POST", "/search/ask", "x" * 65_536)[0] == 200
    assert send(port, "POST", "/search/ask", "x" * 65_537)[0] == 413
