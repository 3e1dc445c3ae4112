"""What a correction offers to remember: the word that was not understood, and what it means."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from grammax.tables.domain import TableDomain
from grammax.tables.own.folder import open_named
from grammax.tables.teach.offers import offers

from .folders import films


@dataclass(frozen=True)
class Read:
    """A reading of a query."""

    words: tuple[str, ...]
    tokens: tuple[str, ...]
    uncovered: tuple[int, ...] = ()
    sources: tuple[tuple[int, ...], ...] = ()
    typos: tuple[tuple[int, str], ...] = ()


@pytest.fixture(scope="module")
def domain(tmp_path_factory: pytest.TempPathFactory) -> TableDomain:
    with open_named(str(films(tmp_path_factory.mktemp("offers")))) as table:
        return table.domain()


def offered(
    domain: TableDomain, query: str, lf: str, corrected: str, lost: str = "", **named: str
) -> list[tuple[str, str, str, str]]:
    """The offers; `named` has the words that tokens came from."""
    words, tokens = tuple(query.split()), domain.read(lf)
    uncovered = tuple(words.index(word) for word in lost.split())
    sources = tuple((words.index(named[t]),) if t in named else () for t in tokens)
    return [
        tuple(each)
        for each in offers(domain, Read(words, tokens, uncovered, sources), domain.read(corrected))
    ]


def test_a_word_that_was_not_understood_names_a_new_column(domain: TableDomain) -> None:
    found = offered(
        domain, "average reel spell", "(average FLD_RATING)", "(average FLD_RUNTIME_MIN)",
        lost="reel spell",
    )  # fmt: skip
    assert found == [("reel spell", "FLD_RUNTIME_MIN", "", "runtime")]


def test_a_word_that_was_not_understood_names_a_new_value(domain: TableDomain) -> None:
    found = offered(
        domain, "stateside films", "(display FLD_TITLE)", "(FLD_COUNTRY EQ COU_USA)", "stateside"
    )
    assert found == [("stateside", "COU_USA", "FLD_COUNTRY", "USA (country)")]


def test_a_word_that_was_taken_for_another_value_names_the_new_one(domain: TableDomain) -> None:
    found = offered(
        domain, "teutonic films", "(FLD_COUNTRY EQ COU_ITALY)", "(FLD_COUNTRY EQ COU_GERMANY)",
        COU_ITALY="teutonic",
    )  # fmt: skip
    assert found == [("teutonic", "COU_GERMANY", "FLD_COUNTRY", "Germany (country)")]


def test_a_word_that_the_form_does_not_need_names_a_row(domain: TableDomain) -> None:
    form = "(FLD_COUNTRY EQ COU_GERMANY)"
    assert offered(domain, "flicks from germany", form, form, "flicks") == [
        ("flicks", "", "", "film")
    ]


def test_a_typo_is_offered_as_it_was_typed(domain: TableDomain) -> None:
    tokens = domain.read("(top 1 FLD_RATING)")
    reading = Read(("the", "best", "flack"), tokens, (2,), ((),) * len(tokens), ((2, "flick"),))
    assert offers(domain, reading, tokens)[0].word == "flick"


@pytest.mark.parametrize(
    ("query", "lost", "named"),
    [
        ("rating of alien", "", {"FLD_RATING": "rating"}),  # it is called so
        ("the best of 7", "the of 7", {}),  # these say nothing
        ("the one with droids robots replicants androids", "droids robots replicants androids", {}),
    ],
)
def test_other_words_are_not_offered(
    domain: TableDomain, query: str, lost: str, named: dict[str, str]
) -> None:
    assert not offered(domain, query, "(display FLD_RATING)", "(display FLD_GROSS)", lost, **named)
