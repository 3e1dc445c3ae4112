"""Which columns of a table are searched, and what is found in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from grammax.tables.form.text import read
from grammax.tables.own.domain import OwnTable, open_table

TITLES = ("Star Wars", "The Matrix", "A Star is Born", "50% Off_x", "École Élite", "Back\\slash")
PLOTS = (
    "There is plenty of parking beside the hotel, and breakfast is good.",
    "Broken glass, 50%.",
)
COLUMNS = "number integer, title text, plot text, contact text, rating real, poster text"


def rows(count: int) -> list[tuple[int, str, str, str, float, str]]:
    return [
        (
            number,
            f"{TITLES[number % len(TITLES)]} {number}",
            f"{PLOTS[number % 2]} It was seen {number} times by people who liked it very much.",
            f"user{number}@{'GMail' if number % 3 else 'yahoo'}.com",
            number / 2,
            f"https://films.example/{number}.jpg",
        )
        for number in range(count)
    ]


@pytest.fixture(scope="module", params=["csv", "sqlite"])
def films(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OwnTable]:
    path: Path = tmp_path_factory.mktemp("films") / f"films.{request.param}"
    if request.param == "sqlite":
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"create table films ({COLUMNS})")
            connection.executemany("insert into films values (?, ?, ?, ?, ?, ?)", rows(60))
        connection.close()
    else:
        names = [column.split()[0] for column in COLUMNS.split(", ")]
        lines = [names, *rows(60)]
        path.write_text("\n".join(",".join(f'"{cell}"' for cell in line) for line in lines))
    with open_table(path) as opened:
        yield opened


def test_texts_addresses_and_names_are_searched_but_no_numbers_and_pictures(
    films: OwnTable,
) -> None:
    assert set(films.catalogue.lexicon.searched) == {"FLD_TITLE", "FLD_PLOT", "FLD_CONTACT"}


@pytest.mark.parametrize(
    ("form", "found"),
    [
        ('(FLD_TITLE CONTAINS "STAR")', {0, 2}),
        ('(FLD_TITLE CONTAINS "50%")', {3}),
        ('(FLD_TITLE CONTAINS "f_x")', {3}),
        ('(FLD_TITLE CONTAINS "école é")', {4}),
        ('(FLD_TITLE CONTAINS "k\\\\s")', {5}),
        ('(FLD_TITLE CONTAINS "%")', {3}),
        ('(AND (FLD_PLOT CONTAINS "Parking") (NOT (FLD_TITLE CONTAINS "star")))', {4}),
        ('(AND (FLD_CONTACT CONTAINS "gmail.COM") (FLD_TITLE CONTAINS "matrix"))', {1}),
    ],
)
def test_what_contains_a_text_is_found(films: OwnTable, form: str, found: set[int]) -> None:
    answer = films.store().answer(read(form, films.catalogue), limit=60)
    shown = [next(str(cell) for cell in row if str(cell) in _titles()) for row in answer.rows]
    assert {_titles()[title] % len(TITLES) for title in shown} == found


def _titles() -> dict[str, int]:
    return {row[1]: row[0] for row in rows(60)}


def test_questions_about_the_table_search_its_own_texts(films: OwnTable) -> None:
    style = films._style()
    assert "Broken glass" in " ".join(style.texts["FLD_PLOT"])
