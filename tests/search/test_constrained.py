"""Searches over sub-words: the end is an id, rows have no kinds, lengths may be unknown."""

from __future__ import annotations

from itertools import product
from math import log

import pytest
from search.scorers import Prefixes, Texts, text_probabilities

from grammax import Grammar, Sampling, decode, decode_batch, lr
from grammax.head import HeadError
from grammax.search import BudgetTooShort, ListedScores

END = 9
SMALL = Texts.of(
    [
        *((a, 7, 8, b, END) for a, b in product((1, 2, 3), (4, 5))),
        (1, END),
        (6, END),
        (6, 7, END),
        (6, 7, 7, 7, 7, 7, END),
    ]
)
MODEL = Prefixes(end=None)


def test_a_wide_beam_finds_every_text_with_its_probability() -> None:
    for source in range(5):
        wanted = text_probabilities(MODEL, SMALL, source)
        assert sum(wanted.values()) == pytest.approx(1)
        found = decode(MODEL, SMALL, source, best=50)
        assert {one.ids for one in found} == SMALL.texts
        assert [one.ids for one in found] == sorted(wanted, key=lambda text: -wanted[text])
        for one in found:
            assert one.log_probability == pytest.approx(log(wanted[one.ids]))


def test_greedy_takes_the_best_permitted_id_at_each_step() -> None:
    for source in range(20):
        (found,) = decode(MODEL, SMALL, source)
        state, model = (), MODEL.start(source)
        while state not in SMALL.texts:
            token = max(SMALL.rows(state), key=lambda row: MODEL.score(model, row))
            state, model = (*state, token), MODEL.advance(model, token)
        assert found.ids == state
        assert found.tokens == ()
        assert len(found.ids) == len(found.permitted) == len(found.scored)
        assert found.ending in ("chosen", "forced")


def test_forced_ids_are_not_scored() -> None:
    found = decode(MODEL, SMALL, 0, best=50)
    of = {one.ids: one for one in found}
    assert of[2, 7, 8, 4, END].scored == (4, 0, 0, 2, 0)
    assert of[2, 7, 8, 4, END].ending == "forced"
    assert of[1, END].scored == (4, 2)
    assert of[1, END].ending == "chosen"


@pytest.mark.parametrize("budget", [2, 3, 4, 5, 6])
def test_every_text_ends_within_the_budget(budget: int) -> None:
    fits = {text for text in SMALL.texts if len(text) <= budget}
    for source in range(20):
        assert decode(MODEL, SMALL, source, budget=budget)[0].ids in fits
        assert {one.ids for one in decode(MODEL, SMALL, source, best=50, budget=budget)} == fits
        drawn = decode(MODEL, SMALL, source, sampling=Sampling(20, seed=source), budget=budget)
        assert {one.ids for one in drawn} <= fits


def test_an_end_that_the_budget_forces_is_said() -> None:
    endings = {}
    for source in range(20):
        (found,) = decode(MODEL, SMALL, source, budget=3)
        endings.setdefault(found.ids, set()).add(found.ending)
    assert endings[6, 7, END] <= {"chosen", "budget"}
    assert "budget" in endings[6, 7, END]


def test_a_budget_that_nothing_fits_is_refused() -> None:
    with pytest.raises(BudgetTooShort, match=r"budget of 1 tokens: .* has 2"):
        decode(MODEL, SMALL, 0, budget=1)


def test_where_lengths_are_unknown_a_search_ends_in_time_or_says_that_it_did_not() -> None:
    blind = Texts(SMALL.texts, knows_needed=False)
    assert decode(MODEL, blind, 0, best=50) == decode(MODEL, SMALL, 0, best=50)
    late = 0
    for source in range(30):
        try:
            (found,) = decode(MODEL, blind, source, budget=3)
        except BudgetTooShort:
            late += 1
        else:
            assert len(found.ids) <= 3
            assert found.ids in SMALL.texts
    assert 0 < late < 30
    # A beam goes on with the hypotheses that do end.
    found = decode(MODEL, blind, 0, best=50, budget=3)
    assert {one.ids for one in found} == {text for text in SMALL.texts if len(text) <= 3}
    with pytest.raises(BudgetTooShort, match="no permitted token leads to an end"):
        decode(MODEL, Texts.of([(1, 2, 3, END)], knows_needed=False), 0, budget=3)


