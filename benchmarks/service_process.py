"""`grammax serve` as a process of its own, and what it takes of memory and time."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

START_SECONDS = 120.0
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@dataclass(frozen=True, slots=True)
class Service:
    """A service that is ready."""

    port: int
    process: int
    workers: tuple[int, ...]

    @property
    def megabytes(self) -> float:
        """Memory that the workers share with no one, together."""
        return sum(map(private_megabytes, self.workers))

    @property
    def cpu_seconds(self) -> float:
        """Of all workers, since they started."""
        return sum(map(cpu_seconds, self.workers))


@contextmanager
def served(workers: int, *arguments: str) -> Iterator[Service]:
    """A service with so many workers, all of them ready; its log is thrown away."""
    with tempfile.TemporaryDirectory(prefix="grammax-service-") as folder:
        log = Path(folder) / "log"
        command = [sys.executable, "-m", "grammax.cli.main", "serve", "--port", "0"]
        command += ["--workers", str(workers), *arguments]
        environment = {**os.environ, "GRAMMAX_HOME": folder}
        with log.open("wb") as errors:
            process = subprocess.Popen(command, stderr=errors, env=environment)
        try:
            port = _port(log, process)
            yield Service(port, process.pid, _ready_workers(port, workers, log))
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def get(port: int, path: str) -> tuple[int, bytes]:
    """The status and the body of an address, by a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def _port(log: Path, process: subprocess.Popen[bytes]) -> int:
    end = monotonic() + START_SECONDS
    while monotonic() < end and process.poll() is None:
        found = _ADDRESS.search(log.read_text(errors="replace"))
        if found:
            return int(found[1])
        sleep(0.05)
    raise SystemExit(f"grammax serve did not start:\n{log.read_text(errors='replace')}")


def _ready_workers(port: int, workers: int, log: Path) -> tuple[int, ...]:
    """The processes that answer, once as many do as were started."""
    end = monotonic() + START_SECONDS
    found: set[int] = set()
    while monotonic() < end:
        try:
            status, body = get(port, "/ready")
            if status == 200:
                found.add(json.loads(body)["worker"])
        except OSError:
            pass
        if len(found) >= workers:
            return tuple(sorted(found))
        sleep(0.05)
    raise SystemExit(f"only {len(found)} workers got ready:\n{log.read_text(errors='replace')}")


def private_megabytes(process: int) -> float:
    """Memory of a process that it shares with no other."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    private = (line.split() for line in lines if line.startswith("Private_"))
    return sum(int(words[1]) for words in private) / 1024


def cpu_seconds(process: int) -> float:
    """Of a process, since it started."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
