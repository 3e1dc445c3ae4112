"""Whatever is sent is only text: nothing of it runs, and nothing breaks."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from grammax.service.worker import Worker

pytestmark = pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "query",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)> german steel",
        "'; DROP TABLE equity; --",
        "german\" OR 1=1; ATTACH '/etc/passwd'",
        "{{7*7}} ${7*7} %s%s%n",
        "steel \u202e\u0000\u200b\ud7ff 🐂",
        "=cmd|' /C calc'!A0",
    ],
)
def test_html_and_sql_are_only_text(client: TestClient, post, query: str) -> None:
    found = post("/ask", {"query": query, "anyway": True, "rows": 1})
    assert found["parse"]["query"] == query
    response = client.post("/parse", json={"query": query})
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert post("/run", {"lf": "(top 1 FLD_MKT_CAP)"})["answer"]["rows"]
    post("/complete", {"text": query})
    client.get("/catalogue", params={"search": query}).raise_for_status()


@pytest.mark.parametrize("path", ["/parse", "/ask", "/run", "/next", "/corrections", "/catalogue"])
def test_ten_kilobytes_of_random_bytes(client: TestClient, path: str) -> None:
    chance = random.Random(path)
    for _ in range(3):
        response = client.post(path, content=chance.randbytes(10_000), headers=JSON)
        assert response.status_code in (400, 401)


def test_ten_kilobytes_of_random_text(client: TestClient) -> None:
    chance = random.Random(0)
    text = "".join(map(chr, chance.choices(range(1, 0xD7FF), k=5_000)))
    for body in ({"query": text[:150]}, {"query": text}):
        response = client.post("/parse", json=body)
        assert response.status_code in (200, 422)


def test_an_error_tells_nothing_of_the_inside(
    client: TestClient, worker: Worker, log_lines, monkeypatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr(worker.metrics, "parsed", broken)
    response = client.post("/parse", json={"query": "german steel"})
    assert response.status_code == 500
    assert "secret" not in response.text
    assert response.json()["error"]["code"] == "bug"
    assert "a secret of the inside" in str(log_lines[0]["traceback"])
    assert log_lines[0]["request_id"] == response.headers["x-request-id"]


def test_logs_have_no_texts_unless_asked_for(client: TestClient, log_lines) -> None:
    client.post("/parse", json={"query": "german steel"})
    assert "german" not in json.dumps(log_lines)
    assert set(log_lines[0]) == {
        "time",
        "request_id",
        "method",
        "path",
        "status",
        "seconds",
        "words",
    }
    assert (log_lines[0]["status"], log_lines[0]["words"]) == (200, 2)


def test_logs_have_the_text_where_it_is_asked_for(
    client: TestClient, service, log_lines, monkeypatch
) -> None:
    monkeypatch.setattr(service, "settings", replace(service.settings, log_queries=True))
    client.post("/parse", json={"query": "german steel"})
    assert log_lines[0]["query"] == "german steel"


def test_the_audit_has_all_that_was_asked(client: TestClient, worker: Worker) -> None:
    response = client.post("/parse", json={"query": "audited steel"})
    kept = [json.loads(line) for line in worker.audit.path.read_text().splitlines()]
    [found] = [each for each in kept if each.get("query") == "audited steel"]
    assert found["request_id"] == response.headers["x-request-id"]
    assert found["lf"] == response.json()["lf"]
