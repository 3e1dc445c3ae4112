"""`MentionReader` reads numbers, counts and times as people type them."""

from __future__ import annotations

import pytest

from grammax.tables.catalogue.entries import Value
from grammax.tables.mentions.reader import MOST, MentionReader

UNITS = (
    Value("CUR_USD", "CURRENCY", "US Dollar", ("usd", "$", "us$", "dollar", "us dollars", "bucks")),
    Value("CUR_EUR", "CURRENCY", "Euro", ("eur", "€", "euros")),
    Value("CUR_GBP", "CURRENCY", "Pound Sterling", ("gbp", "£", "pound", "pounds")),
    Value("CUR_HKD", "CURRENCY", "Hong Kong Dollar", ("hkd", "hk$", "hong kong dollars")),
    Value("CUR_CHF", "CURRENCY", "Swiss Franc", ("chf", "swiss francs")),
    Value("CUR_KRW", "CURRENCY", "Won", ("krw", "₩", "korean won")),
    Value("CUR_TRY", "CURRENCY", "Turkish Lira", ("try", "lira")),
    Value("CUR_TOP", "CURRENCY", "Pa’anga", ("top",)),
    Value("CUR_AMD", "CURRENCY", "Armenian Dram", ("amd",)),
)
READER = MentionReader(UNITS)


def shown(text: str) -> str:
    """The mentions of a text: kinds, then the tokens of the first reading."""
    parts = []
    for mention in READER.read(text):
        kinds = "/".join(mention.kinds)
        parts.append(f"[{text[mention.start : mention.stop]}] {kinds} {written(mention.readings)}")
    return "; ".join(parts)


