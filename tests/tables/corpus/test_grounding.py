"""Every field and value of a pair is named in its query, where a reader finds it."""

from __future__ import annotations

import pytest
from tables.films import catalogue

from grammax.reading.grounds import Grounds
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.reading.spelling import Spelling
from grammax.reading.words import WordVocabulary
from grammax.tables.domain import DomainParts, TableDomain


@pytest.fixture(scope="module")
def films() -> TableDomain:
    return TableDomain(catalogue(), DomainParts(sizes={"train": 1_500, "test": 100, "hard": 0}))


@pytest.fixture(scope="module")
def reader(films: TableDomain) -> QueryReader:
    grounds = Grounds.from_domain(films)
    names = NameMatcher(films.vocabulary, films.wordings, Spelling(8), grounds=grounds)
    return QueryReader(WordVocabulary([]), names, longest=60, filling=films)


def test_what_is_meant_is_named(films: TableDomain, reader: QueryReader) -> None:
    """A reader makes the tokens of nearly all pairs available; "latest year" may be a time."""
    unnamed = []
    for pair in films.corpus.train:
        available = reader.read(pair.query).available
        assert available is not None
        tokens = [token for token in pair.tokens if token in catalogue()]
        if not {films.vocabulary.id(token) for token in tokens} <= set(available.ids):
            unnamed.append(pair.query)
    assert len(unnamed) < 0.03 * len(films.corpus.train), unnamed[:10]
