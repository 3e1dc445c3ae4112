"""POST /edit with one change of a chip: a column, a condition, a number, or a part to remove."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

QUERY = "german banks above 2bn market cap"
LF = (
    "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS)) "
    "(FLD_MKT_CAP GR 2 BILLION){})"
)


def edited(client: TestClient, query: str = QUERY, **change: Any) -> dict[str, Any]:
    tokens = client.post("/parse", json={"query": query}).json()["tokens"]
    response = client.post("/edit", json={"tokens": tokens, **change})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def place_of(client: TestClient, token: str, query: str = QUERY) -> int:
    tokens = client.post("/parse", json={"query": query}).json()["tokens"]
    return int(tokens.index(token))


def test_a_column_is_added(client: TestClient) -> None:
    found = edited(client, add_column="FLD_PE_RATIO")
    assert found["lf"] == LF.format(" (display FLD_PE_RATIO)")
    assert found["added"] == ["show P/E ratio"]
    assert found["removed"] == []
    chips = [(chip["place"], chip["token"]) for chip in found["chips"]]
    assert chips == list(enumerate(found["tokens"]))


@pytest.mark.parametrize(
    ("condition", "added"),
    [
        (("FLD_PE_RATIO", "LS", "15"), "(FLD_PE_RATIO LS 15)"),
        (("FLD_DIVIDEND_YIELD", "GE", "5%"), "(FLD_DIVIDEND_YIELD GE 5 PCT)"),
        (("FLD_MKT_CAP", "LE", "$1.5bn"), "(FLD_MKT_CAP LE 1.5 BILLION CUR_USD)"),
        (("FLD_TOT_DEBT", "GR", "half a billion"), "(FLD_TOT_DEBT GR 0.5 BILLION)"),
        (("FLD_RETURN_ON_EQUITY", "LS", "-5 %"), "(FLD_RETURN_ON_EQUITY LS -5 PCT)"),
        (("FLD_INDEX", "EQ", "IDX_SP500"), "(FLD_INDEX EQ enumValue(IDX_SP500))"),
    ],
)
def test_a_condition_is_added(
    client: TestClient, condition: tuple[str, str, str], added: str
) -> None:
    field, op, value = condition
    found = edited(client, add_condition={"field": field, "op": op, "value": value})
    assert found["understood"], found["why"]
    assert found["lf"] == LF.format(f" {added}")


def test_another_value_of_the_same_field_widens(client: TestClient) -> None:
    condition = {"field": "FLD_DOMICILE", "op": "EQ", "value": "COU_FRANCE"}
    found = edited(client, add_condition=condition)
    either = "(OR (FLD_DOMICILE EQ enumValue(COU_GERMANY)) (FLD_DOMICILE EQ enumValue(COU_FRANCE)))"
    assert either in found["lf"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("3bn", "3 BILLION"), ("500m", "500 MILLION"), ("1,500,000", "1500000"),
     ("€4bn", "4 BILLION CUR_EUR"), ("two billion", "2 BILLION")],
)  # fmt: skip
def test_a_number_is_replaced(client: TestClient, text: str, number: str) -> None:
    place = place_of(client, "2")
    found = edited(client, set_number={"place": place, "text": text})
    assert found["lf"] == LF.format("").replace("2 BILLION", number)


def test_a_number_keeps_its_unit(client: TestClient) -> None:
    query = "companies with market cap over $2bn"
    place = place_of(client, "2", query)
    found = edited(client, query, set_number={"place": place, "text": "900m"})
    assert found["lf"] == "(FLD_MKT_CAP GR 900 MILLION CUR_USD)"


def test_the_count_of_a_rank_is_replaced(client: TestClient) -> None:
    query = "top 5 german companies by market cap"
    place = place_of(client, "5", query)
    found = edited(client, query, set_number={"place": place, "text": "a dozen"})
    assert "(top 12 FLD_MKT_CAP)" in found["lf"]
    assert not edited(client, query, set_number={"place": place, "text": "5%"})["understood"]


@pytest.mark.parametrize(
    ("query", "token", "lf"),
    [
        ("german banks", "COU_GERMANY", "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS))"),
        ("german companies not banks", "NOT", "(FLD_DOMICILE EQ enumValue(COU_GERMANY))"),
        (
            "german or french banks",
            "COU_GERMANY",
            (
                "(AND (FLD_DOMICILE EQ enumValue(COU_FRANCE)) "
                "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS)))"
            ),
        ),
        ("german companies and their debt", "display", "(FLD_DOMICILE EQ enumValue(COU_GERMANY))"),
    ],
)
def test_a_part_is_removed(client: TestClient, query: str, token: str, lf: str) -> None:
    found = edited(client, query, remove={"place": place_of(client, token, query)})
    assert found["understood"], found["why"]
    assert found["lf"] == lf
    assert found["removed"]


# What is not possible is told, and the form stays.
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"add_column": "FLD_NOTHING"}, "There is no field"),
        ({"add_column": "COU_GERMANY"}, "There is no field"),
        (
            {"add_condition": {"field": "FLD_MKT_CAP", "op": "GR", "value": "much"}},
            "such as 1500, 2.5 or 2bn",
        ),
        (
            {"add_condition": {"field": "FLD_DOMICILE", "op": "EQ", "value": "COU_NOWHERE"}},
            "is not a value of Country of domicile",
        ),
        (
            {"add_condition": {"field": "FLD_DOMICILE", "op": "EQ", "value": "SEC_GICS_BANKS"}},
            "admits EQ, NEQ",
        ),
        (
            {"add_condition": {"field": "FLD_DOMICILE", "op": "GR", "value": "COU_FRANCE"}},
            "needs an order",
        ),
        (
            {"add_condition": {"field": "FLD_PE_RATIO", "op": "CONTAINS", "value": "1"}},
            "CONTAINS searches texts",
        ),
        ({"set_number": {"place": 0, "text": "5"}}, "Numbers are at"),
        ({"set_number": {"place": 900, "text": "5"}}, "Numbers are at"),
        ({"remove": {"place": 0}}, "nothing would be left"),
        ({"remove": {"place": 900}}, "There is no condition at 900"),
    ],
)
def test_what_is_impossible_says_what_is_permitted(
    client: TestClient, change: dict[str, Any], why: str
) -> None:
    found = edited(client, **change)
    assert not found["understood"]
    assert why in found["why"]
    assert found["lf"] == LF.format("")
    assert found["chips"]


def test_nothing_is_invented(client: TestClient) -> None:
    before = client.post("/parse", json={"query": QUERY}).json()["tokens"]
    condition = {"field": "FLD_TOT_DEBT", "op": "LE", "value": "7.5m"}
    found = edited(client, add_condition=condition)
    new = {"FLD_TOT_DEBT", "LE", *"7.5", "MILLION"}
    assert set(found["tokens"]) <= {*before, *new, "AND"}


@pytest.mark.parametrize(
    "change", [{}, {"text": "now french", "add_column": "FLD_PE_RATIO"}, {"remove": {}},
               {"add_condition": {"field": "FLD_PE_RATIO", "op": "MAYBE", "value": "1"}}]
)  # fmt: skip
def test_a_request_has_exactly_one_change(client: TestClient, change: dict[str, Any]) -> None:
    response = client.post("/edit", json={"tokens": ["(", "count", ")"], **change})
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "invalid_request"
