"""Several workers, real processes: one that is killed, and an end that finishes what was begun."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import pytest
from service.given import LF, TOKEN

from grammax.service import corrections

pytestmark = pytest.mark.slow
WORKERS = 2
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}  # without it, corrections have a quota
START_SECONDS = 180.0  # of a worker: other tests take the machine's cores meanwhile


@pytest.fixture
def service(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A process with two workers, and its port."""
    command = [sys.executable, "-m", "grammax.cli.main", "serve", "--port", "0"]
    command += ["--workers", str(WORKERS)]
    environment = {**os.environ, "GRAMMAX_HOME": str(tmp_path), "GRAMMAX_TOKEN": TOKEN}
    log = tmp_path / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stderr=errors, env=environment)
    try:
        address = wait(lambda: re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text()))
        port = int(address[1])
        wait(lambda: len(workers(port)) == WORKERS, START_SECONDS)
        yield process, port
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(30)
        process.kill()
        process.wait()


def test_a_killed_worker_is_replaced_and_no_correction_is_lost(service, tmp_path: Path) -> None:
    _, port = service
    acknowledged: list[str] = []
    done = Event()

    def correct() -> None:
        while not done.wait(0.01):
            with suppress(OSError, http.client.HTTPException):
                body = {"query": f"german companies {len(acknowledged)}", "lf": LF}
                status, found = ask(port, "POST", "/corrections", body, **AUTHORIZED)
                if status == 201:
                    acknowledged.append(found["id"])

    clients = [Thread(target=correct, daemon=True) for _ in range(4)]
    for client in clients:
        client.start()
    try:
        before = workers(port)
        wait(lambda: len(acknowledged) > 20)
        os.kill(min(before), signal.SIGKILL)
        at_kill = len(acknowledged)
        wait(lambda: len(acknowledged) > at_kill + 20)  # the service goes on
        wait(lambda: workers(port) - before, START_SECONDS)  # and a new worker comes
    finally:
        done.set()
    for client in clients:
        client.join(30)
    kept = {each.id for each in corrections.read(tmp_path / "eqs-corrections.jsonl").corrections}
    assert set(acknowledged) <= kept


def test_a_change_of_the_catalogue_reaches_every_worker(service) -> None:
    _, port = service
    value = {"values": [{"name": "Wakanda", "kind": "country", "aliases": ["wakandan"]}]}
    status, made = ask(port, "POST", "/catalogue", value, Authorization=f"Bearer {TOKEN}")
    assert status == 200
    versions: dict[int, str] = {}

    def all_follow() -> bool:
        _, found = ask(port, "GET", "/health")
        versions[found["worker"]] = found["version"]
        return list(versions.values()) == [made["version"]] * WORKERS

    wait(all_follow)
    status, found = ask(port, "POST", "/parse", {"query": "wakandan steel"})
    assert "COU_WAKANDA" in found["tokens"]


def test_what_was_begun_is_finished_at_the_end(service, tmp_path: Path) -> None:
    process, port = service
    connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(8)]
    body = json.dumps({"lf": "(AND (FLD_MKT_CAP GR 1 MILLION) (top 900 FLD_MKT_CAP))", "rows": 900})
    for connection in connections:
        connection.request("POST", "/run", body, {"Content-Type": "application/json"})
    sleep(0.15)
    process.send_signal(signal.SIGTERM)
    answers = [connection.getresponse() for connection in connections]
    assert [(answer.status, len(answer.read()) > 1_000) for answer in answers] == [(200, True)] * 8
    for connection in connections:
        connection.close()
    assert process.wait(30) == 0
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()[1:]]
    assert sum(line.get("path") == "/run" for line in lines) == 8


def test_workers_end_when_their_supervisor_is_killed(service) -> None:
    process, port = service
    before = workers(port)
    process.kill()
    wait(lambda: not any(Path(f"/proc/{worker}").exists() for worker in before))
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))


def test_a_worker_that_hangs_is_replaced_while_the_other_answers(service) -> None:
    process, port = service
    hanging = min(workers(port))
    os.kill(hanging, signal.SIGSTOP)
    wait(lambda: len(workers(port) - {hanging}) == WORKERS, START_SECONDS)
    assert not Path(f"/proc/{hanging}").exists()
    assert process.poll() is None


def test_a_new_worker_takes_connections_only_when_it_is_ready(service) -> None:
    _, port = service
    before = workers(port)
    os.kill(min(before), signal.SIGKILL)
    end, found = monotonic() + START_SECONDS, set[int]()
    while not found - before and monotonic() < end:
        status, body = ask(port, "GET", "/ready")
        assert status == 200, body
        found.add(body["worker"])
    assert found - before


def test_idle_connections_do_not_delay_the_end_and_new_ones_are_refused(service) -> None:
    process, port = service
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
    for each in idle[:10]:
        each.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert each.recv(9) == b"HTTP/1.1 "
    process.send_signal(signal.SIGTERM)
    sleep(1)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)
    assert process.wait(10) == 0
    for each in idle:
        each.close()


def test_limits_of_connections_hold_for_every_worker(service) -> None:
    _, port = service
    head = b"GET /health HTTP/1.1\r\nX: " + b"x" * 40_000 + b"\r\n\r\n"
    for _ in range(6):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(head)
            assert connection.recv(12) == b"HTTP/1.1 431"


def test_metrics_are_those_of_all_workers(service) -> None:
    _, port = service
    for _ in range(20):
        ask(port, "POST", "/parse", {"query": "german steel"})
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
    assert re.search(r"^grammax_parses_total 20\.0$", text, re.MULTILINE)
    assert re.search(r"^grammax_requests_in_flight [12]\.0$", text, re.MULTILINE)


def ask(port: int, method: str, path: str, body: object = None, **headers: str) -> tuple[int, dict]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def workers(port: int) -> set[int]:
    """The processes that answer."""
    found: set[int] = set()
    for _ in range(30):
        with suppress(OSError, http.client.HTTPException):
            status, body = ask(port, "GET", "/ready")
            found |= {body["worker"]} if status == 200 else set()
    return found


def wait(until: Callable[[], object], seconds: float = 60.0):
    """What `until` returns once it is something."""
    end = monotonic() + seconds
    while monotonic() < end:
        found = until()
        if found:
            return found
        sleep(0.05)
    raise AssertionError(f"{until} did not come true within {seconds:g} seconds")
