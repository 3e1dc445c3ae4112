"""One client cannot take what is meant for all."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import pytest
from service.given import LF, TOKEN
from starlette.testclient import TestClient

from grammax.service.http import clients
from grammax.service.http.clients import Quota, Slots, client_name
from grammax.service.http.errors import RequestRefused
from grammax.service.worker import Worker


def test_a_client_leaves_slots_for_others() -> None:
    slots = Slots()
    with slots.slot("a", 2, 3), slots.slot("a", 2, 3):
        with pytest.raises(RequestRefused, match="2 requests"), slots.slot("a", 2, 3):
            pass
        with slots.slot("b", 2, 3), pytest.raises(RequestRefused, match="3 requests"):
            slots.slot("b", 2, 3).__enter__()
    with slots.slot("a", 1, 1):
        pass  # all were given back


def test_a_client_with_less_than_its_part_has_a_slot_though_all_are_taken() -> None:
    slots = Slots()
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(slots.slot("many", 8, 8))
        for _ in range(4):
            stack.enter_context(slots.slot("few", 8, 8))
        with pytest.raises(RequestRefused, match="12 requests"):
            stack.enter_context(slots.slot("few", 8, 8))
        stack.enter_context(slots.slot("new", 8, 8))


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_the_addresses_of_one_ipv6_network_are_one_client(address: str, name: str) -> None:
    assert client_name(address) == name


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
