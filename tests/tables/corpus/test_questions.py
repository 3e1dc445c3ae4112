"""Questions about any table: what is asked of each class, and laws over random tables."""

from __future__ import annotations

import string
from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from tables.corpus.tables import hotels, orders, students, table

from grammax.automaton.walk import accepts_tokens
from grammax.language.domain import Pair
from grammax.model.config import ModelConfig
from grammax.model.header import new_reader
from grammax.reading.words import WordVocabulary
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.corpus.corpus import Corpus, generate, leaks
from grammax.tables.corpus.default import default_style
from grammax.tables.corpus.draw import Dice
from grammax.tables.corpus.phrase import Phrase
from grammax.tables.corpus.questions.mix import QuestionMix
from grammax.tables.corpus.questions.phraser import QuestionPhraser
from grammax.tables.corpus.style import voice_over
from grammax.tables.domain import TableDomain
from grammax.tables.form.text import from_tokens
from grammax.tables.form.typecheck import check
from grammax.training.examples import UntrainablePair, trainable

TABLES = {"hotels": hotels, "students": students, "orders": orders}
SMALL = {
    "students": lambda: table(
        ("student", "students"),
        {"Name": ("NAME", ["Anna"]), "Age": ("AGE", []), "Gender": ("CATEGORY", ["male"])},
    ),
    "majors": lambda: table(
        ("student", "students"),
        {"Major": ("CATEGORY", ["Art"]), "GPA": ("RATING", []), "Height": ("PHYSICAL", [])},
    ),
    "hotels": lambda: table(
        ("hotel", "hotels"),
        {
            "Name": ("NAME", ["The Ritz"]),
            "City": ("PLACE", ["Paris"]),
            "Price": ("MONEY", []),
            "Parking": ("BOOLEAN", ["yes", "no"]),
        },
    ),
    "rooms": lambda: table(
        ("hotel", "hotels"),
        {
            "Rooms": ("COUNT", []),
            "Stars": ("RATING", []),
            "Pets allowed": ("BOOLEAN", ["yes", "no"]),
            "Year built": ("YEAR", []),
        },
    ),
    "orders": lambda: table(
        ("order", "orders"),
        {
            "Order date": ("DATE", []),
            "Amount": ("MONEY", []),
            "Country": ("PLACE", ["Brazil"]),
            "Shipper": ("ORGANISATION", ["United Package"]),
        },
        measure="FLD_AMOUNT",
    ),
}
NUMBERS = ("MONEY", "COUNT", "RATING", "RANK", "PERCENT", "RATIO", "DURATION", "AGE", "YEAR",
           "PHYSICAL", "NUMBER", "DATE")  # fmt: skip
NAMED = ("CATEGORY", "BOOLEAN", "PERSON", "ORGANISATION", "PLACE", "NAME", "CODE")
NAMES = ("Price", "Age", "Country", "Genre", "Date of birth", "Weight (kg)", "Number of seats",
         "Length of stay", "Director", "Score", "Rank", "Year", "Owner", "Share", "Type", "Code",
         "Team", "Salary", "Kind of food", "Title")  # fmt: skip
VALUES = ("Aberdeen", "Brigitte Meyer", "crimson", "Quito", "Zeta-4", "Mercury & Sons", "Lagos",
          "north-west", "Ostrava", "Kimono", "violet", "Tomás Ruiz")  # fmt: skip


def phrases(catalogue: Catalogue, count: int, mix: QuestionMix | None = None) -> Iterable[Phrase]:
    words = voice_over(catalogue, default_style(catalogue)).words
    phraser, dice = QuestionPhraser(words, mix or QuestionMix()), Dice(0)
    return [phraser.phrase(dice) for _ in range(count)]


@cache
def asked(name: str) -> dict[str, set[str]]:
    """What is asked of a small table, by logical form."""
    found: dict[str, set[str]] = {}
    for phrase in phrases(SMALL[name](), 30_000):
        found.setdefault(str(phrase.lf), set()).add(phrase.query.lower().rstrip("?."))
    return found


