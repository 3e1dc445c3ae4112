"""Queries read like what people type, and their words say what their logical forms mean."""

from __future__ import annotations

import re
from random import Random

import pytest

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.keys import key
from grammax.tables.corpus.bounds import telegraphic
from grammax.tables.corpus.draw import Pools, Zipf, pick
from grammax.tables.corpus.names import Names, names_of
from grammax.tables.corpus.numbers import SMALL, amount
from grammax.tables.corpus.phraser import Phrase, Phraser
from grammax.tables.corpus.plan import Bound, Kind, Plan
from grammax.tables.corpus.times import bare_time, draw_time, time_phrase
from grammax.tables.form.tree import Display, FieldRef, Number, Percent

NEGATIONS = re.compile(r"\b(not|non|ex|excluding|except|outside|no)\b")
MONEY = ("FLD_MKT_CAP", "FLD_PRICE", "FLD_PE_RATIO", "FLD_DIVIDEND_YIELD", "FLD_EMPLOYEES")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def names(catalogue: Catalogue) -> Names:
    return names_of(catalogue)


@pytest.fixture(scope="module")
def pools(names: Names) -> Pools:
    return Pools(names)


@pytest.fixture(scope="module")
def phraser(catalogue: Catalogue) -> Phraser:
    return Phraser(catalogue)


@pytest.fixture(scope="module")
def phrases(phraser: Phraser) -> list[Phrase]:
    random = Random(3)
    return [phraser.phrase(random) for _ in range(4_000)]


def test_there_are_far_more_than_sixty_structures_of_both_styles(phrases: list[Phrase]) -> None:
    short = {p.structure for p in phrases if p.structure.startswith("short[")}
    long = {p.structure for p in phrases} - short
    assert len(short) > 600
    assert len(long) > 600
    frames = {structure.partition("[")[0] for structure in long}
    assert len(frames) > 30


def test_no_two_phrases_of_one_wording_mean_different_things(phrases: list[Phrase]) -> None:
    meant: dict[str, object] = {}
    for phrase in phrases:
        assert meant.setdefault(phrase.query.casefold().rstrip("?"), phrase.lf) == phrase.lf


def test_negation_is_in_the_words_if_it_is_in_the_logical_form(phrases: list[Phrase]) -> None:
    negated = [phrase for phrase in phrases if "NOT" in str(phrase.lf)]
    assert len(negated) > 200
    for phrase in negated:
        assert NEGATIONS.search(phrase.query.lower()), phrase.query


def test_alternatives_are_in_the_words_if_in_the_logical_form(phrases: list[Phrase]) -> None:
    for phrase in phrases:
        if "(OR" in str(phrase.lf):
            assert re.search(r"\bor\b|/| and ", phrase.query.lower()), phrase.query


def test_ranks_are_in_the_words_if_in_the_logical_form(phrases: list[Phrase]) -> None:
    word = r"\b(top|bottom|largest|biggest|smallest|highest|lowest)\b"
    for phrase in phrases:
        rank = re.search(r"\((top|bottom) (\d+)", str(phrase.lf))
        if rank:
            said = {rank[2], SMALL[int(rank[2]) - 1] if int(rank[2]) <= 12 else rank[2]}
            assert re.search(word, phrase.query.lower()), phrase.query
            assert said & set(re.findall(r"\w+", phrase.query.lower())), phrase.query


def test_queries_are_tidy(phrases: list[Phrase]) -> None:
    for phrase in phrases:
        query = phrase.query.lower()
        assert query == " ".join(query.split())
        assert not re.search(r"[{}]|\b(the|in|of|with|by|and|or|a|an) \1\b| ,|,,", query), query
        assert not re.search(r"\bwith a [aeio]|\bgics \d", query), query


def test_the_paper_s_figure_one_is_in_the_order_of_the_plan(catalogue: Catalogue) -> None:
    order = {name: place for place, name in enumerate(catalogue.value_types)}
    steel = Plan(
        (
            Kind("FLD_EQS_SECTOR", "SECTOR", ("SEC_GICS_STEEL",)),
            Kind("FLD_DOMICILE", "COUNTRY", ("COU_WESTERN_EUROPE",)),
            Kind("FLD_DOMICILE", "COUNTRY", ("COU_GERMANY",), negated=True),
        )
    )
    assert str(steel.lf(order)) == (
        "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY)))"
        " (FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))"
        " (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
    )
    index = Kind("FLD_INDEX", "INDEX", ("IDX_SP500",))
    shown = Plan((index,), columns=(FieldRef("FLD_RETURN_ON_CAP"),))
    assert str(shown.lf(order)) == (
        "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_RETURN_ON_CAP))"
    )


