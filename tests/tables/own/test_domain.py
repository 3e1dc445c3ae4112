"""A file of one's own as a domain: its catalogue, and its answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

from grammax.tables.form.text import read
from grammax.tables.known_values.kinds import other_names
from grammax.tables.own.domain import OwnTable, open_table

FILMS = """title,director,genre,country,released,runtime_min,budget_usd,rating,color,field
Amelie,Jean-Pierre Jeunet,Comedy,France,2001-04-25,122,10000000,8.3,yes,a
La Strada,Federico Fellini,Drama,Italy,1954-09-06,108,,8.0,no,b
Alien,Ridley Scott,Horror,USA,1979-05-25,117,11000000,8.5,yes,a
Blade Runner,Ridley Scott,Science Fiction,USA,1982-06-25,117,30000000,8.1,yes,b
Metropolis,Fritz Lang,Science Fiction,Germany,1927-01-10,153,5300000,8.3,no,a
Das Boot,Wolfgang Petersen,War,Germany,1981-09-17,149,32000000,8.4,yes,b
"""


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnTable]:
    path = tmp_path_factory.mktemp("own") / "films.csv"
    path.write_text(FILMS, encoding="utf-8")
    with open_table(path) as table:
        yield table


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        ("(top 1 FLD_RUNTIME_MIN)", [("Metropolis", 153.0)]),
        ("(AND (FLD_RELEASED LS 1960) (display FLD_DIRECTOR))", [
            ("La Strada", "Federico Fellini", "1954-09-06"),
            ("Metropolis", "Fritz Lang", "1927-01-10"),
        ]),
        ("(AND (count) (by FLD_COUNTRY))", [
            ("France", 1.0), ("Germany", 2.0), ("Italy", 1.0), ("USA", 2.0),
        ]),
        ("(FLD_COLOR EQ COLOR_FALSE)", [("La Strada", "no"), ("Metropolis", "no")]),
        ("(count FLD_GENRE)", [(5.0,)]),
        ("(average FLD_BUDGET_USD)", [(17660000.0,)]),
        ("(FLD_RATING GR (average FLD_RATING))", [
            ("Alien", 8.5), ("Amelie", 8.3), ("Das Boot", 8.4), ("Metropolis", 8.3),
        ]),
    ],
)  # fmt: skip
def test_forms_are_answered_from_the_file(
    films: OwnTable, form: str, rows: list[tuple[object, ...]]
) -> None:
    answer = films.store().answer(read(form, films.catalogue))
    assert sorted(answer.rows, key=str) == sorted(rows, key=str)


def test_the_domain_knows_what_values_are_called(films: OwnTable) -> None:
    domain = films.domain()
    assert "german" in domain.wordings("COU_GERMANY")
    assert domain.wordings("COLOR_TRUE")[:2] == ("yes", "true")
    assert domain.nouns == ("film", "films")
    assert domain.trained_as[0] == "tables"


def test_a_column_may_be_called_as_a_word_of_the_catalogue_s_file(films: OwnTable) -> None:
    """The lines of fields begin with FIELD."""
    assert films.catalogue.fields["FLD_FIELD"].type == "FIELD_NAME"


def test_a_country_has_other_names_unless_they_are_stored(tmp_path: Path) -> None:
    assert "german" in other_names("de")
    assert other_names("Atlantis") == ()
    path = tmp_path / "wines.csv"
    path.write_text("wine,country\nA,Germany\nB,german\nC,France\n", encoding="utf-8")
    with open_table(path) as wines:
        assert "german" not in wines.domain().wordings("COU_GERMANY")


def test_the_sql_of_a_form_names_only_the_columns_that_it_needs(tmp_path: Path) -> None:
    names = ["name", "height_m", *(f"other_{n}" for n in range(40))]
    rows = [",".join([f"n{row}", str(row), *["1"] * 40]) for row in range(3)]
    (tmp_path / "peaks.csv").write_text("\n".join([",".join(names), *rows]))
    with open_table(tmp_path / "peaks.csv") as opened:
        sql = opened.store().sql(read("(average FLD_HEIGHT_M)"))
    assert "height_m" in sql
    assert "other_" not in sql


def test_many_values_become_a_catalogue_at_once(tmp_path: Path) -> None:
    """It took time with the square of their number: minutes for 30,000."""
    lines = "\n".join(f"item {n % 30_000},{n}" for n in range(60_000))
    (tmp_path / "items.csv").write_text(f"kind,price\n{lines}\n")
    with open_table(tmp_path / "items.csv") as opened:
        begun = process_time()
        assert len(opened.catalogue.values) == 30_000
        assert process_time() - begun < 10
