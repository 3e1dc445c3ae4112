"""The service answers from tables of the user, which a mapping file describes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from service.given import wait_until_ready
from starlette.testclient import TestClient
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.service.app import create
from grammax.service.settings import Settings

ROWS = """
    SELECT * FROM (VALUES
        ('JP1', 'NST', 'Nippon Steel', 'JP', 'SEC_GICS_STEEL'),
        ('DE1', 'SZG', 'Salzgitter', 'DE', 'SEC_GICS_STEEL')
    ) AS rows (isin, symbol, company, country, gics)"""
MAPPING = """
url = "duckdb://{file}"
today = 2025-11-14
[entity]
table = "securities"
key = "isin"
ticker = "symbol"
name = "company"
[fields]
FLD_DOMICILE = "securities.country"
FLD_EQS_SECTOR = "securities.gics"
[values.FLD_DOMICILE]
COU_JAPAN = "JP"
COU_GERMANY = "DE"
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A DuckDB file, and the file that maps its table."""
    folder = tmp_path_factory.mktemp("own")
    with duckdb.connect(folder / "own.duckdb") as connection:
        connection.execute(f"CREATE TABLE securities AS {ROWS}")
    mapping = folder / "tables.toml"
    mapping.write_text(MAPPING.format(file=folder / "own.duckdb"))
    return mapping


@pytest.fixture(scope="module")
def client(tables: Path) -> Iterator[TestClient]:
    """A client of a service over these tables."""
    changes = tables.with_name("changes.jsonl")
    corrections = tables.with_name("corrections.jsonl")
    settings = Settings(tables=str(tables), catalogue=str(changes), corrections=str(corrections))
    with TestClient(create(settings)) as made:
        wait_until_ready(made)
        yield made


def test_queries_are_answered_from_them(client: TestClient) -> None:
    found = client.post("/ask", json={"query": "steel japan"}).json()
    assert found["answer_error"] is None
    assert [row[:2] for row in found["answer"]["rows"]] == [["NST", "Nippon Steel"]]
    assert not found["answer"]["synthetic"]
    ran = client.post("/run", json={"tokens": ["(", "FLD_DOMICILE", "EQ", "COU_GERMANY", ")"]})
    assert [row[1] for row in ran.json()["answer"]["rows"]] == ["Salzgitter"]


def test_a_row_of_them_has_what_is_mapped(client: TestClient) -> None:
    row = client.post("/row", json={"key": "SZG"}).json()
    assert row["name"] == "Salzgitter"
    [group] = row["groups"]
    assert [(each["field"], each["value"]) for each in group["values"]] == [
        ("FLD_DOMICILE", "Germany"),
        ("FLD_EQS_SECTOR", "Steel"),
    ]
    assert client.post("/row", json={"key": "' OR ''='"}).status_code == 404


def test_a_field_that_is_not_mapped_is_told(client: TestClient) -> None:
    response = client.post("/run", json={"lf": "(top 3 FLD_MKT_CAP)"})
    assert response.status_code == 422
    assert "FLD_MKT_CAP" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"),
        ("nothing", "cannot be used"),
        ('url = "duckdb://"', "cannot be used"),
        (MAPPING.format(file="/no/such/folder/own.duckdb"), "/no/such/folder"),
    ],
)
def test_a_mapping_that_cannot_be_used_is_told_before_anything_starts(
    tmp_path: Path, content: str | None, said: str
) -> None:
    mapping = tmp_path / "tables.toml"
    if content is not None:
        mapping.write_text(content)
    done = CliRunner().invoke(app, ["serve", "--port", "0", "--tables", str(mapping)])
    assert done.exit_code == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_has_no_such_tables(tmp_path: Path) -> None:
    CliRunner().invoke(app, ["new", str(tmp_path / "rooms")])
    arguments = ["serve", str(tmp_path / "rooms"), "--tables", "tables.toml"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 1
    assert "cannot answer from" in done.stderr
