"""A second schema from end to end: grammar, corpus, training, English, chips, completion, answers.

No output may contain a word of equity search, the schema that comes with the package.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs PyTorch")

import ibis
import pyarrow as pa
from filelock import FileLock
from tables.films import ROWS, catalogue, token

import grammax
from grammax.automaton.walk import accepts_tokens
from grammax.model.config import ModelConfig, TrainingConfig
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.domain import DomainParts, TableDomain
from grammax.tables.query.store import Store
from grammax.tables.schema import SchemaError
from grammax.tables.sql.plain import Location, PlainLayout, PlainSource
from grammax.tables.sql.run import runner_for
from grammax.training.run import train

EQUITY_WORDS = re.compile(
    r"compan|\bfirm|stock|equit|\bshares?\b|ticker|market|sector|exchange|\bindex\b|dividend|p/e"
    r"|COU_|CUR_|ISS_|IDX_|FLD_MKT_CAP|\busd\b|\$",
    re.IGNORECASE,
)
SMALL = ModelConfig(words=48, encoder=48, tokens=48, hidden=150, spelling=48, decisions_only=True)
QUICK = TrainingConfig(epochs=20, batch=16)  # half a minute


@contextmanager
def opened(films: Catalogue) -> Iterator[Store]:
    """The rows in a DuckDB of their own: a table of films, and one of their genres."""
    connection = ibis.duckdb.connect()
    rows = [
        {
            "title": film.title,
            "director": token("DIR_", film.director),
            "grade": token("GRD_", film.grade),
            "length": float(film.length),
            "year": float(film.year),
        }
        for film in ROWS
    ]
    genres = [
        {"title": film.title, "genre": token("GEN_", name)} for film in ROWS for name in film.genres
    ]
    for name, given in {"film": rows, "film_genre": genres}.items():
        connection.con.register("given", pa.Table.from_pylist(given))
        connection.con.execute(f"CREATE TABLE {name} AS FROM given")
    layout = PlainLayout(
        films,
        table="film",
        key="title",
        columns={"title": "title"},
        fields={
            "FLD_GENRE": Location("film_genre", "genre", "title"),
            **{
                f"FLD_{name.upper()}": Location("film", name, "title")
                for name in ("length", "year", "director", "grade")
            },
        },
    )
    with Store(PlainSource(films, layout), runner_for(connection), films) as store:
        yield store


@pytest.fixture(scope="module")
def domain() -> TableDomain:
    parts = DomainParts(
        samples=("thrillers directed by hitchcock",),
        sizes={"train": 800, "test": 100, "hard": 0},
        store=opened,
    )
    return TableDomain(catalogue(), parts)


@pytest.fixture(scope="module")
def parser(
    domain: TableDomain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[grammax.Parser]:
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # one training for all workers
        folder = folder.parent
    with FileLock(folder / "films.lock"):
        if not (model := folder / "films" / "model.safetensors").exists():
            model = train(domain, folder / "films", SMALL, QUICK)
    with grammax.load(domain, model) as loaded:
        yield loaded


def test_every_grammar_accepts_every_pair(domain: TableDomain) -> None:
    assert domain.exact == "lr"
    assert "paper" not in domain.grammars
    for pair in (*domain.pairs("train"), *domain.pairs("test")):
        assert domain.well_typed(pair.tokens), pair.query
        for grammar in domain.grammars:
            assert accepts_tokens(domain.automaton(grammar), pair.tokens), pair.query


def test_only_values_of_the_field_s_own_type_are_permitted(domain: TableDomain) -> None:
    automaton = domain.automaton(domain.exact)
    permitted = automaton.next_tokens(automaton.read(["(", "FLD_GENRE", "EQ"]))
    assert set(permitted.tokens) == set(domain.catalogue.values_of("GENRE"))
    unordered = automaton.next_tokens(automaton.read(["(", "FLD_DIRECTOR"]))
    assert "GR" not in set(unordered.tokens)


@pytest.mark.slow
def test_a_small_model_learns_the_table(domain: TableDomain, parser: grammax.Parser) -> None:
    pairs = domain.pairs("test")
    right = sum(domain.same(parser.parse(p.query, offer=False).tokens, p.tokens) for p in pairs)
    assert right > 0.6 * len(pairs)
    for pair in pairs:
        found = parser.parse(pair.query, offer=False)
        assert domain.grammatical(found.tokens)
        assert domain.well_typed(found.tokens)


@pytest.mark.parametrize(
    ("lf", "said"),
    [
        ("(FLD_GENRE EQ GEN_THRILLER)", "films whose genre is Thriller"),
        ("(FLD_DIRECTOR EQ DIR_JANE_CAMPION)", "films directed by Jane Campion"),
        (
            "(AND (FLD_GRADE GE GRD_PG) (top 3 FLD_LENGTH))",
            "the 3 largest films by length among those whose grade is PG or above",
        ),
        ("(AND (FLD_YEAR LS 1980) (display FLD_LENGTH DESC))", None),
    ],
)
def test_logical_forms_are_explained(domain: TableDomain, lf: str, said: str | None) -> None:
    tokens = domain.read(lf)
    shown = domain.paraphrase(tokens)
    assert said is None or shown == said
    assert "film" in shown
    chips = domain.chips(tokens)
    assert [chip.token for chip in chips] == list(tokens)
    assert {"field"} < {chip.role for chip in chips}
    assert not EQUITY_WORDS.search(f"{shown} {chips}")


def test_queries_are_completed_from_this_table(domain: TableDomain) -> None:
    [first, *_] = domain.completions("films directed by hitch", 5)
    assert (first.token, first.what) == ("DIR_ALFRED_HITCHCOCK", "director")
    everything = [domain.completions(text, 20) for text in ("", "f", "th", "films with ", "in ")]
    assert all(some for some in everything[:4])
    assert not EQUITY_WORDS.search(str(everything))
    assert domain.search("thriler", 1)[0].token == "GEN_THRILLER"


def test_duckdb_answers_as_the_rows_have_it(domain: TableDomain) -> None:
    questions = {
        "(FLD_DIRECTOR EQ DIR_RIDLEY_SCOTT)": lambda f: f.director == "Ridley Scott",
        "(AND (FLD_GENRE EQ GEN_CRIME) (FLD_YEAR GE 1990))": (
            lambda f: "Crime" in f.genres and f.year >= 1990
        ),
        "(AND (NOT (FLD_GENRE EQ GEN_DRAMA)) (FLD_LENGTH GR 140))": (
            lambda f: "Drama" not in f.genres and f.length > 140
        ),
        "(FLD_GRADE LS GRD_PG)": lambda f: f.grade == "G",
    }
    store = domain.answers()
    assert store is not None
    with store as answers:
        for lf, wanted in questions.items():
            answer = answers.answer(domain.read(lf), limit=100)
            assert answer.columns[0].label == "Title"
            assert {row[0] for row in answer.rows} == {f.title for f in ROWS if wanted(f)}, lf
        longest = answers.answer(domain.read("(top 3 FLD_LENGTH)"), limit=10)
        assert [row[0] for row in longest.rows] == [
            film.title for film in sorted(ROWS, key=lambda film: -film.length)[:3]
        ]
        assert longest.columns[1].type == "minutes"


@pytest.mark.slow
def test_a_query_is_answered_and_says_nothing_of_equities(
    domain: TableDomain, parser: grammax.Parser
) -> None:
    asked = parser.ask("thrillers directed by hitchcock", force=True)
    assert asked.answer is not None
    assert {"DIR_ALFRED_HITCHCOCK", "GEN_THRILLER"} <= set(asked.parsed.tokens)
    titles = {row[0] for row in asked.answer.rows}
    assert titles == {
        f.title for f in ROWS if f.director == "Alfred Hitchcock" and "Thriller" in f.genres
    }
    shown = json.dumps([domain.paraphrase(asked.parsed.tokens), asked.parsed.lf, str(asked.answer)])
    assert not EQUITY_WORDS.search(shown)


def test_a_type_without_a_field_is_refused() -> None:
    films = catalogue()
    fields = [field for field in films.fields.values() if field.token != "FLD_GRADE"]
    wanting = Catalogue.from_entries(films.schema, fields, films.values.values())
    with pytest.raises(SchemaError, match="the types GRADE of the schema 'films' have no field"):
        _ = wanting.lexicon


def test_errors_speak_of_this_table(domain: TableDomain) -> None:
    with pytest.raises(grammax.GrammaxError) as caught:
        domain.require_meaning(domain.read("(FLD_GENRE GR GEN_WAR)"))
    assert "FLD_GENRE (Genre) is of the type GENRE" in str(caught.value)
    with pytest.raises(grammax.GrammaxError) as unreadable:
        domain.read("(FLD_GENRE = GEN_WAR)")
    with pytest.raises(grammax.GrammaxError) as not_there:
        domain.connected(Path("mapping.toml"))
    for error in (caught, unreadable, not_there):
        assert not EQUITY_WORDS.search(str(error.value))


@pytest.mark.slow
def test_values_are_added_without_training(domain: TableDomain, parser: grammax.Parser) -> None:
    wider = parser.with_values([grammax.NewValue("Agnès Varda", "director", ("varda",))])
    found = wider.parse("films directed by agnès varda", offer=False)
    assert "DIR_AGNES_VARDA" in found.tokens
