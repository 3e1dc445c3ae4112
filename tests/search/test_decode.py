"""`decode` and `decode_batch`: one search for models of every kind, alone and in batches."""

from __future__ import annotations

from itertools import pairwise

import pytest
from search.scorers import Prefixes

from grammax import Grammar, decode, decode_batch, lr, superset
from grammax.head import HeadError, NoEndRow, Options
from grammax.head.protocol import Scores
from grammax.search import (
    BudgetTooShort,
    ListedScores,
    NoScore,
    QueriesFailed,
    Sampling,
    SearchError,
    WithHead,
)

NUMBERS = Grammar.read('start: "-"? DIGIT+ ["." DIGIT+]\nDIGIT: "0".."9"')
EXACT, LOOSE = lr(NUMBERS), superset(NUMBERS)
MODEL = Prefixes(end=len(EXACT.vocabulary))


def test_best_and_width_are_those_of_the_beam() -> None:
    wide = decode(MODEL, EXACT, 1, best=40, budget=6)
    logs = [one.log_probability for one in wide]
    assert len(wide) == 40
    assert all(a >= b for a, b in pairwise(logs))
    assert decode(MODEL, EXACT, 1, best=3, width=40, budget=6) == wide[:3]
    narrow = decode(MODEL, EXACT, 1, best=1, width=40, budget=6)
    assert narrow == wide[:1]
    (greedy,) = decode(MODEL, EXACT, 1, budget=6)
    assert greedy.log_probability <= wide[0].log_probability


def test_every_source_of_a_batch_is_decoded_as_alone() -> None:
    grammars = [EXACT, LOOSE, EXACT, LOOSE]
    for settings in ({}, {"best": 4}, {"best": 2, "width": 5}):
        found = decode_batch(MODEL, grammars, range(4), budget=9, **settings)
        for source, grammar in enumerate(grammars):
            assert found[source] == decode(MODEL, grammar, source, budget=9, **settings)
    assert decode_batch(MODEL, EXACT, [1, 2], budget=9) == [
        decode(MODEL, EXACT, source, budget=9) for source in (1, 2)
    ]
    assert decode_batch(MODEL, EXACT, []) == []


class Damaged(Prefixes):
    def scores(self, state: tuple[int, ...], options: Options) -> Scores:
        ids = options.ids(self.end)
        return (
            ListedScores(ids, [float("nan")] * len(ids))
            if state[0] == 2
            else super().scores(state, options)
        )


@pytest.mark.parametrize("settings", [{}, {"best": 3}, {"sampling": Sampling(3, seed=0)}])
def test_a_source_whose_scores_are_nan_fails_alone(settings) -> None:
    damaged = Damaged(MODEL.end)
    with pytest.raises(QueriesFailed) as failed:
        decode_batch(damaged, EXACT, [1, 2, 3], budget=9, **settings)
    assert set(failed.value.errors) == {1}
    if "sampling" not in settings:
        assert failed.value.found[0] == decode(MODEL, EXACT, 1, budget=9, **settings)
        assert failed.value.found[2] == decode(MODEL, EXACT, 3, budget=9, **settings)
    with pytest.raises(NoScore):
        decode(damaged, EXACT, 2, budget=9, **settings)


def test_the_end_may_have_another_row_or_none() -> None:
    class NeverEnds(Prefixes):
        def score(self, state: tuple[int, ...], row: int) -> float:
            return -50.0 if row == self.end else super().score(state, row)

    (loath,) = decode(NeverEnds(end=77), EXACT, 1, budget=9)
    assert len(loath.ids) == 9
    assert loath.ending == "budget"
    with pytest.raises(NoEndRow):
        decode(Prefixes(end=None), EXACT, 1, budget=9)
    forced = lr(Grammar.read('start: "(" ("a" | "b") ")"'))
    assert str(decode(Prefixes(end=None), forced, 1)[0]) in ("( a )", "( b )")


