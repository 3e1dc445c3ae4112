"""A SQLite database as people have them: texts that refer to numbers, texts beside numbers."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from grammax.tables.form.text import read
from grammax.tables.own.domain import OwnTable, open_table

TABLES = """
CREATE TABLE harbour (harbour_id INTEGER PRIMARY KEY, town TEXT, remarks TEXT);
INSERT INTO harbour VALUES (1, 'Kiel', 'shallow at low tide, ask the master of the harbour first'),
                           (2, 'Oslo', 'deep, and free of ice for most of the year, they say');
CREATE TABLE boat (boat_id INTEGER PRIMARY KEY, name TEXT, length_m REAL, harbour_id TEXT,
                   FOREIGN KEY (harbour_id) REFERENCES harbour (harbour_id));
INSERT INTO boat VALUES (10, 'Ada', 12.5, '1'), (11, 'Bo', 9.0, '2'), (12, 'Cy', 7.25, '2');
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "boats.sqlite"
    connection = sqlite3.connect(found)
    connection.executescript(TABLES)
    connection.close()
    return found


def answered(table: OwnTable, form: str) -> tuple[tuple[object, ...], ...]:
    return table.store().answer(read(form, table.catalogue)).rows


def test_a_text_may_refer_to_a_number(path: Path) -> None:
    with open_table(path, "boat") as boats:
        town = next(c.token for c in boats.description.used if c.column == "town")
        rows = answered(boats, f"(AND (by {town}) (count))")
    assert sorted(rows, key=str) == [("Kiel", 1.0), ("Oslo", 2.0)]


def test_texts_that_are_only_shown_stay_texts(path: Path) -> None:
    with open_table(path, "boat") as boats:
        code = next(c.token for c in boats.description.used if c.column == "boat_id")
        key = next(c.token for c in boats.description.used if c.column == "harbour_id")
        rows = answered(boats, f"(AND (display {code}) (display {key}))")
    found = {(str(row[0]), str(row[-1])) for row in rows}  # the key comes first anyway
    assert found == {("10", "1"), ("11", "2"), ("12", "2")}
