"""Samples follow the softmax under the grammar, end in time, and are the same for the same seed."""

from __future__ import annotations

from collections import Counter
from math import exp, log

import numpy as np
import pytest
from search.scorers import Prefixes, Texts, text_probabilities

from grammax import Grammar, Sampling, decode, decode_batch, lr, superset
from grammax.search import BudgetTooShort, SearchError
from grammax.search.sampling import nucleus

END = 9
TEXTS = Texts.of(
    [(1, 4, END), (1, 5, END), (1, END), (2, 4, 4, END), (2, 5, END), (3, 7, 7, 7, END)]
)
MODEL = Prefixes(end=None)
DRAWN = 2000


def chi_square(counts: Counter, probabilities: dict) -> float:
    """The statistic of Pearson's test, over what was drawn and what should have been."""
    assert set(counts) <= set(probabilities)
    total = sum(counts.values())
    assert sum(probabilities.values()) == pytest.approx(1)
    return sum((counts[x] - total * p) ** 2 / (total * p) for x, p in probabilities.items())


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("source", [1, 2])
def test_samples_follow_the_masked_and_renormalised_softmax(
    source: int, temperature: float
) -> None:
    sampling = Sampling(DRAWN, temperature=temperature, seed=source)
    found = decode(MODEL, TEXTS, source, sampling=sampling)
    wanted = text_probabilities(MODEL, TEXTS, source, temperature)
    # 5 degrees of freedom: 20.5 is passed by one of a thousand right samplers.
    assert chi_square(Counter(one.ids for one in found), wanted) < 20.5
    other = text_probabilities(MODEL, TEXTS, source + 1, temperature)
    assert chi_square(Counter(one.ids for one in found), other) > 100
    plain = text_probabilities(MODEL, TEXTS, source)
    for one in found[:50]:  # the model's own, whatever the temperature
        assert one.log_probability == pytest.approx(log(plain[one.ids]))


def test_where_the_budget_forbids_tokens_the_others_are_renormalised() -> None:
    found = decode(MODEL, TEXTS, 1, sampling=Sampling(DRAWN, seed=3), budget=3)
    fits = Texts.of(text for text in TEXTS.texts if len(text) <= 3)
    wanted = text_probabilities(MODEL, fits, 1)
    assert chi_square(Counter(one.ids for one in found), wanted) < 18.5  # 4 degrees of freedom


@pytest.mark.parametrize("top_p", [0.2, 0.5, 0.8])
def test_top_p_draws_from_the_nucleus_alone(top_p: float) -> None:
    flat = Texts.of([(row, END) for row in range(8)])
    wanted = text_probabilities(MODEL, flat, 4)
    order = sorted(wanted, key=lambda text: -wanted[text])
    kept, mass = [], 0.0
    for text in order:
        if mass < top_p:
            kept.append(text)
            mass += wanted[text]
    assert 0 < len(kept) < 8
    found = decode(MODEL, flat, 4, sampling=Sampling(DRAWN, top_p=top_p, seed=5))
    counts = Counter(one.ids for one in found)
    assert chi_square(counts, {text: wanted[text] / mass for text in kept}) < 24.3


def test_a_nucleus_that_does_not_fit_the_budget_is_left() -> None:
    texts = Texts.of([(1, 1, 1, END), (2, END), (3, END)])

    class KeenOnLong(Prefixes):
        def score(self, state, row):
            return 20.0 if row == 1 else 0.0

    found = decode(KeenOnLong(None), texts, 0, sampling=Sampling(200, top_p=0.5, seed=0), budget=2)
    counts = Counter(one.ids for one in found)
    assert set(counts) == {(2, END), (3, END)}
    assert 60 < counts[2, END] < 140


NUMBERS = Grammar.read('start: "-"? DIGIT+ ["." DIGIT+]\nDIGIT: "0".."9"')


