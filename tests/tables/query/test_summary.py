"""Summaries of films and cottages: groups, labels, order, and what is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median

import pytest
from tables.films import ROWS, catalogue
from tables.query.stores import written

from grammax.language.answer import Column
from grammax.tables.answers.answers import StoreAnswers
from grammax.tables.form.text import read, to_tokens
from grammax.tables.form.tree import Aggregate as Of
from grammax.tables.form.tree import And, Group, LogicalForm, LogicalFormError, Or
from grammax.tables.query.store import Store, StoreError
from grammax.tables.query.translate import translate
from grammax.tables.sql.plain import Location, PlainLayout, PlainSource
from grammax.tables.sql.run import connect, runner_for


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    rows = [{k: v for k, v in film._asdict().items() if k != "genres"} for film in ROWS]
    genres = [{"film": film.title, "genre": genre} for film in ROWS for genre in film.genres]
    url = written({"films": rows, "film_genres": genres}, "duckdb", tmp_path_factory.mktemp("f"))
    others = {"FLD_GENRE": Location("film_genres", "genre", "film")}
    layout = PlainLayout.one_table(catalogue(), "films", others=others, names=True)
    with Store(PlainSource(catalogue(), layout), runner_for(connect(url)), catalogue()) as store:
        yield store


def asked(text: str) -> LogicalForm:
    return read(text, catalogue())


def test_groups_of_a_field_with_several_values_count_a_film_in_each(films: Store) -> None:
    found = films.answer(asked("(AND (FLD_GRADE EQ GRD_R) (by FLD_GENRE))"))
    wanted = Counter(genre for film in ROWS if film.grade == "R" for genre in film.genres)
    assert dict(found.rows) == wanted
    assert [n for _, n in found.rows] == sorted(wanted.values(), reverse=True)
    assert found.columns == (
        Column("Genre", "FLD_GENRE"),
        Column("Number of films", None, "number"),
    )
    assert found.token_rows[0][0] == "GEN_DRAMA"


def test_aggregates_without_groups_are_one_row(films: Store) -> None:
    found = films.answer(asked("(AND (FLD_GRADE EQ GRD_G) (median FLD_LENGTH) (max FLD_LENGTH))"))
    lengths = [film.length for film in ROWS if film.grade == "G"]
    assert found.rows == ((max(lengths), median(lengths)),)
    assert [column.label for column in found.columns] == ["Highest length", "Median length"]
    assert found.columns[0].unit == "minutes"


def test_a_rank_of_rows_selects_them_before_they_are_summarised(films: Store) -> None:
    found = films.answer(asked("(AND (average FLD_YEAR) (top 3 FLD_LENGTH))"))
    longest = sorted(ROWS, key=lambda film: (-film.length, film.title))[:3]
    assert found.rows == ((pytest.approx(sum(film.year for film in longest) / 3),),)


def test_groups_are_ranked_and_filtered(films: Store) -> None:
    text = "(AND (by FLD_DIRECTOR) (top 2 (count)) ((average FLD_LENGTH) LS 140))"
    found = films.answer(asked(text))
    by = {
        name: [f.length for f in ROWS if f.director == name] for name in {f.director for f in ROWS}
    }
    short = {name: lengths for name, lengths in by.items() if sum(lengths) / len(lengths) < 140}
    best = sorted(short, key=lambda name: (-len(short[name]), name))[:2]
    assert [row[0] for row in found.rows] == best
    labels = [column.label for column in found.columns]
    assert labels == ["Director", "Number of films", "Average length"]


def test_no_rows_have_a_count_of_zero_and_no_average(films: Store) -> None:
    found = films.answer(asked("(AND (FLD_LENGTH GR 999) (count) (average FLD_LENGTH))"))
    assert found.rows == ((None, 0.0),)
    assert "Average length: there is no data." in found.notes


def test_a_ratio_has_a_label(films: Store) -> None:
    found = films.answer(asked("(top 1 (ratio FLD_YEAR FLD_LENGTH))"))
    shortest = max(ROWS, key=lambda film: film.year / film.length)
    assert found.rows == ((shortest.title, pytest.approx(shortest.year / shortest.length)),)
    assert found.columns[1] == Column("Year divided by length", None, "number")


def test_a_rank_without_a_count_orders_all_rows_and_the_first_are_shown(films: Store) -> None:
    found = films.answer(asked("(bottom FLD_LENGTH)"), limit=3)
    assert [row[1] for row in found.rows] == sorted(film.length for film in ROWS)[:3]
    assert found.notes == (f"Showing the first 3 of {len(ROWS)}.",)


def test_a_series_or_a_change_needs_tables_with_dates(films: Store) -> None:
    with pytest.raises(StoreError, match=r"no series by year: the values of these tables have no"):
        films.answer(And((Of("count"), Group("YEAR"))))
    with pytest.raises(StoreError, match=r"change of FLD_LENGTH\(2020\) cannot be computed"):
        films.answer(asked("(top 1 (change FLD_LENGTH(2020)))"))


def test_an_aggregate_inside_or_is_refused(films: Store) -> None:
    nested = Or((Of("count"), asked("(FLD_YEAR GR 2000)")))
    with pytest.raises(LogicalFormError, match=r"\(count\) summarises the whole answer"):
        translate(nested, catalogue(), films._source)


def test_summaries_with_the_same_columns_and_rows_are_the_same_answer(films: Store) -> None:
    answers = StoreAnswers(films)

    def tokens(text: str) -> tuple[str, ...]:
        return to_tokens(asked(text))

    one = tokens("(AND (by FLD_GENRE) (average FLD_LENGTH) (FLD_YEAR GR 2000))")
    both = tokens("(AND (by FLD_GRADE) (by FLD_GENRE))")
    assert [column.label for column in answers.answer(both, 1).columns][:2] == ["Grade", "Genre"]
    assert answers.same(both, tokens("(AND (by FLD_GENRE) (by FLD_GRADE))"))
    assert answers.same(one, tokens("(AND (FLD_YEAR GE 2001) (average FLD_LENGTH) (by FLD_GENRE))"))
    assert not answers.same(one, tokens("(AND (by FLD_GENRE) (average FLD_LENGTH))"))
    assert not answers.same(one, tokens("(AND (by FLD_GENRE) (max FLD_LENGTH) (FLD_YEAR GR 2000))"))
    assert not answers.same(one, tokens("(AND (FLD_YEAR GR 2000) (display FLD_LENGTH))"))
    nothing = tokens("(AND (count) (FLD_YEAR GR 9000))")
    assert not answers.same(nothing, tokens("(AND (count) (FLD_LENGTH GR 9000))"))
