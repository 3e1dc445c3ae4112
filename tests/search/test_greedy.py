"""Greedy decoding: complete sentences within a budget, whatever the model says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

torch = pytest.importorskip("torch", reason="searches are tested with the heads of PyTorch")

from head.layers import HEADS, UNDER_GRAMMAR, a_layer  # noqa: E402
from laws.grammars import automata_of, every_file  # noqa: E402
from search.decoders import (  # noqa: E402
    WIDTH,
    State,
    TinyBatchDecoder,
    TinyDecoder,
    a_model,
    by_the_book,
    equity,
)

from grammax import Grammar, earley, lr, superset  # noqa: E402
from grammax.head import HeadError, NoEndRow  # noqa: E402
from grammax.head.every_row import EveryRow  # noqa: E402
from grammax.head.gathered_rows import GatheredRows  # noqa: E402
from grammax.head.spans import Spans  # noqa: E402
from grammax.search import (  # noqa: E402
    BudgetTooShort,
    NoScore,
    OneByOne,
    QueriesFailed,
    Unconstrained,
    beam,
    beam_batch,
    greedy,
    greedy_batch,
)

QUERIES = range(8)
NUMBERS = Grammar.read('start: "-"? DIGIT+ ["." DIGIT+]\nDIGIT: "0".."9"')


def shortest(automaton) -> int:
    """The fewest tokens of a sentence that is not empty, by trial."""
    for budget in range(1, 60):
        try:
            greedy(*model(automaton), automaton, 0, budget=budget)
        except BudgetTooShort:
            continue
        return budget
    raise AssertionError


def model(automaton, seed: int = 0):
    decoder, layer = a_model(automaton, seed)
    return decoder, Spans(layer)


@every_file
def test_every_budget_ends_in_a_complete_sentence(path) -> None:
    for automaton in automata_of(path):
        least = shortest(automaton)
        for seed in range(2):
            decoder, head = model(automaton, seed)
            for budget in (least, least + 1, least + 2, least + 5, 25):
                found = greedy(decoder, head, automaton, seed, budget=budget)
                assert 0 < len(found.ids) <= budget
                assert automaton.accepts(automaton.read(found.ids)), str(found)
                assert found.tokens == tuple(automaton.vocabulary.tokens[i] for i in found.ids)


def test_a_budget_that_is_too_short_is_refused_with_what_is_needed() -> None:
    decoder, head = model(equity())
    with pytest.raises(BudgetTooShort, match=r"budget of 3 tokens: the shortest .* has 4") as short:
        greedy(decoder, head, equity(), 0, budget=3)
    assert (short.value.budget, short.value.needed) == (3, 4)
    assert len(greedy(decoder, head, equity(), 0, budget=4).ids) == 4


def test_a_grammar_of_the_empty_sentence_alone_is_refused() -> None:
    empty = earley(Grammar.read("start: nothing\nnothing:"))
    with pytest.raises(BudgetTooShort, match="only sentence is the empty one"):
        greedy(*model(empty), empty, 0, budget=5)


@pytest.mark.parametrize("name", UNDER_GRAMMAR)
def test_heads_are_interchangeable(name: str) -> None:
    for automaton in (equity(), superset(NUMBERS)):
        decoder, layer = a_model(automaton)
        for query in QUERIES:
            one = greedy(decoder, Spans(layer), automaton, query, budget=30)
            other = greedy(decoder, HEADS[name](layer), automaton, query, budget=30)
            assert one.ids == other.ids
            assert one.permitted == other.permitted
            assert one.log_probability == pytest.approx(other.log_probability, abs=1e-4)


@pytest.mark.parametrize("limit", [0, 3, 12, 1000])
def test_with_a_limit_the_result_is_grammatical_all_the_same(limit: int) -> None:
    decoder, layer = a_model(equity())
    head = GatheredRows(layer, limit=limit)
    for query in QUERIES:
        found = greedy(decoder, head, equity(), query, budget=30)
        assert equity().accepts(equity().read(found.ids))
        for permitted, scored in zip(found.permitted, found.scored, strict=True):
            everything = layer.tokens + 1 if permitted >= limit else permitted
            assert scored == (0 if permitted == 1 else everything)


def test_log_probability_is_that_among_the_permitted() -> None:
    automaton = superset(NUMBERS)
    decoder, layer = a_model(automaton)
    for query in QUERIES:
        found = greedy(decoder, Spans(layer), automaton, query, budget=6)
        want, _ = by_the_book(automaton, decoder, layer, query, list(found.ids))
        assert found.log_probability == pytest.approx(want, abs=1e-4)


def test_the_end_is_chosen_by_its_row() -> None:
    automaton = lr(NUMBERS)
    decoder, layer = a_model(automaton)
    with torch.no_grad():
        layer.bias[layer.end] = 1000
    keen = greedy(decoder, Spans(layer), automaton, 0, budget=20)
    assert keen.ending == "chosen"
    assert len(keen.ids) == automaton.tokens_to_accept(automaton.read(keen.ids[:1])) + 1
    with torch.no_grad():
        layer.bias[layer.end] = -1000
    loath = greedy(decoder, Spans(layer), automaton, 0, budget=20)
    assert loath.ending == "budget"
    assert len(loath.ids) == 20
    assert len(loath.permitted) == len(loath.scored) == 21


def test_a_forced_end_needs_no_row_and_no_score() -> None:
    decoder = TinyDecoder(len(equity().vocabulary))
    head = Spans(a_layer(len(equity().vocabulary), end=False, width=WIDTH))
    found = greedy(decoder, head, equity(), 1, budget=30)
    assert found.ending == "forced"
    assert len(found.scored) == len(found.ids)


def test_a_choice_of_ending_without_a_row_for_it_is_refused() -> None:
    automaton = lr(NUMBERS)
    layer = a_layer(len(automaton.vocabulary), end=False, width=WIDTH)
    for head in (Spans(layer), EveryRow(layer)):
        with pytest.raises(NoEndRow):
            greedy(TinyDecoder(layer.tokens), head, automaton, 0, budget=9)


def test_a_head_of_another_vocabulary_is_refused() -> None:
    layer = a_layer(7, width=WIDTH)
    with pytest.raises(HeadError, match="head is for 7 tokens"):
        greedy(TinyDecoder(7), Spans(layer), equity(), 0, budget=9)


def test_forced_tokens_cost_no_score_and_forced_ends_no_step() -> None:
    automaton = lr(Grammar.read('start: "(" WORD "is" WORD ")" ")"\nWORD: "a" | "b"'))
    decoder, head = model(automaton)
    found = greedy(decoder, head, automaton, 0, budget=9)
    assert found.scored == (0, 2, 0, 2, 0, 0)
    assert found.permitted == (1, 2, 1, 2, 1, 1)
    assert decoder.steps == 3  # `(`, a word, `is`; nothing is chosen after the second word
    decoder.steps = 0
    greedy(decoder, head, automaton, 0, budget=9, decisions_only=True)
    assert decoder.steps == 1


def test_damaged_scores_are_refused() -> None:
    decoder, layer = a_model(equity())
    with torch.no_grad():
        layer.weight.fill_(float("nan"))
    for make in HEADS.values():
        with pytest.raises(NoScore, match="NaN"):
            greedy(decoder, make(layer), equity(), 0, budget=30)


class Damaged(TinyBatchDecoder):
    """A decoder whose hidden vectors are NaN for some queries, from the start."""

    def __init__(self, decoder: TinyDecoder, damaged: set[int]) -> None:
        super().__init__(decoder)
        self.damaged = damaged

    def start(self, queries: Sequence[int]) -> State:
        hidden, cell = super().start(queries)
        for row, query in enumerate(queries):
            if query in self.damaged:
                hidden[row] = float("nan")
        return hidden, cell


@pytest.mark.parametrize("head", HEADS)
def test_a_query_with_nan_fails_alone_in_its_batch(head: str) -> None:
    decoder, layer = a_model(equity())
    made = HEADS[head](layer)
    alone = greedy_batch(TinyBatchDecoder(decoder), made, equity(), range(6), budget=30)
    with pytest.raises(QueriesFailed, match=r"2 of the 6 .* index 1: none of the .* NaN") as failed:
        greedy_batch(Damaged(decoder, {1, 4}), made, equity(), range(6), budget=30)
    assert sorted(failed.value.errors) == [1, 4]
    for query, found in enumerate(failed.value.found):
        if query in (1, 4):
            assert isinstance(found, NoScore)
        else:
            assert found.ids == alone[query].ids


def test_a_query_with_nan_fails_alone_in_a_batch_of_beams() -> None:
    decoder, layer = a_model(equity())
    head, settings = Spans(layer), {"width": 3, "budget": 30}
    alone = beam_batch(TinyBatchDecoder(decoder), head, equity(), range(4), **settings)
    with pytest.raises(QueriesFailed) as failed:
        beam_batch(Damaged(decoder, {2}), head, equity(), range(4), **settings)
    assert sorted(failed.value.errors) == [2]
    for query in (0, 1, 3):
        assert [one.ids for one in failed.value.found[query]] == [one.ids for one in alone[query]]
    with pytest.raises(NoScore):
        beam(Damaged(decoder, {2}), head, equity(), 2, **settings)


@pytest.mark.parametrize("decisions_only", [False, True])
def test_batches_of_members_in_different_states_equal_single_runs(decisions_only: bool) -> None:
    decoder, layer = a_model(equity())
    single = [
        greedy(decoder, Spans(layer), equity(), q, budget=30, decisions_only=decisions_only)
        for q in QUERIES
    ]
    assert len({len(found.ids) for found in single}) > 1
    for batched in (TinyBatchDecoder(decoder), OneByOne(decoder, torch.stack)):
        for make in HEADS.values():
            many = greedy_batch(
                batched, make(layer), equity(), QUERIES, budget=30, decisions_only=decisions_only
            )
            assert [found.ids for found in many] == [found.ids for found in single]
            if make is not EveryRow:
                logs = [found.log_probability for found in single]
                assert [found.log_probability for found in many] == pytest.approx(logs, abs=1e-4)


def test_an_empty_batch_is_an_empty_list() -> None:
    decoder, head = model(equity())
    assert greedy_batch(TinyBatchDecoder(decoder), head, equity(), [], budget=30) == []


def test_unconstrained_is_the_best_of_every_row_until_the_end_row_wins() -> None:
    free = Unconstrained(equity().vocabulary)
    decoder, layer = a_model(equity())
    for query in QUERIES:
        found = greedy(decoder, EveryRow(layer), free, query, budget=12)
        state, ids = decoder.start(query), []
        while len(ids) < 12:
            scores = layer.every_row(decoder.hidden(state))
            best = int((scores if ids else scores[:-1]).argmax())
            if best == layer.end:
                break
            ids.append(best)
            state = decoder.step(state, (best,))
        assert list(found.ids) == ids
        assert set(found.scored) == {layer.tokens + 1}
        assert (found.ending == "chosen") or len(ids) == 12
        _, full = by_the_book(free, decoder, layer, query, ids)
        assert found.log_probability == pytest.approx(full, abs=1e-3)


def test_unconstrained_can_stop_where_brackets_close() -> None:
    vocabulary = equity().vocabulary
    decoder, layer = a_model(equity())
    opens, closes = vocabulary.ids("()")
    with torch.no_grad():
        layer.bias[opens] += 6
        layer.bias[closes] += 8
        layer.bias[layer.end] -= 1000
    free = Unconstrained(vocabulary, brackets=("(", ")"))
    ends = set()
    for query in range(20):
        found = greedy(decoder, EveryRow(layer), free, query, budget=15)
        ends.add(found.ending)
        if found.ending == "forced":
            assert found.tokens[-1] == ")"
    assert "forced" in ends
