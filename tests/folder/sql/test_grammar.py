"""The grammar of a schema: what it accepts, and that its forms are SQL one to one."""

from __future__ import annotations

import sqlite3
from random import Random

import pytest
from folder.sql.films import SCHEMA, SCHEMA_SQL
from folder.sql.test_reading import CASES
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.assertions import assert_superset

from grammax.automaton.compile import exact, superset
from grammax.automaton.walk import accepts_tokens
from grammax.errors import TokenNotPermitted
from grammax.folder.sql.grammar import SqlGrammar, sql_grammar
from grammax.folder.sql.observed import Observed, observed
from grammax.folder.sql.reading.statement import read_sql
from grammax.folder.sql.schema_files import parse_schema
from grammax.folder.sql.scopes import Step, table_sets
from grammax.folder.sql.values import Values, column_values, words
from grammax.folder.sql.writing import write_sql
from grammax.grammar import Grammar
from grammax.grammar.sample import Sampler

FORMS = [tuple(read_sql(sql, SCHEMA)) for sql, _, _ in CASES]


def made(found: Observed) -> tuple[SqlGrammar, Grammar]:
    """The grammar of the films for what pairs show, with its tokens."""
    values = column_values(SCHEMA, found)
    written = sql_grammar(SCHEMA, found, values)
    tokens: dict[str, list[str]] = {}
    for token, kind in written.column_kinds.items():
        tokens.setdefault(kind, []).append(token)
    for column, kind in written.texts.listed.items():
        tokens[kind] = [f"{column}:{text}" for text in values[column].texts]
    for column, kind in written.texts.filled.items():
        tokens[kind] = [f"{column}:some words"]
    tokens |= {
        "NUMBER": ["77", "-0.5"],
        "COUNT": ["88"],
        "TEXT": ["'some words'", "'50%'", "'a_b%\\\\'", "'x\\\\y'"],
    }
    tokens |= {"LISTED_NUMBER": found.listed_numbers, "LISTED_COUNT": found.listed_counts}
    tokens |= {"LISTED_TEXT": found.listed_texts, "PATTERN": [*found.patterns]}
    tokens = {kind: some for kind, some in tokens.items() if some}
    return written, Grammar.read(written.text, tokens)


SHOWN = observed([("", form) for form in FORMS], SCHEMA)
WRITTEN, GRAMMAR = made(SHOWN)
AUTOMATON = exact(GRAMMAR)
SUPERSET = superset(GRAMMAR, AUTOMATON.vocabulary)
DATABASE = sqlite3.connect(":memory:", check_same_thread=False)
DATABASE.executescript(SCHEMA_SQL)


def accepts(sql: str) -> bool:
    try:
        return accepts_tokens(AUTOMATON, read_sql(sql, SCHEMA))
    except TokenNotPermitted:
        return False


def test_it_is_lr_and_has_no_problems() -> None:
    assert AUTOMATON.name == "lr"
    assert GRAMMAR.problems == ()


@pytest.mark.parametrize("form", FORMS)
def test_it_accepts_every_form_of_its_pairs(form: tuple[str, ...]) -> None:
    assert accepts_tokens(AUTOMATON, form)
    assert accepts_tokens(SUPERSET, form)


OTHERS = """
SELECT COUNT(*) FROM film
SELECT name FROM person WHERE born > 1980 ORDER BY born DESC LIMIT 1
SELECT name FROM person p, role, film f WHERE p.id = person_id AND film_id = f.id AND year = 1980
SELECT name FROM person JOIN role ON person.id = person_id GROUP BY person.id HAVING COUNT(*) > 1
SELECT title FROM film WHERE year = (SELECT MAX(year) FROM film WHERE genre = 'drama')
SELECT COUNT(*) FROM (SELECT name FROM person EXCEPT SELECT title FROM film WHERE genre = 'war')
"""


@pytest.mark.parametrize("sql", OTHERS.strip().splitlines())
def test_it_accepts_others_of_the_schema(sql: str) -> None:
    assert accepts(sql)


