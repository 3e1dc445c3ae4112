"""HEAD is answered wherever GET is, and a proxy may have the service at a path of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from service.given import GERMAN
from starlette.testclient import TestClient

from grammax.service.endpoints.router import OPERATIONS
from grammax.service.settings import SettingsRefused, as_root_path

GETS = [each.path for each in OPERATIONS if each.method == "GET"]


@pytest.fixture
def placed(client: TestClient, service, monkeypatch) -> TestClient:
    """A client of a service that a proxy has at /search."""
    monkeypatch.setattr(service, "settings", replace(service.settings, root_path="/search"))
    return client


@pytest.mark.parametrize("path", [*GETS, "/", "/openapi.json", "/static/js/app.js"])
def test_head_is_answered_as_get_is(client: TestClient, path: str) -> None:
    got, headed = client.get(path), client.head(path)
    assert (headed.status_code, headed.content) == (got.status_code, b"")
    assert headed.headers["content-type"] == got.headers["content-type"]
    if path not in ("/metrics", "/static/js/app.js"):  # these differ, or are compressed
        assert headed.headers["content-length"] == got.headers["content-length"]


def test_head_is_not_answered_where_get_is_not(client: TestClient) -> None:
    assert client.head("/parse").status_code == 405
    assert client.head("/nowhere").status_code == 404


@pytest.mark.parametrize("prefix", ["", "/search"])
@pytest.mark.parametrize("path", [*GETS, "/", "/openapi.json", "/static/js/app.js"])
def test_a_proxy_may_strip_the_path_or_not(placed: TestClient, prefix: str, path: str) -> None:
    assert placed.get(prefix + path).status_code == 200


@pytest.mark.parametrize("prefix", ["", "/search"])
def test_what_is_posted_and_deleted_finds_its_route(placed: TestClient, prefix: str) -> None:
    body = {"tokens": list(GERMAN), "rows": 1}
    assert placed.post(f"{prefix}/run", json=body).status_code == 200
    assert placed.delete(f"{prefix}/catalogue/COU_GERMANY").status_code == 401
    assert placed.post(f"{prefix}/nowhere", json=body).json()["error"]["code"] == "not_found"


def test_without_its_slash_the_root_is_elsewhere(placed: TestClient) -> None:
    response = placed.get("/search?q=german", follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (308, "/search/?q=german")
    assert placed.get("/search").status_code == 200
    assert placed.get("/searching").status_code == 404


def test_the_document_says_where_the_service_is(client: TestClient) -> None:
    assert client.get("/openapi.json").json()["servers"] == [{"url": "/"}]


@pytest.mark.parametrize(
    ("given", "path"), [("", ""), ("/", ""), ("search", "/search"), ("/a/b/", "/a/b")]
)
def test_slashes_of_a_root_path_do_not_matter(given: str, path: str) -> None:
    assert as_root_path(given) == path


def test_a_root_path_that_is_none_is_refused() -> None:
    with pytest.raises(SettingsRefused, match="the root path is"):
        as_root_path('/a"b')