def test_a_decoder_and_a_head_are_a_scorer_alone_and_in_batches() -> None:
    torch = pytest.importorskip("torch", reason="heads need PyTorch")
    from head.layers import HEADS
    from search.decoders import TinyBatchDecoder, a_model, equity

    from grammax.search import beam_batch, greedy_batch

    automaton = equity()
    decoder, layer = a_model(automaton)
    many = TinyBatchDecoder(decoder)
    with torch.no_grad():
        for name in HEADS:
            head = HEADS[name](layer)
            for decisions_only in (False, True):
                asked = {"budget": 20, "decisions_only": decisions_only}
                greedy = greedy_batch(many, head, automaton, range(4), **asked)
                beams = beam_batch(many, head, automaton, range(4), width=3, **asked)
                for batch in (many, None):
                    model = WithHead(decoder, head, batch, decisions_only)
                    found = decode_batch(model, automaton, range(4), budget=20)
                    assert [one.ids for (one,) in found] == [one.ids for one in greedy]
                    found = decode_batch(model, automaton, range(4), best=3, budget=20)
                    wanted = [[one.ids for one in best] for best in beams]
                    assert [[one.ids for one in best] for best in found] == wanted


def test_a_pair_used_as_a_scorer_by_hand_gives_the_same() -> None:
    pytest.importorskip("torch", reason="heads need PyTorch")
    from search.decoders import a_model, equity

    from grammax import Spans

    decoder, layer = a_model(equity())
    model = WithHead(decoder, Spans(layer))

    class ByHand:
        end = model.end
        start, scores, advance = model.start, model.scores, model.advance

    for source in range(4):
        assert decode(ByHand(), equity(), source, budget=20) == decode(
            model, equity(), source, budget=20
        )


def test_the_network_of_the_parser_is_a_scorer() -> None:
    pytest.importorskip("torch", reason="the network needs PyTorch")
    from model.networks import an_untrained
    from model.tiny import TINY

    from grammax import Spans
    from grammax.model.decoding import TorchBatchDecoder, TorchDecoder
    from grammax.model.parser import output_layer
    from grammax.search import greedy

    network = an_untrained()
    decoder, head = TorchDecoder(network), Spans(output_layer(network))
    model = WithHead(decoder, head, TorchBatchDecoder(network), decisions_only=True)
    automaton = TINY.automaton("lr")
    queries = [network.reader.read(pair.query) for pair in TINY.train[:5]]
    found = decode_batch(model, automaton, queries, budget=20)
    for query, (one,) in zip(queries, found, strict=True):
        wanted = greedy(decoder, head, automaton, query, budget=20, decisions_only=True)
        assert one.ids == wanted.ids


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"best": 0}, "1 or more, not 0"),
        ({"best": 3, "width": 2}, "give a width of 3 or more"),
        ({"best": 3, "sampling": Sampling()}, "not both"),
        ({"width": 3, "sampling": Sampling()}, "not both"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        decode(MODEL, EXACT, 1, **settings)


def test_there_is_one_grammar_for_all_sources_or_one_each() -> None:
    with pytest.raises(SearchError, match="3 grammars for 2 sources"):
        decode_batch(MODEL, [EXACT] * 3, [1, 2])


def test_grammars_of_one_batch_share_their_vocabulary() -> None:
    other = lr(Grammar.read('start: "a" | "b"'))
    with pytest.raises(HeadError, match="same vocabulary"):
        decode_batch(MODEL, [EXACT, other], [1, 2])


def test_a_budget_that_is_too_short_is_refused() -> None:
    pair = lr(Grammar.read('start: "(" ("a" | "b") ")"'))
    for settings in ({}, {"best": 2}, {"sampling": Sampling(2)}):
        with pytest.raises(BudgetTooShort, match=r"budget of 2 tokens: .* has 3"):
            decode(MODEL, pair, 1, budget=2, **settings)


@pytest.mark.parametrize(("ids", "values"), [([1, 2], [0.0]), ([[1]], [[0.0]]), ([1], 0.0)])
def test_scores_are_one_number_for_each_id(ids, values) -> None:
    with pytest.raises(SearchError, match="one number for each id"):
        ListedScores(ids, values)


def test_listed_scores_rank_what_competes() -> None:
    scores = ListedScores([4, 1, 9], [float("-inf"), 1.0, 1.0])
    assert [row for row, _ in scores.best(5)] == [1, 9]
    assert [row for row, _ in scores.best(5, [(2, 20)])] == [9]
    assert scores.best(1, [(20, 30)]) == []
    assert ListedScores([], []).best(1) == []
    assert ListedScores([1], [float("-inf")]).best(1) == []
    assert ListedScores([1, 2], [float("nan"), 1.0]).best(2) == []
    assert ListedScores([1, 2], [float("inf"), 1.0]).best(2) == []
