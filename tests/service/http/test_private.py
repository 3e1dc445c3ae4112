"""No reply shows where files of the server are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from service.given import GERMAN, LF, TOKEN
from starlette.testclient import TestClient

from grammax.service.app import create
from grammax.service.http.private import hide_folders, without_paths
from grammax.service.settings import Settings
from grammax.service.worker import Worker


def test_paths_become_names(tmp_path: Path) -> None:
    hide_folders(Settings(domain=str(tmp_path / "my films" / "films.csv")))
    folder = tmp_path / "my films"
    for text, shown in (
        (f"{folder}/films.csv: No such file", "films.csv: No such file"),
        (f"'{folder}/deep/er/films.csv' is gone", "'films.csv' is gone"),
        (f"no files match {folder}", "no files match my films"),
        ("and/or, 3/4, /static/none", "and/or, 3/4, /static/none"),
    ):
        assert without_paths(text) == shown


def test_failures_of_files_name_no_folder(
    client: TestClient, worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(worker.settings.corrections_path.parent)

    def fails(*_: object) -> Any:
        raise OSError(5, "Input/output error", f"{home}/deep/file")

    monkeypatch.setattr(worker.catalogue, "add", fails)
    value = {"values": [{"name": "Narnia", "kind": "country"}]}
    headers = {"Authorization": f"Bearer {TOKEN}"}
    told = client.post("/catalogue", json=value, headers=headers)
    assert (told.status_code, told.json()["error"]["code"]) == (503, "changes_unreadable")
    assert home not in told.text
    assert "Input/output error" in told.text


def test_a_store_that_cannot_be_opened_is_told_without_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: object) -> None:
        raise OSError(5, "Input/output error", str(tmp_path / "market"))

    monkeypatch.setattr("grammax.service.snapshot.live_catalogue.LiveCatalogue.open_store", fails)
    files = {name: str(tmp_path / name) for name in ("catalogue", "corrections")}
    made = Worker(Settings(**files))
    made.loading.load()
    with TestClient(create(made.settings, made)) as client:
        for method, path, body in (
            ("GET", "/ready", None),
            ("POST", "/ask", {"query": "german steel"}),
            ("POST", "/run", {"tokens": list(GERMAN)}),
        ):
            told = client.request(method, path, json=body)
            assert (told.status_code, told.json()["error"]["code"]) == (503, "no_answers")
            assert str(tmp_path) not in told.text
        assert client.post("/parse", json={"query": "german steel"}).json()["lf"]
        assert client.post("/corrections", json={"query": "x", "lf": LF}).status_code == 201


def test_data_that_is_gone_is_told_without_its_path(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "films.csv"
    file.parent.mkdir()
    file.write_text("title,year,gross\n" + "".join(f"Film {n},{1990 + n},{n}\n" for n in range(20)))
    made = Worker(Settings(domain=str(file), corrections=str(tmp_path / "corrections")))
    made.loading.load()
    with TestClient(create(made.settings, made)) as client:
        file.unlink()
        for path in ("/ask", "/parse"):
            told = client.post(path, json={"query": "films by gross"})
            assert told.status_code < 500
            assert str(tmp_path) not in told.text
        for path in ("/domain", "/health", "/ready", "/openapi.json", "/none"):
            assert str(tmp_path) not in client.get(path).text
        stored = client.post("/corrections", json={"query": "x", "lf": "(top 1 FLD_GROSS)"})
        assert str(tmp_path) not in json.dumps(stored.json())
