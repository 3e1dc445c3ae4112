"""One client cannot take what is meant for all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from service.given import LF, TOKEN
from starlette.testclient import TestClient

from grammax.service.http import clients
from grammax.service.http.clients import Quota, Slots
from grammax.service.http.errors import RequestRefused
from grammax.service.worker import Worker


def test_a_client_leaves_slots_for_others() -> None:
    slots = Slots()
    with slots.slot("a", 2, 3), slots.slot("a", 2, 3):
        with pytest.raises(RequestRefused, match="2 requests"), slots.slot("a", 2, 3):
            pass
        with slots.slot("b", 2, 3), pytest.raises(RequestRefused, match="3 requests"):
            slots.slot("c", 2, 3).__enter__()
    with slots.slot("a", 1, 1):
        pass  # all were given back


def test_a_quota_is_that_of_a_minute(monkeypatch) -> None:
    now = [100.0]
    monkeypatch.setattr(clients, "monotonic", lambda: now[0])
    quota = Quota()
    for _ in range(3):
        quota.take("a", 3)
    with pytest.raises(RequestRefused) as refused:
        quota.take("a", 3)
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (429, "61")
    quota.take("b", 3)
    now[0] += 60
    quota.take("a", 3)


def test_corrections_have_a_quota_unless_the_token_is_sent(
    client: TestClient, worker: Worker, monkeypatch
) -> None:
    monkeypatch.setattr(worker, "limits", replace(worker.limits, corrections=2))
    monkeypatch.setattr(worker, "quota", Quota())
    correction = {"query": "german steel", "lf": LF}
    statuses = [client.post("/corrections", json=correction).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]
    token = {"Authorization": f"Bearer {TOKEN}"}
    assert client.post("/corrections", json=correction, headers=token).status_code == 201
