"""What the names of queries about equities are taken for, over the whole catalogue."""

from __future__ import annotations

from functools import cache

import pytest

from grammax.domains.eqs.domain import load
from grammax.reading.grounds import Grounds
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.reading.spelling import Spelling
from grammax.reading.words import WordVocabulary

TRAINING = [
    "revenue of german companies",
    "dividend yield above 5",
    "semiconductor firms in taiwan with earnings growth",
    "pharmaceutical stocks sorted by market cap",
]


@cache
def reader() -> QueryReader:
    """A reader over the whole catalogue, without a model."""
    domain = load()
    names = NameMatcher(
        domain.vocabulary, domain.wordings, Spelling(8), grounds=Grounds.from_domain(domain)
    )
    return QueryReader(WordVocabulary.from_queries(TRAINING), names, 64, filling=domain)


def values(text: str, prefixes: tuple[str, ...] = ("ISS_", "CIT_", "IDX_", "EXC_")) -> set[str]:
    """The values of open classes that a query names."""
    tokens = load().vocabulary.tokens
    named = {tokens[token] for match in reader().read(text).names for token in match.ids}
    return {token for token in named if token.startswith(prefixes)}


def named(text: str) -> set[str]:
    """All tokens that a query names."""
    return values(text, ("",))


@pytest.mark.parametrize(
    "text",
    [
        "tech companies us only",
        "tech cos w/ high margins",
        "best pe ratio",
        "safe stocks with high yield",
        "solid companies",
        "cheap stocks",
        "american software companies with pe below 10",
        "us energy stocks",
        "us steel producers",
        "investment grade companies in china",
        "A list of banks in italy",
        "PE under 15",
        "EPS above 3",
        "companies with no debt",
        "all stocks in japan",
        "total debt to equity",
        "total revenue over 5bn",
        "mobile companies in finland",
        "companies in the nice sector",
        "orange companies",
        "show me all",
        "stocks with low volatility",
        "top gainers today",
        "cash rich companies",
        "is it good to buy now",
        "real growth in the last year",
        "which of these are on sale",
        "next year",
        "tell me a joke",
        "LARGEST BANKS FOR THE MONEY",
        "so what do we have here",
        "small caps with rising sales",
        "fast growing firms",
        "energy companies in china",
        "asian media shares",
        "ai stocks",
        "industries with falling sales",
    ],
)
def test_ordinary_words_are_no_names(text: str) -> None:
    assert values(text, ("ISS_", "CIT_")) == set()


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("msft pe ratio", "ISS_MICROSOFT_CORP"),
        ("nestle", "ISS_NESTLE_SA"),
        ("nestle revenue", "ISS_NESTLE_SA"),
        ("visa revenue", "ISS_VISA_INC"),
        ("gap market cap", "ISS_GAP_INC"),
        ("target pe ratio", "ISS_TARGET_CORP"),
        ("what is ford's debt", "ISS_FORD_MOTOR_CO"),
        ("gap vs nike", "ISS_GAP_INC"),
        ("revenue of GAP", "ISS_GAP_INC"),
        ("companies larger than V", "ISS_VISA_INC"),
        ("ALL market cap", "ISS_ALLSTATE_CORP"),
        ("how large is the gap's debt", "ISS_GAP_INC"),
        ("debt of companies such as Target in the us", "ISS_TARGET_CORP"),
        ("orange revenue 2023", "ISS_ORANGE"),
        ("cat dividend yield", "ISS_CATERPILLAR_INC"),
        ("ibm eps last 3 years", "ISS_INTERNATIONAL_BUSINESS_MACHINES"),
        ("bmw vs volkswagen", "ISS_BMW"),
        ("who has more debt ford or gm", "ISS_GENERAL_MOTORS_CO"),
        ("coca cola vs pepsi", "ISS_PEPSICO_INC"),
        ("coca-cola", "ISS_COCA_COLA_CO"),
        ("Coca Cola's margin", "ISS_COCA_COLA_CO"),
        ("at&t dividend yield", "ISS_ATT_INC"),
        ("johnson & johnson eps", "ISS_JOHNSON_JOHNSON_CO"),
        ("johnson and johnson eps", "ISS_JOHNSON_JOHNSON_CO"),
        ("procter and gamble", "ISS_PROCTER_GAMBLE"),
        ("mcdonald's vs starbucks", "ISS_MCDONALDS_CORP"),
        ("jp morgan net income", "ISS_JPMORGAN_CHASE_CO"),
        ("jpmorgan net income", "ISS_JPMORGAN_CHASE_CO"),
        ("what is 3m's market cap", "ISS_3M_CO"),
        ("china mobile revenue", "ISS_CHINA_MOBILE_LTD"),
        ("banks in reading", "CIT_READING"),
        ("companies based in nice", "CIT_NICE"),
        ("banks headquartered in Mobile", "CIT_MOBILE"),
        ("stocks in the dow", "IDX_DOW_JONES"),
        ("s & p 500 members", "IDX_SP500"),
        ("sp500", "IDX_SP500"),
        ("s&p 500 financials net earnings more than 1bn", "IDX_SP500"),
        ("ge pe", "ISS_GENERAL_ELECTRIC_CO"),
        ("arm market cap", "ISS_ARM_HOLDINGS"),
        ("How has Gap performed?", "ISS_GAP_INC"),
        ("intel amd nvidia gross margin", "ISS_ADVANCED_MICRO_DEVICES_INC"),
        ("how much debt does shell have", "ISS_SHELL_PLC"),
        ("Compare KO and PEP", "ISS_COCA_COLA_CO"),
        ("ups vs fedex", "ISS_UNITED_PARCEL_SERVICE_INC"),
    ],
)
def test_names_with_support_are_found(text: str, token: str) -> None:
    assert token in values(text)


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("u.s. banks", "COU_UNITED_STATES"),
        ("us-based banks", "COU_UNITED_STATES"),
        ("turkey", "COU_TURKEY"),
        ("steel", "SEC_GICS_STEEL"),
        ("semiconductor maker", "SEC_GICS_SEMICONDUCTORS"),
        ("semiconductor makers", "SEC_GICS_SEMICONDUCTORS"),
        ("car maker", "SEC_GICS_AUTOMOBILES"),
        ("aerospace and defence", "SEC_GICS_AEROSPACE_DEFENSE"),
        ("aluminum", "SEC_GICS_ALUMINUM"),
        ("small-caps", "SIZ_SMALL_CAP"),
        ("p / e", "FLD_PE_RATIO"),
        ("p/e ratios", "FLD_PE_RATIO"),
        ("moodys rating", "FLD_MOODY"),
        ("moody's ratings", "FLD_MOODY"),
        ("it companies", "SEC_GICS_INFORMATION_TECHNOLOGY"),
        ("industries with most debt", "FLD_EQS_SECTOR"),
    ],
)
def test_closed_classes_need_no_support_and_are_found_in_variants(text: str, token: str) -> None:
    assert token in named(text)


