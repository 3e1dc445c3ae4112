"""Words by the parts that they speak of."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model.tiny import TINY, a_reader

from grammax.language.domain import Part
from grammax.training.augment.alignment import Alignment, Segment, learnt

READER = a_reader()
PAIRS = [(READER.read(pair.query), TINY.parts(pair.tokens)) for pair in TINY.train]
ALIGNMENT = Alignment(TINY.vocabulary, PAIRS)


def segments(text: str, tokens: str) -> list[tuple[str, str]]:
    """The words, and the role of what they speak of."""
    found = ALIGNMENT.segments(READER.read(text), TINY.parts(tuple(tokens.split())))
    return [(" ".join(s.words), s.part.role if s.part else "") for s in found]


def test_every_word_is_in_one_segment() -> None:
    for query, parts in PAIRS:
        found = ALIGNMENT.segments(query, parts)
        assert tuple(word for segment in found for word in segment.words) == query.words
        for one, other in pairwise(found):
            assert one.part != other.part


def test_names_numbers_and_what_is_learnt() -> None:
    form = "( AND ( FLD_SECTOR EQ SEC_STEEL ) ( FLD_DOMICILE EQ COU_JAPAN ) ( top 5 FLD_MKT_CAP ) )"
    assert segments("Top 5 steel in Japan", form) == [
        ("top 5", "top"),
        ("steel", "FLD_SECTOR"),
        ("in", ""),
        ("japan", "FLD_DOMICILE"),
    ]
    form = "( AND ( FLD_SECTOR EQ SEC_BANKS ) ( NOT ( FLD_DOMICILE EQ COU_FRANCE ) ) )"
    assert segments("banking not french", form) == [
        ("banking", "FLD_SECTOR"),
        ("not french", "NOT"),
    ]


def test_a_word_that_was_never_seen_goes_with_its_neighbours() -> None:
    part = Part(("(", "FLD_SECTOR", "EQ", "SEC_STEEL", ")"), "FLD_SECTOR")
    query = READER.read("qwertz steel")
    found = ALIGNMENT.segments(query, [part])
    assert found[-1].part == part
    assert Segment(part, ("steel",)) in found or found == [Segment(part, query.words)]


def learnt_one_by_one(
    pairs: list[tuple[list[str], list[str]]], rounds: int, prior: float, least: float
) -> dict[str, dict[str, float]]:
    """IBM's model 1 as it is written down."""
    found: dict[str, dict[str, float]] = {}
    for _ in range(rounds):
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for words, symbols in pairs:
            for word in words:
                shares = [max(found[s][word], least) if found else 1.0 for s in symbols]
                shares[0] *= prior
                for symbol, share in zip(symbols, shares, strict=True):
                    counts[symbol][word] += share / sum(shares)
        found = {
            symbol: {word: count / sum(each.values()) for word, count in each.items()}
            for symbol, each in counts.items()
        }
    return found


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from("abcd"), max_size=5),
            st.lists(st.sampled_from("xyz"), unique=True).map(lambda symbols: ["", *symbols]),
        ),
        max_size=6,
    )
)
def test_what_is_learnt_in_arrays_is_what_is_learnt_one_by_one(
    pairs: list[tuple[list[str], list[str]]],
) -> None:
    wanted = learnt_one_by_one(pairs, rounds=12, prior=4.0, least=1e-5)
    found = learnt(pairs)
    assert found.keys() == wanted.keys()
    for symbol, words in wanted.items():
        assert found[symbol] == pytest.approx(words, rel=1e-6, abs=1e-12)
