"""Changes of the catalogue: with the token alone, at once here, and soon in every other worker."""

from __future__ import annotations

from pathlib import Path

import pytest
from service.given import TOKEN
from starlette.testclient import TestClient

from grammax.language.changes import NewValue
from grammax.service.settings import Settings
from grammax.service.snapshot import live_catalogue
from grammax.service.snapshot.live_catalogue import LiveCatalogue
from grammax.service.snapshot.snapshot import Snapshot
from grammax.service.worker import Worker

WAKANDA = {"values": [{"name": "Wakanda", "kind": "country", "aliases": ["wakandan"]}]}
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("shown", "status", "code"),
    [
        ({}, 401, "token_missing"),
        ({"Authorization": "Basic abc"}, 401, "token_missing"),
        ({"Authorization": "Bearer "}, 401, "token_missing"),
        ({"Authorization": "Bearer wrong"}, 403, "token_wrong"),
        ({"Authorization": f"Bearer {TOKEN[:-1]}"}, 403, "token_wrong"),
    ],
)
def test_without_the_token_nothing_changes(client: TestClient, shown, status, code) -> None:
    for response in (
        client.post("/catalogue", json=WAKANDA, headers=shown),
        client.delete("/catalogue/COU_FRANCE", headers=shown),
    ):
        assert response.status_code == status
        assert response.json()["error"]["code"] == code
    assert client.get("/catalogue", params={"search": "France"}).json()["entries"]


def test_a_service_without_a_token_changes_nothing(client: TestClient, worker, monkeypatch) -> None:
    monkeypatch.setattr(worker, "settings", Settings())
    response = client.post("/catalogue", json=WAKANDA, headers=BEARER)
    assert response.status_code == 403
    assert response.json()["error"]["code"] == "changes_off"


def test_a_value_comes_and_goes_and_other_workers_follow(
    client: TestClient, worker: Worker, post
) -> None:
    other = LiveCatalogue(worker.settings)
    before = other.snapshot
    made = client.post("/catalogue", json=WAKANDA, headers=BEARER).json()
    assert [entry["token"] for entry in made["added"]] == ["COU_WAKANDA"]
    found = post("/parse", {"query": "wakandan steel"})
    assert "COU_WAKANDA" in found["tokens"]
    assert found["version"] == made["version"]
    assert "Wakanda" in found["paraphrase"]
    assert post("/ask", {"query": "wakandan steel"})["answer"]["rows"] == []

    assert other.follow() is before
    assert other.snapshot.version == made["version"]
    assert "COU_WAKANDA" in other.snapshot.parser.parse("wakandan steel").tokens
    assert other.follow() is None

    gone = client.delete("/catalogue/COU_WAKANDA", headers=BEARER).json()
    assert gone["removed"] == ["COU_WAKANDA"]
    assert gone["version"] == before.version
    old = other.follow()
    assert old is not None
    assert other.snapshot.version == before.version
    for each in (old, other.snapshot):
        each.close()


def test_a_change_is_served_before_its_names_are_indexed(worker: Worker, monkeypatch) -> None:
    catalogue = LiveCatalogue(worker.settings)
    catalogue.open_store()
    catalogue.index()
    indexed = catalogue.snapshot.domain

    def too_slow(_: Snapshot) -> Snapshot:
        raise AssertionError("a change waits for the index")

    monkeypatch.setattr(Snapshot, "with_names", too_slow)
    value = NewValue("Narnia", "country", aliases=("narnian",))
    _, after = catalogue.add([value])
    assert "COU_NARNIA" in after.parser.parse("narnian steel").tokens
    assert not catalogue.is_indexed
    assert after.names is indexed
    assert [entry.token for entry in after.search("narnia", 5)] == ["COU_NARNIA"]
    monkeypatch.undo()
    catalogue.index()
    assert catalogue.is_indexed
    assert [entry.token for entry in catalogue.snapshot.search("narnia", 5)] == ["COU_NARNIA"]
    assert "COU_NARNIA" in {each.token for each in catalogue.snapshot.completions("narn", 5)}

    _, gone = catalogue.remove(["COU_NARNIA"])
    assert "COU_NARNIA" not in {entry.token for entry in gone.search("narnia", 5)}
    assert "COU_NARNIA" not in {each.token for each in gone.completions("narn", 5)}
    for each in (after, gone):
        each.close()


def test_a_change_that_cannot_be_written_is_not_served(worker: Worker, monkeypatch) -> None:
    catalogue = LiveCatalogue(worker.settings)
    before = catalogue.snapshot

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(live_catalogue, "write_changes", full)
    with pytest.raises(OSError, match="no space left"):
        catalogue.add([NewValue("Narnia", "country")])
    assert catalogue.snapshot is before
    before.close()


def test_changes_that_cannot_be_made_say_why(client: TestClient) -> None:
    wrong = {"values": [{"name": "Wakanda", "kind": "colour"}]}
    response = client.post("/catalogue", json=wrong, headers=BEARER)
    assert response.status_code == 422
    assert "there is no kind 'colour'" in response.json()["error"]["message"]
    unknown = client.delete("/catalogue/COU_NOWHERE", headers=BEARER)
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "unknown_token")
    fixed = client.delete("/catalogue/AND", headers=BEARER)
    assert "is a fixed token of the language" in fixed.json()["error"]["message"]


def test_a_damaged_file_leaves_what_is_served(client: TestClient, worker: Worker) -> None:
    path: Path = worker.settings.catalogue_path
    kept = path.read_bytes() if path.exists() else None
    path.write_text("damaged")
    response = client.post("/catalogue", json=WAKANDA, headers=BEARER)
    assert response.status_code == 503
    assert response.json()["error"]["code"] == "changes_unreadable"
    assert client.post("/parse", json={"query": "german steel"}).status_code == 200
    if kept is None:
        path.unlink()
    else:
        path.write_bytes(kept)
