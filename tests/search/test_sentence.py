"""Sentences under way, and many of them side by side: each comes out as it does alone."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="searches are tested with the heads of PyTorch")

from collections.abc import Sequence  # noqa: E402
from math import log  # noqa: E402

from laws.grammars import FILES, FOLDER, automata_of  # noqa: E402
from search.decoders import TinyBatchDecoder, a_model, equity  # noqa: E402

from grammax import Grammar, lr, superset  # noqa: E402
from grammax.head.spans import Spans  # noqa: E402
from grammax.search import (  # noqa: E402
    BudgetTooShort,
    Decoded,
    beam_batch,
    greedy,
    greedy_batch,
)
from grammax.search.greedy import PartialSentence  # noqa: E402
from grammax.search.state import Choice, initial_state  # noqa: E402

QUERIES = range(6)
QUICK = [file for file in FILES if file.stem != "sql"]  # which takes seconds to compile
each_way = pytest.mark.parametrize("decisions_only", [False, True])


def assert_alike(found: Sequence[Decoded], wanted: Sequence[Decoded]) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert (one.ids, one.tokens) == (other.ids, other.tokens)
        assert (one.permitted, one.scored) == (other.permitted, other.scored)
        assert one.ending == other.ending
        assert one.log_probability == pytest.approx(other.log_probability, abs=1e-4)


@each_way
@pytest.mark.parametrize("file", QUICK, ids=lambda file: file.stem)
def test_many_are_as_each_alone_and_as_a_beam_of_width_1(file, decisions_only: bool) -> None:
    tried, some = 0, QUERIES[:3]
    for automaton in automata_of(file):
        decoder, layer = a_model(automaton)
        many, head = TinyBatchDecoder(decoder), Spans(layer)
        for budget in (6, 20):
            settings = {"budget": budget, "decisions_only": decisions_only}
            try:
                wanted = [greedy(decoder, head, automaton, query, **settings) for query in some]
            except BudgetTooShort:
                continue
            tried += 1
            assert_alike(greedy_batch(many, head, automaton, some, **settings), wanted)
            beams = beam_batch(many, head, automaton, some, width=1, **settings)
            assert_alike([best for (best,) in beams], wanted)
    assert tried


@each_way
def test_several_grammars_share_a_batch(decisions_only: bool) -> None:
    exact = equity()
    loose = superset(Grammar.open(FOLDER.parents[2] / "examples" / "equity.lark"), exact.vocabulary)
    decoder, layer = a_model(exact)
    head = Spans(layer)
    settings = {"budget": 14, "decisions_only": decisions_only}
    each = [exact, loose, loose, exact, loose, exact]
    alone = [
        [greedy(decoder, head, automaton, query, **settings) for query in QUERIES]
        for automaton in (exact, loose)
    ]
    assert alone[0] != alone[1]
    wanted = [alone[automaton is loose][query] for query, automaton in enumerate(each)]
    assert_alike(greedy_batch(TinyBatchDecoder(decoder), head, each, QUERIES, **settings), wanted)


@each_way
def test_one_query_and_none_are_batches_too(decisions_only: bool) -> None:
    decoder, layer = a_model(equity())
    many, head = TinyBatchDecoder(decoder), Spans(layer)
    settings = {"budget": 30, "decisions_only": decisions_only}
    for query in QUERIES:
        wanted = greedy(decoder, head, equity(), query, **settings)
        assert_alike(greedy_batch(many, head, equity(), [query], **settings), [wanted])
    assert greedy_batch(many, head, equity(), [], **settings) == []
    assert greedy_batch(many, head, [], [], **settings) == []


def test_there_is_one_grammar_for_all_or_one_each() -> None:
    decoder, layer = a_model(equity())
    many = TinyBatchDecoder(decoder)
    for grammars in ([equity()], [equity()] * 3):
        with pytest.raises(ValueError, match=r"zip\(\)"):
            greedy_batch(many, Spans(layer), grammars, [0, 1], budget=30)


@each_way
def test_a_batch_reads_no_more_than_each_alone(decisions_only: bool) -> None:
    decoder, layer = a_model(equity())
    settings = {"budget": 30, "decisions_only": decisions_only}
    for query in QUERIES:
        greedy(decoder, Spans(layer), equity(), query, **settings)
    alone, decoder.steps = decoder.steps, 0
    greedy_batch(TinyBatchDecoder(decoder), Spans(layer), equity(), QUERIES, **settings)
    assert decoder.steps == alone > 0


@each_way
def test_a_sentence_without_a_choice_has_ended_before_it_begins(decisions_only: bool) -> None:
    automaton = lr(Grammar.read('start: "(" "a" ")"'))
    decoder, layer = a_model(automaton)
    settings = {"budget": 9, "decisions_only": decisions_only}
    many = greedy_batch(TinyBatchDecoder(decoder), Spans(layer), automaton, [0, 1], **settings)
    for found in (*many, greedy(decoder, Spans(layer), automaton, 0, **settings)):
        assert (str(found), found.ending, found.log_probability) == ("( a )", "forced", 0.0)
        assert (found.permitted, found.scored) == ((1, 1, 1), (0, 0, 0))
    assert decoder.steps == 0


WORDS = lr(Grammar.read('start: "(" WORD "is" WORD ")" ")"\nWORD: "a" | "b"'))


def take(sentence: PartialSentence, token: str) -> None:
    """Go on with one of two tokens that are equally likely."""
    number = WORDS.vocabulary.id(token)
    sentence.take(Choice(number, log(0.5), sentence.state.after(number)), 2)


@pytest.mark.parametrize(
    ("decisions_only", "unread"),
    [(False, [["("], ["a"], ["is"]]), (True, [["a", "is"]])],
)
def test_a_sentence_runs_ahead_to_its_next_choice(
    decisions_only: bool, unread: list[list[str]]
) -> None:
    head = Spans(a_model(WORDS)[1])
    sentence = PartialSentence(initial_state(WORDS, head, 9), decisions_only)
    take(sentence, "a")
    names = WORDS.vocabulary.tokens
    assert [[names[token] for token in run] for run in sentence.unread] == unread
    assert [names[token] for token in sentence.ids] == ["(", "a", "is"]
    assert sentence.ending is None
    take(sentence, "b")
    found = sentence.decoded()
    assert (str(found), found.ending) == ("( a is b ) )", "forced")
    assert found.permitted == (1, 2, 1, 2, 1, 1)
    assert found.scored == (0, 2, 0, 2, 0, 0)
    assert found.log_probability == pytest.approx(log(0.25))
    assert len(sentence.unread) == len(unread)  # nothing is chosen after the second word
