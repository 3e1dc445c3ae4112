"""Names in a form that stand in for others that no table lists."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grammax.confidence import Usage, kinds_that_are_named, unknown_words, word_coverage
from grammax.confidence.features import features
from grammax.confidence.substitution import unnamed_tokens
from grammax.reading.names import NameMatcher
from grammax.reading.reader import Query, QueryReader
from grammax.reading.spelling import Spelling
from grammax.reading.words import WordVocabulary
from grammax.search import Decoded
from grammax.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    {"FIND": ["find"], "TOWN": ["t:dallas", "t:oslo"], "OP": ["<", ">"], "N": ["150000", "200000"]}
)
CALLED = {"t:dallas": ["dallas"], "t:oslo": ["oslo", "oslo city"], "<": ["below"], ">": ["above"]}
USAGE = Usage(frozenset(), frozenset(("hotels", "in", "1", "#5")), frozenset(("TOWN", "N")))


@pytest.fixture(scope="module")
def reader() -> QueryReader:
    names = NameMatcher(VOCABULARY, lambda token: CALLED.get(token, [token]), Spelling(8))
    return QueryReader(WordVocabulary.from_queries(["hotels in oslo"]), names, 50)


def form(*tokens: str) -> Decoded:
    ids = tuple(VOCABULARY.ids(tokens))
    return Decoded(ids, tokens, -0.1, (1,) * len(ids), (1,) * len(ids), "forced")


def substituted(query: Query, decoded: Decoded, usage: Usage = USAGE) -> tuple[int, Sequence[int]]:
    covered = word_coverage(query, decoded, None, usage)
    assert features(query, decoded, covered).substituted == covered.substituted
    return covered.substituted, covered.uncovered


def test_a_name_stands_in_for_words_that_nothing_accounts_for(reader: QueryReader) -> None:
    query, dallas = reader.read("hotels in reykjavik"), form("find", "t:dallas")
    assert substituted(query, dallas) == (1, (2,))
    assert substituted(reader.read("hotels in dallas"), dallas) == (0, ())
    assert substituted(reader.read("hotels"), dallas) == (0, ())  # nothing is left over
    unknown = Usage(frozenset(), USAGE.plain)
    assert substituted(query, dallas, unknown) == (0, (2,))


def test_a_number_stands_in_for_another_one(reader: QueryReader) -> None:
    query, decoded = reader.read("in 175000"), form("find", "150000")
    assert substituted(query, decoded) == (1, (1,))
    assert substituted(reader.read("in 150000"), decoded)[0] == 0
    known = Usage(frozenset(), USAGE.plain | {"175000"}, USAGE.named)
    assert substituted(query, decoded, known)[0] == 0


def test_kinds_are_named_if_nearly_all_queries_do(reader: QueryReader) -> None:
    queries = ["hotels in oslo", "in dallas below", "oslo city above"] * 5
    forms = ["find t:oslo <", "find t:dallas <", "find t:oslo <"] * 5
    parsed = [
        (reader.read(query), VOCABULARY.ids(tokens.split()))
        for query, tokens in zip(queries, forms, strict=True)
    ]
    assert kinds_that_are_named(parsed) == {"TOWN"}
    assert kinds_that_are_named(parsed[:3]) == frozenset()  # too few to tell
    assert unnamed_tokens(parsed[0][0], form("t:dallas"), ()) == 0


def test_unknown_words_are_told_without_a_calibration(reader: QueryReader) -> None:
    query = reader.read("hotels in reykjavik, oslo")
    assert unknown_words(query, form("find", "t:oslo")) == (2,)
    assert unknown_words(query, form("find", "t:dallas")) == (2,)


def test_usage_keeps_its_kinds_as_json() -> None:
    assert Usage.from_json(USAGE.to_json()) == USAGE
    assert "named" not in Usage(frozenset(), frozenset()).to_json()
