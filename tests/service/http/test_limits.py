"""Every limit refuses with its status and in the same JSON, and says what is permitted."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event, current_thread
from time import sleep
from typing import Any

import pytest
from service.given import GERMAN, LF
from starlette.testclient import TestClient

from grammax.language.answer import AnswerTooSlow
from grammax.parser import Parser
from grammax.service.http.middleware import RequestMiddleware
from grammax.service.settings import Limits, Settings, SettingsRefused
from grammax.service.worker import Worker

pytestmark = pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/parse", {"query": "steel " * 31}, 422, "query_too_long"),
        ("/parse", {"query": "x" * 5_000}, 422, "query_too_long"),
        ("/ask", {"query": "steel " * 31}, 422, "query_too_long"),
        ("/explain", {"query": "steel " * 31}, 422, "query_too_long"),
        ("/complete", {"text": "steel " * 900}, 422, "query_too_long"),
        ("/parse", {"query": " \t\n"}, 422, "query_empty"),
        ("/parse/batch", {"queries": ["steel"] * 5}, 422, "batch_too_large"),
        ("/next", {"tokens": ["("] * 101}, 422, "form_too_long"),
        ("/run", {"lf": "(AND " + f"{LF} " * 30 + ")"}, 422, "form_too_long"),
        ("/run", {"lf": "(NOT " * 3_000}, 422, "bad_logical_form"),
        ("/parse", {"query": "steel", "best": 11}, 422, "invalid_request"),
        ("/parse", {"query": "steel", "best": "2"}, 422, "invalid_request"),
        ("/parse", {"query": "steel", "best": True}, 422, "invalid_request"),
        ("/parse", {"query": "steel", "colour": "red"}, 422, "invalid_request"),
        ("/parse", {"query": 3}, 422, "invalid_request"),
        ("/parse", {}, 422, "invalid_request"),
        ("/parse", [], 422, "invalid_request"),
        ("/run", {"lf": LF, "rows": 1_001}, 422, "invalid_request"),
        ("/ask", {"query": "steel", "rows": 1_001}, 422, "invalid_request"),
        ("/next", {"tokens": [], "limit": 501}, 422, "invalid_request"),
        ("/next", {"tokens": [], "search": "x" * 201}, 422, "invalid_request"),
        ("/complete", {"text": "ger", "limit": 51}, 422, "invalid_request"),
        ("/corrections", {"query": "steel " * 31, "lf": LF}, 422, "query_too_long"),
        ("/nowhere", {}, 404, "not_found"),
        ("/health", {}, 405, "wrong_method"),
    ],
)
def test_limits(post, path, body, status, code) -> None:
    error = post(path, body, status)["error"]
    assert error["code"] == code
    assert error["message"]
    assert error["request_id"]


def test_an_answer_has_so_many_columns_at_most(post, worker, monkeypatch) -> None:
    monkeypatch.setattr(worker, "limits", replace(worker.limits, fields=2))
    lf = "(AND (display FLD_MKT_CAP) (display FLD_PRICE) (display FLD_EBITDA))"
    for path in ("/run", "/export"):
        error = post(path, {"lf": lf}, 422)["error"]
        assert error["code"] == "too_many_fields"
        assert "names 3 fields; at most 2 are permitted" in error["message"]
    found = post("/ask", {"query": "show price, ebitda and market cap", "anyway": True})
    assert found["answer"] is None
    assert found["answer_error"]["code"] == "too_many_fields"


def test_long_work_leaves_the_event_loop(post, worker, monkeypatch) -> None:
    threads: list[str] = []
    parse = Parser.parse

    def noted(*given: Any, **options: Any) -> Any:
        threads.append(current_thread().name)
        return parse(*given, **options)

    monkeypatch.setattr(Parser, "parse", noted)
    for words in (2, 28):
        post("/parse", {"query": "steel " * words})
    assert [name.startswith("parse") for name in threads] == [False, True]


def test_a_body_is_refused_by_its_length_before_it_is_read(client: TestClient) -> None:
    response = client.post(
        "/parse", content=b" " * 20_001, headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 413
    assert response.json()["error"]["code"] == "body_too_large"
    assert response.headers["connection"] == "close"


def ran(coroutine: Coroutine[Any, Any, tuple[int, bytes]]) -> tuple[int, bytes]:
    """Run in a thread, as that of the tests may have a loop of its own: Playwright's."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def test_a_body_without_a_length_is_read_no_further_than_the_limit(
    service: RequestMiddleware,
) -> None:
    taken = 0

    async def receive() -> dict[str, object]:
        nonlocal taken
        taken += 1
        return {"type": "http.request", "body": b" " * 8_000, "more_body": True}

    status, body = ran(called(service, receive))
    assert (status, taken) == (413, 3)
    assert b"body_too_large" in body


