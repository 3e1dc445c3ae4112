"""Laws of reading mentions: values are kept, mentions are disjoint, any text is read in time."""

from __future__ import annotations

import time
from decimal import Decimal
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables.mentions.samples import NUMBERS, READER, TIMES

from grammax.tables.catalogue.entries import Field
from grammax.tables.corpus.draw import Zipf
from grammax.tables.corpus.numbers import (
    Counts,
    Measures,
    NumberStyle,
    Percentages,
    Prices,
    Ratios,
    Sums,
    UnitWords,
)
from grammax.tables.corpus.times import bare_time, draw_time, time_phrase
from grammax.tables.form.operands import FieldRef, Number, Percent
from grammax.tables.lexicon import POWERS_OF_TEN
from grammax.tables.mentions.reader import MOST, MentionReader
from grammax.tables.mentions.words import ONES, TENS

SCALES = {"k": 3, " thousand": 3, "m": 6, " million": 6, "mn": 6, "bn": 9, " billion": 9, "tn": 12}


def value(tokens: tuple[str, ...]) -> Decimal:
    """The number that written tokens stand for."""
    digits = "".join(token for token in tokens if len(token) == 1)
    power = sum(POWERS_OF_TEN.get(token, 0) for token in tokens)
    return Decimal(digits) * 10**power


def only(text: str) -> tuple[str, tuple[str, ...]]:
    """The best reading of a text that is one mention from its first to its last character."""
    scan = READER.scan(text)
    assert not scan.unread
    (mention,) = scan.mentions
    assert (mention.start, mention.stop) == (0, len(text))
    return mention.readings[0]


def in_words(number: int) -> str:
    """A number below a million in English."""
    ones, tens = [*ONES], ["", "", *TENS]
    tens.remove("fourty")
    if number < 20:
        return ones[number]
    if number < 100:
        return tens[number // 10] + (f"-{ones[number % 10]}" if number % 10 else "")
    if number < 1000:
        rest = f" and {in_words(number % 100)}" if number % 100 else ""
        return f"{ones[number // 100]} hundred{rest}"
    rest = f" {in_words(number % 1000)}" if number % 1000 else ""
    return f"{in_words(number // 1000)} thousand{rest}"


def indian(number: int) -> str:
    """ "12,34,567" """
    text = str(number)
    head, tail = text[:-3], text[-3:]
    groups = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)]
    return ",".join([*reversed(groups), tail])


@given(st.integers(0, 10**15))
def test_integers_in_every_notation(number: int) -> None:
    assert value(only(str(number))[1]) == number
    assert value(only(f"{number:,}")[1]) == number
    assert value(only(f"{number:,}".replace(",", "'"))[1]) == number
    assert value(only(f"{number:,}".replace(",", "\u202f"))[1]) == number
    if number >= 10**6:
        assert value(only(f"{number:,}".replace(",", "."))[1]) == number
        assert value(only(f"{number:,}".replace(",", " "))[1]) == number
    assert value(only(indian(number))[1]) == number
    assert value(only("".join(chr(0x660 + int(digit)) for digit in str(number)))[1]) == number


@given(st.decimals(0, 10**9, places=2), st.sampled_from([*SCALES.items()]))
def test_decimals_with_endings(number: Decimal, scale: tuple[str, int]) -> None:
    ending, power = scale
    assert value(only(f"{number}{ending}")[1]) == number * 10**power
    assert value(only(f"${number:,}{ending}")[1]) == number * 10**power
    assert only(f"€{number}{ending}")[0] == only(f"{number}{ending} euros")[0] == "AMOUNT"
    assert value(only(f"-{number}%")[1]) == -number
    assert value(only(f"{number} bps")[1]) == number


@given(st.integers(2, 999_999))
def test_numbers_in_words(number: int) -> None:
    text = in_words(number)
    assert value(only(text)[1]) == number
    assert value(only(text.replace("-", " ").replace(" and ", " "))[1]) == number
    assert value(only(f"minus {text} percent")[1]) == -number
    assert value(only(f"{text.capitalize()} dollars")[1]) == number


