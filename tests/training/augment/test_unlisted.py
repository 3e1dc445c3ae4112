"""Queries that name what no table lists."""

from __future__ import annotations

import numpy as np
import pytest

from grammax.language.domain import Pair
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.reading.spelling import Spelling
from grammax.reading.words import WordVocabulary, split
from grammax.training.augment.unlisted import unlisted_numbers, unlisted_texts
from grammax.vocabulary import Vocabulary

TOWNS = ["dallas", "oslo", "boston", "new york", "bergen", "salem", "lisbon", "madrid"]
VOCABULARY = Vocabulary(
    {"FIND": ["find"], "TOWN": [f"t:{town}" for town in TOWNS], "N": ["1500", "2000"]}
)
PAIRS = [
    Pair("hotels in oslo", ("find", "t:oslo")),
    Pair("New York, 1500 please", ("find", "t:new york", "1500")),
    Pair("hotels", ("find",)),
    Pair("hotels in Boston", ("find", "t:Boston")),  # which is no token
]


@pytest.fixture
def reader() -> QueryReader:
    called = {f"t:{town}": [town] for town in TOWNS}
    names = NameMatcher(VOCABULARY, lambda token: called.get(token, [token]), Spelling(8))
    return QueryReader(WordVocabulary(()), names, 50)


def test_a_name_is_replaced_by_one_that_is_not_listed(reader: QueryReader) -> None:
    texts = unlisted_texts(PAIRS, reader, {"TOWN"}, np.random.default_rng(1), times=10)
    assert (
        15 <= len(texts) <= 20
    )  # pairs without a name are left out, and what no name was found for
    for text in texts:
        assert text.startswith("hotels in ") or text.endswith(", 1500 please")
        read = reader.read(text)
        assert not any(VOCABULARY.tokens[t].startswith("t:") for m in read.names for t in m.ids)
    assert len(set(texts)) > 10


def test_a_number_is_replaced_by_another_one(reader: QueryReader) -> None:
    texts = unlisted_texts(PAIRS, reader, {"N"}, np.random.default_rng(1), times=5)
    assert texts
    for text in texts:
        words = split(text)
        assert words[:2] == ["new", "york"]
        assert words[3].isdecimal()
        assert "1500" not in text


def test_there_are_none_where_no_kind_is_named(reader: QueryReader) -> None:
    assert unlisted_texts(PAIRS, reader, (), np.random.default_rng(1)) == []


def test_a_number_is_added_that_the_query_does_not_have() -> None:
    random = np.random.default_rng(4)
    for _ in range(20):
        for text in unlisted_numbers(PAIRS, random):
            words = text.split(" ")
            (added,) = (word for word in words if word.isdecimal() and word != "1500")
            rest = " ".join(word for word in words if word != added)
            assert rest in {pair.query for pair in PAIRS}
            at = words.index(added)
            assert not any("1500" in word for word in words[max(0, at - 1) : at + 2])
