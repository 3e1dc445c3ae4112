"""Confidence intervals of shares, beside exact quantiles of the binomial distribution."""

from __future__ import annotations

from math import comb

import pytest

from grammax.evaluation import Share, bootstrap


def quantile(count: int, share: float, level: float) -> float:
    """The share below which a binomial draw stays with a probability of `level`."""
    total = 0.0
    for hits in range(count + 1):
        total += comb(count, hits) * share**hits * (1 - share) ** (count - hits)
        if total >= level:
            return hits / count
    return 1.0


@pytest.mark.parametrize(("hits", "count"), [(50, 100), (265, 331), (3, 40), (329, 331), (1, 2)])
def test_the_interval_ends_at_the_binomial_quantiles(hits: int, count: int) -> None:
    found = bootstrap(hits, count)
    assert found.value == hits / count
    assert found.low == pytest.approx(quantile(count, found.value, 0.025), abs=1.01 / count)
    assert found.high == pytest.approx(quantile(count, found.value, 0.975), abs=1.01 / count)


def test_a_lower_level_gives_a_narrower_interval() -> None:
    wide, narrow = bootstrap(80, 200), bootstrap(80, 200, level=0.5)
    assert wide.low < narrow.low < 0.4 < narrow.high < wide.high


def test_all_or_none_is_a_point() -> None:
    assert bootstrap(7, 7) == Share(1.0, 1.0, 1.0)
    assert bootstrap(0, 7) == Share(0.0, 0.0, 0.0)


def test_the_seed_decides_the_resamples() -> None:
    assert bootstrap(333, 1_000, seed=3) == bootstrap(333, 1_000, seed=3)
    found = {bootstrap(333, 1_000, resamples=100, seed=seed) for seed in range(5)}
    assert len(found) > 1


@pytest.mark.parametrize(("hits", "count"), [(0, 0), (3, 2), (-1, 2)])
def test_what_is_no_share_is_refused(hits: int, count: int) -> None:
    with pytest.raises(ValueError, match=f"{hits} of {count} is not a share"):
        bootstrap(hits, count)
