"""Pairs that are taught: checked when they are stored, and again before they are learnt."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammax.tables.inspect.schema_file import read_schema
from grammax.tables.own.folder import open_named
from grammax.tables.teach.forget import forget, list_taught
from grammax.tables.teach.lesson import TeachError
from grammax.tables.teach.pairs import PAIRS, read_pairs, teach_pair, trained_pairs
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


def learnt(folder: Path) -> list[tuple[str, str]]:
    with open_named(str(folder)) as table:
        domain = table.domain()
        pairs, problems = trained_pairs(folder, domain)
        assert not problems
        return [(pair.query, domain.text(pair.tokens)) for pair in pairs]


def test_a_pair_is_a_readable_line_and_a_later_one_replaces_it(folder: Path) -> None:
    teach_pair(folder, "films in french theatres", "(FLD_COUNTRY EQ COU_FRANCE)")
    lesson = teach_pair(folder, "the  dearest film", "(top 1 FLD_GROSS)")
    assert lesson.needs_training
    assert "after the next `grammax train" in lesson.change
    again = teach_pair(folder, "The dearest film", "(top FLD_GROSS)")
    assert again.line == 2
    line = (folder / PAIRS).read_text().splitlines()[again.line - 1]
    assert line == '{"query": "The dearest film", "lf": "(top FLD_GROSS)"}'
    assert [query for query, _ in learnt(folder)] == [
        "films in french theatres",
        "The dearest film",
    ]


@pytest.mark.parametrize(
    ("query", "lf", "message"),
    [
        ("long films", "(FLD_RUNTME GR 5)", "is not a logical form of this table: "),
        ("long films", "(FLD_RUNTIME_MIN GR", "is not a logical form of this table: "),
        ("films of 7", "(FLD_GENRE GR 7)", "is not a logical form of this table: "),
        ("long films", "(FLD_RUNTIME_MIN GR 150)", "does not mention 1 5 0"),
        ("films in rome", "(FLD_COUNTRY EQ COU_ITALY)", "--column country --name WORD"),
        ("films nobody saw", "(display FLD_DIRECTOR)", "--column director --name WORD"),
        (" ", "(top 1 FLD_RATING)", "the query is empty"),
    ],
)  # fmt: skip
def test_a_pair_that_cannot_be_learnt_is_refused(
    folder: Path, query: str, lf: str, message: str
) -> None:
    with pytest.raises(TeachError) as error:
        teach_pair(folder, query, lf)
    assert message in str(error.value)
    assert not (folder / PAIRS).exists()


def test_of_a_query_with_taught_words_the_rest_is_learnt(folder: Path) -> None:
    teach_phrase(folder, "classic", "released before 1960")
    teach_row_name(folder, "flick")
    lf = "(AND (FLD_RELEASED LS 1960) (top 1 FLD_GROSS))"
    teach_pair(folder, "the dearest classic", lf)
    teach_pair(folder, "the dearest flick", "(top 1 FLD_GROSS)")
    assert learnt(folder) == [
        ("the dearest film", "(top 1 FLD_GROSS)"),
        ("the dearest film", "(top 1 FLD_GROSS)"),
    ]
    with pytest.raises(TeachError, match="words that were taught, 'classic', and the logical"):
        teach_pair(folder, "the dearest classic", "(top 1 FLD_GROSS)")


def test_a_bad_line_is_told_and_the_others_are_learnt(folder: Path) -> None:
    teach_pair(folder, "the dearest film", "(top 1 FLD_GROSS)")
    lines = (folder / PAIRS).read_text()
    (folder / PAIRS).write_text(
        f'{lines}{{"query": 5}}\n{{"query": "x", "lf": "(top 1 GONE)"}}\n{"[" * 5_000}'
    )
    with open_named(str(folder)) as table:
        pairs, problems = trained_pairs(folder, table.domain())
    assert [pair.query for pair in pairs] == ["the dearest film"]
    assert "line 2: skipped, as it is not a pair" in problems[0]
    assert any(
        "line 3: left out: '(top 1 GONE)' is not a logical form" in each for each in problems
    )
    assert any("line 4: skipped, as it is not a pair" in each for each in problems)


def test_what_was_taught_is_listed_and_forgotten(folder: Path) -> None:
    assert list_taught(folder) == []
    before = (folder / "schema.toml").read_text()
    teach_phrase(folder, "blockbuster", "gross > 100m")
    teach_column_name(folder, "runtime", "screen time")
    teach_value_name(folder, "country", "USA", "the states")
    teach_row_name(folder, "flick")
    teach_row_name(folder, "picture")
    teach_pair(folder, "the dearest film", "(top 1 FLD_GROSS)")
    found = list_taught(folder)
    assert [(each.kind, each.word, each.means) for each in found] == [
        ("phrase", "blockbuster", "gross > 100m"),
        ("column", "screen time", "runtime_min"),
        ("value", "the states", "USA of country"),
        ("row", "flick", "a row"),
        ("row", "picture", "a row"),
        ("pair", "the dearest film", "(top 1 FLD_GROSS)"),
    ]
    for each in found:
        assert each.word in Path(each.file).read_text().splitlines()[each.line - 1]
    with pytest.raises(TeachError, match=r"'flik' was not taught in .* Did you mean flick\?"):
        forget(folder, "flik")
    for each in found:
        assert each.word in forget(folder, each.word.upper()).change.lower()
    assert (folder / "schema.toml").read_text() == before
    assert read_pairs(folder).pairs == ()


def test_a_class_that_is_forgotten_is_inferred_again(folder: Path) -> None:
    before = read_schema(folder / "schema.toml")
    for column in ("rating", "color"):
        teach_class(folder, column, "number" if column == "rating" else None, None)
    teach_class(folder, "rating", "money", "EUR")
    assert {each.word for each in list_taught(folder)} == {"rating", "color"}
    lesson = forget(folder, "Rating")
    assert lesson.change == "rating is rating again, as inferred."
    forget(folder, "color")
    assert read_schema(folder / "schema.toml") == before
    assert list_taught(folder) == []
