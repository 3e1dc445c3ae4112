"""Damaged, locked and oddly written files: each a clear message or a sensible result."""

from __future__ import annotations

import gzip
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from grammax.tables.inspect import csv_text
from grammax.tables.inspect.csv_text import without_odd_quotes
from grammax.tables.inspect.description import InspectError, TableDescription
from grammax.tables.inspect.inspection import inspect, report
from grammax.tables.inspect.source import open_data
from grammax.tables.sql.stores import sqlite

DAMAGED = "The file is damaged or incomplete. Copy or export it again."


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def cars(folder: Path, rows: int = 20_000) -> Path:
    """A SQLite file."""
    path = folder / "cars.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("create table cars (name text, price int)")
        connection.executemany(
            "insert into cars values (?, ?)", [(f"n{n}", n) for n in range(rows)]
        )
    connection.close()
    return path


@pytest.mark.parametrize("damage", ["no footer", "noise", "cut"])
def test_a_damaged_parquet_file(tmp_path, damage) -> None:
    path = tmp_path / "cars.parquet"
    duckdb.execute(f"COPY (SELECT range a, 'x' || range b FROM range(100000)) TO '{path}'")
    whole = bytearray(path.read_bytes())
    match damage:
        case "no footer":
            whole[-8:-4] = b"\xff\xff\xff\x7f"
        case "noise":
            whole[1_000:60_000] = random.Random(1).randbytes(59_000)
        case "cut":
            del whole[-100:]
    path.write_bytes(whole)
    with pytest.raises(InspectError, match=rf"cars\.parquet cannot be read: .*\n{DAMAGED}"):
        inspect(path)


def test_a_sqlite_file_that_is_cut(tmp_path) -> None:
    whole = cars(tmp_path).read_bytes()
    for size in (60, 100_000):
        path = written(tmp_path, f"cut{size}.sqlite", whole[:size])
        with pytest.raises(InspectError, match=rf"cannot be read: .*malformed\n{DAMAGED}"):
            inspect(path)


def test_a_sqlite_file_that_is_locked(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sqlite, "_LOCKED", 0.1)
    path = cars(tmp_path, 10)
    writer = sqlite3.connect(path)
    writer.execute("begin exclusive")
    with pytest.raises(InspectError, match=r"is locked\nAnother program is writing to it"):
        inspect(path)
    writer.rollback()
    writer.close()
    assert inspect(path).rows == 10


def test_a_sqlite_file_is_not_changed_and_any_name_will_do(tmp_path) -> None:
    path = cars(tmp_path, 10).rename(tmp_path / "a #?%20 b.sqlite")
    path.chmod(0o444)
    before = path.read_bytes()
    assert inspect(path).rows == 10
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_compression_is_seen_in_the_content(tmp_path) -> None:
    packed = gzip.compress(b"name,price\nA,1.5\nB,2\n")
    assert inspect(written(tmp_path, "cars.csv", packed)).rows == 2
    assert inspect(written(tmp_path, "plain.csv.gz", "name,price\nA,1.5\nB,2\n")).rows == 2
    with pytest.raises(InspectError, match=rf"cut\.csv\.gz cannot be read: .*\n{DAMAGED}"):
        inspect(written(tmp_path, "cut.csv.gz", packed[:-9]))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark(tmp_path, encoding) -> None:
    found = inspect(
        written(tmp_path, "p.csv", "name,city\nZoë,Zürich\nAnn,Oslo\n".encode(encoding))
    )
    assert [column.name for column in found.columns] == ["name", "city"]
    assert f"it was read as {encoding}" in report(found)


def test_a_line_without_end_is_told_before_it_is_read(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(csv_text, "_LONGEST_LINE", 3 << 20)
    path = tmp_path / "line.csv"
    for cell in (b"x", b"x,1,"):
        with path.open("wb") as file:
            for _ in range(4):
                file.write(cell * ((1 << 20) // len(cell)))
        with pytest.raises(InspectError, match=r"has a line of more than 3 MB"):
            inspect(path)


def test_a_long_line_among_others_is_left_out_and_told(tmp_path) -> None:
    rows = "".join(f"n{n},{n}\n" for n in range(50))
    found = inspect(
        written(tmp_path, "things.csv", f"name,size\n{rows}{'x' * (4 << 20)},7\n{rows}")
    )
    assert found.rows == 100
    assert "1 lines could not be read and were left out" in report(found)


def ragged(folder: Path, *bad: str) -> TableDescription:
    """A table with 5 % bad lines."""
    draw = random.Random(1)
    lines = [draw.choice(bad).replace("#", str(n)) if n % 20 == 0 else f"n{n},{n},Rome"
             for n in range(2_000)]  # fmt: skip
    return inspect(written(folder, "people.csv", "\n".join(["name,size,city", *lines])))


def test_lines_with_too_few_or_too_many_cells_are_told(tmp_path) -> None:
    found = ragged(tmp_path, "n#", "n#,#,Rome,extra", "#;#;#")
    assert found.rows == 2_000
    assert "have fewer than 3 cells" in report(found)
    assert [column.name for column in found.columns] == ["name", "size", "city", "column_4"]


def test_a_quotation_mark_without_a_partner_swallows_no_lines(tmp_path) -> None:
    found = ragged(tmp_path, 'n#,"#,Rome', "n\0#,#,Rome")
    assert found.rows == 2_000
    assert "quotation marks without a partner" in report(found)
    assert found.column("size").facts.type == "integer"
    assert without_odd_quotes('a "b", c"') == "a b, c"
    assert without_odd_quotes('a "b", c') == 'a "b", c'


def test_line_breaks_inside_quotation_marks_are_kept(tmp_path) -> None:
    rows = "".join(f'n{n},"first\nsecond, and more\nthird",{n}\n' for n in range(100))
    found = inspect(written(tmp_path, "notes.csv", f"name,note,size\n{rows}"))
    assert (found.rows, found.notes) == (100, ())


def test_columns_of_the_same_name_are_told(tmp_path) -> None:
    found = inspect(written(tmp_path, "cars.csv", "name,price,price\nA,1,2\nB,3,4\n"))
    assert "they are called price_2 for price" in report(found)


def test_json_and_pipes_are_told(tmp_path) -> None:
    with pytest.raises(InspectError, match="is JSON, which is not read"):
        inspect(written(tmp_path, "cars.json", '[{"name": "A"},\n{"name": "B"}]'))
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InspectError, match="is neither a file nor a folder"):
        inspect(tmp_path / "pipe.csv")


def test_a_table_that_takes_too_long_is_told(tmp_path) -> None:
    path = cars(tmp_path, 300_000)
    with open_data(path) as data:
        table = data.table("cars")
        with pytest.raises(InspectError, match=r"stopped after 0 seconds\.\nIt is too large"):
            [*data.batches(table, seconds=0)]
