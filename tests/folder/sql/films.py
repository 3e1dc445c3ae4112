"""A schema of films for tests, with a table that is joined to itself and names that need quotes."""

from __future__ import annotations

from grammax.folder.sql.schema_files import parse_schema

SCHEMA_SQL = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER);
CREATE TABLE film (
  id INTEGER PRIMARY KEY, title TEXT, year INT, genre VARCHAR(20), rating REAL,
  director_id INTEGER REFERENCES person(id), remake_of INTEGER REFERENCES film(id)
);
CREATE TABLE role (
  film_id INTEGER, person_id INTEGER, "character name" TEXT,
  FOREIGN KEY (film_id) REFERENCES film(id), FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX by_year ON film (year);
INSERT INTO person VALUES (1, 'Ridley Scott', 1937), (2, 'Sigourney Weaver', 1949),
  (3, 'Jean-Pierre Jeunet', 1953), (4, 'Christian Nyby', 1913), (5, 'John Carpenter', 1948);
INSERT INTO film VALUES (1, 'Alien', 1979, 'horror', 8.5, 1, NULL),
  (2, 'Alien Resurrection', 1997, 'horror', 6.2, 3, NULL), (3, 'Amélie', 2001, 'comedy', 8.3, 3, NULL),
  (4, 'Thelma & Louise', 1991, 'drama', 7.6, 1, NULL),
  (5, 'The Thing from Another World', 1951, 'horror', 7.1, 4, NULL),
  (6, 'The Thing', 1982, 'horror', 8.2, 5, 5);
INSERT INTO role VALUES (1, 2, 'Ripley'), (2, 2, 'Ripley 8');
"""  # noqa: E501

SCHEMA = parse_schema(SCHEMA_SQL)
