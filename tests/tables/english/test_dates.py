"""English of tables whose dates are fields."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammax.grammar import Sampler
from grammax.tables import grammar as grammars
from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.english.paraphrase import paraphrase
from grammax.tables.form.text import from_tokens, read
from grammax.tables.schema import Entity, EnumType, NumberType, Schema

SCHEMA = Schema(
    "films",
    Entity("film", "films", key="title"),
    (EnumType("GENRE", "GEN_", "genre"),),
    (
        NumberType("MINUTES", unit="minutes", semantic="DURATION"),
        NumberType("MONEY", denominations=True, semantic="MONEY"),
        NumberType("SHARE", semantic="PERCENT", unit="percent"),
        NumberType("YEAR", semantic="YEAR"),
        NumberType("DATE", dates=True, semantic="DATE"),
    ),
    history=False,
    date="FLD_RELEASED",
)
CATALOGUE = Catalogue.from_entries(
    SCHEMA,
    (
        Field("FLD_GENRE", "GENRE", "Genre"),
        Field("FLD_LENGTH", "MINUTES", "Length"),
        Field("FLD_BUDGET", "MONEY", "Budget", unit="$"),
        Field("FLD_SCORE", "SHARE", "Score"),
        Field("FLD_REMADE", "YEAR", "Remake"),
        Field("FLD_RELEASED", "DATE", "Release date", ("released",)),
        Field("FLD_ADDED", "DATE", "Date added"),
    ),
    (Value("GEN_WAR", "GENRE", "War"),),
)
SAID = """
(FLD_RELEASED GR 2018 JUN 3)
films released after 3 June 2018

(FLD_RELEASED EQ 2018 JUN 3)
films released on 3 June 2018

(NOT (FLD_RELEASED EQ 2018))
films not released in 2018

(AND (FLD_RELEASED GE 2018) (FLD_GENRE EQ GEN_WAR))
films released 2018 or later whose genre is War

(OR (FLD_RELEASED LS 2018) (FLD_GENRE EQ GEN_WAR))
films that were released before 2018 or whose genre is War

(FLD_ADDED EQ LAST 3 MONTH)
films whose date added is in the last 3 months

(FLD_ADDED LS LAST 3 MONTH)
films whose date added is before the last 3 months

(FLD_ADDED LE LAST 3 MONTH)
films whose date added is in the last 3 months or earlier

(FLD_RELEASED EQ LAST DAY)
films released yesterday

(FLD_RELEASED LS FLD_ADDED)
films released before their date added

(FLD_ADDED EQ (max FLD_ADDED))
films whose date added is the latest date added

(FLD_LENGTH GR (average FLD_LENGTH))
films whose length is above the average length

(top 1 FLD_RELEASED)
the latest film by release date

(bottom 3 FLD_ADDED)
the 3 earliest films by date added

(top FLD_RELEASED)
films by release date, latest first

(AND (display FLD_RELEASED ASC) (display FLD_REMADE DESC))
all films, showing release date and remake, sorted by release date, earliest first, then by remake, latest first

(FLD_REMADE GR 1999)
films whose remake is after 1999

(FLD_BUDGET GR 2.5 MILLION)
films whose budget is above $2.5 million

(FLD_SCORE LS 40)
films whose score is below 40%

(AND (count FLD_GENRE) (by YEAR))
the number of different genres of films by year

(AND (top 1 (count FLD_GENRE)) (by FLD_LENGTH))
the number of different genres of films by length, only the length with the most different genres

(AND (bottom (max FLD_RELEASED)) (by FLD_GENRE))
the latest release date of films by genre, earliest first

(AND (top 2 (max FLD_RELEASED)) (by FLD_GENRE))
the latest release date of films by genre, only the 2 genres with the latest release date

((min FLD_RELEASED) GR 2017)
the earliest release date of films, only if the earliest release date is after 2017
"""  # noqa: E501
PAIRS = [tuple(pair.split("\n")) for pair in SAID.strip().split("\n\n")]


@pytest.mark.parametrize(("form", "said"), PAIRS)
def test_paraphrases(form: str, said: str) -> None:
    assert paraphrase(read(form, CATALOGUE), CATALOGUE) == said


@settings(deadline=None, max_examples=200)
@given(st.randoms(use_true_random=False))
def test_every_form_has_a_paraphrase(random: object) -> None:
    sampler = Sampler(grammars.grammar(CATALOGUE.lexicon), max_depth=5, max_tokens=40)
    lf = from_tokens(sampler.draw(random), CATALOGUE)  # type: ignore[arg-type]
    said = paraphrase(lf, CATALOGUE)
    assert "film" in said
    assert "FLD_" not in said
    assert "_" not in said
