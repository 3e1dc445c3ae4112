"""The service over a stranger's data: samples, completions, answers, and no trace beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.data.tables import films, needs_model, shop
from service.given import wait_until_ready
from starlette.testclient import TestClient

from grammax.service.app import create
from grammax.service.settings import Settings
from grammax.service.worker import Worker

pytestmark = needs_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAMMAX_HOME", str(tmp_path_factory.mktemp("home")))
        yield tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with TestClient(create(Settings(domain=str(films(folder))))) as made:
        wait_until_ready(made)
        yield made


def test_the_domain_is_the_table(client: TestClient) -> None:
    found = client.get("/domain").json()
    assert (found["name"], found["noun"], found["nouns"]) == ("films", "film", "films")
    assert found["answers"]
    assert "how many films per genre" in found["samples"]
    for sample in found["samples"]:
        asked = client.post("/ask", json={"query": sample, "anyway": True}).json()
        assert asked["answer"]["rows"], sample


def test_the_examples_show_what_can_be_asked(client: TestClient) -> None:
    found = {each["category"]: each["queries"] for each in client.get("/domain").json()["examples"]}
    assert [*found] == [
        "Filter",
        "Compare numbers",
        "Rank",
        "Show columns",
        "Groups and counts",
        "Time",
    ]
    assert "films released after 1964" in found["Time"]
    for query in (query for queries in found.values() for query in queries):
        asked = client.post("/ask", json={"query": query}).json()
        assert asked["answer"]["rows"], query


def test_queries_are_answered_with_chips(client: TestClient) -> None:
    found = client.post("/ask", json={"query": "the longest film"}).json()
    assert found["parse"]["paraphrase"] == "the film with the highest runtime"
    assert "Runtime" in {chip["label"] for chip in found["parse"]["chips"]}
    assert found["answer"]["rows"] == [["Metropolis", 153.0]]


def test_columns_and_values_complete_a_query(client: TestClient) -> None:
    found = client.post("/complete", json={"text": "films with ge", "limit": 9}).json()
    tokens = [each["token"] for each in found["completions"]]
    assert {"FLD_GENRE", "COU_GERMANY"} <= {*tokens}


def test_the_document_has_examples_of_the_table(client: TestClient) -> None:
    assert "top 3 films by budget" in client.get("/openapi.json").text


def test_nothing_is_written_beside_the_data(client: TestClient, folder: Path) -> None:
    client.post("/corrections", json={"query": "x", "lf": "(top 1 FLD_RATING)"})
    assert [path.name for path in folder.iterdir()] == ["films.csv"]


def test_one_of_several_tables_is_served_and_closed(tmp_path: Path) -> None:
    settings = Settings(domain=str(shop(tmp_path, "duckdb")), table="customers")
    worker = Worker(settings)
    with TestClient(create(settings, worker)) as made:
        wait_until_ready(made)
        assert made.get("/domain").json()["nouns"] == "customers"
        answers = worker.snapshot.answers
        assert answers is not None
    with pytest.raises(Exception, match=r"(?i)clos|connection"):
        answers.answer(("(", "count", ")"), 1)