def refused(catalogue: Catalogue, corpus: Corpus) -> list[UntrainablePair]:
    """The pairs that a reader of the table does not make available."""
    domain = TableDomain(catalogue)
    reader = new_reader(ModelConfig(filled=True), domain, WordVocabulary([]))
    pairs = [Pair(pair.query, pair.tokens) for pair in corpus.train]
    return trainable(pairs, reader, domain.automaton("filled"), True)[1]


# What people say, by class


@pytest.mark.parametrize(
    ("name", "lf", "queries"),
    [
        # ages, in the singular and the plural
        ("students", "(top 1 FLD_AGE)", ["the oldest student", "which student is the oldest"]),
        ("students", "(bottom 1 FLD_AGE)", ["the youngest student"]),
        ("students", "(top FLD_AGE)", ["the oldest students"]),
        ("students", "(FLD_AGE GR (average FLD_AGE))", ["students older than average"]),
        # physical measures and ratings
        ("majors", "(top 1 FLD_HEIGHT)", ["the tallest student"]),
        ("majors", "(top 1 FLD_GPA)", ["the best student", "which student has the best gpa"]),
        ("majors", "(average FLD_GPA)", ["average gpa", "what is the average gpa"]),
        # money
        ("hotels", "(bottom 1 FLD_PRICE)", ["the cheapest hotel", "which hotel is the cheapest"]),
        ("hotels", "(top FLD_PRICE)", ["the most expensive hotels"]),
        ("hotels", "(bottom 3 FLD_PRICE)", ["3 cheapest hotels"]),
        ("orders", "(top 1 FLD_AMOUNT)", ["the largest order"]),
        ("orders", "(sum FLD_AMOUNT)", ["total amount"]),
        # counts
        ("rooms", "(top 1 FLD_ROOMS)", ["the hotel with the most rooms"]),
        ("rooms", "(FLD_ROOMS EQ 0)", ["hotels without rooms"]),
        # dates and years
        ("orders", "(top 1 FLD_ORDER_DATE)", ["the latest order", "the most recent order"]),
        ("orders", "(bottom 1 FLD_ORDER_DATE)", ["the first order"]),
        ("orders", "(FLD_ORDER_DATE EQ LAST MONTH)", ["last month"]),
        ("orders", "(by YEAR)", ["orders by year"]),
        ("rooms", "(top 1 FLD_YEAR_BUILT)", ["the newest hotel"]),
        # places, categories, people and organisations
        ("hotels", "(FLD_CITY EQ enumValue(V1_PARIS_0))", ["hotels in paris", "paris hotels"]),
        ("hotels", "(NOT (FLD_CITY EQ enumValue(V1_PARIS_0)))", ["hotels not in paris"]),
        ("students", "(FLD_GENDER EQ enumValue(V2_MALE_0))", ["male students"]),
        ("majors", "(FLD_MAJOR EQ enumValue(V0_ART_0))", ["students studying art"]),
        ("orders", "(FLD_SHIPPER EQ enumValue(V3_UNITED_PACKAGE_0))",
         ["orders shipped by united package"]),
        # booleans
        ("hotels", "(FLD_PARKING EQ enumValue(V3_YES_0))", ["hotels with parking"]),
        ("hotels", "(FLD_PARKING EQ enumValue(V3_NO_1))", ["hotels without parking"]),
        ("rooms", "(FLD_PETS_ALLOWED EQ enumValue(V2_YES_0))", ["hotels that allow pets"]),
        # columns
        ("students", "(display FLD_NAME)", ["list all students", "show me all students"]),
        ("students", "(AND (top 1 FLD_AGE) (display FLD_NAME))",
         ["what is the name of the oldest student"]),
        ("hotels", "(AND (FLD_NAME EQ enumValue(V0_THE_RITZ_0)) (display FLD_CITY))",
         ["where is the ritz", "the ritz's city"]),
        ("students", "(AND (FLD_NAME EQ enumValue(V0_ANNA_0)) (display FLD_AGE))",
         ["how old is anna", "what is the age of anna"]),
        ("majors", "(AND (display FLD_GPA) (display FLD_HEIGHT))", ["gpa vs height"]),
        # counts of rows and of values
        ("students", "(count)", ["how many students are there", "number of students"]),
        ("hotels", "(count FLD_CITY)", ["how many different cities are there"]),
        ("students", "(AND (FLD_GENDER EQ enumValue(V2_MALE_0)) (count))",
         ["how many male students", "number of male students"]),
        # groups
        ("majors", "(by FLD_MAJOR)", ["number of students by major", "students per major"]),
        ("hotels", "(AND (average FLD_PRICE) (by FLD_CITY))", ["average price per city"]),
        ("orders", "(AND (sum FLD_AMOUNT) (by FLD_COUNTRY))", ["amount by country"]),
        ("majors", "(AND (top 1 (count)) (by FLD_MAJOR))",
         ["which major has the most students", "most common major"]),
        ("majors", "(AND ((count) GR 3) (by FLD_MAJOR))", ["with more than 3 students"]),
    ],
)  # fmt: skip
def test_what_is_said(name: str, lf: str, queries: list[str]) -> None:
    found = asked(name).get(lf, set())
    for query in queries:
        assert any(query in text for text in found), sorted(found)


