"""The example of the tutorial: its pairs round trip, and mean the same as they were written."""

from __future__ import annotations

import json
import runpy
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from grammax.folder import read_folder
from grammax.folder.sql.folder import write_sql_folder
from grammax.folder.sql.reading.statement import read_sql
from grammax.folder.sql.schema_files import read_schema
from grammax.folder.sql.writing import write_sql
from grammax.language.domain import Tokens

LIBRARY = Path(__file__).parents[3] / "examples" / "library"
SCHEMA = read_schema(LIBRARY / "library.sql")
PAIRS = [
    json.loads(line) for line in (LIBRARY / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    runpy.run_path(str(LIBRARY / "make_database.py"))["make"](tmp_path / "library.sqlite")
    return tmp_path / "library.sqlite"


@pytest.fixture
def rows(database: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(database)
    yield connection
    connection.close()


def test_pairs_round_trip_and_have_the_same_rows(rows: sqlite3.Connection) -> None:
    forms: dict[str, Tokens] = {}
    for pair in PAIRS:
        form = read_sql(pair["sql"], SCHEMA)
        written = write_sql(form, SCHEMA)
        assert read_sql(written, SCHEMA) == form
        assert forms.setdefault(written, form) == form
        found, expected = (rows.execute(sql).fetchall() for sql in (written, pair["sql"]))
        assert Counter(found) == Counter(expected), pair["sql"]


def test_the_grammar_of_its_folder_has_all_forms(database: Path, tmp_path: Path) -> None:
    refused = write_sql_folder(
        tmp_path / "library", LIBRARY / "pairs.jsonl", LIBRARY / "library.sql", database
    ).refused
    assert refused == []
    domain = read_folder(tmp_path / "library")
    assert domain.exact == "lr"
    pairs = [pair for split in domain.splits for pair in domain.pairs(split)]
    assert len(pairs) == len(PAIRS)
    assert [pair for pair in pairs if not domain.grammatical(pair.tokens)] == []
