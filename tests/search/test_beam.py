"""Beam search: held to greedy decoding at width 1, and to enumeration where it is wide."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="searches are tested with the heads of PyTorch")

from head.layers import HEADS, UNDER_GRAMMAR  # noqa: E402
from laws.grammars import FOLDER, automata_of, every_file  # noqa: E402
from search.decoders import TinyBatchDecoder, a_model, by_the_book, equity  # noqa: E402

from grammax import Grammar, earley, lr, superset  # noqa: E402
from grammax.grammar.sample import sentences  # noqa: E402
from grammax.head.spans import Spans  # noqa: E402
from grammax.search import BudgetTooShort, beam, beam_batch, greedy  # noqa: E402

SMALL = Grammar.read(
    """
    start: subject? VERB ["not"] object | "(" start ")"
    subject: "the" NAME
    object: NAME | "the" NAME ["too"]
    NAME: "a" | "b"
    VERB: "sees" | "is"
    """
)


@pytest.mark.parametrize("make", [lr, superset, earley])
@pytest.mark.parametrize("name", UNDER_GRAMMAR)
def test_a_wide_beam_is_exhaustive_enumeration(make, name: str) -> None:
    automaton = make(SMALL)
    decoder, layer = a_model(automaton)
    for budget in (2, 4, 6):
        everything = _accepted(automaton, budget)
        found = beam(
            TinyBatchDecoder(decoder),
            HEADS[name](layer),
            automaton,
            5,
            width=2000,
            budget=budget,
        )
        assert {one.tokens for one in found} == everything
        assert len(found) == len(everything)
        logs = [one.log_probability for one in found]
        assert logs == sorted(logs, reverse=True)
        for one in found[:30]:
            under_grammar, full = by_the_book(automaton, decoder, layer, 5, list(one.ids))
            assert one.log_probability == pytest.approx(under_grammar, abs=1e-3)
            assert full <= under_grammar + 1e-3


def _accepted(automaton, budget: int) -> set[tuple[str, ...]]:
    if automaton.name != "superset":
        return set(sentences(SMALL, budget))
    found, waiting = set(), [((), automaton.start)]
    while waiting:
        prefix, state = waiting.pop()
        if prefix and automaton.accepts(state):
            found.add(prefix)
        if len(prefix) < budget:
            for token in automaton.next_tokens(state).tokens:
                waiting.append(((*prefix, token), automaton.pass_token(state, token)))
    return found


def test_probabilities_of_all_sentences_sum_to_one() -> None:
    finite = Grammar.read('start: A ["," A] ["!"]\nA: "a" | "b" | "c"')
    automaton = lr(finite)
    decoder, layer = a_model(automaton)
    found = beam(TinyBatchDecoder(decoder), Spans(layer), automaton, 1, width=99, budget=9)
    logs = torch.tensor([one.log_probability for one in found])
    assert float(logs.exp().sum()) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("decisions_only", [False, True])
@every_file
def test_a_beam_of_width_1_is_greedy(path, decisions_only: bool) -> None:
    for automaton in automata_of(path):
        decoder, layer = a_model(automaton)
        for query, budget in ((0, 6), (2, 20)):
            arguments = {"budget": budget, "decisions_only": decisions_only}
            try:
                one = greedy(decoder, Spans(layer), automaton, query, **arguments)
            except BudgetTooShort:
                continue
            (other,) = beam(
                TinyBatchDecoder(decoder), Spans(layer), automaton, query, width=1, **arguments
            )
            assert (one.ids, one.permitted, one.scored) == (
                other.ids,
                other.permitted,
                other.scored,
            )
            assert one.ending == other.ending
            assert one.log_probability == pytest.approx(other.log_probability, abs=1e-4)


@every_file
@pytest.mark.parametrize("width", [2, 5])
def test_every_sentence_of_a_beam_is_complete_and_within_the_budget(path, width: int) -> None:
    for automaton in automata_of(path):
        decoder, layer = a_model(automaton)
        try:
            found = beam(
                TinyBatchDecoder(decoder), Spans(layer), automaton, 3, width=width, budget=13
            )
        except BudgetTooShort:
            continue
        assert 1 <= len(found) <= width
        assert len({one.ids for one in found}) == len(found)
        for one in found:
            assert 0 < len(one.ids) <= 13
            assert automaton.accepts(automaton.read(one.ids))


def test_a_better_path_under_way_is_followed_though_the_beam_has_enough_sentences() -> None:
    automaton = lr(Grammar.read('start: "a" | "l" ("y" | "z" W)\nW: "u" | "v"'))
    decoder, layer = a_model(automaton)
    with torch.no_grad():
        layer.weight.zero_()
        layer.bias.zero_()
        layer.bias[automaton.vocabulary.ids("lz")] = 4.0
    found = beam(TinyBatchDecoder(decoder), Spans(layer), automaton, 0, width=2, budget=9)
    # After two rounds `a` and `l y` fill the beam; `l z` is likelier than both, and not complete.
    assert {str(one) for one in found} == {"l z u", "l z v"}


def test_several_grammars_share_a_batch() -> None:
    grammar = Grammar.open(FOLDER.parents[2] / "examples" / "equity.lark")
    exact = equity()
    loose = superset(grammar, exact.vocabulary)
    decoder, layer = a_model(exact)
    batched, head = TinyBatchDecoder(decoder), Spans(layer)
    each = [exact, loose, loose, exact, exact]
    many = beam_batch(batched, head, each, range(5), width=3, budget=14)
    for query, automaton in enumerate(each):
        alone = beam(batched, head, automaton, query, width=3, budget=14)
        assert [one.ids for one in many[query]] == [one.ids for one in alone]
        logs = [one.log_probability for one in alone]
        assert [one.log_probability for one in many[query]] == pytest.approx(logs, abs=1e-4)


def test_a_beam_has_at_least_one_place() -> None:
    decoder, layer = a_model(equity())
    with pytest.raises(ValueError, match="1 or more, not 0"):
        beam(TinyBatchDecoder(decoder), Spans(layer), equity(), 0, width=0, budget=9)
