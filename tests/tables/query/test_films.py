"""Films: answers that people know, from a table in DuckDB."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tables.films import ROWS, catalogue
from tables.query.stores import written

from grammax.language.answer import Column
from grammax.tables.answers.answers import StoreAnswers
from grammax.tables.form.text import read, to_tokens
from grammax.tables.query.store import Store
from grammax.tables.sql.plain import Location, PlainLayout, PlainSource
from grammax.tables.sql.run import connect, runner_for

GENRES = {"FLD_GENRE": Location("film_genres", "genre", "film")}


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    rows = [{k: v for k, v in film._asdict().items() if k != "genres"} for film in ROWS]
    genres = [{"film": film.title, "genre": genre} for film in ROWS for genre in film.genres]
    folder = tmp_path_factory.mktemp("films")
    url = written({"films": rows, "film_genres": genres}, "duckdb", folder)
    layout = PlainLayout.one_table(catalogue(), "films", others=GENRES, names=True)
    source = PlainSource(catalogue(), layout)
    with Store(source, runner_for(connect(url)), catalogue()) as store:
        yield store


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("(AND (FLD_DIRECTOR EQ DIR_GRETA_GERWIG) (FLD_YEAR GR 2018))", ["Barbie", "Little Women"]),
        (
            "(AND (FLD_GENRE EQ GEN_SCIENCE_FICTION) (FLD_GENRE EQ GEN_HORROR))",
            ["Alien"],
        ),
        ("(top 2 FLD_LENGTH)", ["The Godfather Part II", "Schindler's List"]),
        ("(AND (FLD_GRADE EQ GRD_G) (FLD_LENGTH LS 90))", ["My Neighbor Totoro", "Toy Story"]),
        ("(AND (FLD_GENRE EQ GEN_ANIMATION) (NOT (FLD_GRADE EQ GRD_G)))", ["Spirited Away"]),
    ],
)
def test_known_films_are_found(films: Store, text: str, titles: list[str]) -> None:
    assert [row[0] for row in films.answer(read(text, catalogue())).rows] == titles


def test_columns_and_cells_are_as_people_read_them(films: Store) -> None:
    found = films.answer(
        read("(AND (FLD_GENRE EQ GEN_WAR) (bottom 1 FLD_LENGTH) (display FLD_GRADE))", catalogue())
    )
    assert found.columns == (
        Column("Title"),
        Column("Length", "FLD_LENGTH", "minutes", "minutes"),
        Column("Grade", "FLD_GRADE"),
        Column("Genre", "FLD_GENRE"),
    )
    assert found.rows == (("Full Metal Jacket", 116.0, "R", ("Drama", "War")),)
    assert found.token_rows == (("Full Metal Jacket", 116.0, "GRD_R", ("GEN_DRAMA", "GEN_WAR")),)


def test_forms_with_the_same_films_have_the_same_answer(films: Store) -> None:
    def tokens(text: str) -> tuple[str, ...]:
        return to_tokens(read(text, catalogue()))

    answers = StoreAnswers(films)
    lasseter = tokens("(FLD_DIRECTOR EQ DIR_JOHN_LASSETER)")
    assert answers.same(lasseter, tokens("(NOT (FLD_DIRECTOR NEQ DIR_JOHN_LASSETER))"))
    assert not answers.same(lasseter, tokens("(FLD_DIRECTOR EQ DIR_ANDREW_STANTON)"))
    assert len(answers.answer(lasseter, 5)) == 2
