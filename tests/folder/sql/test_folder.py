"""`grammax new DIR --sql`: the folder that it writes, from new to parse, and what it refuses."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from folder.sql.films import SCHEMA_SQL
from service.given import wait_until_ready
from starlette.testclient import TestClient
from typer.testing import CliRunner, Result

from grammax import NewValue
from grammax.cli.app import app
from grammax.errors import FileFormatError, GrammarError, GrammaxError
from grammax.folder import check_folder, read_folder
from grammax.folder.induce.proposal import propose
from grammax.folder.settings import read_settings
from grammax.folder.sql.answers import SqlAnswers, SqlFailed, is_sorted
from grammax.folder.sql.folder import write_sql_folder
from grammax.folder.sql.observed import Observed
from grammax.folder.sql.schema_files import read_schema
from grammax.folder.sql.values import Values, column_values
from grammax.language.answer import AnswerTooSlow, ShowsSql
from grammax.service.app import create
from grammax.service.settings import Settings

ASKED = [
    line.split(": ")
    for line in """
{} films: SELECT title FROM film WHERE genre = '{}'
how many {} films are there: SELECT COUNT(*) FROM film WHERE genre = '{}'
who made {} films: SELECT name FROM film, person p WHERE p.id = director_id AND genre = '{}'
best {} film: SELECT title FROM film WHERE genre = '{}' ORDER BY rating DESC LIMIT 1
films after {}: SELECT title FROM film WHERE year > {}
best 3 after {}: SELECT title FROM film WHERE year > {} ORDER BY rating DESC LIMIT 3
""".strip().splitlines()
]  # fmt: skip
PAIRS = [
    (question.format(value), sql.format(value))
    for values, some in ((("horror", "comedy", "drama"), ASKED[:4]), ((1979, 1982), ASKED[4:]))
    for value in values
    for question, sql in some
]


def write_pairs(path: Path, pairs: list[tuple[str, str]]) -> Path:
    rows = ({"question": question, "sql": sql} for question, sql in pairs)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Pairs, a schema and a database."""
    write_pairs(tmp_path / "pairs.jsonl", PAIRS)
    (tmp_path / "schema.sql").write_text(SCHEMA_SQL, encoding="utf-8")
    connection = sqlite3.connect(tmp_path / "films.sqlite")
    connection.executescript(SCHEMA_SQL)
    connection.close()
    return tmp_path


@pytest.fixture
def films(here: Path) -> Path:
    write_sql_folder(
        here / "films", here / "pairs.jsonl", here / "schema.sql", here / "films.sqlite"
    )
    return here / "films"


