"""Queries read like what people type, and their words say what their logical forms mean."""

from __future__ import annotations

import re
from random import Random

import pytest

from grammax.domains.eqs.catalogue import load_catalogue
from grammax.domains.eqs.words import EQUITY_STYLE
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.keys import key
from grammax.tables.corpus.corpus import skeleton
from grammax.tables.corpus.draw import Dice, Zipf, pick
from grammax.tables.corpus.lexicaliser import Lexicaliser
from grammax.tables.corpus.numbers import SMALL, Amount
from grammax.tables.corpus.phraser import Phrase, Phraser
from grammax.tables.corpus.phrasing.clauses import keyword
from grammax.tables.corpus.plan import Bound, EnumConstraint, Plan
from grammax.tables.corpus.planning.pools import Pools
from grammax.tables.corpus.realise import Category
from grammax.tables.corpus.style import Voice, voice_over
from grammax.tables.corpus.times import draw_time
from grammax.tables.form.tree import FieldRef, Number, Percent

NEGATIONS = re.compile(
    r"\b(not|non|ex|excluding|except|outside|no|without|other than|anything but|apart from|besides"
    r"|exclude|excl|minus|leaving out|neither)\b"
)
SMALL_WORDS = re.compile(
    r"\b(?:show|me|find|list|all|give|get|i|what|which|are|can|could|you|any|need|the|of|for|with|have"
    r"|whose|where|that|is|was|and|or|not|non|ex|excluding|outside|but|in|on|by|from|based|rated|top"
    r"|bottom|largest|highest|lowest|sorted|ordered|ranked|first|above|over|below|under|more|less|than"
    r"|at|least|most|between|either)\b|[<>=]+"
)
MONEY = ("FLD_MKT_CAP", "FLD_PRICE", "FLD_PE_RATIO", "FLD_DIVIDEND_YIELD", "FLD_EMPLOYEES")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def voice(catalogue: Catalogue) -> Voice:
    return voice_over(catalogue, EQUITY_STYLE)


@pytest.fixture(scope="module")
def words(voice: Voice) -> Lexicaliser:
    return voice.words


@pytest.fixture(scope="module")
def units(voice: Voice) -> Zipf:
    found = Pools(voice).units
    assert found is not None
    return found


@pytest.fixture(scope="module")
def phraser(catalogue: Catalogue) -> Phraser:
    return Phraser(catalogue, EQUITY_STYLE)


def amount(token: str, catalogue: Catalogue, units: Zipf, random: Random) -> Amount:
    field = catalogue.fields[token]
    return EQUITY_STYLE.numbers[field.type].draw(field, units, random)


@pytest.fixture(scope="module")
def phrases(phraser: Phraser) -> list[Phrase]:
    random = Dice(3)
    return [phraser.phrase(random) for _ in range(4_000)]


def test_there_are_far_more_than_sixty_structures_of_both_styles(phrases: list[Phrase]) -> None:
    """A structure is a skeleton and the small words around the names."""
    openings = re.compile(r"(show|find|list|give|get|i|what|which|are|can|could|please)\b")
    long = [phrase for phrase in phrases if openings.match(phrase.query.lower())]
    short = [phrase for phrase in phrases if phrase not in long]
    assert len(set(map(structure, short))) > 600
    assert len(set(map(structure, long))) > 600
    assert len({re.findall(r"\w+", phrase.query.lower())[0] for phrase in long}) > 10
    assert len({structure(phrase).partition("(")[0] for phrase in long}) > 30


def structure(phrase: Phrase) -> str:
    said = SMALL_WORDS.findall(phrase.query.lower())
    return f"{' '.join(said)} {skeleton(phrase.lf)}"


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
        if "(OR" in str(phrase.lf) and "(NOT" not in str(phrase.lf):
            said = r"\bor\b|/|, | & |\b(and|vs|versus|compared|compare|against)\b"
            assert re.search(said, phrase.query.lower()), phrase.query


def test_ranks_are_in_the_words_if_in_the_logical_form(phrases: list[Phrase]) -> None:
    for phrase in phrases:
        rank = re.search(r"\((top|bottom) (\d+)", str(phrase.lf))
        if rank:
            said = {rank[2], SMALL[int(rank[2]) - 1] if int(rank[2]) <= 12 else rank[2]}
            assert said & set(re.findall(r"\w+", phrase.query.lower())), phrase.query


