"""SQL → form → SQL: text fixtures, and the meaning of both on a small database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from folder.sql.films import SCHEMA, SCHEMA_SQL

from grammax.folder.sql.reading.statement import read_sql
from grammax.folder.sql.unsupported import NotAForm, UnknownName, UnsupportedSql
from grammax.folder.sql.writing import write_sql

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sql_forms.txt"
CASES = [case.splitlines() for case in FIXTURES.read_text(encoding="utf-8").split("\n\n")[1:]]


@pytest.fixture(scope="module")
def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA_SQL)
    return connection


@pytest.mark.parametrize(("sql", "form", "written"), CASES)
def test_sql_is_read_and_written(
    sql: str, form: str, written: str, database: sqlite3.Connection
) -> None:
    tokens = read_sql(sql, SCHEMA)
    assert " ".join(tokens) == form
    assert write_sql(tokens, SCHEMA) == written
    assert read_sql(write_sql(tokens, SCHEMA), SCHEMA) == tokens
    found = database.execute(write_sql(tokens, SCHEMA)).fetchall()
    assert sorted(map(repr, found)) == sorted(map(repr, database.execute(sql).fetchall()))


REFUSED = [
    ("SELECT title FROM film WHERE LOWER(title) = 'alien'", "LOWER(title)", "LOWER"),
    ("SELECT CASE WHEN year > 1 THEN 2 END FROM film", "CASE WHEN year > 1 THEN 2 END", "CASE"),
    ("SELECT title FROM film LIMIT 2 OFFSET 3", "OFFSET 3", "OFFSET"),
    ("WITH t AS (SELECT 1) SELECT title FROM film", "WITH t AS (SELECT 1)", "WITH"),
    ("DELETE FROM film", "DELETE FROM film", "no SELECT"),
    ("DROP TABLE film; SELECT title FROM film", "DROP TABLE film; SELECT title FROM film", "not 2"),
    ("SELECT title FROM film, person", "CROSS JOIN person", "equality of columns"),
    ("SELECT title FROM film WHERE EXISTS (SELECT id FROM person WHERE person.id = director_id)",
     "director_id", "outer query"),
    ("SELECT title FROM film WHERE title ILIKE 'a%'", "title ILIKE 'a%'", "ILIKE"),
    ("SELECT title FROM film WHERE id IN (SELECT id, born FROM person)",
     "SELECT id, born FROM person", "several columns"),
    ("SELECT title FROM film ORDER BY year NULLS LAST", "year NULLS LAST", "NULLS"),
    ("SELECT title FROM film WHERE title = 'a\tb'", "'a\tb'", "tab"),
    ("SELECT SUM(rating) OVER (PARTITION BY genre) FROM film",
     "SUM(rating) OVER (PARTITION BY genre)", "window"),
    ("SELECT * FROM film, person, role WHERE person.id = person_id AND film_id = film.id",
     "SELECT * FROM film CROSS JOIN person CROSS JOIN role WHERE person.id = person_id", "order"),
    ("SELECT title FROM film WHERE year IN ()", "year IN ()", "empty list"),
    ("SELECT title FROM film UNION SELECT name FROM person ORDER BY 1", "1", "UNION with ORDER"),
    ("SELECT title FROM film UNION SELECT id, name FROM person", "SELECT title FROM film UNION",
     "UNION of 1 and 2 columns"),
    ("SELECT title FROM film ORDER BY COUNT(*)", "COUNT(*)", "without GROUP BY"),
    ("SELECT film.title FROM film NATURAL JOIN role", "NATURAL JOIN role", "NATURAL"),
    ("SELECT title FROM film RIGHT JOIN role ON film.id = film_id", "RIGHT JOIN role", "RIGHT"),
    ("SELECT TOP 5 title FROM film", "SELECT TOP 5 title FROM film", "SQLite"),
    ("SELECT title FROM film GROUP BY year + 1", "year + 1", "GROUP BY"),
    ("SELECT title FROM film WHERE year IS 5", "year IS NOT DISTINCT FROM 5", "IS"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "construct", "word"), REFUSED)
def test_what_has_no_form_is_shown(sql: str, construct: str, word: str) -> None:
    with pytest.raises(UnsupportedSql) as raised:
        read_sql(sql, SCHEMA)
    assert construct in raised.value.construct
    assert construct in str(raised.value)
    assert word in str(raised.value)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT titel FROM film", "Did you mean title?"),
        ("SELECT name FROM film", "no table in FROM (film) has a column name. person has it"),
        ("SELECT title FROM films", "Did you mean film?"),
        ("SELECT id FROM film JOIN person ON film.director_id = person.id",
         "film.id or person.id"),
        ("SELECT p.title FROM film", "there is no table p in FROM; there are film"),
        ("SELECT title FROM film ORDER BY 3", "SELECT has no column 3; it has 1"),
    ],
)  # fmt: skip
def test_names_that_the_schema_lacks_are_shown(sql: str, message: str) -> None:
    with pytest.raises(UnknownName) as raised:
        read_sql(sql, SCHEMA)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "tokens",
    [
        "( select ( from film )",
        "( select ( from film ) ( show film.titel ) )",
        "( select ( from films ) ( show film.title ) )",
        "( select ( from film ) ( show film.title ) ( limit 1;DROP ) )",
        "( select ( show film.title ) )",
        "( insert film )",
        "film",
        "",
    ],
)
def test_tokens_that_are_no_form_are_refused(tokens: str) -> None:
    with pytest.raises(NotAForm):
        write_sql(tuple(tokens.split()), SCHEMA)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT title FROM film WHERE " + "(" * 5_000 + "year = 1" + ")" * 5_000,
        "SELECT title FROM film WHERE " + "NOT " * 4_000 + "year = 1",
        "SELECT title FROM film WHERE id IN (" * 500 + "SELECT id FROM film" + ")" * 500,
        "SELECT " + "+".join(["year"] * 3_000) + " FROM film",
        "SELECT title FROM film WHERE year IN (" + ", ".join(["1"] * 9_000) + ")",
        "(" * 10_000,
        "SELECT title FROM film WHERE title LIKE '%a\\%' ESCAPE '!'",
    ],
)
def test_a_deep_or_long_statement_is_refused(sql: str) -> None:
    with pytest.raises(UnsupportedSql) as raised:
        read_sql(sql, SCHEMA)
    assert len(str(raised.value)) < 500
