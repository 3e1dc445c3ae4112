"""Requests for other names, and those that pages of other sites send, are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from grammax.service.run import _names


@pytest.fixture
def named(client: TestClient, service, monkeypatch) -> TestClient:
    """A client of a service that only this machine can reach."""
    hosts = _names("127.0.0.1", ("Search.Example",))
    monkeypatch.setattr(service, "settings", replace(service.settings, hosts=hosts))
    return client


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("search.example", 200),
        ("rebound.example:8000", 421),
        ("localhost.example", 421),
        ("", 421),
    ],
)
def test_only_the_names_of_the_service_are_permitted(named, host: str, status: int) -> None:
    for path in ("/health", "/"):
        response = named.get(path, headers={"Host": host})
        assert response.status_code == status
    if status == 421:
        response = named.get("/health", headers={"Host": host})
        assert response.json()["error"]["code"] == "wrong_host"
        assert response.headers["x-request-id"]


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:8000", 200),
        ("https://search.example", 200),
        ("https://evil.example", 403),
        ("null", 403),
        ("http://localhost.evil.example:8000", 403),
    ],
)
def test_pages_of_other_sites_are_refused(named, origin: str, status: int) -> None:
    headers = {"Host": "localhost:8000", "Origin": origin}
    response = named.post("/parse", json={"query": "german steel"}, headers=headers)
    assert response.status_code == status
    assert named.get("/health", headers=headers).status_code == 200  # it tells nothing to them


def test_a_service_for_other_machines_has_any_name_unless_some_are_given() -> None:
    assert _names("0.0.0.0", ()) == ()
    assert _names("0.0.0.0", ("search.example",)) == ("search.example",)
