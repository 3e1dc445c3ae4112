"""`grammax serve` as a process, and requests to it."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from service.given import TOKEN

SECONDS = 120.0  # other tests take the machine's cores meanwhile


@contextmanager
def starting(
    tmp_path: Path, *arguments: str, cache: Path | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A process of `grammax serve`, by default with an empty cache, and its log."""
    command = [sys.executable, "-m", "grammax.cli.main", "serve", "--port", "0", *arguments]
    folders = {"GRAMMAX_HOME": str(tmp_path / "home"), "GRAMMAX_TOKEN": TOKEN}
    folders |= {"GRAMMAX_CACHE": str(cache or tmp_path / "cache")}
    log = tmp_path / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stderr=errors, env={**os.environ, **folders})
    try:
        yield process, log
    finally:
        process.kill()
        process.wait()


def port_of(process: subprocess.Popen[bytes], log: Path) -> int:
    """The port that it says it listens on."""
    end = monotonic() + SECONDS
    while monotonic() < end and process.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text())
        if found:
            return int(found[1])
        sleep(0.01)
    raise AssertionError(log.read_text())


def ask(
    port: int, method: str, path: str, body: object = None, **headers: str
) -> tuple[int, Any, Any]:
    """The status, the content and the headers of a response."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        content = response.read()
        is_json = response.headers["Content-Type"] == "application/json"
        return response.status, json.loads(content) if is_json else content, response.headers
    finally:
        connection.close()