PHRASES = st.sampled_from([*NUMBERS, *TIMES])


@given(st.lists(PHRASES, max_size=12))
def test_a_mention_alone_is_read_as_in_its_text(phrases: list[str]) -> None:
    text = " films ".join(["", *phrases, ""])
    mentions = READER.read(text)
    assert len(mentions) == len(phrases)
    for mention in mentions:
        (alone,) = READER.read(text[mention.start : mention.stop])
        assert alone.readings == mention.readings
        assert (alone.start, alone.stop) == (0, mention.stop - mention.start)


PIECES = st.sampled_from(
    ["1", "20", "2023", "05", "1,000", ".", ",", "-", "--", "/", "'", "$", "€", "%", "+", "x", "e",
     "k", "bn", "q", "fy", "h", " ", "  ", "\n", "to", "and", "a", "half", "of", "one", "twenty",
     "hundred", "million", "third", "quarter", "last", "year", "ago", "june", "may", "th", "s",
     "½", "٣", "minus", "between", "percent", "points", "us", "hong kong", "\ud800", "🎬", "_"]
)  # fmt: skip


@given(st.text() | st.lists(PIECES, max_size=30).map("".join))
def test_any_text_is_read(text: str) -> None:
    scan = READER.scan(text)
    spans = sorted([*(mention[:2] for mention in scan.mentions), *scan.unread])
    if not scan.more:
        assert all(stop <= start for (_, stop), (start, _) in pairwise(spans))
    assert all(0 <= start < stop <= len(text) for start, stop in spans)
    assert [*scan.mentions] == sorted(scan.mentions)
    assert len(scan.mentions) <= MOST
    for mention in scan.mentions:
        assert mention.readings
        assert all(tokens and all(tokens) for _, tokens in mention.readings)


@pytest.mark.parametrize(
    "piece",
    ["1", "1,", "1.", "1 ", "1 000 ", "9/", "a ", "last ", "last 3 ", "one ", "hundred ", "-", "$",
     "twenty-", "q1 and ", "june ", "2018-", " ", "million ", "point five ", "'", "½", "e9", "us "],
)  # fmt: skip
def test_long_texts_end(piece: str) -> None:
    """What takes time in proportion to the square of the length would take minutes here."""
    start = time.process_time()
    READER.scan((piece * 10_000)[:10_000])
    assert time.process_time() - start < 20


SIGNS = UnitWords({"CUR_USD": "$", "CUR_EUR": "€"}, {"CUR_EUR": "euros", "CUR_CHF": "swiss francs"})
STYLES = (Sums(SIGNS), Prices(SIGNS), Percentages(), Ratios(), Counts(), Measures("minutes"))


@pytest.mark.parametrize("style", STYLES, ids=lambda style: type(style).__name__)
def test_numbers_of_generated_queries_are_read(style: NumberStyle) -> None:
    random, units = Random(0), Zipf.over(("CUR_USD", "CUR_EUR", "CUR_GBP", "CUR_CHF"), 1)
    field = Field("FLD_LENGTH", "MINUTES", "Length", unit="times")
    for _ in range(300):
        text, operand = style.draw(field, units, random)
        assert isinstance(operand, Number | Percent)
        parts = str(operand).split()
        (mention,) = READER.read(f"films over {text} in all")
        assert (*parts[0], *parts[1:]) in [tokens for _, tokens in mention.readings], text


def test_times_of_generated_queries_are_read() -> None:
    random = Random(0)
    for _ in range(1000):
        moment = draw_time(random)
        parts = str(FieldRef("F", moment)).removeprefix("F(").removesuffix(")").split()
        tokens = tuple(t for part in parts for t in (part if part.isdigit() else [part]))
        for text in (bare_time(moment, random), time_phrase(moment, random)):
            (mention,) = READER.read(f"views {text} of films")
            assert mention.readings[0] == ("TIME", tokens), text


def test_without_units_there_are_no_amounts() -> None:
    (mention,) = MentionReader(()).read("over $5")
    assert mention.kinds == ("NUMBER", "INTEGER")