def grammax(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_the_folder_is_complete_and_right(films: Path) -> None:
    checked = check_folder(films)
    assert [problem for problem in checked.problems if problem.severity == "error"] == []
    assert {split: facts.accepted for split, facts in checked.splits.items()} == {
        "train": 1.0,
        "test": 1.0,
    }
    assert sum(facts.pairs for facts in checked.splits.values()) == len(PAIRS)
    values = (films / "values.tsv").read_text(encoding="utf-8")
    assert "film.title:Amélie\tFILM_TITLE_VALUE\tAmélie\n" in values


def test_a_form_is_sql_outside_and_brackets_inside(films: Path) -> None:
    domain = read_folder(films)
    pair = domain.pairs("train")[0]
    assert pair.tokens[:4] == ("(", "select", "(", "from")
    assert domain.text(pair.tokens).startswith("SELECT COUNT(*) FROM film WHERE genre = ")
    assert domain.read(domain.text(pair.tokens)) == pair.tokens
    assert domain.text(pair.tokens[:3]) == "( select ("
    one, other = (
        domain.read(f"SELECT title FROM film WHERE {a} AND {b}")
        for a, b in (("year > 1979", "id = 3"), ("id = 3", "year > 1979"))
    )
    assert one != other
    assert domain.same(one, other)


@pytest.mark.slow
def test_new_check_train_parse_and_ask(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    made = grammax(
        "new", "films", "--sql", "pairs.jsonl", "--schema", "schema.sql",
        "--database", "films.sqlite",
    )  # fmt: skip
    assert "films/grammar.lark" in made.stdout
    assert grammax("check", "films").exit_code == 0
    assert grammax("train", "films", "--epochs", "8").exit_code == 0
    parsed = json.loads(grammax("parse", "--domain", "films", "--json", "best drama film").stdout)
    assert parsed["lf"].startswith("SELECT ")
    asked = grammax("ask", "--domain", "films", "--force", "--json", "--sql", "horror films")
    shown = json.loads(asked.stdout)
    assert shown["sql"] == shown["lf"]
    assert shown["answer"] is not None
    with TestClient(create(Settings(domain="films"))) as client:
        wait_until_ready(client)
        served = client.post("/parse", json={"query": "best drama film"}).json()
        assert served["lf"].startswith("SELECT ")
        done = client.post("/run", json={"lf": "SELECT COUNT(*) FROM film WHERE year > 1990"})
        assert done.json()["answer"]["rows"] == [[3.0]]
        filled = done.json()["tokens"]
        assert filled[-4] == "1990"
        for path, body in (
            ("/parse", {"query": "films after 1985"}),
            ("/explain", {"query": "films after 1985"}),
            ("/next", {"tokens": filled[:5]}),
            ("/edit", {"tokens": filled, "text": "only after 1970"}),
        ):
            assert client.post(path, json=body).status_code == 200, path
        refused = client.post("/run", json={"lf": "DELETE FROM film"})
        assert refused.status_code == 422
        assert "no SELECT" in refused.json()["error"]["message"]
    assert "denotation" in grammax("evaluate", "films", "--split", "train").stdout


def test_pairs_without_a_form_are_left_out_and_told(here: Path) -> None:
    pairs = [
        *PAIRS, ("loud", "SELECT UPPER(title) FROM film"), ("gone", "DELETE FROM film"),
        ("misspelt", "SELECT titel FROM film"),
    ]  # fmt: skip
    write_pairs(here / "pairs.jsonl", pairs)
    written = write_sql_folder(here / "films", here / "pairs.jsonl", here / "schema.sql")
    told = "\n".join(map(str, written.refused))
    line = len(PAIRS) + 1
    assert f"pairs.jsonl:{line}:1: warning: UPPER has no bracketed form: UPPER(title)" in told
    assert f"pairs.jsonl:{line + 1}:1: warning: a statement that is no SELECT" in told
    assert f"pairs.jsonl:{line + 2}:1: warning: no table in FROM (film) has a column titel" in told
    assert sum(len(read_folder(here / "films").pairs(s)) for s in ("train", "test")) == len(PAIRS)
    said = grammax(
        "new", here / "again", "--sql", here / "pairs.jsonl", "--schema", here / "schema.sql"
    )
    told = "2 with SQL that has no form, 1 with a table or column that the schema lacks"
    assert f"3 lines were left out: {told}." in said.stderr


def test_values_that_neither_the_database_nor_the_question_has_are_told(here: Path) -> None:
    pairs = [
        *PAIRS, ("love stories", "SELECT title FROM film WHERE genre = 'romance'"),
        ("romance", "SELECT title FROM film WHERE genre = 'romance'"),
    ]  # fmt: skip
    write_pairs(here / "pairs.jsonl", pairs)
    given = (here / "pairs.jsonl", here / "schema.sql")
    [problem] = write_sql_folder(here / "films", *given, here / "films.sqlite").doubtful
    assert (problem.code, problem.location.line) == ("absent", len(PAIRS) + 1)
    assert "film.genre has no 'romance'" in problem.message
    assert write_sql_folder(here / "again", *given).doubtful == []


def test_a_line_that_has_no_form_is_a_problem_of_the_folder(films: Path) -> None:
    with (films / "train.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"question": "x", "sql": "SELECT titel FROM film"}\n')
    [problem] = [each for each in check_folder(films).problems if each.code == "pair"]
    assert "Did you mean title?" in problem.message
    assert problem.location.line == len(PAIRS) - len(PAIRS) // 5


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "pairs.jsonl is empty"),
        ('{"question": "x"}\n', "there must be a JSON object with a question and with sql"),
        ('{"question": "x", "sql": "SELEC title FROM film"}\n', "it is not SQL as SQLite"),
        ('{"question": "x", "sql": ""}\n', "error: sql is empty"),
        ('{"question": "x" "sql": 1}\n', "not JSON: Expecting ',' delimiter at column 18"),
        ('[{"question": "x"}]\n', "each line must be an object, such as"),
        ('{"question": "x", "sql": "INSERT INTO film VALUES (1)"}\n', "no SELECT"),
    ],
)
def test_pairs_that_cannot_be_used_are_explained(here: Path, content: str, message: str) -> None:
    (here / "pairs.jsonl").write_text(content)
    with pytest.raises((FileFormatError, GrammarError)) as raised:
        write_sql_folder(here / "films", here / "pairs.jsonl", here / "schema.sql")
    assert message in str(raised.value)
    assert not (here / "films").exists()


