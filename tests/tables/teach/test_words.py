"""Words that are taught are lines of `schema.toml`, effective at once; the rest of it stays."""

from __future__ import annotations

import difflib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grammax.tables.domain import TableDomain
from grammax.tables.inspect.description import InspectError
from grammax.tables.inspect.inspection import inspect
from grammax.tables.inspect.schema_file import merge, read_schema
from grammax.tables.own.folder import open_named, write_folder
from grammax.tables.semantics import SemanticClass
from grammax.tables.teach.forget import forget
from grammax.tables.teach.lesson import Lesson, TeachError
from grammax.tables.teach.words import (
    teach_class,
    teach_column_name,
    teach_phrase,
    teach_row_name,
    teach_value_name,
)

from .folders import films


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return films(tmp_path)


def domain(folder: Path) -> TableDomain:
    with open_named(str(folder)) as table:
        return table.domain()


def written(folder: Path, lesson: Lesson) -> str:
    """The line that a lesson says it has written."""
    assert lesson.file == str(folder / "schema.toml")
    return (folder / "schema.toml").read_text().splitlines()[lesson.line - 1]


def test_a_name_of_a_column_is_one_line_and_nothing_else_changes(folder: Path) -> None:
    before = (folder / "schema.toml").read_text().splitlines()
    lesson = teach_column_name(folder, "runtime", "Screen  Time")
    assert written(folder, lesson) == '"screen time" = "runtime_min"'
    assert lesson.section == "taught.columns"
    assert "screen time" in domain(folder).wordings("FLD_RUNTIME_MIN")
    after = (folder / "schema.toml").read_text().splitlines()
    changes = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    assert changes == ["+ [taught.columns]", '+ "screen time" = "runtime_min"', "+ "]


def test_a_name_of_a_value_is_known_by_its_column(folder: Path) -> None:
    lesson = teach_value_name(folder, "country", "united states", "the states")
    assert written(folder, lesson) == '"the states" = "USA"'
    assert lesson.section == "taught.values.country"
    assert "the states" in domain(folder).wordings("COU_USA")


def test_another_noun_for_a_row_is_read_as_the_first(folder: Path) -> None:
    teach_row_name(folder, "flick")
    lesson = teach_row_name(folder, "picture")
    assert written(folder, lesson) == 'rows = ["flick", "picture"]'
    rest = domain(folder).without_phrases("the longest flicks")
    assert rest is not None
    assert rest.text == "the longest films"


def test_a_phrase_is_a_condition_at_once(folder: Path) -> None:
    lesson = teach_phrase(folder, "blockbuster", "gross > 100m")
    assert written(folder, lesson) == 'blockbuster = "gross > 100m"'
    assert lesson.change == "'blockbuster' means films whose gross is above 100 million."
    rest = domain(folder).without_phrases("german blockbusters")
    assert rest is not None
    assert rest.text == "german films"
    assert rest.conditions[0].tokens[:3] == ("(", "FLD_GROSS", "GR")
    again = teach_phrase(folder, "blockbuster", "gross > 200m")
    assert again.line == lesson.line
    assert written(folder, again) == 'blockbuster = "gross > 200m"'


def test_a_class_is_taught_with_what_depends_on_it(folder: Path) -> None:
    lesson = teach_class(folder, "rating", "money", "EUR")
    assert written(folder, lesson) == 'class = "money"'
    column = read_schema(folder / "schema.toml").column("rating")
    assert (column.semantic, column.unit, column.state) == (SemanticClass.MONEY, "EUR", "edited")
    assert column.additive
    assert domain(folder).catalogue.fields["FLD_RATING"].type == "MONEY_EUR"
    teach_class(folder, "rating", unit="USD")
    assert read_schema(folder / "schema.toml").column("rating").unit == "USD"


def test_what_was_taught_survives_a_new_inspection(folder: Path) -> None:
    teach_phrase(folder, "blockbuster", "gross > 100m")
    teach_value_name(folder, "country", "USA", "the states")
    kept = read_schema(folder / "schema.toml")
    write_folder(folder, str(folder.parent / "films.csv")).close()
    assert read_schema(folder / "schema.toml").taught == kept.taught
    assert merge(inspect(folder.parent / "films.csv"), kept).taught == kept.taught


def test_a_phrase_of_a_value_that_is_gone_is_left_out(folder: Path) -> None:
    teach_phrase(folder, "pasta film", "country is Italy")
    data = folder.parent / "films.csv"
    rows = data.read_text().splitlines()
    data.write_text("\n".join(row for row in rows if "Italy" not in row) + "\n")
    assert domain(folder).without_phrases("pasta films") is None


def test_a_phrase_that_is_wrong_is_told_when_the_folder_is_opened(folder: Path) -> None:
    teach_phrase(folder, "epic", "runtime > 150")
    schema = folder / "schema.toml"
    schema.write_text(schema.read_text().replace("runtime > 150", "runtme > 150"))
    with pytest.raises(
        InspectError, match=r"schema.toml, section \[taught.phrases\]: 'runtme > 15"
    ):
        domain(folder)
    forget(folder, "epic")
    assert domain(folder).without_phrases("epic films") is None


