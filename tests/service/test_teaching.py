"""A served folder follows edits of its schema, and remembers the words that corrections teach."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.data.tables import films, grammax, needs_model
from service.given import wait_until_ready
from starlette.testclient import TestClient

from grammax.service.app import create
from grammax.service.settings import Settings
from grammax.service.snapshot.live_catalogue import LiveCatalogue
from grammax.service.worker import Worker
from grammax.tables.teach.words import teach_phrase

pytestmark = needs_model
PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("taught")
    assert grammax("new", place / "films", "--from", films(place))[0] == 0
    return place / "films"


@pytest.fixture(scope="module")
def worker(folder: Path) -> Worker:
    return Worker(Settings(domain=str(folder), teach=True))


@pytest.fixture(scope="module")
def client(worker: Worker) -> Iterator[TestClient]:
    with TestClient(create(worker.settings, worker)) as made:
        wait_until_ready(made)
        yield made


def lf_of(client: TestClient, query: str) -> str:
    lf: str = client.post("/parse", json={"query": query}).json()["lf"]
    return lf


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


def corrected(client: TestClient, query: str, lf: str) -> dict[str, Any]:
    response = client.post("/corrections", json={"query": query, "lf": lf})
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    return found


def test_an_edit_is_followed_without_a_restart(client: TestClient, folder: Path) -> None:
    assert "FLD_BUDGET_USD" not in lf_of(client, "costly films")
    teach_phrase(folder, "costly", "budget > 20m")
    wait_until(lambda: lf_of(client, "costly films") == "(FLD_BUDGET_USD GR 20 MILLION)")
    answer = client.post("/ask", json={"query": "costly films from germany"}).json()["answer"]
    assert [row[0] for row in answer["rows"]] == ["Das Boot"]


def test_a_bad_edit_is_logged_once_and_all_stays(
    client: TestClient, worker: Worker, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    schema, before = folder / "schema.toml", worker.snapshot
    good = schema.read_text()
    schema.write_text(good.replace("[taught.phrases]", '[taught.phrases]\nbad = "grss > 5"'))
    wait_until(lambda: bool(caplog.records))
    time.sleep(2.5)
    [record] = caplog.records
    assert record.levelname == "ERROR"
    message = record.getMessage()
    assert "all stays as before" in message
    assert "'grss > 5' does not begin with the name of a column" in message
    assert "\n" not in message
    assert worker.snapshot is before
    assert lf_of(client, "the longest film") == "(top 1 FLD_RUNTIME_MIN)"
    schema.write_text(good.replace("20m", "10m"))
    wait_until(lambda: lf_of(client, "costly films") == "(FLD_BUDGET_USD GR 10 MILLION)")


def test_other_data_needs_a_restart(worker: Worker, client: TestClient, folder: Path) -> None:
    del client
    schema = folder / "schema.toml"
    good = schema.read_text()
    schema.write_text(good.replace('table = "films"', 'table = "series"', 1))
    with pytest.raises(Exception, match=r"names other data now: series of .* Start again"):
        worker.catalogue.reload()
    schema.write_text(good)


@pytest.mark.parametrize(
    ("query", "lf", "offer", "then"),
    [
        ("average spooltime", "(average FLD_RUNTIME_MIN)",
         {"word": "spooltime", "token": "FLD_RUNTIME_MIN", "field": "", "meaning": "runtime"},
         "(average FLD_RUNTIME_MIN)"),
        ("stateside films", "(FLD_COUNTRY EQ COU_USA)",
         {"word": "stateside", "token": "COU_USA", "field": "FLD_COUNTRY",
          "meaning": "USA (country)"},
         "(FLD_COUNTRY EQ enumValue(COU_USA))"),
        ("flicks from germany", "(FLD_COUNTRY EQ COU_GERMANY)",
         {"word": "flicks", "token": "", "field": "", "meaning": "film"},
         "(FLD_COUNTRY EQ enumValue(COU_GERMANY))"),
    ],
)  # fmt: skip
def test_a_correction_teaches_a_word_that_is_used_at_once(
    client: TestClient, folder: Path, query: str, lf: str, offer: dict[str, str], then: str
) -> None:
    stored = corrected(client, query, lf)
    assert stored["offers"] == [offer]
    assert f"`grammax train {folder.name} --overwrite`" in stored["note"]
    assert str(folder) not in stored["note"]
    given = {key: offer[key] for key in ("word", "token", "field")}
    response = client.post("/teach", json=given)
    assert response.status_code == 201, response.text
    learnt = response.json()
    line = (folder / learnt["file"]).read_text().splitlines()[learnt["line"] - 1]
    assert offer["word"] in line
    parse = client.post("/parse", json={"query": query}).json()
    assert (parse["lf"], parse["abstains"], parse["uncovered"]) == (then, False, [])
    assert parse["version"] == learnt["version"]


def test_what_cannot_be_taught_is_told(client: TestClient) -> None:
    response = client.post("/teach", json={"word": "rating", "token": "FLD_RUNTIME_MIN"})
    assert response.status_code == 422
    assert "is what the column rating is called" in response.json()["error"]["message"]


def test_a_file_says_that_a_folder_is_needed(tmp_path: Path) -> None:
    settings = Settings(
        domain=str(films(tmp_path)), corrections=str(tmp_path / "c.jsonl"), teach=True
    )
    with TestClient(create(settings)) as client:
        wait_until_ready(client)
        assert client.get("/domain").json()["teaches"] is False
        stored = corrected(client, "stateside films", "(FLD_COUNTRY EQ COU_USA)")
        assert stored["offers"] == []
        assert "a folder is needed: `grammax new films --from" in stored["note"]
        refused = client.post("/teach", json={"word": "flick"})
        assert refused.status_code == 409
        assert "`grammax new films --from" in refused.json()["error"]["hint"]


def test_nothing_is_taught_where_other_machines_connect(folder: Path) -> None:
    with TestClient(create(Settings(domain=str(folder)))) as client:
        wait_until_ready(client)
        assert client.get("/domain").json()["teaches"] is False
        assert corrected(client, "yankee films", "(FLD_COUNTRY EQ COU_USA)")["offers"] == []
        refused = client.post("/teach", json={"word": "pictures"})
        assert refused.status_code == 403
        assert "--teach" in refused.json()["error"]["hint"]


def test_what_an_edit_replaces_is_freed(folder: Path) -> None:
    live = LiveCatalogue(Settings(domain=str(folder)))
    live.open_store()
    live.index()
    replaced = []
    for _ in range(3):
        before = live.reload()
        assert before is not None
        before.close()
        replaced.append(weakref.ref(before.domain))
        del before
    gc.collect()
    assert [each() for each in replaced] == [None] * 3
    live.close()
