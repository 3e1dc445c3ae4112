"""Schemas from CREATE TABLE statements and from SQLite files."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from folder.sql.films import SCHEMA, SCHEMA_SQL

from grammax.errors import FileFormatError
from grammax.folder.sql.schema import Link
from grammax.folder.sql.schema_files import open_database, parse_schema, read_schema


def test_statements_and_a_database_give_the_same_schema(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text(SCHEMA_SQL, encoding="utf-8-sig")
    with sqlite3.connect(tmp_path / "films.sqlite") as connection:
        connection.executescript(SCHEMA_SQL)
    connection.close()
    assert read_schema(tmp_path / "schema.sql") == SCHEMA
    assert {*read_schema(tmp_path / "films.sqlite").links} == {*SCHEMA.links}
    assert read_schema(tmp_path / "films.sqlite").tables == SCHEMA.tables


def test_keys_are_links_and_types_are_read() -> None:
    assert Link(("film.director_id",), ("person.id",)) in SCHEMA.links
    assert Link(("role.film_id",), ("film.id",)) in SCHEMA.links
    numbers = [each.token for each in SCHEMA.tables[1].columns if not each.is_number]
    assert numbers == ["film.title", "film.genre"]
    assert SCHEMA.columns_by_token["role.character_name"].name == "character name"


def test_names_that_differ_in_signs_have_different_tokens() -> None:
    schema = parse_schema('CREATE TABLE a ("x y" INT, "x-y" INT); CREATE TABLE b (z, w)')
    assert [each.token for each in schema.tables[0].columns] == ["a.x_y", "a.x_y_2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no tables"),
        ("SELECT 1", "has no tables"),
        ("CREATE TABLE a (x INT); CREATE TABLE A (y INT)", "created twice"),
        ("CREATE TABLE a (x INT, X INT)", "has the column X twice"),
        ("CREATE TABLE a (x INT REFERENCES b(y))", "refers to the table b"),
        ("CREATE TABLE a (x INT REFERENCES a(y))", "the column a.y, which is not there"),
        ("CREATE TABLE a (x INT,", "cannot be read as SQL"),
    ],
)
def test_a_schema_that_cannot_be_used_is_explained(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "schema.sql"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=r"schema\.sql") as raised:
        read_schema(path)
    assert message in str(raised.value)


def test_files_that_are_missing_or_foreign_are_explained(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="there is no such schema"):
        read_schema(tmp_path / "none.sql")
    (tmp_path / "picture.sql").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(FileFormatError, match="is not UTF-8"):
        read_schema(tmp_path / "picture.sql")
    with pytest.raises(FileFormatError, match="there is no such database"):
        open_database(tmp_path / "none.sqlite")
    (tmp_path / "dump.sql").write_text(SCHEMA_SQL)
    with pytest.raises(FileFormatError, match="is not a SQLite file"):
        open_database(tmp_path / "dump.sql")
    (tmp_path / "broken.sqlite").write_bytes(b"SQLite format 3\x00" + b"x" * 200)
    with pytest.raises(FileFormatError, match="cannot be read as a SQLite file"):
        read_schema(tmp_path / "broken.sqlite")


def test_a_database_is_not_written_to(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "films.sqlite") as connection:
        connection.executescript(SCHEMA_SQL)
    connection.close()
    opened = open_database(tmp_path / "films.sqlite")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        opened.execute("DELETE FROM film")
    opened.close()