class Counted(Texts):
    """Counts the ids that are tried."""

    tried = 0

    def advance(self, state, token):
        Counted.tried += 1
        return super().advance(state, token)


def test_where_the_best_id_does_not_fit_the_next_ones_are_tried_and_not_all() -> None:
    long = [(row, row, END) for row in range(10, 1010)]

    class EndIsThird(Prefixes):
        def score(self, state, row):
            return {10: 9.0, 11: 8.0, END: 7.0}.get(row, 0.0)

    texts = Counted.of([*long, (END,)], size=1010)
    for settings in ({}, {"sampling": Sampling(1, temperature=0.01, seed=0)}):
        Counted.tried = 0
        (found,) = decode(EndIsThird(None), texts, 0, budget=2, **settings)
        assert (found.ids, found.ending) == ((END,), "budget")
        assert 0 < Counted.tried < 10


def test_words_and_sub_words_share_a_batch() -> None:
    automaton = lr(
        Grammar.read('start: A A\nA: "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i"')
    )
    texts = Texts.of([(1, 2, 8), (3, 8)], size=9)
    model = Prefixes(end=9)
    found = decode_batch(model, [automaton, texts, automaton], [0, 1, 2])
    assert [one for (one,) in found] == [
        decode(model, grammar, source)[0]
        for source, grammar in enumerate([automaton, texts, automaton])
    ]
    assert automaton.accepts(automaton.read(found[0][0].ids))
    assert found[1][0].ids in texts.texts


class Everything(Prefixes):
    """Scores all ids, as a head without a grammar does."""

    def scores(self, state, options):
        return ListedScores(range(50), [self.score(state, row) for row in range(50)])


def test_ids_that_are_not_permitted_are_never_taken() -> None:
    for source in range(10):
        assert decode(Everything(None), SMALL, source)[0].ids == decode(MODEL, SMALL, source)[0].ids
        drawn = decode(Everything(None), SMALL, source, sampling=Sampling(10, seed=1))
        assert {one.ids for one in drawn} <= SMALL.texts


def test_a_layer_for_fewer_ids_is_refused() -> None:
    torch = pytest.importorskip("torch", reason="heads need PyTorch")
    from grammax import OutputLayer, Spans
    from grammax.search import WithHead

    head = Spans(OutputLayer(torch.zeros(9, 2), torch.zeros(9), tokens=9))
    with pytest.raises(HeadError, match="for 9 tokens, and the constraint for 50 ids"):
        decode(WithHead(_Still(), head), SMALL, 0)


@pytest.mark.parametrize("name", ["MaskedRows", "GatheredRows", "CachedRows", "Spans", "EveryRow"])
def test_every_head_gives_the_same_texts(name: str) -> None:
    torch = pytest.importorskip("torch", reason="heads need PyTorch")
    import grammax
    from grammax.search import WithHead

    torch.manual_seed(0)
    layer = grammax.OutputLayer(torch.randn(50, 4), torch.randn(50), tokens=50)
    wanted = decode(WithHead(_Still(), grammax.MaskedRows(layer)), SMALL, 0, best=50)
    model = WithHead(_Still(), getattr(grammax, name)(layer))
    found = decode(model, SMALL, 0, best=50)
    if name != "EveryRow":  # which normalises over all rows
        assert [one.ids for one in found] == [one.ids for one in wanted]
        logs = [one.log_probability for one in wanted]
        assert [one.log_probability for one in found] == pytest.approx(logs, abs=1e-5)
    assert {one.ids for one in found} <= SMALL.texts


class _Still:
    """A decoder whose hidden vector is always the same."""

    def start(self, source):
        return source

    def step(self, state, run):
        return state

    def hidden(self, state):
        import torch

        return torch.tensor([1.0, -1.0, 0.5, 2.0])