@pytest.mark.parametrize("make", [lr, superset])
@pytest.mark.parametrize("budget", [1, 2, 5, 12])
def test_every_sample_is_a_sentence_within_the_budget(make, budget: int) -> None:
    automaton = make(NUMBERS)
    model = Prefixes(end=len(automaton.vocabulary))
    endings = Counter()
    for source in range(5):
        for one in decode(model, automaton, source, sampling=Sampling(40, seed=1), budget=budget):
            assert 0 < len(one.ids) <= budget
            assert automaton.accepts(automaton.read(one.ids))
            endings[one.ending] += 1
    assert endings["budget"]


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    one = decode(MODEL, TEXTS, 1, sampling=Sampling(30, seed=1))
    assert one == decode(MODEL, TEXTS, 1, sampling=Sampling(30, seed=1))
    assert one != decode(MODEL, TEXTS, 1, sampling=Sampling(30, seed=2))
    assert one[:10] == decode(MODEL, TEXTS, 1, sampling=Sampling(10, seed=1))
    without = [decode(MODEL, TEXTS, 1, sampling=Sampling(30)) for _ in range(2)]
    assert without[0] != without[1]


def test_in_a_batch_the_first_source_is_drawn_as_alone_and_others_are_independent() -> None:
    sampling = Sampling(200, seed=1)
    both = decode_batch(MODEL, TEXTS, [1, 1], sampling=sampling)
    assert both[0] == decode(MODEL, TEXTS, 1, sampling=sampling)
    assert both[0] != both[1]
    wanted = text_probabilities(MODEL, TEXTS, 1)
    alike = sum(a.ids == b.ids for a, b in zip(*both, strict=True)) / 200
    assert alike == pytest.approx(sum(p * p for p in wanted.values()), abs=0.12)


def test_a_low_temperature_is_greedy() -> None:
    for source in range(10):
        (best,) = decode(MODEL, TEXTS, source)
        cold = decode(MODEL, TEXTS, source, sampling=Sampling(3, temperature=1e-6, seed=0))
        assert [one.ids for one in cold] == [best.ids] * 3
        narrow = decode(MODEL, TEXTS, source, sampling=Sampling(3, top_p=1e-9, seed=0))
        assert [one.ids for one in narrow] == [best.ids] * 3


def test_heads_and_listed_scores_are_drawn_alike() -> None:
    torch = pytest.importorskip("torch", reason="heads need PyTorch")
    from search.decoders import TinyBatchDecoder, a_model, equity

    from grammax import CachedRows, GatheredRows, MaskedRows, Spans
    from grammax.search import WithHead

    decoder, layer = a_model(equity())
    sampling = Sampling(20, temperature=0.8, top_p=0.9, seed=2)
    with torch.no_grad():
        found = [
            decode(WithHead(decoder, head(layer)), equity(), 1, sampling=sampling, budget=30)
            for head in (Spans, CachedRows, GatheredRows)
        ]
        together = WithHead(decoder, Spans(layer), TinyBatchDecoder(decoder))
        found.append(decode(together, equity(), 1, sampling=sampling, budget=30))
        masked = decode(WithHead(decoder, MaskedRows(layer)), equity(), 1, sampling=sampling)
    assert len({tuple(one.ids for one in each) for each in found}) == 1
    assert len({one.ids for one in found[0]}) > 5
    for one in (*found[0], *masked):
        assert equity().accepts(equity().read(one.ids))


def test_a_nucleus_has_at_least_one_token() -> None:
    logs = np.log([0.1, 0.6, 0.3])
    assert nucleus(logs, 1e-12).tolist() == [False, True, False]
    assert nucleus(logs, 0.61).tolist() == [False, True, True]
    assert nucleus(logs, 1.0).all()
    assert nucleus(np.array([-np.inf, 0.0]), 1.0).tolist() == [False, True]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"count": 0}, "1 or more, not 0"),
        ({"temperature": 0}, "above 0, not 0. For the best token"),
        ({"temperature": float("nan")}, "above 0, not nan"),
        ({"top_p": 0}, "at most 1, not 0"),
        ({"top_p": 1.5}, "at most 1, not 1.5"),
        ({"seed": -1}, "0 or more, not -1"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        Sampling(**settings)


def test_a_budget_that_is_too_short_for_a_sample_is_refused() -> None:
    with pytest.raises(BudgetTooShort, match="has 2"):
        decode(MODEL, TEXTS, 1, sampling=Sampling(3, seed=0), budget=1)


def test_by_the_book_is_by_the_book() -> None:
    shares = [exp(MODEL.score((1,), row)) for row in (1, 2, 3)]
    wanted = text_probabilities(MODEL, TEXTS, 1)
    third = wanted[3, 7, 7, 7, END]
    assert third == pytest.approx(shares[2] / sum(shares))
