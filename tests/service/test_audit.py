"""The audit file: who asked what, and nothing happens that it does not have."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest
from service.given import LF
from starlette.testclient import TestClient

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
