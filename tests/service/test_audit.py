"""The audit file: who asked what, and nothing happens that it does not have."""

from __future__ import annotations

import errno
import http.client
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from service.given import LF
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from grammax.service.appended import read_lines
from grammax.service.http.middleware import RequestMiddleware
from grammax.service.worker import Worker


@pytest.fixture
def full_disk(worker: Worker, monkeypatch) -> pytest.MonkeyPatch:
    """The disk of the audit file is full until the patch is undone."""

    def write(_: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(worker.audit, "_append", write)
    return monkeypatch


def test_a_line_says_who_asked(client: TestClient, worker: Worker) -> None:
    client.post("/parse", json={"query": "who asked"})
    [found] = [each for each in lines(worker) if each.get("query") == "who asked"]
    assert found["client"] == "testclient"


def test_a_change_is_audited_before_it_is_made(client: TestClient, worker: Worker) -> None:
    client.post("/corrections", json={"query": "audited first", "lf": LF})
    begun, done = [each for each in lines(worker) if "audited first" in json.dumps(each)]
    assert begun["begins"] == [{"query": "audited first", "lf": LF}]
    assert (done["status"], done["request_id"]) == (201, begun["request_id"])


def test_nothing_is_applied_without_its_line(
    client: TestClient, full_disk: pytest.MonkeyPatch, corrections_path: Path
) -> None:
    before = corrections_path.stat().st_size
    for path, body in (
        ("/corrections", {"query": "not audited", "lf": LF}),
        ("/parse", {"query": "german steel"}),
    ):
        response = client.post(path, json=body)
        assert response.status_code == 503
        assert response.json()["error"]["code"] == "not_audited"
        assert int(response.headers["Retry-After"]) > 0
        assert response.headers["x-request-id"] == response.json()["error"]["request_id"]
        assert response.headers["x-content-type-options"] == "nosniff"
    assert corrections_path.stat().st_size == before
    assert client.get("/ready").status_code == 503
    assert "grammax_audit_failing 1.0" in client.get("/metrics").text
    full_disk.undo()
    assert client.get("/ready").status_code == 200
    assert client.post("/parse", json={"query": "german steel"}).status_code == 200
    assert "grammax_audit_failing 0.0" in client.get("/metrics").text


def lines(worker: Worker) -> list[dict[str, Any]]:
    assert worker.audit is not None
    return [json.loads(line) for line in worker.audit.path.read_text().splitlines()]


@pytest.mark.parametrize(("proxies", "named"), [((), "127.0.0.1"), (("127.0.0.1",), "203.0.113.9")])
def test_only_a_trusted_proxy_says_who_asked(
    service: RequestMiddleware, worker: Worker, client: TestClient, proxies: tuple[str, ...], named
) -> None:
    app = ProxyHeadersMiddleware(service, list(proxies))
    query = f"asked through {len(proxies)} proxies"
    headers = {"X-Forwarded-For": "198.51.100.7, 203.0.113.9"}
    direct = TestClient(app, client=("127.0.0.1", 5000))
    direct.post("/parse", json={"query": query}, headers=headers)
    [found] = [each for each in lines(worker) if each.get("query") == query]
    assert found["client"] == named


@pytest.mark.slow
def test_with_a_full_disk_nothing_is_applied_and_when_it_is_emptied_all_goes_on(
    tmp_path: Path,
) -> None:
    """The process may not write beyond the size that its audit file has, as on a full disk."""
    audit, kept = tmp_path / "audit.jsonl", tmp_path / "eqs-corrections.jsonl"
    with serving(tmp_path, "--quiet", "--audit", str(audit)) as (port, process):
        correction = {"query": "written", "lf": LF}
        assert sent(port, "POST", "/corrections", correction)[0] == 201
        before = kept.read_bytes()
        whole = audit.stat().st_size
        hard = resource.prlimit(process, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(process, resource.RLIMIT_FSIZE, (whole + 20, hard))
        for path, body in (("/corrections", correction), ("/parse", {"query": "german"})):
            status, answer = sent(port, "POST", path, body)
            assert (status, json.loads(answer)["error"]["code"]) == (503, "not_audited")
        assert kept.read_bytes() == before
        assert sent(port, "GET", "/ready")[0] == 503
        assert b"grammax_audit_failing 1.0" in sent(port, "GET", "/metrics")[1]
        assert sent(port, "GET", "/")[0] == 200
        resource.prlimit(process, resource.RLIMIT_FSIZE, (hard, hard))
        assert sent(port, "GET", "/ready")[0] == 200
        assert sent(port, "POST", "/corrections", correction)[0] == 201
        assert b"grammax_audit_failing 0.0" in sent(port, "GET", "/metrics")[1]
    records = [record for _, record in read_lines(audit)]
    assert records.count(None) <= 1  # the line that the full disk has cut
    assert sum(record is not None and "begins" in record for record in records) == 3


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[tuple[int, int]]:
    """The port and the process of a service that is ready."""
    log = folder / "log"
    command = [sys.executable, "-m", "grammax.cli.main", "serve", "--port", "0", *arguments]
    with log.open("wb") as out:
        environment = {**os.environ, "GRAMMAX_HOME": str(folder)}
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
    try:
        end, found = monotonic() + 180.0, None
        while found is None or sent(int(found[1]), "GET", "/ready")[0] != 200:
            assert process.poll() is None, log.read_text()
            assert monotonic() < end
            sleep(0.1)
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text())
        yield int(found[1]), process.pid
    finally:
        process.terminate()
        process.wait(30)


def sent(port: int, method: str, path: str, body: object = None) -> tuple[int, bytes]:
    """What a service answers; status 0 if it does not listen yet."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        content = None if body is None else json.dumps(body)
        connection.request(method, path, content, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()
    except ConnectionError:
        return 0, b""
    finally:
        connection.close()
