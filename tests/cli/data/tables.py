"""Small tables of strangers, and commands run on them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from grammax.cli.app import app
from grammax.tables.own.domain import BASE_MODEL

FILMS = """\
title,director,genre,country,released,runtime_min,budget_usd,rating
Amelie,Jean-Pierre Jeunet,Comedy,France,2001-04-25,122,10000000,8.3
La Strada,Federico Fellini,Drama,Italy,1954-09-06,108,,8.0
Alien,Ridley Scott,Horror,USA,1979-05-25,117,11000000,8.5
Blade Runner,Ridley Scott,Science Fiction,USA,1982-06-25,117,30000000,8.1
Metropolis,Fritz Lang,Science Fiction,Germany,1927-01-10,153,5300000,8.3
Das Boot,Wolfgang Petersen,War,Germany,1981-09-17,149,32000000,8.4
"""
SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id),
                     total DOUBLE, day DATE);
INSERT INTO customers VALUES (1, 'Ann', 'Italy'), (2, 'Bob', 'Peru');
INSERT INTO orders VALUES (1, 1, 12.5, '2020-01-01'), (2, 1, 30, '2020-02-01'),
                          (3, 2, 7, '2021-01-01');
"""

needs_model = pytest.mark.skipif(
    not BASE_MODEL.is_file(), reason="no model for tables is in this installation"
)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def films(folder: Path) -> Path:
    """A CSV file."""
    return written(folder / "films.csv", FILMS)


def parquet(folder: Path) -> Path:
    """The same as Parquet."""
    path = folder / "films.parquet"
    duckdb.read_csv(str(films(folder))).write_parquet(str(path))
    (folder / "films.csv").unlink()
    return path


def shop(folder: Path, store: str) -> Path:
    """Orders and customers in a database, or as files of a folder."""
    path = folder / f"shop.{store}"
    if store == "sqlite":
        with closing(sqlite3.connect(path)) as lite, lite:
            lite.executescript(SHOP)
        lite.close()
        return path
    with duckdb.connect(path if store == "duckdb" else ":memory:") as duck:
        duck.execute(SHOP)
        if store == "folder":
            path.mkdir()
            for table in ("orders", "customers"):
                duck.table(table).write_csv(str(path / f"{table}.csv"))
    return path


def grammax(*arguments: str | Path, stdin: str | None = None) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of a command; a bug in it is raised."""
    result = CliRunner().invoke(app, [*map(str, arguments)], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr
