"""A corpus from a schema and a catalogue alone: the films of `tables.films`."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tables.films import FIELDS, catalogue

from grammax.automaton.walk import accepts_tokens
from grammax.tables.automata import table_automaton
from grammax.tables.catalogue.catalogue import Catalogue, Field, Value
from grammax.tables.corpus.corpus import Corpus, CorpusError, generate, leaks, role, skeleton
from grammax.tables.corpus.default import default_style
from grammax.tables.corpus.draw import Dice
from grammax.tables.corpus.numbers import Measures, Sums, Years
from grammax.tables.corpus.phraser import Phraser
from grammax.tables.corpus.plan import EnumConstraint, Plan
from grammax.tables.corpus.realise import Category, Name, Place, Scale
from grammax.tables.corpus.statistics import permitted_tokens, statistics
from grammax.tables.form.text import from_tokens
from grammax.tables.form.tree import FieldRef, Rank
from grammax.tables.form.typecheck import check
from grammax.tables.schema import Completions, Entity, EnumType, NumberType, Schema, Unit

EQUITY_WORDS = re.compile(
    r"compan|\bfirm|stock|equit|\bshare|ticker|market|\bcap\b|sector|industr|exchange|index"
    r"|dividend|p/e|rated|analyst|screen|listed|traded|domicile|headquarter|\bfy|fiscal|\$|€|£"
)


NAMED = re.compile("length|run(ning )?time|duration|year|grade|rating|director|genre|category")
"""The fields by which films are ranked and grouped."""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return generate(catalogue(), seed=0, train=1_000, test=150, hard=0)


def said(plan: Plan, count: int = 300) -> set[str]:
    """What a plan is worded as."""
    phraser, random = Phraser(catalogue(), default_style(catalogue())), Dice(0)
    return {phraser.say(plan, random).query.lower() for _ in range(count)}


def test_pairs_are_grammatical_and_well_typed(corpus: Corpus) -> None:
    automaton = table_automaton(catalogue(), "lr", typed=True)
    assert leaks(corpus) == ()
    for pair in (*corpus.train, *corpus.test):
        assert accepts_tokens(automaton, pair.tokens), pair.query
        assert check(pair.lf, catalogue()) == (), pair.query
        assert from_tokens(pair.tokens, catalogue()) == pair.lf


def test_no_query_speaks_of_equities(corpus: Corpus) -> None:
    for pair in (*corpus.train, *corpus.test):
        assert not EQUITY_WORDS.search(pair.query.lower()), pair.query


def test_no_query_asks_for_a_time_or_for_the_largest_alone(corpus: Corpus) -> None:
    for pair in corpus.train:
        assert "@" not in skeleton(pair.lf), pair.query
        if re.search(r"\b(largest|biggest|smallest)\b", pair.query.lower()):
            assert NAMED.search(pair.query.lower()), pair.query


def test_queries_are_tidy(corpus: Corpus) -> None:
    for pair in corpus.train:
        query = pair.query.lower()
        assert query == " ".join(query.split())
        assert not re.search(r"[{}]|\b(the|in|of|with|by|and|or|a|an) \1\b| ,|,,", query), query
        assert not re.search(r"\bwith a [aeio]|\b(dramas|comedies|thrillers) films", query), query


def test_every_construct_occurs(corpus: Corpus) -> None:
    found = statistics(corpus, catalogue(), {})
    train = found.splits[0]
    for construct in ("AND", "OR", "NOT", "display", "top", "bottom", "GE", "LS", "DESC"):
        assert train.constructs[construct] > 0.01, construct
    assert train.constructs["unit"] == train.constructs["time"] == 0


def test_every_value_and_field_is_asked_for(corpus: Corpus) -> None:
    assert {field.token for field in FIELDS} <= corpus.seen
    assert sum(token in corpus.seen for token in catalogue().values) > 0.9 * len(catalogue().values)


def test_the_words_mean_the_logical_form(corpus: Corpus) -> None:
    """Each value is named by one of its wordings."""
    for pair in corpus.train:
        for token in pair.tokens:
            if role(token, catalogue()) in ("field", "value") and token in catalogue().values:
                names = [name.lower() for name in catalogue().wordings(token)]
                assert any(name in pair.query.lower() for name in names), pair.query


def test_a_catalogue_without_unseen_fields_is_told() -> None:
    with pytest.raises(CorpusError, match=r"for unseen_fields only 0 .* or for no hard sets"):
        generate(catalogue(), seed=3, train=40, test=10, hard=5)


def test_the_same_seed_gives_the_same_corpus(corpus: Corpus) -> None:
    assert generate(catalogue(), seed=0, train=1_000, test=150, hard=0) == corpus
    assert generate(catalogue(), seed=1, train=1_000, test=150, hard=0) != corpus


def test_realisers_follow_from_the_types() -> None:
    style = default_style(catalogue())
    assert style.entities == ("films",)
    kinds = {type_: type(realiser) for type_, realiser in style.realisers.items()}
    assert kinds == {"GENRE": Category, "GRADE": Scale, "DIRECTOR": Name}
    assert {type_: type(made) for type_, made in style.numbers.items()} == {
        "MINUTES": Measures,
        "YEAR": Years,
    }


def test_a_category_is_a_noun_or_stands_before_one() -> None:
    drama = EnumConstraint("FLD_GENRE", "GENRE", ("GEN_DRAMA",))
    texts = said(Plan((drama,)))
    assert {"dramas", "drama films", "show me drama films"} <= texts
    excluded = said(Plan((replace(drama, negated=True),)), 1_000)
    assert {"films whose genre is not drama", "no drama"} <= excluded


def test_a_name_is_said_in_the_phrase_of_the_schema() -> None:
    director = EnumConstraint("FLD_DIRECTOR", "DIRECTOR", ("DIR_SOFIA_COPPOLA",))
    texts = said(Plan((director,)))
    assert {
        "films directed by sofia coppola",
        "films whose director is sofia coppola",
        "which films are directed by sofia coppola?",
    } <= texts
    assert "films not directed by sofia coppola" in said(Plan((replace(director, negated=True),)))


def test_a_scale_is_compared() -> None:
    grade = EnumConstraint("FLD_GRADE", "GRADE", ("GRD_PG",), "GE")
    texts = said(Plan((grade,)))
    assert {"grade >= pg", "films with a grade of at least pg"} <= texts
    assert any("with an mpa rating of pg or higher" in text for text in texts)


def test_a_rank_names_its_field_unless_it_is_the_measure() -> None:
    rank = Rank("top", 10, FieldRef("FLD_LENGTH"))
    assert all(NAMED.search(text) for text in said(Plan(rank=rank)))
    measured = catalogue(measure="FLD_LENGTH")
    phraser, random = Phraser(measured, default_style(measured)), Dice(0)
    texts = {phraser.say(Plan(rank=rank), random).query.lower() for _ in range(300)}
    assert {"largest 10 films", "biggest ten films", "top 10 films"} <= texts


def test_a_place_has_adjectives() -> None:
    schema = Schema(
        "wines",
        Entity("wine", "wines"),
        (EnumType("COUNTRY", "COU_", "country"),),
        (NumberType("PRICE", denominations=True, units=True, size=True),),
        unit=Unit("CURRENCY", "currency", "CUR_EUR", {"CUR_EUR": "€"}),
        completions=Completions(place="COUNTRY"),
    )
    schema = replace(schema, enums=(*schema.enums, EnumType("CURRENCY", "CUR_", "currency")))
    wines = Catalogue.from_entries(
        schema,
        [Field("FLD_COUNTRY", "COUNTRY", "Country"), Field("FLD_PRICE", "PRICE", "Price")],
        [
            Value("COU_FRANCE", "COUNTRY", "France", ("french",)),
            Value("COU_UNITED_STATES", "COUNTRY", "United States", ("american",)),
            Value("CUR_EUR", "CURRENCY", "Euro"),
        ],
    )
    style = default_style(wines)
    assert isinstance(style.realisers["COUNTRY"], Place)
    assert isinstance(style.numbers["PRICE"], Sums)
    made = generate(wines, train=300, test=20, hard=0)
    queries = " ; ".join(pair.query.lower() for pair in made.train)
    for words in ("french wines", "wines from france", "the united states"):
        assert words in queries, words
    assert re.search(r"€[\d.]+ ?(bn|b|m|million|billion)", queries)
    assert not EQUITY_WORDS.search(queries.replace("€", ""))


def test_without_enum_types_only_numbers_are_asked_for() -> None:
    style = default_style(catalogue())
    numbers_only = replace(style, drawing=replace(style.drawing, types={}, grouped=None))
    made = generate(catalogue(), numbers_only, train=60, test=5, hard=0)
    assert not any("enumValue" in str(pair.lf) for pair in made.train)


def test_without_numeric_fields_only_values_are_asked_for() -> None:
    style = replace(default_style(catalogue()), numbers={})
    made = generate(catalogue(), style, train=60, test=5, hard=0)
    for pair in made.train:
        assert not re.search(r"(?<!display )FLD_(LENGTH|YEAR)\b", str(pair.lf))


def test_permitted_tokens_are_counted_over_what_the_grammar_covers(corpus: Corpus) -> None:
    automaton = table_automaton(catalogue(), "lr", typed=True)
    found = permitted_tokens("lr", automaton, corpus.test)
    assert found.covered == len(corpus.test)
    assert found.steps == sum(len(pair.tokens) for pair in corpus.test)
    broken = [replace(pair, tokens=pair.tokens[:-1]) for pair in corpus.test]
    assert permitted_tokens("lr", automaton, broken).covered == 0
