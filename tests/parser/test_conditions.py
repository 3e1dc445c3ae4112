"""Queries with taught words are parsed whole: form, words, sources, batch and times agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import grammax
from grammax.parser import Parser
from grammax.tables.own.domain import BASE_MODEL
from grammax.tables.teach.words import teach_phrase, teach_row_name

pytestmark = pytest.mark.skipif(not BASE_MODEL.is_file(), reason="no model for tables is installed")

FILMS = Path(__file__).parents[2] / "examples" / "films.csv"
LONG = "(FLD_RUNTIME_MIN GR 150)"
GEM = "(FLD_RATING GE 7) (FLD_RATING LE 8.2) (FLD_COUNTRY NEQ enumValue(COU_USA))"


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parser]:
    from grammax.tables.own.folder import write_folder

    folder = tmp_path_factory.mktemp("taught") / "films"
    write_folder(folder, str(FILMS)).close()
    teach_phrase(folder, "epic", "runtime > 150")
    teach_phrase(folder, "hidden gem", "rating between 7 and 8.2 and country is not USA")
    teach_row_name(folder, "flick")
    with grammax.load(str(folder), compiled=False) as loaded:
        yield loaded


@pytest.mark.parametrize(
    ("query", "lf"),
    [
        ("epics", "(FLD_RUNTIME_MIN GR 150)"),
        ("show me epics that are not hidden gems", f"(AND {LONG} (NOT (AND {GEM})))"),
        ("how many epics per country", "(AND (FLD_RUNTIME_MIN GR 150) (by FLD_COUNTRY))"),
        ("the longest flick", "(top 1 FLD_RUNTIME_MIN)"),
        ("epic comedies since 1970",
         f"(AND {LONG} (FLD_GENRE EQ enumValue(GEN_COMEDY)) (FLD_RELEASED GE 1970))"),
        ("hidden gems by akira kurosawa",
         f"(AND {GEM} (FLD_DIRECTOR EQ enumValue(DIR_AKIRA_KUROSAWA)))"),
    ],
)  # fmt: skip
def test_a_phrase_adds_its_condition(parser: Parser, query: str, lf: str) -> None:
    found = parser.parse(query)
    assert (found.lf, found.text, found.abstains) == (lf, query, False)
    parser.domain.automaton(parser.domain.exact).read(found.tokens)
    each = (found.sources, found.permitted, found.scored, parser.step_seconds(query))
    assert {*map(len, each)} == {len(found.tokens)}
    assert {at for places in found.sources for at in places} <= {*range(len(found.words))}
    [batched] = parser.parse_batch([query])
    assert (batched.lf, batched.words) == (found.lf, found.words)


def test_tokens_come_from_the_words_that_were_typed(parser: Parser) -> None:
    found = parser.parse("German epics since 1970")
    assert found.words == ("german", "epics", "since", "1970")
    assert found.words_of(found.tokens.index("FLD_RUNTIME_MIN")) == ("epics",)
    assert found.words_of(found.tokens.index("COU_GERMANY")) == ("german",)
    assert found.words_of(found.tokens.index("FLD_RELEASED"))[0] in ("since", "1970")
    dropped = parser.parse("epic dramas by akira kurosawa")
    assert dropped.words[:2] == ("epic", "dramas")
    assert dropped.words_of(dropped.tokens.index("GEN_DRAMA")) == ("dramas",)


def test_words_that_are_not_understood_are_told_where_they_stand(parser: Parser) -> None:
    found = parser.parse("epics with explosions")
    assert [found.words[at] for at in found.uncovered] == ["explosions"]
    assert found.abstains


def test_conditions_that_exclude_one_another_are_told(parser: Parser) -> None:
    found = parser.parse("epics with runtime under 90")
    assert "The conditions exclude one another." in found.notices


def test_alternatives_have_the_condition_too(parser: Parser) -> None:
    found = parser.parse("epics from germany", best=3)
    assert all("FLD_RUNTIME_MIN GR 150" in each.lf for each in found.best)
    assert found.best[0].lf == found.lf
