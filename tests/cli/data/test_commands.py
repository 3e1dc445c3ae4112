"""Commands on a stranger's data: ask, parse, shell and new."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.data.tables import films, grammax, needs_model, parquet, shop, written

import grammax as library
from grammax.tables.data_files import names_data, user_file

pytestmark = needs_model


@pytest.fixture(autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAMMAX_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.mark.parametrize("make", [films, parquet])
def test_a_file_is_asked(make, tmp_path: Path) -> None:
    path = make(tmp_path)
    before = path.read_bytes()
    code, out, err = grammax("ask", path, "the longest film")
    assert (code, err) == (0, f"{path.name}: 6 films, 8 columns\n")
    form, meaning, words, _, header, _, row, *_ = out.splitlines()
    assert form == "(top 1 FLD_RUNTIME_MIN)"
    assert meaning == "the film with the highest runtime"
    assert words == "longest → Runtime"
    assert header.split() == ["Title", "Runtime", "(minutes)"]
    assert row.split() == ["Metropolis", "153"]
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("store", ["sqlite", "duckdb", "folder"])
def test_tables_that_refer_to_others_are_one_view(store: str, tmp_path: Path) -> None:
    path = shop(tmp_path, store)
    code, out, err = grammax("ask", path, "how many orders per country", "--json")
    assert (code, err) == (0, f"{path.name}, table orders: 3 orders, 6 columns\n")
    assert json.loads(out)["answer"]["rows"] == [["Italy", 2.0], ["Peru", 1.0]]


def test_one_of_several_tables_is_named(tmp_path: Path) -> None:
    path = shop(tmp_path, "duckdb")
    _, out, err = grammax("ask", path, "--table", "customers", "how many customers", "--json")
    assert err.startswith("shop.duckdb, table customers: 2 customers")
    assert json.loads(out)["answer"]["rows"] == [[2.0]]


def test_sql_is_shown(tmp_path: Path) -> None:
    path = films(tmp_path)
    code, out, _ = grammax("ask", path, "films directed by ridley scott", "--sql")
    assert code == 0
    assert "SELECT" in out
    assert "'Ridley Scott'" in out
    found = json.loads(grammax("ask", path, "drama films", "--sql", "--json")[1])
    assert "'Drama'" in found["sql"]


def test_queries_are_parsed_one_by_one_and_from_a_file(tmp_path: Path) -> None:
    path = films(tmp_path)
    code, out, _ = grammax("parse", path, "top 3 films by budget")
    assert (code, out) == (0, "(top 3 FLD_BUDGET_USD)\n")
    queries = written(tmp_path / "queries.txt", "top 3 films by budget\n")
    code, out, _ = grammax("parse", path, "--file", queries)
    assert code == 0
    assert json.loads(out)["lf"] == "(top 3 FLD_BUDGET_USD)"


def test_the_shell_answers_from_it(tmp_path: Path) -> None:
    code, out, err = grammax("shell", films(tmp_path), stdin="how many films per genre\n:help\n")
    assert code == 0
    assert err == "films.csv: 6 films, 8 columns\n"
    assert "the number of films by genre" in out
    assert "such as:  top 3 films by budget" in out


def test_every_sample_has_an_answer(tmp_path: Path) -> None:
    with library.load(str(films(tmp_path))) as parser:
        assert len(parser.domain.samples) >= 4
        for sample in parser.domain.samples:
            answer = parser.ask(sample, force=True).answer
            assert answer is not None
            assert answer.rows, sample


def test_a_table_is_named_in_python(tmp_path: Path) -> None:
    with library.load(str(shop(tmp_path, "sqlite")), table="customers") as parser:
        assert parser.domain.nouns == ("customer", "customers")
        found = parser.ask("how many customers per country")
        assert found.answer is not None
        assert sorted(found.answer.rows) == [("Italy", 1.0), ("Peru", 1.0)]


def test_a_schema_is_written_edited_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    films(tmp_path)
    monkeypatch.chdir(tmp_path)
    code, out, err = grammax("new", "cinema", "--from", "films.csv")
    assert code == 0
    assert out.startswith("films.csv: 6 films (table films), 8 columns\n")
    assert "duration in minutes" in out
    assert out.endswith("cinema/schema.toml\n")
    assert err.startswith("Next: ")
    schema = tmp_path / "cinema" / "schema.toml"
    text = schema.read_text(encoding="utf-8")
    assert 'source = "../films.csv"' in text
    edited = text.replace('plural = "films"', 'plural = "movies"')
    schema.write_text(edited.replace('singular = "film"', 'singular = "movie"'), encoding="utf-8")
    monkeypatch.chdir(tmp_path.parent)  # the path is relative to the schema
    code, out, err = grammax("ask", tmp_path / "cinema", "how many movies per genre")
    assert (code, err) == (0, "films.csv: 6 movies, 8 columns\n")
    assert "the number of movies by genre" in out


def test_a_new_inspection_keeps_what_was_edited(tmp_path: Path) -> None:
    path, folder = films(tmp_path), tmp_path / "cinema"
    grammax("new", folder, "--from", path)
    schema = folder / "schema.toml"
    text = schema.read_text(encoding="utf-8").replace('label = "rating"', 'label = "stars"')
    schema.write_text(text, encoding="utf-8")
    code, out, _ = grammax("new", folder, "--from", path, "--json")
    assert code == 0
    assert "stars" in {column["label"] for column in json.loads(out)["columns"]}
    other = films(tmp_path / "cinema")
    code, _, err = grammax("new", folder, "--from", other)
    assert code == 1
    assert "nothing was written" in err


def test_nothing_is_left_open_and_nothing_else_is_said(tmp_path: Path) -> None:
    path = films(tmp_path)
    for arguments in (["ask", path, "drama films"], ["parse", path, "drama films"]):
        done = subprocess.run(
            [sys.executable, "-m", "grammax.cli.main", *map(str, arguments)],
            capture_output=True,
            text=True,
            env={**os.environ, "GRAMMAX_HOME": str(tmp_path)},
        )
        assert done.stderr == "films.csv: 6 films, 8 columns\n"
        assert done.returncode == 0


def test_ibis_is_imported_for_data_only() -> None:
    code = "import sys; from grammax.domains import load_domain; load_domain('eqs')"
    code += "; print([m for m in ('ibis', 'duckdb') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_folders_of_domains_stay_domains(tmp_path: Path) -> None:
    grammax("new", tmp_path / "rooms")
    assert not names_data(str(tmp_path / "rooms"))
    assert not names_data("eqs")
    films(tmp_path)
    assert names_data(str(tmp_path))


def test_what_users_store_is_never_beside_their_data(tmp_path: Path) -> None:
    path = films(tmp_path)
    assert tmp_path not in user_file(str(path), "corrections").parents
    assert tmp_path not in user_file(str(tmp_path), "corrections").parents
    stored = user_file("postgres://me:s3cret@db/shop", "corrections")
    assert "s3cret" not in str(stored)
    grammax("new", tmp_path / "cinema", "--from", path)
    at = user_file(str(tmp_path / "cinema"), "corrections")
    assert at == tmp_path / "cinema" / "corrections.jsonl"
