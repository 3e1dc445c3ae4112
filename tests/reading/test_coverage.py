"""Which names are covered by the tokens that were emitted, and the masks of their words."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grammax.reading.coverage import coverage_before, coverage_mask, covered_after
from grammax.reading.name_index import Match

MATCHES = st.lists(
    st.builds(
        Match,
        st.integers(0, 5),
        st.integers(6, 9),
        st.sets(st.integers(0, 3), min_size=1).map(tuple),
    ),
    unique=True,
    max_size=5,
)
RUNS = st.lists(st.integers(0, 4), max_size=6)


@given(MATCHES, RUNS, RUNS)
def test_a_run_covers_what_its_tokens_cover_one_after_another(
    names: list[Match], before: list[int], run: list[int]
) -> None:
    covered = covered_after(names, before, frozenset())
    now = covered_after(names, run, covered)
    one_by_one = covered
    for token in run:
        one_by_one = covered_after(names, [token], one_by_one)
    assert now == one_by_one
    assert now >= covered
    assert (now is covered) == (now == covered)
    assert now == covered_after(names, [*before, *run], frozenset())


@given(st.lists(st.integers(0, 3), max_size=6), RUNS)
def test_a_token_covers_its_names_from_the_first_on(tokens: list[int], run: list[int]) -> None:
    names = [Match(index, index + 1, (token,)) for index, token in enumerate(tokens)]
    covered = covered_after(names, run, frozenset())
    for token, count in Counter(run).items():
        assert [name in covered for name in names if token in name.ids] == [
            index < count for index in range(tokens.count(token))
        ]
    assert {token for name in covered for token in name.ids} <= set(run)


@given(MATCHES)
def test_a_mask_is_one_for_the_words_of_covered_names(names: list[Match]) -> None:
    words = {index for start, stop, _ in names for index in range(start, stop)}
    assert np.flatnonzero(coverage_mask(names, 40)).tolist() == sorted(words)


@given(MATCHES, st.lists(RUNS, max_size=4))
def test_the_masks_of_a_sentence_are_those_of_its_steps(
    names: list[Match], runs: list[list[int]]
) -> None:
    masks = coverage_before(names, runs, 40)
    covered: frozenset[Match] = frozenset()
    for mask, run in zip(masks, runs, strict=True):
        covered = covered_after(names, run, covered)
        assert mask.tolist() == coverage_mask(covered, 40).tolist()