@pytest.mark.parametrize(
    ("teach", "message"),
    [
        (lambda f: teach_column_name(f, "runtme", "x"),
         "has no column 'runtme'. Did you mean runtime_min? Its columns: title, director"),
        (lambda f: teach_column_name(f, "rating", "gross"), "is what the column gross is called"),
        (lambda f: teach_column_name(f, "rating", "?!"), "'?!' is no name: give 1 to 60"),
        (lambda f: teach_value_name(f, "country", "Germny", "x"),
         "country has no value 'Germny'. Did you mean Germany? Its values: "),
        (lambda f: teach_value_name(f, "country", "USA", "italy"), "another value of country"),
        (lambda f: teach_value_name(f, "rating", "8", "x"), "the values of rating have no names"),
        (lambda f: teach_row_name(f, "rating"), "is what the column rating is called"),
        (lambda f: teach_phrase(f, "epic", "runtme > 150"), "Did you mean runtime?"),
        (lambda f: teach_phrase(f, "drama", "runtime > 150"), "means 'Drama' of genre already"),
        (lambda f: teach_phrase(f, "films", "runtime > 150"), "is the noun for a row"),
        (lambda f: teach_class(f, "genre", "money"), "genre cannot be of the class money: it has"),
        (lambda f: teach_class(f, "genre", "plce"), "'plce' is no class. Did you mean place?"),
        (lambda f: teach_class(f, "genre", unit="USD"), "whose values have no unit"),
    ],
)  # fmt: skip
def test_what_cannot_be_taught_is_told_and_nothing_is_written(folder: Path, teach, message) -> None:
    before = (folder / "schema.toml").read_bytes()
    with pytest.raises(TeachError) as error:
        teach(folder)
    assert message in str(error.value)
    assert (folder / "schema.toml").read_bytes() == before


@pytest.mark.parametrize(
    ("teach", "change"),
    [
        (lambda f: teach_column_name(f, "rating", "Rating"), "'rating' is a name of rating"),
        (lambda f: teach_value_name(f, "country", "USA", "usa"), "'usa' is a name of 'USA'"),
        (lambda f: teach_row_name(f, "films"), "'films' is a noun for films"),
    ],
)
def test_what_is_known_already_changes_nothing(folder: Path, teach, change: str) -> None:
    before = (folder / "schema.toml").read_bytes()
    assert teach(folder).change == f"{change} already; nothing was changed."
    assert (folder / "schema.toml").read_bytes() == before


def test_a_class_that_a_phrase_contradicts_is_refused(folder: Path) -> None:
    teach_phrase(folder, "epic", "runtime > 150")
    before = (folder / "schema.toml").read_bytes()
    with pytest.raises(
        TeachError, match=r"'runtime > 150' is not a condition.*Nothing was changed"
    ):
        teach_class(folder, "runtime", "code")
    assert (folder / "schema.toml").read_bytes() == before


def test_a_word_has_one_meaning_until_it_is_forgotten(folder: Path) -> None:
    teach_column_name(folder, "rating", "score of critics")
    with pytest.raises(TeachError, match=r"taught to mean the column rating. Forget that first"):
        teach_column_name(folder, "gross", "score of critics")
    with pytest.raises(TeachError, match="taught to mean the column rating"):
        teach_phrase(folder, "score of critics", "rating > 5")


def test_an_inferred_name_gives_way_to_a_taught_one(folder: Path) -> None:
    name = next(n for n in read_schema(folder / "schema.toml").column("runtime_min").names)
    lesson = teach_column_name(folder, "rating", name)
    assert lesson.change.endswith("and no longer runtime_min.")
    assert name in domain(folder).wordings("FLD_RATING")
    assert name not in domain(folder).wordings("FLD_RUNTIME_MIN")


def test_several_writers_lose_nothing(folder: Path) -> None:
    names = [f"word {number}" for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda name: teach_column_name(folder, "rating", name), names))
    assert {*names} <= {*read_schema(folder / "schema.toml").taught.columns}


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ("films.csv", r"films.csv is data, .* `grammax new films --from .*films.csv`"),
        ("nothing", r"is no folder with a schema.toml. Make one with `grammax new nothing --from"),
        ("rooms", r"has a domain.toml: it is a language of its own"),
    ],
)
def test_only_the_folder_of_a_table_is_taught(folder: Path, made: str, message: str) -> None:
    rooms = folder.parent / "rooms"
    rooms.mkdir()
    (rooms / "domain.toml").write_text("")
    with pytest.raises(TeachError, match=message):
        teach_row_name(folder.parent / made, "flick")


def test_a_file_that_cannot_be_written_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("grammax.tables.teach.lesson.write_atomic", full)
    with pytest.raises(TeachError, match=r"cannot be written to: No space left on device. Nothing"):
        teach_row_name(folder, "flick")
