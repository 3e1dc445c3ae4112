"""A service without a folder remembers names of fields and values in the file of its changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service.given import wait_until_ready
from starlette.testclient import TestClient

from grammax.service.app import create
from grammax.service.settings import Settings
from grammax.service.worker import Worker

GERMAN_BANKS = (
    "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS)))"
)

pytestmark = pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")


def settings(folder: Path, **more: Any) -> Settings:
    return Settings(
        catalogue=str(folder / "changes.jsonl"), corrections=str(folder / "c.jsonl"), **more
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("named")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    worker = Worker(settings(folder, teach=True))
    with TestClient(create(worker.settings, worker)) as made:
        wait_until_ready(made)
        yield made


def lf_of(client: TestClient, query: str) -> str:
    lf: str = client.post("/parse", json={"query": query}).json()["lf"]
    return lf


def corrected(client: TestClient, query: str, lf: str) -> dict[str, Any]:
    response = client.post("/corrections", json={"query": query, "lf": lf})
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    return found


def taught(client: TestClient, offer: dict[str, str], status: int = 201) -> dict[str, Any]:
    given = {key: offer[key] for key in ("word", "token", "field")}
    response = client.post("/teach", json=given)
    assert response.status_code == status, response.text
    found: dict[str, Any] = response.json()
    return found


@pytest.mark.slow
def test_a_name_of_a_value_and_of_a_field_are_used_at_once(
    client: TestClient, folder: Path
) -> None:
    assert client.get("/domain").json()["teaches"] is True
    stored = corrected(client, "teutonia banks", GERMAN_BANKS)
    assert "used at once" in stored["note"]
    assert "`grammax train eqs --corrections FILE --overwrite`" in stored["note"]
    assert str(folder) not in stored["note"]
    [offer] = stored["offers"]
    assert (offer["word"], offer["token"]) == ("teutonia", "COU_GERMANY")
    learnt = taught(client, offer)
    assert learnt["change"] == "'teutonia' means Germany."
    assert lf_of(client, "teutonia banks") == GERMAN_BANKS
    before = lf_of(client, "european banks by market cap")
    field = {"word": "moneyflood", "token": "FLD_SALES_REV_TURN", "field": ""}
    taught(client, field)
    assert lf_of(client, "companies with moneyflood above 5bn") == (
        "(FLD_SALES_REV_TURN GR 5 BILLION)"
    )
    # What else is known of Germany stays: it is in Europe, and where it was among the countries.
    assert lf_of(client, "european banks by market cap") == before
    german = client.post("/ask", json={"query": "teutonia banks", "rows": 1_000}).json()["answer"]
    western = client.post("/ask", json={"query": "western europe banks", "rows": 1_000}).json()[
        "answer"
    ]
    assert {row[0] for row in german["rows"]} <= {row[0] for row in western["rows"]}
    again = Worker(settings(folder, teach=True))
    again.loading.load()
    try:
        domain = again.snapshot.domain
        assert "teutonia" in domain.wordings("COU_GERMANY")
        assert "moneyflood" in domain.wordings("FLD_SALES_REV_TURN")
        assert domain.version == client.get("/domain").json()["version"]
    finally:
        again.catalogue.close()


def test_what_is_a_name_already_is_not_taught(client: TestClient) -> None:
    refused = taught(client, {"word": "france", "token": "COU_GERMANY", "field": ""}, 422)
    assert "is a name of France already" in refused["error"]["message"]
    refused = taught(client, {"word": "xyz", "token": "COU_NOWHERE", "field": ""}, 422)
    assert "There is no field or value" in refused["error"]["message"]
    refused = taught(client, {"word": "a|b", "token": "COU_GERMANY", "field": ""}, 422)
    assert "bar" in refused["error"]["message"]
    refused = taught(client, {"word": "firmlet", "token": "", "field": ""}, 422)
    assert "folder of a table only" in refused["error"]["message"]


def test_a_service_that_others_reach_says_that_it_does_not(tmp_path: Path) -> None:
    with TestClient(create(settings(tmp_path))) as client:
        wait_until_ready(client)
        assert client.get("/domain").json()["teaches"] is False
        stored = corrected(client, "teutonia banks", GERMAN_BANKS)
        assert stored["offers"] == []
        assert "one that is started with `--teach` remembers" in stored["note"]
        refused = taught(client, {"word": "teutonia", "token": "COU_GERMANY", "field": ""}, 403)
        assert refused["error"]["code"] == "teaching_off"
