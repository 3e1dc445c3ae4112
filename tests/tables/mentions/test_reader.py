"""`MentionReader` reads numbers, counts and times as people type them."""

from __future__ import annotations

import pytest
from tables.mentions.samples import NUMBERS, READER, TIMES

from grammax.tables.mentions.reader import MOST


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


@pytest.mark.parametrize(("text", "reading"), NUMBERS.items())
def test_numbers(text: str, reading: str) -> None:
    assert first(text) == reading


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
    "over 5 and below 10 percent": "[5] PERCENT_NUMBER 5 PCT; [10 percent] PERCENT_NUMBER 10 PCT",
    "5-10x": "[5] NUMBER 5; [10x] NUMBER 10",
    "between 5% and 10": "[5%] PERCENT_NUMBER 5 PCT; [10] PERCENT_NUMBER 10 PCT",
    "$5 and below 10": "[$5] AMOUNT 5 CUR_USD; [10] NUMBER/INTEGER 10",
    "below 5 and below $10m": "[5] NUMBER/INTEGER 5; [$10m] AMOUNT 10 MILLION  CUR_USD",
    "usd 5-usd 10": "[usd 5] AMOUNT 5 CUR_USD; [usd 10] AMOUNT 10 CUR_USD",
    "hk$3m-hk$15m": "[hk$3m] AMOUNT 3 MILLION  CUR_HKD; [hk$15m] AMOUNT 15 MILLION  CUR_HKD",
    "top 2 billion-dollar films": "[2] NUMBER/INTEGER 2; "
    "[billion-dollar] AMOUNT 1 BILLION  CUR_USD",
    "in 2023 to 5%": "[2023] TIME/NUMBER/INTEGER 2023; [5%] PERCENT_NUMBER 5 PCT",
    "top 5 $10": "[5] NUMBER/INTEGER 5; [$10] AMOUNT 10 CUR_USD",
    "> 10 march 2025": "[10] NUMBER/INTEGER 10; [march 2025] TIME 2025 MAR",
    "june to july 2020": "[june] TIME 2020 JUN; [july 2020] TIME 2020 JUL",
    "q1 and q2 2024": "[q1] TIME Q1 2024; [q2 2024] TIME Q2 2024",
    "between 10 and 5": "[10] NUMBER/INTEGER 10; [5] NUMBER/INTEGER 5",
    "top 5 and 10 billion": "[5] NUMBER/INTEGER 5; [10 billion] LARGE_NUMBER 10 BILLION",
    "between five hundred and two thousand": "[five hundred] NUMBER/INTEGER 500; "
    "[two thousand] LARGE_NUMBER 2 THOUSAND",
    "between one hundred and fifty and two hundred": "[one hundred and fifty] NUMBER/INTEGER 150; "
    "[two hundred] NUMBER/INTEGER 200",
    "between usd 1 bio and usd 5 bio": "[usd 1 bio] AMOUNT 1 BILLION  CUR_USD; "
    "[usd 5 bio] AMOUNT 5 BILLION  CUR_USD",
    "over 3 bio films": "[3] NUMBER/INTEGER 3",
    "score one or lower": "[one] NUMBER/INTEGER 1",
    "negative one-month return": "[one] NUMBER/INTEGER 1",
    "2018-2020": "[2018] TIME/NUMBER/INTEGER 2018; [2020] TIME/NUMBER/INTEGER 2020",
}


@pytest.mark.parametrize(("text", "mentions"), RANGES.items())
def test_ranges(text: str, mentions: str) -> None:
    assert shown(text) == mentions


@pytest.mark.parametrize(
    "text",
    ["", "which one", "covid-19", "a film", "1st", "second", "the third man", "this year", "ytd",
     "in march", "it may", "VIII", "g20", "5g", "$", "an hour", "double digit", "double-digit",
     "triple a", "a1", "twenty-first", "long-lasting",
     "top films", "first half", "\ud800", "🎬"],
)  # fmt: skip
def test_what_is_no_number(text: str) -> None:
    assert READER.scan(text) == ([], [], 0)


@pytest.mark.parametrize(
    ("text", "unread"),
    [("version 1.2.3", "1.2.3"), ("--5", "--5"), ("in q3", "q3"),
     ("2018-13-01", "2018-13-01"), ("h1 2023", "h1 2023"), ("the 1990s", "1990s"),
     ("24/7", "24/7"), ("9" * 101, "9" * 101), ("on june 23", "june 23"),
     ("50 cents", "50 cents"), ("1,000,00", "1,000,00"), ("at 10:30", "10:30"),
     ("a few hundred", "few hundred"), ("third quarter", "third quarter")],
)  # fmt: skip
def test_what_cannot_be_read_is_reported(text: str, unread: str) -> None:
    scan = READER.scan(text)
    assert not scan.mentions
    assert [text[start:stop] for start, stop in scan.unread] == [unread]


def test_words_of_english_are_units_only_where_nothing_else_is_meant() -> None:
    assert shown("top 10 try 5") == "[10] NUMBER/INTEGER 10; [5] NUMBER/INTEGER 5"
    assert shown("AMD 2023") == "[2023] TIME/NUMBER/INTEGER 2023"
    assert first("TOP 10") == "NUMBER 10"
    assert first("top 10 b rated") == first("10 b rated") == first("top 10 m&a") == "NUMBER 10"
    assert first("over 10 m") == "LARGE_NUMBER 10 MILLION"
    assert first("top 3 euro area") == "NUMBER 3"
    assert first("over 20 amd") == "AMOUNT 20 CUR_AMD"
    assert first("above £20 dollar") == "AMOUNT 20 CUR_GBP"
    assert first("under try 50bn") == "AMOUNT 50 BILLION  CUR_TRY"
    assert first("below a dollar") == "AMOUNT 1 CUR_USD"


def test_only_the_first_mentions_are_returned() -> None:
    scan = READER.scan(" ".join(str(number) for number in range(100, 200)))
    assert len(scan.mentions) == MOST
    assert scan.more == 100 - MOST


@pytest.mark.parametrize("text", ["7" * 40, "2018-02-31", "31 april 2022", "last 500 years"])
def test_what_no_logical_form_can_say_is_not_read(text: str) -> None:
    scan = READER.scan(f"votes {text}")
    assert not scan.mentions
    assert [f"votes {text}"[start:stop] for start, stop in scan.unread] == [text]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("budget in euros between 2 and 8 billion", ["2 BILLION CUR_EUR", "8 BILLION CUR_EUR"]),
        ("usd budget under 200m and score below 4", ["200 MILLION CUR_USD", None]),
        ("over 300m budget (in gbp)", ["300 MILLION CUR_GBP"]),
        ("price in dollars above 5", ["5 CUR_USD"]),
        ("in the euro area over 5m", [None]),
        ("usd and eur budget over 5m", [None]),
        ("amd films over 5m", [None]),
    ],
)
def test_a_unit_apart_from_its_number(text: str, kinds: list[str | None]) -> None:
    found = [dict(mention.readings).get("AMOUNT") for mention in READER.read(text)]
    shown_ = [" ".join(written((("", tokens),)).split()) if tokens else None for tokens in found]
    assert shown_ == kinds


def test_a_part_in_words_may_be_a_percentage() -> None:
    (mention,) = READER.read("over half of them")
    assert mention.readings == (
        ("NUMBER", ("0", ".", "5")),
        ("PERCENT_NUMBER", ("5", "0", "PCT")),
    )
    assert first("over 0.5") == "NUMBER 0.5"
    (mention,) = READER.read("over 0.5")
    assert mention.kinds == ("NUMBER",)