def test_queries_are_tidy(phrases: list[Phrase]) -> None:
    for phrase in phrases:
        query = phrase.query.lower()
        assert query == " ".join(query.split())
        assert not re.search(r"[{}]|\b(the|in|of|with|by|and|or|a|an) \1\b| ,|,,", query), query
        assert not re.search(r"\bwith a (?!one)[aeio]|\bgics \d", query), query


def test_the_paper_s_figure_one_is_in_the_order_of_the_plan(catalogue: Catalogue) -> None:
    order = {name: index for index, name in enumerate(catalogue.value_types)}
    steel = Plan(
        (
            EnumConstraint("FLD_EQS_SECTOR", "SECTOR", ("SEC_GICS_STEEL",)),
            EnumConstraint("FLD_DOMICILE", "COUNTRY", ("COU_WESTERN_EUROPE",)),
            EnumConstraint("FLD_DOMICILE", "COUNTRY", ("COU_GERMANY",), negated=True),
        )
    )
    assert str(steel.lf(order)) == (
        "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY)))"
        " (FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))"
        " (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
    )
    index = EnumConstraint("FLD_INDEX", "INDEX", ("IDX_SP500",))
    shown = Plan((index,), columns=(FieldRef("FLD_RETURN_ON_CAP"),))
    assert str(shown.lf(order)) == (
        "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_RETURN_ON_CAP))"
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
    words: Lexicaliser, token: str, word: str
) -> None:
    assert word not in words.value(token)


def test_every_wording_that_is_used_leads_back_to_its_token(words: Lexicaliser) -> None:
    first: dict[tuple[str, str], str] = {}
    for token in words.catalogue.ranking:
        for word in words.catalogue.wordings(token):
            first.setdefault((token[:3], key(word)), token)
    for token in words.catalogue.ranking[:6_000]:
        wordings = words.field(token) if token in words.catalogue.fields else words.value(token)
        for word in wordings:
            assert first[token[:3], key(word)] == token, (token, word)


def test_countries_have_adjectives_and_names(words: Lexicaliser) -> None:
    assert words.adjectives("COU_GERMANY") == ("german",)
    assert words.places("COU_GERMANY") == ("Germany",)
    assert "hongkong" in words.adjectives("COU_HONG_KONG")
    assert "us" in words.places("COU_UNITED_STATES")
    assert "de" not in words.value("COU_GERMANY")


@pytest.mark.parametrize("token", MONEY)
def test_numbers_are_said_with_the_digits_that_are_meant(
    token: str, catalogue: Catalogue, units: Zipf
) -> None:
    random = Random(1)
    for _ in range(300):
        said, value = amount(token, catalogue, units, random)
        assert isinstance(value, Number | Percent)
        spelt = SMALL[int(value.digits) - 1] if value.digits in map(str, range(1, 13)) else "-"
        assert value.digits in said.replace(",", "") or spelt in said


def test_numbers_are_written_in_many_ways(catalogue: Catalogue, units: Zipf) -> None:
    random = Random(2)
    said = {amount(pick(random, MONEY), catalogue, units, random).text for _ in range(6_000)}
    for expected in ("$1bn", "5%", "10k", "50 bps", "1,000", "1.2 million", "$10"):
        assert expected in said
    assert any(text.endswith(" billion euros") for text in said)
    assert any(text.startswith("€") for text in said)


def test_a_time_stands_next_to_its_field_where_there_are_several(voice: Voice) -> None:
    last = draw_time(Random(0))
    bound = Bound(FieldRef("FLD_MKT_CAP", last), "MONEY", "GR", (Number("1"),), ("1",))
    for seed in range(50):
        said = keyword(bound, voice, Dice(seed), alone=False)
        assert said.split()[-1] == "1" or said.endswith(">1"), said


def test_words_for_a_sector_may_mean_its_companies() -> None:
    """ "banks" stand alone; "steel" needs a noun."""
    sector = EQUITY_STYLE.realisers["SECTOR"]
    assert isinstance(sector, Category)
    assert [sector.is_noun(word) for word in ("banks", "steel", "semiconductors", "carmakers")] == [
        *(True, False, False, True)
    ]


def test_plurals_and_articles_of_fields(words: Lexicaliser) -> None:
    fields = words.rules.fields
    plurals = [fields.is_plural(w) for w in ("revenues", "eps", "employees", "gross", "eps growth")]
    assert plurals == [True, False, True, False, False]
    assert fields.with_article("roe", mass=False) == "an roe"
    assert fields.with_article("p/e ratio", mass=False) == "a p/e ratio"
    assert fields.with_article("revenue", mass=True) == "revenue"
    assert fields.with_article("market cap", mass=True) == "a market cap"
