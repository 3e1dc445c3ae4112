"""The start of `grammax serve`, as a process: it listens at once, ends at once, or says why not."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

pytestmark = pytest.mark.slow
SECONDS = 120.0  # other tests take the machine's cores meanwhile
NUMBERS = [1, 2]


@contextmanager
def starting(tmp_path: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A process of `grammax serve` with an empty cache, and its log."""
    command = [sys.executable, "-m", "grammax.cli.main", "serve", "--port", "0", *arguments]
    folders = {"GRAMMAX_HOME": str(tmp_path / "home"), "GRAMMAX_CACHE": str(tmp_path / "cache")}
    log = tmp_path / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stderr=errors, env={**os.environ, **folders})
    try:
        yield process, log
    finally:
        process.kill()
        process.wait()


def port_of(process: subprocess.Popen[bytes], log: Path) -> int:
    end = monotonic() + SECONDS
    while monotonic() < end and process.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text())
        if found:
            return int(found[1])
        sleep(0.01)
    raise AssertionError(log.read_text())


def ask(port: int, method: str, path: str, body: object = None) -> tuple[int, Any, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"Content-Type": "application/json"})
        response = connection.getresponse()
        content = response.read()
        is_json = response.headers["Content-Type"] == "application/json"
        return response.status, json.loads(content) if is_json else content, response.headers
    finally:
        connection.close()


@pytest.mark.parametrize("workers", NUMBERS)
def test_requests_are_answered_while_the_model_is_loaded(tmp_path: Path, workers: int) -> None:
    with starting(tmp_path, "--workers", str(workers)) as (process, log):
        port = port_of(process, log)
        status, page, _ = ask(port, "GET", "/")
        assert (status, b"<title>grammax" in page) == (200, True)
        status, found, _ = ask(port, "GET", "/health")
        assert status == 200
        assert not found["answers"]
        assert found["progress"] < 1
        for method, path, body in (
            ("GET", "/ready", None),
            ("GET", "/domain", None),
            ("GET", "/openapi.json", None),
            ("GET", "/catalogue", None),
            ("POST", "/parse", {"query": "german steel"}),
            ("POST", "/ask", {"query": "german steel"}),
            ("POST", "/run", {"lf": "(top 3 FLD_PRICE)"}),
            ("POST", "/complete", {"text": "ger"}),
            ("POST", "/corrections", {"query": "x", "lf": "(top 3 FLD_PRICE)"}),
        ):
            status, found, headers = ask(port, method, path, body)
            assert (status, found["error"]["code"]) == (503, "not_ready"), path
            assert headers["Retry-After"] == "1"
        end = monotonic() + SECONDS
        while (answered := ask(port, "POST", "/ask", {"query": "german steel"}))[0] != 200:
            assert answered[1]["error"]["code"] == "not_ready"
            assert monotonic() < end
            sleep(0.05)
        assert answered[1]["answer"]["total"] > 0


@pytest.mark.parametrize("workers", NUMBERS)
@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_heard_while_the_model_is_loaded(
    tmp_path: Path, workers: int, name: signal.Signals
) -> None:
    with starting(tmp_path, "--workers", str(workers)) as (process, log):
        port = port_of(process, log)
        assert not ask(port, "GET", "/health")[1]["answers"]
        process.send_signal(name)
        process.wait(20)
        with pytest.raises(ConnectionRefusedError):
            ask(port, "GET", "/health")
        assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("workers", NUMBERS)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "no-such-model"], "no-such-model: No such file or directory"),
        (["--model", __file__], "is not a checkpoint"),
        (["--corrections", "/proc/none/corrections"], "/proc/none: No such file or directory"),
        (["--audit", "/proc/audit"], "/proc/audit: "),
        (["no-such.csv"], "no-such.csv"),
    ],
)
def test_what_cannot_be_served_ends_the_command_with_one_line(
    tmp_path: Path, workers: int, arguments: list[str], said: str
) -> None:
    with starting(tmp_path, *arguments, "--workers", str(workers)) as (process, log):
        assert process.wait(SECONDS) == 1
        lines = log.read_text().splitlines()
        if arguments[0].startswith("--"):
            assert len(lines) == 1, lines
        told = [line for line in lines if not line.startswith(("{", "http", "Opening"))]
        assert said in told[0]
        assert len(told) == 1, told
