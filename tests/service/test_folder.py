"""A folder of one's own is served: it is parsed and explained, and says what it has not."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from service.given import wait_until_ready
from starlette.testclient import TestClient
from typer.testing import CliRunner

from grammax import service
from grammax.cli.app import app
from grammax.folder.answers import GROUP
from grammax.service import corrections
from grammax.service.app import create
from grammax.service.settings import Settings
from grammax.service.snapshot.live_catalogue import LiveCatalogue

TOKEN = "0123456789abcdef"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
PATIENCE_S = 20.0
EQUITY = re.compile(r"(?i)compan(y|ies)|ticker|equit|stock|dividend|market cap|nasdaq|german")
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
    with TestClient(create(Settings(domain=str(rooms), token=TOKEN))) as made:
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


def test_names_come_and_go_are_stored_in_the_folder_and_survive_a_restart(rooms: Path) -> None:
    settings = Settings(domain=str(rooms), token=TOKEN, teach=True)
    with TestClient(create(settings)) as client:
        wait_until_ready(client)
        base = client.get("/domain").json()["version"]
        new = {"values": [{"name": "Cellar", "kind": "room", "aliases": ["the cellar"]}]}
        made = client.post("/catalogue", json=new, headers=BEARER).json()
        assert [entry["token"] for entry in made["added"]] == ["room:cellar"]
        assert client.post("/catalogue", json=new, headers=BEARER).status_code == 422
        taught = {"word": "basement", "token": "room:cellar", "field": ""}
        assert ask(client, "/teach", 201, **taught)["change"] == "'basement' means Cellar."
        assert ask(client, "/teach", 422, **(taught | {"token": "room:attic"}))
        gone = client.delete("/catalogue/room:birch", headers=BEARER)
        assert gone.json()["removed"] == ["room:birch"]
        assert client.delete("/catalogue/find", headers=BEARER).status_code == 422
    with TestClient(create(settings)) as client:
        wait_until_ready(client)
        assert names_of(client, "room:cellar") == ["Cellar", "the cellar", "basement"]
        choices = ask(client, "/next", 200, tokens=["(", "find", "(", "room"])["choices"]
        tokens = [choice["token"] for choice in choices]
        assert ("room:cellar" in tokens, "room:birch" in tokens) == (True, False)
        client.delete("/catalogue/room:cellar", headers=BEARER)
        old = {"name": "birch", "kind": "ROOM", "aliases": ["the birch room"]}
        back = client.post("/catalogue", json={"values": [old]}, headers=BEARER).json()
        assert (back["version"], back["added"]) == (base, [])


def test_edits_of_its_tables_are_followed_by_every_worker(rooms: Path, tmp_path: Path) -> None:
    folder = tmp_path / "rooms"
    shutil.copytree(rooms, folder, ignore=shutil.ignore_patterns("changes.jsonl"))
    settings = Settings(domain=str(folder), token=TOKEN)
    with TestClient(create(settings)) as one, TestClient(create(settings)) as other:
        for client in (one, other):
            wait_until_ready(client)
        new = {"values": [{"name": "cellar", "kind": "room"}]}
        assert one.post("/catalogue", json=new, headers=BEARER).status_code == 200
        table = folder / "rooms.tsv"
        written = table.read_text("utf-8").replace("room:birch\tROOM\tbirch|the birch room\n", "")
        table.write_text(f"{written}room:cellar\tROOM\tcellar|cave\n", "utf-8")
        for client in (one, other):
            wait_until(lambda c=client: names_of(c, "room:cellar") == ["cellar", "cave"])
            assert names_of(client, "room:birch") == []
        teal = {"values": [{"name": "teal", "kind": "room"}]}
        assert other.post("/catalogue", json=teal, headers=BEARER).status_code == 200
        wait_until(lambda: names_of(one, "room:teal") == ["teal"])
        assert names_of(one, "room:cellar") == ["cellar", "cave"]


def test_an_edited_grammar_needs_a_training_and_all_stays(
    rooms: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "rooms"
    shutil.copytree(rooms, folder, ignore=shutil.ignore_patterns("changes.jsonl"))
    with TestClient(create(Settings(domain=str(folder)))) as client:
        wait_until_ready(client)
        version = client.get("/domain").json()["version"]
        grammar = folder / "grammar.lark"
        text = grammar.read_text("utf-8")
        grammar.write_text(text.replace('"(" "not" condition ")"', '"(" "no" condition ")"'))
        wait_until(lambda: any("all stays as before" in each for each in caplog.messages))
        assert "Train again" in caplog.text
        assert client.get("/domain").json()["version"] == version


def test_an_unexpected_error_does_not_end_the_following_of_edits(
    rooms: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(_: LiveCatalogue) -> None:
        raise RuntimeError("unforeseen")

    folder = tmp_path / "rooms"
    shutil.copytree(rooms, folder, ignore=shutil.ignore_patterns("changes.jsonl"))
    table = folder / "rooms.tsv"
    with TestClient(create(Settings(domain=str(folder)))) as client:
        wait_until_ready(client)
        with monkeypatch.context() as patch:
            patch.setattr(LiveCatalogue, "reload", failing)
            table.write_text(table.read_text("utf-8") + "room:teal\tROOM\tteal\n", "utf-8")
            wait_until(lambda: "unforeseen" in caplog.text)
        table.write_text(table.read_text("utf-8") + "room:plum\tROOM\tplum\n", "utf-8")
        wait_until(lambda: names_of(client, "room:plum") == ["plum"])


def names_of(client: TestClient, token: str) -> list[str]:
    """The names of a token of the kind ROOM; none, if there is no such token."""
    entries = client.get("/catalogue", params={"kind": "ROOM", "limit": 500}).json()["entries"]
    found = (entry for entry in entries if entry["token"] == token)
    return [name for entry in found for name in (entry["name"], *entry["aliases"])]


def wait_until(is_so: Callable[[], bool]) -> None:
    until = monotonic() + PATIENCE_S
    while not is_so():
        assert monotonic() < until
        sleep(0.05)


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
    assert (found["name"], found["answers"], found["changes"]) == ("rooms", False, True)
    assert "amber tuesday" in found["samples"]
    assert client.get("/ready").json()["status"] == "ready"


def test_a_folder_without_a_model_is_refused_before_anything_starts(tmp_path: Path) -> None:
    CliRunner().invoke(app, ["new", str(tmp_path / "rooms")])
    done = CliRunner().invoke(app, ["serve", str(tmp_path / "rooms")])
    assert done.exit_code == 1
    assert "has no trained model yet" in done.stderr


def test_nothing_that_it_shows_speaks_of_equities(client: TestClient) -> None:
    got = ["/", "/domain", "/fields", "/health", "/openapi.json", "/catalogue", "/nowhere"]
    shown = {path: client.get(path).text for path in got}
    page = Path(service.__file__).parent / "page"
    shown |= {path.name: path.read_text("utf-8") for path in page.rglob("*.js")}
    bodies: list[dict[str, Any]] = [
        {}, {"query": "buy 500 shares of amber"}, {"query": " "}, {"tokens": ["("]},
        {"tokens": ["(", "find", "(", "price"]}, {"tokens": [*FRIDAY]},
        {"tokens": [*FRIDAY], "text": "now german"}, {"lf": "( find ( market_cap"},
    ]  # fmt: skip
    paths = ("parse", "ask", "run", "next", "complete", "edit", "explain", "export", "render")
    for path in (*paths, "row", "distribution", "teach"):
        for number, body in enumerate(bodies):
            given = " ".join(str(value) for value in body.values())
            text = client.post(f"/{path}", json=body).text.replace(given, "")
            shown[f"{path} {number}"] = text
    found = {path: EQUITY.findall(text) for path, text in shown.items()}
    assert {path: words for path, words in found.items() if words} == {}
    assert EQUITY.search("a search for companies")