@pytest.mark.parametrize(
    ("text", "country"),
    [("banks in italy", "COU_INDIA"), ("is it so", "COU_ICELAND"), ("no debt", "COU_NORWAY"),
     ("pe of 5", "COU_PERU"), ("listed by size", "COU_BELARUS"), ("tech cos", "COU_COLOMBIA")],
)  # fmt: skip
def test_codes_of_countries_are_not_function_words(text: str, country: str) -> None:
    assert country not in named(text)


def test_pes_is_not_the_plural_of_a_ratio_and_us_is_not_a_plural() -> None:
    assert "FLD_PE_RATIO" not in named("pes")
    assert "COU_UNITED_STATES" in named("us")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("revneue of siemens", "revenue"),
        ("dividned yield", "dividend"),
        ("semicondutor firms", "semiconductor"),
        ("phamaceutcal stocks", "pharmaceutical"),
        ("banks in germny", "germany"),
        ("micorsoft", "microsoft"),
        ("volkswagon debt", "volkswagen"),
    ],
)
def test_typos_go_to_what_people_mean(typed: str, meant: str) -> None:
    query = reader().read(typed)
    assert meant in query.words
    assert len(query.typos) == 1


@pytest.mark.parametrize(
    "text",
    ["only", "giraffe", "sandwich", "poem", "abcd", "zzzzz", "q4x", "targets", "gaps", "yesterday",
     "cheaper", "wonderful", "screens", "biggest", "helpful"],
)  # fmt: skip
def test_words_are_left_alone(text: str) -> None:
    assert reader().read(text).typos == ()


def test_issuers_are_in_the_order_of_how_well_known_they_are() -> None:
    places = {token: at for at, token in enumerate(load().catalogue.values_of("ISSUER"))}
    assert places["ISS_NESTLE_SA"] < 200 < places["ISS_NESTLE_NIGERIA_PLC"]
    assert places["ISS_CHINA_MOBILE_LTD"] < 300
    assert places["ISS_ORANGE"] < 2_000


def test_ids_within_a_kind_follow_the_catalogue() -> None:
    domain = load()
    for enum in domain.catalogue.lexicon.enums:
        ids = domain.vocabulary.ids(enum.values)
        assert ids == sorted(ids), enum.name


def test_a_weak_name_beside_another_needs_a_word_between_them() -> None:
    assert values("does coca cola pay a dividend") == {"ISS_COCA_COLA_CO"}
    assert values("berkshire hathaway b shares") == {"ISS_BERKSHIRE_HATHAWAY_INC"}