def test_what_is_missing_is_explained(here: Path, films: Path) -> None:
    pairs, schema = here / "pairs.jsonl", here / "schema.sql"
    with pytest.raises(GrammaxError, match=r"there is no schema\. Give --schema"):
        write_sql_folder(here / "new", pairs)
    with pytest.raises(GrammaxError, match="exists already, and nothing was written"):
        write_sql_folder(films, pairs, schema)
    with pytest.raises(FileFormatError, match="there is no such file of pairs"):
        write_sql_folder(here / "new", here / "none.jsonl", schema)
    other = sqlite3.connect(here / "other.sqlite")
    other.executescript("CREATE TABLE film (id INT); CREATE TABLE person (id INT)")
    other.close()
    with pytest.raises(FileFormatError, match=r"does not fit the schema: person\.name"):
        write_sql_folder(here / "new", pairs, schema, here / "other.sqlite")
    said = grammax("new", here / "new", "--schema", schema)
    assert said.exit_code == 2
    assert "go with --sql" in said.stderr
    (films / "domain.toml").write_text('notation = "sql"')
    with pytest.raises(FileFormatError, match="schema is missing"):
        read_folder(films)
    (films / "domain.toml").write_text('schema = "schema.sql"')
    with pytest.raises(FileFormatError, match='it goes with notation = "sql"'):
        read_folder(films)
    (films / "domain.toml").write_text('notation = "sql"\nschema = "schema.sql"')
    with pytest.raises(GrammaxError, match="nothing is induced"):
        propose(read_settings(films))


def test_pairs_may_be_tsv_and_the_schema_that_of_the_database(here: Path) -> None:
    lines = ["question\tsql", *(f"{question}\t{sql}" for question, sql in PAIRS)]
    (here / "pairs.tsv").write_text("\n".join(lines))
    write_sql_folder(here / "films", here / "pairs.tsv", database=here / "films.sqlite")
    domain = read_folder(here / "films")
    assert domain.settings.schema is not None
    assert domain.settings.schema.resolve() == (here / "films.sqlite").resolve()
    assert len(domain.pairs("train")) == len(PAIRS) - len(domain.pairs("test"))


def test_values_are_added_without_training(films: Path) -> None:
    domain = read_folder(films)
    changed = domain.with_values([NewValue("Film noir", "FILM_GENRE_VALUE")])
    token = next(t for t in changed.vocabulary.tokens_of("FILM_GENRE_VALUE") if "noir" in t)
    form = domain.read("SELECT title FROM film WHERE genre = 'Film noir'")
    assert token in form
    assert changed.text(form) == "SELECT title FROM film WHERE genre = 'Film noir'"
    assert changed.grammatical(form)