def written(readings: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    tokens = readings[0][1]
    return "".join(token if len(token) == 1 else f" {token} " for token in tokens).strip()


def first(text: str) -> str:
    """The kind and the tokens of the only mention."""
    (mention,) = READER.read(text)
    return f"{mention.readings[0][0]} {written(mention.readings)}"


NUMBERS = {
    "15": "NUMBER 15", "1,000": "NUMBER 1000", "1 000": "NUMBER 1000", "1'000": "NUMBER 1000",
    "1.000": "NUMBER 1.000", "1.000.000": "NUMBER 1000000", "1.000,50": "NUMBER 1000.50",
    "1,00,000": "NUMBER 100000", "2,5": "NUMBER 2.5", "1e9": "NUMBER 1000000000",
    ".5": "NUMBER 0.5", "1/2": "NUMBER 0.5", "½": "NUMBER 0.5", "2½": "NUMBER 2.5",
    "1 1/2": "NUMBER 1.5", "٣": "NUMBER 3", "10+": "NUMBER 10", "007": "NUMBER 7",
    "twenty": "NUMBER 20", "Twenty-Five": "NUMBER 25", "one hundred and fifty": "NUMBER 150",
    "a hundred": "NUMBER 100", "a dozen": "NUMBER 12", "two thirds": "NUMBER 0.6667",
    "two thousand five hundred": "NUMBER 2500", "half of": "NUMBER 0.5", "zero": "NUMBER 0",
    "twice": "NUMBER 2", "three times": "NUMBER 3", "2.5x": "NUMBER 2.5", "thrice": "NUMBER 3",
    "2 million": "LARGE_NUMBER 2 MILLION", "10k": "LARGE_NUMBER 10 THOUSAND",
    "three million": "LARGE_NUMBER 3 MILLION", "half a billion": "LARGE_NUMBER 0.5 BILLION",
    "a billion": "LARGE_NUMBER 1 BILLION", "1 and a half billion": "LARGE_NUMBER 1.5 BILLION",
    "two point five trillion": "LARGE_NUMBER 2.5 TRILLION", "5 mln": "LARGE_NUMBER 5 MILLION",
    "500 crore": "LARGE_NUMBER 5000 MILLION", "10+ bn": "LARGE_NUMBER 10 BILLION",
    "$1bn": "AMOUNT 1 BILLION  CUR_USD", "5 euros": "AMOUNT 5 CUR_EUR", "5 $": "AMOUNT 5 CUR_USD",
    "-$5": "AMOUNT -5 CUR_USD", "$-5": "AMOUNT -5 CUR_USD", "$$5": "AMOUNT 5 CUR_USD",
    "HK$5m": "AMOUNT 5 MILLION  CUR_HKD", "usd 5 mn": "AMOUNT 5 MILLION  CUR_USD",
    "2 million Swiss francs": "AMOUNT 2 MILLION  CUR_CHF", "eur10": "AMOUNT 10 CUR_EUR",
    "trillion dollar": "AMOUNT 1 TRILLION  CUR_USD", "$5 usd": "AMOUNT 5 CUR_USD",
    "500 billion won": "AMOUNT 500 BILLION  CUR_KRW", "5bn TRY": "AMOUNT 5 BILLION  CUR_TRY",
    "5 %": "PERCENT_NUMBER 5 PCT", "-5%": "PERCENT_NUMBER -5 PCT", "10%%": "PERCENT_NUMBER 10 PCT",
    "minus 5 percent": "PERCENT_NUMBER -5 PCT", "25bps": "PERCENT_NUMBER 25 BPS",
    "5 per cent": "PERCENT_NUMBER 5 PCT", "25 basis points": "PERCENT_NUMBER 25 BPS",
    "2 percentage points": "PERCENT_NUMBER 2 PCT", "half a percent": "PERCENT_NUMBER 0.5 PCT",
}  # fmt: skip


@pytest.mark.parametrize(("text", "reading"), NUMBERS.items())
def test_numbers(text: str, reading: str) -> None:
    assert first(text) == reading


TIMES = {
    "2023": "2023", "'23": "2023", "fy23": "FY 2023", "FY 2023": "FY 2023",
    "fiscal year 2023": "FY 2023", "cy2023": "2023", "q2 2024": "Q2 2024", "2Q24": "Q2 2024",
    "q2/2024": "Q2 2024", "2024 q2": "Q2 2024", "q2'24": "Q2 2024",
    "second quarter of 2024": "Q2 2024", "last quarter of 2024": "Q4 2024",
    "june 2018": "2018 JUN", "Jun 2018": "2018 JUN", "06/2018": "2018 JUN", "2018-06": "2018 JUN",
    "june 23, 2018": "2018 JUN 23", "23 june 2018": "2018 JUN 23",
    "23rd of June 2018": "2018 JUN 23", "2018-06-23": "2018 JUN 23", "06/23/2018": "2018 JUN 23",
    "23/06/2018": "2018 JUN 23", "3/4/2020": "2020 MAR 4", "23.06.2018": "2018 JUN 23",
    "2018-02-31": "2018 FEB 31", "last quarter": "LAST  QUARTER", "past year": "LAST  YEAR",
    "last 3 months": "LAST 3 MONTH", "past three years": "LAST 3 YEAR",
    "trailing twelve months": "LAST 12 MONTH", "last decade": "LAST 10 YEAR",
    "last 5y": "LAST 5 YEAR", "a year ago": "LAST  YEAR", "yesterday": "LAST  DAY",
    "last fiscal year": "LAST  YEAR",
}  # fmt: skip


@pytest.mark.parametrize(("text", "reading"), TIMES.items())
def test_times(text: str, reading: str) -> None:
    assert first(text) == f"TIME {reading}"
    (mention,) = READER.read(f"Best of {text}, please")
    assert mention.stop - mention.start == len(text)


RANGES = {
    "2-10bn": "[2] LARGE_NUMBER 2 BILLION; [10bn] LARGE_NUMBER 10 BILLION",
    "$2-10bn": "[$2] AMOUNT 2 BILLION  CUR_USD; [10bn] AMOUNT 10 BILLION  CUR_USD",
    "2 to 10 million euros": "[2] AMOUNT 2 MILLION  CUR_EUR; "
    "[10 million euros] AMOUNT 10 MILLION  CUR_EUR",
    "between $2 and $10 billion": "[$2] AMOUNT 2 BILLION  CUR_USD; "
    "[$10 billion] AMOUNT 10 BILLION  CUR_USD",
    "from 5 to 10%": "[5] PERCENT_NUMBER 5 PCT; [10%] PERCENT_NUMBER 10 PCT",
    "5–10 %": "[5] PERCENT_NUMBER 5 PCT; [10 %] PERCENT_NUMBER 10 PCT",
    "between 500 million and 2 billion": "[500 million] LARGE_NUMBER 500 MILLION; "
    "[2 billion] LARGE_NUMBER 2 BILLION",
    "between 500m and 2 billion euros": "[500m] AMOUNT 500 MILLION  CUR_EUR; "
    "[2 billion euros] AMOUNT 2 BILLION  CUR_EUR",
    "between 10 and 5": "[10] NUMBER/INTEGER 10; [5] NUMBER/INTEGER 5",
    "top 5 and 10 billion": "[5] NUMBER/INTEGER 5; [10 billion] LARGE_NUMBER 10 BILLION",
    "2018-2020": "[2018] TIME/NUMBER/INTEGER 2018; [2020] TIME/NUMBER/INTEGER 2020",
}


@pytest.mark.parametrize(("text", "mentions"), RANGES.items())
def test_ranges(text: str, mentions: str) -> None:
    assert shown(text) == mentions


@pytest.mark.parametrize(
    "text",
    ["", "which one", "covid-19", "a film", "1st", "second", "the third man", "this year", "ytd",
     "in march", "it may", "VIII", "g20", "5g", "$", "an hour", "double digit", "long-lasting",
     "top films", "first half", "\ud800", "🎬"],
)  # fmt: skip
def test_what_is_no_number(text: str) -> None:
    assert READER.scan(text) == ([], [], 0)


@pytest.mark.parametrize(
    ("text", "unread"),
    [("version 1.2.3", "1.2.3"), ("1..5", "1..5"), ("--5", "--5"), ("in q3", "q3"),
     ("2018-13-01", "2018-13-01"), ("h1 2023", "h1 2023"), ("the 1990s", "1990s"),
     ("24/7", "24/7"), ("9" * 101, "9" * 101), ("on june 23", "june 23")],
)  # fmt: skip
def test_what_cannot_be_read_is_reported(text: str, unread: str) -> None:
    scan = READER.scan(text)
    assert not scan.mentions
    assert [text[start:stop] for start, stop in scan.unread] == [unread]


def test_words_of_english_are_units_only_where_nothing_else_is_meant() -> None:
    assert shown("top 10 try 5") == "[10] NUMBER/INTEGER 10; [5] NUMBER/INTEGER 5"
    assert shown("AMD 2023") == "[2023] TIME/NUMBER/INTEGER 2023"
    assert first("TOP 10") == "NUMBER 10"


def test_only_the_first_mentions_are_returned() -> None:
    scan = READER.scan(" ".join(str(number) for number in range(100, 200)))
    assert len(scan.mentions) == MOST
    assert scan.more == 100 - MOST


def test_forty_digits_are_a_number() -> None:
    assert first("7" * 40) == f"NUMBER {'7' * 40}"
