"""Follow-ups about a table that nobody described: its own words, dates and texts."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.data.tables import needs_model

import grammax
from grammax.reading.parse import QueryNotice
from grammax.tables.domain import TableDomain
from grammax.tables.edits.changes import with_condition, with_number
from grammax.tables.edits.said import follow_up_edit
from grammax.tables.edits.validity import BadEdit

pytestmark = needs_model
FILMS = Path(__file__).parents[3] / "examples" / "films.csv"
DRAMAS = "(FLD_GENRE EQ enumValue(GEN_DRAMA))"
GERMAN = "(FLD_COUNTRY EQ enumValue(COU_GERMANY))"


@pytest.fixture(scope="module")
def parser() -> Iterator[grammax.Parser]:
    with grammax.load(str(FILMS)) as opened:
        yield opened


def after(parser: grammax.Parser, *texts: str, lf: str = f"(AND {DRAMAS} {GERMAN})") -> str:
    domain = parser.domain
    assert isinstance(domain, TableDomain)
    tokens = domain.read(lf)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        for text in texts:
            tokens = follow_up_edit(domain, tokens, text, lambda said: parser.parse(said))
    return domain.text(tokens)


@pytest.mark.parametrize(
    ("texts", "lf"),
    [
        (("comedies instead",), f"(AND (FLD_GENRE EQ enumValue(GEN_COMEDY)) {GERMAN})"),
        (
            ("what about japanese comedies",),
            "(AND (FLD_GENRE EQ enumValue(GEN_COMEDY)) (FLD_COUNTRY EQ enumValue(COU_JAPAN)))",
        ),
        (
            ("after 1950", "before 1980"),
            f"(AND {DRAMAS} {GERMAN} (FLD_RELEASED GR 1950) (FLD_RELEASED LS 1980))",
        ),
        (
            ("longer than 2 hours", "under 3 hours"),
            f"(AND {DRAMAS} {GERMAN} (FLD_RUNTIME_MIN GR 120) (FLD_RUNTIME_MIN LS 180))",
        ),
        (("rated above 8", "above 8.3"), f"(AND {DRAMAS} {GERMAN} (FLD_RATING GR 8.3))"),
        (
            ("sort by rating", "top 3", "just 5"),
            f"(AND {DRAMAS} {GERMAN} (display FLD_RATING) (top 5 FLD_RATING))",
        ),
        (("sort by title",), f"(AND {DRAMAS} {GERMAN} (display FLD_TITLE ASC))"),
        (("not in color",), f"(AND {DRAMAS} {GERMAN} (FLD_IN_COLOR EQ enumValue(IN_COLOR_FALSE)))"),
        (("in color only",), f"(AND {DRAMAS} {GERMAN} (FLD_IN_COLOR EQ enumValue(IN_COLOR_TRUE)))"),
        (("only color",), f"(AND {DRAMAS} {GERMAN} (FLD_IN_COLOR EQ enumValue(IN_COLOR_TRUE)))"),
        (("remove the genre",), GERMAN),
        (("any country",), DRAMAS),
        (
            ("with their director", "and the runtime", "hide the director"),
            f"(AND {DRAMAS} {GERMAN} (display FLD_RUNTIME_MIN))",
        ),
    ],
)
def test_a_follow_up_edits_a_form_of_any_table(
    parser: grammax.Parser, texts: tuple[str, ...], lf: str
) -> None:
    assert after(parser, *texts) == lf


JAPANESE = "(FLD_COUNTRY EQ enumValue(COU_JAPAN))"
AMERICAN = "(FLD_COUNTRY EQ enumValue(COU_USA))"
NINETIES = "(AND (FLD_RELEASED GE 1990) (FLD_RELEASED LE 1999))"
SEVENTIES = "(AND (FLD_RELEASED GE 1970) (FLD_RELEASED LE 1979))"
BEST = "(FLD_RATING GR 8)"


@pytest.mark.parametrize(
    ("lf", "text", "wanted"),
    [
        (JAPANESE, "or usa", f"(OR {JAPANESE} {AMERICAN})"),
        (JAPANESE, "plus germany", f"(OR {JAPANESE} {GERMAN})"),
        (JAPANESE, "or usa or germany", f"(OR (OR {JAPANESE} {AMERICAN}) {GERMAN})"),
        (f"(OR {JAPANESE} {AMERICAN})", "or usa or germany", None),
        (NINETIES, "or the 70s", f"(OR {NINETIES} {SEVENTIES})"),
        (NINETIES, "or before 1930", f"(OR {NINETIES} (FLD_RELEASED LS 1930))"),
        (BEST, "or below 3", f"(OR {BEST} (FLD_RATING LS 3))"),
        (DRAMAS, "or from japan", f"(OR {DRAMAS} {JAPANESE})"),
    ],
)
def test_what_widens_keeps_what_was_there(
    parser: grammax.Parser, lf: str, text: str, wanted: str | None
) -> None:
    assert after(parser, text, lf=lf) == (wanted or f"(OR {lf} {GERMAN})")


def test_another_choice_needs_one_to_be_another_of(parser: grammax.Parser) -> None:
    with pytest.raises(BadEdit, match="another choice"):
        after(parser, "or rated above 8", lf=f"(AND {DRAMAS} {JAPANESE})")


@pytest.mark.parametrize("text", ["from the 80s", "between 1980 and 1989"])
def test_a_period_is_compared_with_a_date(parser: grammax.Parser, text: str) -> None:
    eighties = "(FLD_RELEASED GE 1980) (FLD_RELEASED LE 1989)"
    assert after(parser, text, lf=BEST) == f"(AND {BEST} {eighties})"


def test_a_summary_takes_columns_and_orders_away(parser: grammax.Parser) -> None:
    shown = f"(AND {DRAMAS} (display FLD_TITLE) (display FLD_RATING DESC))"
    assert after(parser, "how many", lf=shown) == f"(AND {DRAMAS} (count))"
    assert after(parser, "average rating", lf=shown) == f"(AND {DRAMAS} (average FLD_RATING))"
    top = f"(AND {DRAMAS} (top 5 FLD_RATING))"
    assert after(parser, "how many", lf=top) == f"(AND {DRAMAS} (count))"
    assert after(parser, "average rating", lf=top) == f"(AND {top[5:-1]} (average FLD_RATING))"
    grouped = f"(AND {DRAMAS} (top 5 FLD_RATING) (by FLD_COUNTRY))"
    assert after(parser, "how many", lf=grouped) == f"{grouped[:-1]} (count))"
    counted = f"(AND {DRAMAS} (count))"
    assert after(parser, "show the title", lf=counted) == f"(AND {DRAMAS} (display FLD_TITLE))"


def test_what_is_not_understood_says_so(parser: grammax.Parser) -> None:
    with pytest.raises(BadEdit, match="weather"):
        after(parser, "what is the weather")
    with pytest.raises(BadEdit, match="at most 30 words"):
        after(parser, "now french " * 16)
    with pytest.raises(BadEdit, match="It has Genre, Drama, Country, Germany"):
        after(parser, "remove the budget")


@pytest.mark.parametrize(
    ("condition", "lf"),
    [
        (("FLD_RUNTIME_MIN", "GR", "2 hours"), "(FLD_RUNTIME_MIN GR 120)"),
        (("FLD_RELEASED", "GE", "june 1950"), "(FLD_RELEASED GE 1950 JUN)"),
        (("FLD_RELEASED", "LS", "2020"), "(FLD_RELEASED LS 2020)"),
        (("FLD_TITLE", "CONTAINS", 'star "wars"'), '(FLD_TITLE CONTAINS "star \\"wars")'),
    ],
)
def test_conditions_are_typed_as_people_write_them(
    parser: grammax.Parser, condition: tuple[str, str, str], lf: str
) -> None:
    domain = parser.domain
    assert isinstance(domain, TableDomain)
    assert domain.text(with_condition(domain, domain.read(GERMAN), *condition)) == (
        f"(AND {GERMAN} {lf})"
    )


@pytest.mark.parametrize(
    ("place", "text", "lf"),
    [
        (3, "1960", "(FLD_RELEASED GE 1960 JUN)"),
        (7, "march 1960", "(FLD_RELEASED GE 1960 MAR)"),
        (3, "3 march 1960", "(FLD_RELEASED GE 1960 MAR 3)"),
    ],
)
def test_times_are_replaced(parser: grammax.Parser, place: int, text: str, lf: str) -> None:
    domain = parser.domain
    assert isinstance(domain, TableDomain)
    tokens = domain.read("(FLD_RELEASED GE 1950 JUN)")
    assert domain.text(with_number(domain, tokens, place, text)) == lf


def test_a_number_that_is_refused_is_written_as_people_write_it(parser: grammax.Parser) -> None:
    domain = parser.domain
    assert isinstance(domain, TableDomain)
    with pytest.raises(BadEdit, match=r"in place of 250,000[.]"):
        with_number(domain, domain.read("(FLD_RUNTIME_MIN GR 250000)"), 3, "qq")
    with pytest.raises(BadEdit, match=r"in place of 2[.]5[.]"):
        with_number(domain, domain.read("(FLD_RUNTIME_MIN GR 2.5)"), 3, "qq")
