"""The pairs and texts that were written by hand: all can be learnt, and none is measured on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grammax.domains import load_domain
from grammax.model.config import ModelConfig
from grammax.model.header import new_reader
from grammax.reading.words import WordVocabulary
from grammax.tables.domain import TableDomain
from grammax.training.examples import trainable

PEOPLE = Path(__file__).parents[3] / "benchmarks" / "people"
SIMILAR = 0.75  # share of the words that two texts have in common


@pytest.fixture(scope="module")
def domain() -> TableDomain:
    found = load_domain("eqs")
    assert isinstance(found, TableDomain)
    return found


def test_every_pair_can_be_learnt(domain: TableDomain) -> None:
    reader = new_reader(ModelConfig(decisions_only=True, filled=True), domain, WordVocabulary(()))
    pairs = domain.written_pairs()
    found, errors = trainable(pairs, reader, domain.automaton("filled"), decisions_only=True)
    assert not errors
    assert len(found) == len(pairs) > 4_000


def test_no_pair_is_there_twice(domain: TableDomain) -> None:
    queries = [pair.query.lower() for pair in domain.written_pairs()]
    assert len(queries) == len(set(queries))


def test_nothing_to_learn_from_is_measured_on(domain: TableDomain) -> None:
    measured = [_words(query) for query in _people()]
    learnt = [pair.query for pair in domain.written_pairs()]
    learnt += [*domain.near_misses("train"), *domain.out_of_domain("train")]
    for text in learnt:
        words = _words(text)
        for other in measured:
            assert len(words & other) < SIMILAR * len(words | other), text


def test_texts_to_abstain_on_are_not_learnt_from(domain: TableDomain) -> None:
    for texts in (domain.near_misses, domain.out_of_domain):
        assert not {text.lower() for text in texts("train")} & {t.lower() for t in texts("test")}


def _people() -> Iterator[str]:
    for path in sorted(PEOPLE.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["query"]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9&%]+", text.lower()))