def test_answers_are_compared_by_their_rows(films: Path) -> None:
    domain = read_folder(films)
    store = domain.answers()
    assert store is not None
    with store as answers:
        assert isinstance(answers, ShowsSql)
        one = domain.read("SELECT title FROM film WHERE year > 1990")
        other = domain.read("SELECT title FROM film WHERE NOT year <= 1990")
        assert answers.same(one, other)
        assert not answers.same(one, domain.read("SELECT title FROM film WHERE year > 1991"))
        nothing = domain.read("SELECT title FROM film WHERE year > 2990")
        assert not answers.same(nothing, domain.read("SELECT title FROM film WHERE year > 3000"))
        down = domain.read("SELECT title FROM film ORDER BY year DESC")
        assert not answers.same(down, domain.read("SELECT title FROM film ORDER BY year"))
        assert answers.same(down, domain.read("SELECT title FROM film"))
        assert is_sorted(down)
        assert not is_sorted(one)
        answer = answers.answer(down, 2)
        assert answer.rows == (("Amélie",), ("Alien Resurrection",))
        assert (answer.total, answer.more) == (6, True)
        twice = answers.answer(domain.read("SELECT id, id FROM film"), 1)
        assert [column.label for column in twice.columns] == ["id", "id (2)"]


def test_words_of_a_query_are_no_sql(films: Path) -> None:
    domain = read_folder(films)
    said = "' OR 1; DROP TABLE film; --%"
    form = domain.read("SELECT title FROM film WHERE title LIKE '%x%'")
    form = tuple(f"'{said}'" if token == "'x'" else token for token in form)
    sql = domain.text(form)
    assert sql == (
        "SELECT title FROM film WHERE title LIKE '%'' OR 1; DROP TABLE film; --\\%%' ESCAPE '\\'"
    )
    assert domain.read(sql) == form
    store = domain.answers()
    assert store is not None
    with store as answers:
        assert answers.answer(form, 5).rows == ()
        assert len(answers.answer(domain.read("SELECT * FROM film"), 9)) == 6


def test_a_query_has_a_time_limit(films: Path) -> None:
    domain = read_folder(films)
    assert domain.settings.database is not None
    connection = sqlite3.connect(domain.settings.database)
    connection.execute("INSERT INTO film SELECT value + 10, 'x', 1, 'a', 1, 1, 1 FROM "
                       "(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n "
                       "WHERE value < 3000) SELECT value FROM n)")  # fmt: skip
    connection.commit()
    connection.close()
    slow = domain.read(
        "SELECT COUNT(*) FROM film a JOIN film b ON a.genre = b.genre "
        "JOIN film c ON b.genre = c.genre"
    )
    store = domain.answers()
    assert store is not None
    with store as answers:
        assert answers.answer(domain.read("SELECT COUNT(*) FROM film"), 1).rows == ((3006,),)
        with pytest.raises(AnswerTooSlow, match=r"after 0\.2 seconds"):
            answers.answer(slow, 1, seconds=0.2)


def test_numbers_that_are_stored_as_texts_are_numbers(here: Path) -> None:
    connection = sqlite3.connect(here / "data.sqlite")
    connection.execute("CREATE TABLE t (power TEXT, name TEXT)")
    rows = [(str(n), f"n{n}") for n in range(20)] + [("n/a", "none")]
    connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
    connection.commit()
    connection.close()
    schema = read_schema(here / "data.sqlite")
    values = column_values(schema, Observed(), here / "data.sqlite")
    assert values["t.power"] == Values((), is_number=True, is_ordered=True)
    assert len(values["t.name"].texts) == 21


def test_a_database_that_lost_a_column_is_told(films: Path, here: Path) -> None:
    domain = read_folder(films)
    connection = sqlite3.connect(here / "other.sqlite")
    connection.executescript("CREATE TABLE film (id INT)")
    connection.close()
    answers = SqlAnswers(domain._sql.schema, here / "other.sqlite")  # type: ignore[union-attr]
    with pytest.raises(SqlFailed, match="no such column: title"):
        answers.answer(domain.read("SELECT title FROM film"), 1)
    (here / "other.sqlite").unlink()
    with pytest.raises(FileFormatError, match="there is no such database"):
        answers.answer(domain.read("SELECT title FROM film"), 1)