REFUSED = """
person.name: ( select ( from film ) ( show person.name
film.title: ( select ( from film ( join film.title
film.genre:war: ( select ( from film ) ( show film.title ) ( where ( = film.title film.genre:war
1980: ( select ( from film ) ( show film.title ) ( where ( = film.genre 1980
film.genre: ( select ( from film ) ( show ( sum film.genre
role.film_id: ( select ( from film ) ( show * ) ( where ( in film.id ( select ( from role ) \
( show role.film_id role.film_id
order: ( union ( select ( from film ) ( show film.id ) ( order
count: ( select ( from film ) ( show film.id ) ( order ( asc ( count
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_it_is_typed(line: str) -> None:
    last, _, form = line.partition(": ")
    tokens = form.split()[:-1]
    assert form.split()[-1] == last
    state = AUTOMATON.start
    for token in tokens:
        state = AUTOMATON.pass_token(state, token)
    with pytest.raises(TokenNotPermitted):
        AUTOMATON.pass_token(state, last)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_forms_of_the_grammar_are_sql_one_to_one(seed: int) -> None:
    form = tuple(Sampler(GRAMMAR, max_tokens=120).draw(Random(seed)))
    sql = write_sql(form, SCHEMA)
    assert read_sql(sql, SCHEMA) == form  # so that no two forms have the same SQL
    assert_superset(SUPERSET, AUTOMATON, form)


def test_forms_of_the_grammar_are_executed() -> None:
    sampler, random = Sampler(GRAMMAR, max_tokens=60), Random(7)
    for _ in range(150):
        sql = write_sql(tuple(sampler.draw(random)), SCHEMA)
        try:
            DATABASE.execute(sql).fetchall()
        except sqlite3.Error as error:  # all else that SQLite refuses should be ungrammatical
            assert "same number of result columns" in str(error), sql  # noqa: PT017


def test_sets_of_tables_are_those_that_keys_join() -> None:
    sets = {frozenset(each.instances) for each in table_sets(SCHEMA, Observed())}
    assert {"film", "person"} in sets
    assert {"film", "person", "role"} in sets
    assert {"film", "film#2"} not in sets
    assert {"film", "film#2"} in {each.instances for each in table_sets(SCHEMA, SHOWN)}


def test_columns_that_refer_to_the_same_one_may_be_joined() -> None:
    schema = parse_schema(
        "CREATE TABLE a (id INT); CREATE TABLE b (a_id INT REFERENCES a (id)); "
        "CREATE TABLE c (a_id INT REFERENCES a (id))"
    )
    steps = [step for each in table_sets(schema, Observed()) for step in each.steps]
    assert Step(frozenset({"b"}), ("b.a_id", "c.a_id")) in steps


def test_names_of_tables_do_not_clash_in_rules() -> None:
    schema = parse_schema(
        "CREATE TABLE supplier (id INT, part_id INT REFERENCES part (id)); "
        "CREATE TABLE part (id INT, price INT); CREATE TABLE part_supplier (id INT, name TEXT); "
        'CREATE TABLE "part supplier" (id INT, x_y INT, "x y" INT); CREATE TABLE "1" (a INT)'
    )
    found = observed([("", read_sql("SELECT SUM(price + 1) FROM part", schema))], schema)
    written = sql_grammar(schema, found, column_values(schema, found))
    rules = [line.partition(":")[0] for line in written.text.splitlines() if line[:1].isalpha()]
    assert len({*rules}) == len(rules)
    tokens: dict[str, list[str]] = {}
    for token, kind in written.column_kinds.items():
        tokens.setdefault(kind, []).append(token)
    automaton = exact(Grammar.read(written.text, tokens))
    for sql in (
        "SELECT * FROM part_supplier", 'SELECT "x y" FROM "part supplier"', 'SELECT a FROM "1"',
        "SELECT SUM(price + part.id) FROM supplier JOIN part ON supplier.part_id = part.id",
    ):  # fmt: skip
        form = read_sql(sql, schema)
        assert accepts_tokens(automaton, form)
        assert read_sql(write_sql(form, schema), schema) == form


def test_values_follow_from_the_schema_and_from_pairs() -> None:
    form = read_sql("SELECT name FROM person WHERE name > 'M' OR name = 5", SCHEMA)
    found = observed([("people after M", form)], SCHEMA)
    assert found.listed_numbers == ["5"]
    assert observed([("five people", form)], SCHEMA).listed_numbers == []
    values = column_values(SCHEMA, found)
    assert values["person.name"] == Values(("M",), is_number=True, is_ordered=True)
    pairs = [
        (f"is {name} there", read_sql(f"SELECT * FROM person WHERE name = '{name}'", SCHEMA))
        for name in ("A", "B", "C", "D", "E", "F", "G", "H", "I", "a & b")
    ]
    pairs.append(("the first", pairs[0][1]))
    open_names = column_values(SCHEMA, observed(pairs, SCHEMA))["person.name"]
    assert open_names == Values(("A",), is_number=False, is_ordered=False, is_open=True)
    assert values["person.born"] == Values((), is_number=True, is_ordered=True)
    assert values["film.genre"] == Values((), is_number=False, is_ordered=False)
    assert words("directorID") == "director id"
