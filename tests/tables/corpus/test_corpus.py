"""Corpora of any table: leaks between splits, files of pairs, skeletons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tables.films import catalogue

from grammax.errors import FileFormatError
from grammax.tables.corpus.corpus import (
    Corpus,
    generate,
    leaks,
    read_pairs,
    role,
    skeleton,
    write,
)
from grammax.tables.form.text import read


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return generate(catalogue(), train=120, test=20, hard=0)


def test_a_planted_leak_is_found(corpus: Corpus) -> None:
    shouted = replace(corpus.train[5], query=corpus.train[5].query.upper())
    (leak,) = leaks(replace(corpus, test=(*corpus.test, shouted)))
    assert (leak.first, leak.second) == ("train", "test")
    planted = replace(corpus.train[5], query="never said before")
    (leak,) = leaks(replace(corpus, unseen_compositions=(planted,)))
    assert leak.what == skeleton(planted.lf)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(FLD_GENRE EQ enumValue(GEN_DRAMA))", "(F OP V)"),
        ("(FLD_LENGTH GR -1.5 MILLION CUR_EUR)", "(F OP N)"),
        ("(FLD_SCORE(LAST 3 QUARTER) GE 5 PCT)", "(F@ OP N)"),
        ("(FLD_VIEWS(FY 2020) LS FLD_VIEWS(2019 JUN 23))", "(F@ OP F@)"),
        ("(display FLD_YEAR(2019) DESC)", "(display F@ DESC)"),
        ("(display FLD_YEAR)", "(display F)"),
        ("(bottom 10 FLD_LENGTH)", "(bottom N F)"),
        (
            "(AND (NOT (FLD_GENRE EQ enumValue(GEN_WAR))) (OR (FLD_A GE 1) (FLD_B NEQ FLD_C)))",
            "(AND (NOT (F OP V)) (OR (F OP N) (F OP F)))",
        ),
    ],
)
def test_a_skeleton_abstracts_names_numbers_times_and_operators(text: str, expected: str) -> None:
    assert skeleton(read(text)) == expected


def test_roles_are_those_of_the_catalogue() -> None:
    tokens = ("FLD_GENRE", "GEN_DRAMA", "AND", "GEN_UNKNOWN", "FLD_UNKNOWN")
    found = [role(token, catalogue()) for token in tokens]
    assert found == ["field", "value", "word", "word", "word"]


def test_pairs_of_films_are_read_back_by_their_catalogue(corpus: Corpus, tmp_path: Path) -> None:
    for path, pairs in zip(write(corpus, tmp_path), corpus.splits.values(), strict=True):
        assert tuple(read_pairs(path, catalogue())) == pairs


@pytest.mark.parametrize("line", ["{", "[]", '{"query": "x"}', '{"query": "x", "lf": "(FLD"}'])
def test_a_damaged_file_is_refused_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    path.write_text(f'{{"query": "q", "lf": "(display FLD_YEAR)"}}\n{line}\n')
    with pytest.raises(FileFormatError, match="line 2: not a pair"):
        list(read_pairs(path))
