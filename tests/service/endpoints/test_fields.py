"""GET /fields: units, ranges and usual values, of any table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from cli.data.tables import films, needs_model
from service.given import wait_until_ready
from starlette.testclient import TestClient

from grammax.service.app import create
from grammax.service.settings import Settings


def listed(client: TestClient, **parameters: Any) -> dict[str, Any]:
    response = client.get("/fields", params=parameters)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a service over a table of films."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAMMAX_HOME", str(tmp_path_factory.mktemp("home")))
        settings = Settings(domain=str(films(tmp_path_factory.mktemp("data"))))
        with TestClient(create(settings)) as made:
            wait_until_ready(made)
            yield made


def test_plain_fields_come_first(client: TestClient) -> None:
    found = listed(client, limit=40)
    tokens = [field["token"] for field in found["fields"]]
    assert tokens[0] == "FLD_MKT_CAP"
    assert {"FLD_PRICE", "FLD_PE_RATIO", "FLD_EPS"} <= {*tokens[:12]}
    assert not [token for token in tokens if token.endswith(("_AVG_5Y", "_GROWTH_1Y"))]
    assert found["total"] > 1_000
    assert len(listed(client)["fields"]) == 100


def test_a_field_has_its_unit_its_range_and_other_names(client: TestClient, post: Any) -> None:
    [cap] = listed(client, token="FLD_MKT_CAP")["fields"]
    assert (cap["label"], cap["type"], cap["unit"]) == ("Market capitalisation", "money", "USD")
    assert "market cap" in cap["names"]
    assert cap["default"]
    sort = {"column": "FLD_MKT_CAP", "descending": False}
    lf = "(AND (FLD_MKT_CAP GR 0) (display FLD_MKT_CAP))"
    rows: list[Any] = []
    while True:
        body = {"lf": lf, "rows": 1000, "offset": len(rows), "sort": sort}
        answer = post("/run", body)["answer"]
        rows += answer["rows"]
        if not answer["more"]:
            break
    numbers = [row[-1] for row in rows]
    expected = np.percentile(numbers, [5, 50, 95])
    assert [cap["low"], cap["middle"], cap["high"]] == pytest.approx(expected.tolist())


@pytest.mark.parametrize(
    ("text", "first"),
    [("p/e", "FLD_PE_RATIO"), ("market cap", "FLD_MKT_CAP"), ("Dividend y", "FLD_DIVIDEND_YIELD"),
     ("employes", "FLD_EMPLOYEES"), ("5-year average", "FLD_PE_RATIO_AVG_5Y")],
)  # fmt: skip
def test_a_search_finds_any_field(client: TestClient, text: str, first: str) -> None:
    found = listed(client, search=text, limit=20)
    assert found["fields"][0]["token"] == first
    assert 1 <= found["total"] < 1_000


def test_a_search_that_finds_nothing_is_no_error(client: TestClient) -> None:
    assert listed(client, search="zzqqxx") == {"fields": [], "total": 0}


def test_an_enum_has_its_likeliest_values(client: TestClient) -> None:
    [country] = listed(client, token="FLD_DOMICILE")["fields"]
    assert (country["type"], country["unit"], country["middle"]) == ("enum", None, None)
    assert len(country["values"]) == 12
    assert {"token": "COU_UNITED_STATES", "label": "United States"} in country["values"]


def test_an_unknown_field_is_told(client: TestClient) -> None:
    response = client.get("/fields", params={"token": "FLD_NO"})
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "unknown_field"
    assert client.get("/fields", params={"limit": 501}).status_code == 422


@needs_model
def test_a_table_has_fields_with_ranges_too(table: TestClient) -> None:
    found = {field["token"]: field for field in listed(table)["fields"]}
    runtime = found["FLD_RUNTIME_MIN"]
    assert runtime["unit"] == "minutes"
    expected = np.percentile([122, 108, 117, 117, 153, 149], [5, 50, 95])
    assert [runtime["low"], runtime["middle"], runtime["high"]] == pytest.approx(expected.tolist())
    assert found["FLD_GENRE"]["type"] == "enum"
    assert "Drama" in {value["label"] for value in found["FLD_GENRE"]["values"]}
    released = found["FLD_RELEASED"]
    assert (released["type"], released["low"]) == ("date", None)
    assert sum(field["default"] for field in found.values()) >= 1
