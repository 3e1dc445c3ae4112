"""POST /edit: follow-ups edit the form, with nothing that neither of the two says."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

GERMAN_BANKS = "german banks above 2bn market cap"


def _edited(client: TestClient, query: str, *texts: str) -> dict[str, object]:
    tokens = client.post("/parse", json={"query": query}).json()["tokens"]
    found: dict[str, object] = {}
    for text in texts:
        response = client.post("/edit", json={"tokens": tokens, "text": text})
        assert response.status_code == 200, response.text
        found = response.json()
        tokens = found["tokens"]
    return found


@pytest.mark.parametrize(
    ("query", "texts", "lf"),
    [
        (
            "german banks",
            ["now french"],
            (
                "(AND (FLD_DOMICILE EQ enumValue(COU_FRANCE)) "
                "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS)))"
            ),
        ),
        (
            "german banks",
            ["and french"],
            (
                "(AND (OR (FLD_DOMICILE EQ enumValue(COU_GERMANY)) "
                "(FLD_DOMICILE EQ enumValue(COU_FRANCE))) "
                "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS)))"
            ),
        ),
        (
            "german companies",
            ["only above 1bn", "sort by p/e", "and their debt"],
            (
                "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) (FLD_MKT_CAP GR 1 BILLION) "
                "(display FLD_PE_RATIO DESC) (display FLD_TOT_DEBT))"
            ),
        ),
        (
            "german companies with revenue above 5bn",
            ["only above 10bn"],
            "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) (FLD_SALES_REV_TURN GR 10 BILLION))",
        ),
        (
            "top 5 german companies by market cap",
            ["top 3 by p/e"],
            "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) (top 3 FLD_PE_RATIO))",
        ),
        (
            "german companies",
            ["without banks"],
            (
                "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) "
                "(NOT (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS))))"
            ),
        ),
        (
            "german companies",
            ["or swiss", "or austrian", "without switzerland"],
            (
                "(OR (FLD_DOMICILE EQ enumValue(COU_GERMANY)) "
                "(FLD_DOMICILE EQ enumValue(COU_AUSTRIA)))"
            ),
        ),
        (
            "german banks",
            ["in france instead"],
            (
                "(AND (FLD_DOMICILE EQ enumValue(COU_FRANCE)) "
                "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS)))"
            ),
        ),
        (
            "german companies",
            ["sort by p/e", "lowest first", "show the price too", "hide the p/e"],
            "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) (display FLD_PRICE))",
        ),
        (
            "german companies",
            ["top 5", "make it 20", "by profit instead", "reverse the order"],
            "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) (bottom 20 FLD_NET_INCOME))",
        ),
        (GERMAN_BANKS, ["remove the sector", "any country"], "(FLD_MKT_CAP GR 2 BILLION)"),
        (
            GERMAN_BANKS,
            ["between 1 and 5bn", "remove the market cap filter", "no banks"],
            (
                "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) "
                "(NOT (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS))))"
            ),
        ),
        (
            "german companies",
            ["remove banks"],
            (
                "(AND (FLD_DOMICILE EQ enumValue(COU_GERMANY)) "
                "(NOT (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS))))"
            ),
        ),
        (
            "german banks",
            [
                "replace germany with italy",
                "sort by p/e",
                "change the country to spain",
                "don't sort",
            ],
            (
                "(AND (FLD_DOMICILE EQ enumValue(COU_SPAIN)) "
                "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS)) (display FLD_PE_RATIO))"
            ),
        ),
        (
            GERMAN_BANKS,
            ["france instead of germany", "drop that condition", "add a column for the debt"],
            (
                "(AND (FLD_DOMICILE EQ enumValue(COU_FRANCE)) "
                "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_BANKS)) (display FLD_TOT_DEBT))"
            ),
        ),
        (
            "top 10 german companies by revenue",
            ["what about japan", "no limit"],
            "(FLD_DOMICILE EQ enumValue(COU_JAPAN))",
        ),
    ],
)
def test_a_follow_up_edits_the_form(
    client: TestClient, query: str, texts: list[str], lf: str
) -> None:
    found = _edited(client, query, *texts)
    assert found["understood"], found["why"]
    assert found["lf"] == lf


def test_what_changed_is_said_in_words(client: TestClient) -> None:
    found = _edited(client, GERMAN_BANKS, "now french")
    assert "France" in " ".join(found["added"])  # type: ignore[arg-type]
    assert "Germany" in " ".join(found["removed"])  # type: ignore[arg-type]


def test_no_token_comes_from_elsewhere(client: TestClient) -> None:
    for text in ("now french", "only above 1bn", "sort by p/e", "and their debt", "without banks"):
        before = client.post("/parse", json={"query": GERMAN_BANKS}).json()["tokens"]
        said = client.post("/parse", json={"query": text}).json()["tokens"]
        found = _edited(client, GERMAN_BANKS, text)
        assert set(found["tokens"]) <= {*before, *said, "AND", "OR"}  # type: ignore[call-overload]


# A worker ignores notices of unknown words; pytest makes errors of them.
@pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")
@pytest.mark.parametrize("text", ["now", "and what is the weather", "only xyzzy"])
def test_what_is_no_follow_up_changes_nothing(client: TestClient, text: str) -> None:
    found = _edited(client, GERMAN_BANKS, text)
    assert not found["understood"]
    assert found["why"]
    assert found["lf"] == client.post("/parse", json={"query": GERMAN_BANKS}).json()["lf"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("remove the weather", "The search has no weather. It has Country of domicile, Germany"),
        ("and what is the weather", "'weather' is not understood. Say a value"),
        ("now", "Nothing follows 'now'"),
        ("only german", "says that already"),
        ("clear all filters", "Nothing would be left"),
    ],
)
@pytest.mark.filterwarnings("ignore::grammax.reading.parse.QueryNotice")
def test_it_is_said_why_a_follow_up_is_none(client: TestClient, text: str, why: str) -> None:
    assert why in str(_edited(client, GERMAN_BANKS, text)["why"])


def test_a_form_that_is_none_is_refused(client: TestClient) -> None:
    response = client.post("/edit", json={"tokens": ["(", "AND"], "text": "now french"})
    assert response.status_code == 422