def test_the_sorting_column_comes_last_and_between_is_two_comparisons() -> None:
    bound = Bound(
        FieldRef("FLD_PE_RATIO"), "RATIO", "GE", (Number("10"), Number("15")), ("10", "15")
    )
    plan = Plan(bounds=(bound,), sort=Display(FieldRef("FLD_EPS"), "ASC"))
    assert str(plan.lf({})) == (
        "(AND (FLD_PE_RATIO GE 10) (FLD_PE_RATIO LE 15) (display FLD_EPS ASC))"
    )


@pytest.mark.parametrize(
    ("token", "word"),
    [
        ("SEC_GICS_BANKS_INDUSTRY", "banks"),
        ("SEC_GICS_ENERGY_GROUP", "energy"),
        ("FCH_AAA", "xyz"),
    ],
)
def test_a_shared_wording_names_only_the_most_common_token(
    names: Names, token: str, word: str
) -> None:
    assert word not in names.value(token)


def test_every_wording_that_is_used_leads_back_to_its_token(names: Names) -> None:
    first: dict[tuple[str, str], str] = {}
    for token in names.catalogue.ranking:
        for word in names.catalogue.wordings(token):
            first.setdefault((token[:3], key(word)), token)
    for token in names.catalogue.ranking[:6_000]:
        wordings = names.field(token) if token in names.catalogue.fields else names.value(token)
        for word in wordings:
            assert first[token[:3], key(word)] == token, (token, word)


def test_countries_have_adjectives_and_names(names: Names) -> None:
    assert names.adjectives("COU_GERMANY") == ("german",)
    assert names.places("COU_GERMANY") == ("Germany",)
    assert "hongkong" in names.adjectives("COU_HONG_KONG")
    assert "us" in names.places("COU_UNITED_STATES")
    assert "de" not in names.value("COU_GERMANY")


@pytest.mark.parametrize("token", MONEY)
def test_numbers_are_said_with_the_digits_that_are_meant(
    token: str, catalogue: Catalogue, pools: Pools
) -> None:
    random = Random(1)
    for _ in range(300):
        said, value = amount(catalogue.fields[token], pools, random)
        assert isinstance(value, Number | Percent)
        spelt = SMALL[int(value.digits) - 1] if value.digits in map(str, range(1, 13)) else "-"
        assert value.digits in said.replace(",", "") or spelt in said


def test_numbers_are_written_in_many_ways(catalogue: Catalogue, pools: Pools) -> None:
    random = Random(2)
    fields = [catalogue.fields[token] for token in MONEY]
    said = {amount(pick(random, fields), pools, random)[0] for _ in range(6_000)}
    for expected in ("$1bn", "5%", "10k", "50 bps", "1,000", "1.2 million", "$10"):
        assert expected in said
    assert any(text.endswith(" billion euros") for text in said)
    assert any(text.startswith("€") for text in said)


def test_times_are_written_in_many_ways() -> None:
    random = Random(4)
    said = " ; ".join(time_phrase(draw_time(random), random) for _ in range(3_000))
    bare = {bare_time(draw_time(random), random) for _ in range(3_000)}
    for pattern in (r"in q2 2024", r"over the last 3 months", r"as of june \d+, 20\d\d", "in fy20"):
        assert re.search(pattern, said), pattern
    assert {"last quarter", "fy2023", "2024", "last year"} <= bare


def test_a_time_stands_next_to_its_field_where_there_are_several(names: Names) -> None:
    last = draw_time(Random(0))
    bound = Bound(FieldRef("FLD_MKT_CAP", last), "MONEY", "GR", (Number("1"),), ("1",))
    for seed in range(50):
        said = telegraphic(bound, names, Random(seed), alone=False).text
        assert said.split()[-1] == "1" or said.endswith(">1"), said


def test_zipf_draws_the_first_most_often() -> None:
    law, random = Zipf.of("abcdefgh", 1.5), Random(0)
    drawn = [law.draw(random) for _ in range(4_000)]
    counts = [drawn.count(token) for token in "abcdefgh"]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] > 50
