"""Every pair of the corpus is grammatical, well typed, and has an answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from domains.eqs.shared import eqs

from grammax.domains.eqs.market.store import open_market
from grammax.tables.automata import table_automaton
from grammax.tables.corpus.corpus import CorpusPair
from grammax.tables.form.typecheck import check
from grammax.tables.query.source import StoreError
from grammax.tables.query.store import Store

NAMES = ("train", "test", "unseen_values", "unseen_fields", "unseen_compositions")
CHUNKS = 4  # so that workers share the pairs of a split
MOST = 250  # pairs of a chunk
BY_MONTH = ("by", "MONTH")


@pytest.fixture(scope="module")
def pairs() -> dict[str, tuple[CorpusPair, ...]]:
    return dict(eqs().corpus.splits)


@pytest.fixture(scope="module")
def market() -> Iterator[Store]:
    with open_market() as opened:
        yield opened


def assert_answered(market: Store, pairs: tuple[CorpusPair, ...]) -> None:
    automaton = table_automaton(market.catalogue)
    for pair in pairs:
        assert automaton.accepts(automaton.read(pair.tokens)), pair
        assert check(pair.lf, market.catalogue) == (), pair
        if BY_MONTH in pairwise(pair.tokens):  # the grammar has months, the market only quarters
            with pytest.raises(StoreError, match="no series by month"):
                market.answer(pair.lf)
            continue
        assert market.answer(pair.lf, limit=5, seconds=60).total is not None, pair


@pytest.mark.parametrize("name", NAMES)
def test_pairs_have_answers(
    name: str, pairs: dict[str, tuple[CorpusPair, ...]], market: Store
) -> None:
    assert_answered(market, pairs[name][:8])


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", NAMES)
def test_all_pairs_have_answers(
    name: str, chunk: int, pairs: dict[str, tuple[CorpusPair, ...]], market: Store
) -> None:
    assert_answered(market, pairs[name][chunk::CHUNKS][:MOST])