def test_a_body_that_comes_too_slowly_is_given_up(
    service: RequestMiddleware, worker: Worker, monkeypatch
) -> None:
    monkeypatch.setattr(worker, "limits", Limits(seconds=0.1))

    async def receive() -> dict[str, object]:
        await asyncio.sleep(0.06)
        return {"type": "http.request", "body": b" ", "more_body": True}

    status, body = ran(called(service, receive))
    assert status == 408
    assert b"too_slow" in body


@pytest.mark.parametrize("body", [b"", b"{", b"nothing", b"\xff\xfe", b'{"query": "\\ud800"}'])
def test_malformed_json(client: TestClient, body: bytes) -> None:
    response = client.post("/parse", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "malformed_json"


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 9_000,
        b'{"query": ' + b"[" * 9_000,
        b'{"query": "x", "deep": ' + b'{"a":' * 2_500 + b"1" + b"}" * 2_500 + b"}",
    ],
)
def test_deeply_nested_json_is_refused(client: TestClient, body: bytes) -> None:
    response = client.post("/parse", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code in (400, 422)
    assert response.json()["error"]["code"] in ("malformed_json", "invalid_request")
    assert client.post("/parse", json={"query": "steel"}).status_code == 200


def test_a_compressed_body_is_not_unpacked(client: TestClient) -> None:
    bomb = gzip.compress(b'{"query": "' + b"x" * 10_000_000 + b'"}')
    assert len(bomb) < 20_000
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    response = client.post("/parse", content=bomb, headers=headers)
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "malformed_json"


def test_json_must_be_called_so(client: TestClient) -> None:
    """A page elsewhere could send text without asking; JSON its browser asks us for first."""
    response = client.post(
        "/parse", content=b'{"query": "x"}', headers={"Content-Type": "text/plain"}
    )
    assert response.status_code == 415
    asked = client.options("/parse", headers={"Origin": "https://elsewhere.example"})
    assert asked.status_code == 405
    assert "access-control-allow-origin" not in asked.headers


def test_an_answer_that_takes_too_long_is_given_up(client: TestClient, worker, monkeypatch) -> None:
    def answer(*_: object) -> None:
        raise AnswerTooSlow("too slow")

    monkeypatch.setattr(worker.snapshot.answers, "answer", answer)
    response = client.post("/run", json={"lf": LF})
    assert response.status_code == 503
    assert response.json()["error"]["code"] == "timeout"
    assert response.headers["retry-after"]


def test_a_batch_that_takes_too_long_is_given_up(client: TestClient, worker, monkeypatch) -> None:
    def parse(*_: object, **__: object) -> object:
        sleep(0.3)
        return found

    found = worker.snapshot.parser.parse("steel")
    monkeypatch.setattr(worker, "limits", Limits(seconds=0.2))
    monkeypatch.setattr(Parser, "parse", parse)
    response = client.post("/parse/batch", json={"queries": ["steel", "steel"]})
    assert response.status_code == 503
    assert response.json()["error"]["code"] == "timeout"


def test_readings_that_take_too_long_are_given_up(client: TestClient, worker, monkeypatch) -> None:
    monkeypatch.setattr(worker, "limits", Limits(seconds=0.1))
    monkeypatch.setattr(Parser, "parse", lambda *_: sleep(0.5))
    response = client.post("/parse", json={"query": "steel", "best": 3})
    assert response.status_code == 503
    assert response.json()["error"]["message"] == "There was no answer within 0.1 seconds."


def test_too_many_at_once_are_told_to_come_again(client: TestClient, worker, monkeypatch) -> None:
    going, began = Event(), Event()
    found = worker.snapshot.answers.answer(GERMAN, 1)

    def answer(*_: object) -> object:
        began.set()
        going.wait(10)
        return found

    monkeypatch.setattr(worker, "limits", Limits(concurrency=1))
    monkeypatch.setattr(worker.snapshot.answers, "answer", answer)
    monkeypatch.setattr(type(worker.snapshot.answers), "instant", False)  # so a thread waits
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.post, "/run", json={"lf": LF})
        assert began.wait(10)
        refused = client.post("/parse", json={"query": "steel"})
        health = client.get("/health")
        going.set()
        assert first.result().status_code == 200
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "1"
    assert refused.json()["error"]["code"] == "too_many_requests"
    assert health.status_code == 200


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SettingsRefused, match="words is 201; the parser reads 200 at most"):
        Limits(words=201)
    with pytest.raises(SettingsRefused, match="body is 0; it must be above 0"):
        Limits(body=0)
    with pytest.raises(SettingsRefused, match="the token has 6 characters"):
        Settings(token="secret")


async def called(service: RequestMiddleware, receive) -> tuple[int, bytes]:
    """The status and the body that a request to /parse gets, body chunk by chunk."""
    sent: list[dict[str, object]] = []

    async def send(message) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/parse", "raw_path": b"/parse", "state": {},
        "headers": [(b"content-type", b"application/json")], "query_string": b"", "root_path": "",
    }  # fmt: skip
    await service(scope, receive, send)
    return sent[0]["status"], b"".join(message["body"] for message in sent[1:])