@pytest.mark.parametrize("name", TABLES)
def test_what_is_meant_can_be_predicted(name: str) -> None:
    catalogue = TABLES[name]()
    corpus = generate(catalogue, default_style(catalogue), train=800, test=0, hard=0)
    found = refused(catalogue, corpus)
    assert len(found) < 0.02 * len(corpus.train), found[:5]


def test_kinds_of_questions_can_be_left_out() -> None:
    mix = QuestionMix(groups=0, ranked_groups=0, filtered_groups=0, counts=0)
    for phrase in phrases(students(), 500, mix):
        assert "(by " not in str(phrase.lf), phrase


# Laws


@some.composite
def columns(draw: some.DrawFn, names: some.SearchStrategy[str]) -> dict[str, tuple[str, list[str]]]:
    """Columns of any classes, with some values where these are named."""
    found: dict[str, tuple[str, list[str]]] = {}
    for name in draw(some.lists(names, min_size=1, max_size=8, unique_by=str.lower)):
        semantic = draw(some.sampled_from((*NUMBERS, *NAMED)))
        values: list[str] = []
        if semantic == "BOOLEAN":
            values = ["yes", "no"]
        elif semantic in NAMED:
            values = draw(some.lists(some.sampled_from(VALUES), min_size=1, unique=True))
        found[name] = (semantic, values)
    return found


ODD = some.text(
    string.ascii_letters + string.digits + " _;'%{}-名é", min_size=1, max_size=12
).filter(lambda name: name.strip() == name)
EXAMPLES = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # an example builds a grammar


@EXAMPLES
@given(columns(some.one_of(some.sampled_from(NAMES), ODD)))
def test_pairs_of_any_table_are_grammatical_and_well_typed(
    given_columns: dict[str, tuple[str, list[str]]],
) -> None:
    catalogue = table(("thing", "things"), given_columns)
    corpus = generate(catalogue, default_style(catalogue), train=60, test=10, hard=2)
    automaton = TableDomain(catalogue).automaton("lr")
    assert len(corpus.train) == 60
    assert leaks(corpus) == ()
    for pairs in corpus.splits.values():
        for pair in pairs:
            assert accepts_tokens(automaton, pair.tokens), pair
            assert check(pair.lf, catalogue) == (), pair
            assert from_tokens(pair.tokens, catalogue) == pair.lf
            assert pair.query == " ".join(pair.query.split())


@EXAMPLES
@given(columns(some.sampled_from(NAMES)))
def test_pairs_of_any_table_can_be_predicted(
    given_columns: dict[str, tuple[str, list[str]]],
) -> None:
    catalogue = table(("thing", "things"), given_columns)
    corpus = generate(catalogue, default_style(catalogue), train=80, test=0, hard=0)
    found = refused(catalogue, corpus)
    assert len(found) <= 8, found[:4]


def test_the_same_seed_gives_the_same_questions() -> None:
    style = default_style(orders())
    made = [generate(orders(), style, seed, train=80, test=10, hard=0) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_a_table_with_one_value_has_few_questions() -> None:
    """What cannot be found is left out; nothing is raised, and nothing takes forever."""
    single = table(("thing", "things"), {"Kind": ("CATEGORY", ["a"])})
    made = generate(single, default_style(single), train=3_000, test=5, hard=5)
    assert 100 < len(made.train) <= 3_000
    assert made.unseen_fields == ()
