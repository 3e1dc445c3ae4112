"""Pairs with other names in their places."""

from __future__ import annotations

import numpy as np
from model.tiny import TINY

from grammax.language.domain import Pair
from grammax.reading.names import NameMatcher
from grammax.reading.reader import QueryReader
from grammax.reading.spelling import Spelling
from grammax.reading.words import WordVocabulary
from grammax.training.augment.swaps import swapped_pairs

NAMES = NameMatcher(TINY.vocabulary, TINY.wordings, Spelling(8))
READER = QueryReader(WordVocabulary.from_queries(pair.query for pair in TINY.train), NAMES, 50)


def form(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def draw(pairs: list[Pair], times: int, seed: int = 0) -> list[Pair]:
    return swapped_pairs(pairs, READER, np.random.default_rng(seed), times)


def test_names_are_swapped_in_the_query_and_in_the_logical_form() -> None:
    tokens = form("( AND ( FLD_DOMICILE EQ COU_GERMANY ) ( FLD_SECTOR EQ SEC_STEEL ) )")
    found = draw([Pair("german steel", tokens)], 40)
    assert 20 < len(found) <= 40
    for query, swap in found:
        said = {token for token in swap if token.startswith(("COU_", "SEC_"))}
        named = {TINY.vocabulary.tokens[i] for match in READER.read(query).names for i in match.ids}
        assert said == named
        assert TINY.grammatical(swap)
    assert len({swap for _, swap in found}) > 5


def test_all_names_of_a_token_are_swapped() -> None:
    tokens = form("( FLD_DOMICILE EQ COU_GERMANY )")
    for query, _ in draw([Pair("german or german", tokens)], 20):
        first, second = query.split(" or ")
        assert first == second


def test_numbers_stay_numbers() -> None:
    tokens = form("( AND ( top 1 5 FLD_MKT_CAP ) ( FLD_SECTOR EQ SEC_STEEL ) )")
    (first, *_) = draw([Pair("top 15 steel", tokens)], 20)
    assert first.query.startswith("top 15 ")


def test_a_pair_without_names_is_left_out() -> None:
    assert draw([Pair("top 15", form("( top 1 5 FLD_MKT_CAP )"))], 20) == []


def test_without_names_there_is_nothing_to_swap() -> None:
    blind = QueryReader(READER.words, None, 50)
    assert swapped_pairs(list(TINY.train), blind, np.random.default_rng(0), 3) == []


def test_the_seed_decides() -> None:
    pairs = list(TINY.train[:10])
    assert draw(pairs, 3, seed=1) == draw(pairs, 3, seed=1) != draw(pairs, 3, seed=2)
