"""A folder of one's own is served: it is parsed and explained, and says what it has not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest
from service.given import wait_until_ready
from starlette.testclient import TestClient
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.folder.answers import GROUP
from grammax.service import corrections
from grammax.service.app import create
from grammax.service.settings import Settings

FRIDAY = ("(", "find", "(", "day", "friday", ")", ")")


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A domain as `grammax new` writes it, hardly trained."""
    folder = tmp_path_factory.mktemp("own") / "rooms"
    for arguments in (["new"], ["train", "--epochs", "1", "--threads", "1"]):
        done = CliRunner().invoke(app, [arguments[0], str(folder), *arguments[1:]])
        assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def client(rooms: Path) -> Iterator[TestClient]:
    """A client of a service of it."""
    with TestClient(create(Settings(domain=str(rooms), token="0123456789abcdef"))) as made:
        wait_until_ready(made)
        yield made


def ask(client: TestClient, path: str, status: int, **body: Any) -> dict[str, Any]:
    response = client.post(path, json=body)
    assert response.status_code == status, response.text
    found: dict[str, Any] = response.json()
    return found


def test_it_is_parsed_and_explained(client: TestClient) -> None:
    found = ask(client, "/parse", 200, query="attic friday")
    assert found["tokens"][:2] == ["(", "find"]
    assert found["paraphrase"] == found["lf"] == " ".join(found["tokens"])
    roles = {chip["token"]: chip["role"] for chip in found["chips"]}
    assert (roles["("], roles["find"]) == ("bracket", "operator")
    assert [chip["depth"] for chip in found["chips"]][:3] == [0, 1, 1]
    steps = ask(client, "/explain", 200, query="attic friday")["steps"]
    assert [step["token"] for step in steps] == found["tokens"]
    both = ask(client, "/parse/batch", 200, queries=["amber", "birch"])["results"]
    assert [each["query"] for each in both] == ["amber", "birch"]


def test_its_forms_go_on_and_are_changed_under_the_grammar(client: TestClient) -> None:
    found = ask(client, "/next", 200, tokens=FRIDAY, place=4)
    assert [choice["token"] for choice in found["choices"]][:2] == ["friday", "monday"]
    named = ask(client, "/next", 200, tokens=["(", "find", "(", "room"], search="AMB")["choices"]
    assert named == [{"token": "room:amber", "label": "amber", "kind": "ROOM"}]


def test_names_are_completed_and_searched(client: TestClient) -> None:
    found = ask(client, "/complete", 200, text="is the am")["completions"]
    assert ("is the amber", "ber", "room") in {(c["text"], c["added"], c["what"]) for c in found}
    assert ask(client, "/complete", 200, text="is the ")["completions"] == []
    entries = client.get("/catalogue", params={"search": "amber"}).json()["entries"]
    assert [entry["token"] for entry in entries] == ["room:amber"]


@pytest.mark.parametrize(
    ("path", "body"),
    [("/ask", {"query": "attic friday"}), ("/run", {"tokens": FRIDAY})],
)
def test_nothing_answers_and_it_says_so(client: TestClient, path: str, body) -> None:
    error = ask(client, path, 404, **body)["error"]
    assert error["code"] == "no_answers"
    assert "'rooms' has logical forms, but no store that answers them" in error["message"]


@pytest.fixture(scope="module")
def answering(rooms: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of the same folder, whose settings name a function of an installed package."""
    folder = tmp_path_factory.mktemp("answering") / "rooms"
    shutil.copytree(rooms, folder)
    settings = folder / "domain.toml"
    settings.write_text('answers = "rooms"\n' + settings.read_text("utf-8"), "utf-8")
    points = EntryPoints([EntryPoint("rooms", f"{__name__}:free_rooms", GROUP)])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            "grammax.folder.answers.entry_points", lambda group: points.select(group=group)
        )
        with TestClient(create(Settings(domain=str(folder)))) as made:
            wait_until_ready(made)
            yield made


def free_rooms(tokens: tuple[str, ...]) -> list[dict[str, object]]:
    """What the entry point answers with."""
    if "monday" in tokens:
        raise ValueError("closed on mondays")
    return [{"room": name, "seats": seats} for name, seats in (("attic", 4), ("birch", 12))]


def test_it_answers_where_its_settings_name_a_function(answering: TestClient) -> None:
    client = answering
    asked = ask(client, "/ask", 200, query="attic friday", anyway=True, rows=1)
    assert asked["answer_error"] is None
    assert [column["label"] for column in asked["answer"]["columns"]] == ["room", "seats"]
    assert asked["answer"]["rows"] == [["attic", 4]]
    assert (asked["answer"]["total"], asked["answer"]["more"]) == (2, True)
    ran = ask(client, "/run", 200, tokens=FRIDAY)
    assert ran["answer"]["rows"] == [["attic", 4], ["birch", 12]]
    found = client.get("/domain").json()
    assert (found["answers"], found["noun"], found["nouns"]) == (True, "result", "results")


def test_an_error_of_the_function_that_answers_is_told(answering: TestClient) -> None:
    client = answering
    monday = ["monday" if token == "friday" else token for token in FRIDAY]
    error = ask(client, "/run", 422, tokens=monday)["error"]
    assert "closed on mondays" in error["message"]


def test_its_values_stay_and_it_says_so(client: TestClient) -> None:
    shown = {"Authorization": "Bearer 0123456789abcdef"}
    new = {"values": [{"name": "cellar", "kind": "room"}]}
    for response in (
        client.post("/catalogue", json=new, headers=shown),
        client.delete("/catalogue/room:amber", headers=shown),
    ):
        assert response.status_code == 409
        assert response.json()["error"]["code"] == "fixed_catalogue"


def test_corrections_are_kept_in_the_folder(client: TestClient, rooms: Path) -> None:
    made = ask(client, "/corrections", 201, query="on friday", lf="( find ( day friday ) )")
    [found] = corrections.read(rooms / "corrections.jsonl").corrections
    assert (found.id, found.tokens) == (made["id"], FRIDAY)
    wrong = ask(client, "/corrections", 422, query="on friday", lf="( find ( day")
    assert "is only the beginning of a logical form" in wrong["error"]["message"]


def test_it_has_no_fields_and_no_examples_beside_its_samples(client: TestClient) -> None:
    assert client.get("/fields").json() == {"fields": [], "total": 0}
    found = client.get("/domain").json()
    assert (found["has_fields"], found["examples"]) == (False, [])


def test_the_page_is_told_what_language_it_is(client: TestClient) -> None:
    found = client.get("/domain").json()
    assert (found["name"], found["answers"], found["changes"]) == ("rooms", False, False)
    assert "amber tuesday" in found["samples"]
    assert client.get("/ready").json()["status"] == "ready"


def test_a_folder_without_a_model_is_refused_before_anything_starts(tmp_path: Path) -> None:
    CliRunner().invoke(app, ["new", str(tmp_path / "rooms")])
    done = CliRunner().invoke(app, ["serve", str(tmp_path / "rooms")])
    assert done.exit_code == 1
    assert "has no trained model yet" in done.stderr
