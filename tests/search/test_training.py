"""The steps of a target at which there is a choice, and targets that are no sentence."""

from __future__ import annotations

import pytest
from search.scorers import Texts

from grammax import Grammar, lr, superset, training_steps
from grammax.automaton.grounded import AvailableTokens, NamedOnly
from grammax.grammar.sample import sentences
from grammax.search import SearchError, UngrammaticalTarget

GRAMMAR = Grammar.read(
    """
    start: subject? VERB ["not"] object | "(" start ")"
    subject: "the" NAME
    object: NAME | "the" NAME ["too"]
    NAME: "ann" | "bob"
    VERB: "sees" | "is"
    """
)
AUTOMATON = lr(GRAMMAR)


@pytest.mark.parametrize("make", [lr, superset])
def test_steps_are_where_more_than_one_token_or_the_end_may_come(make) -> None:
    automaton = make(GRAMMAR)
    end = len(automaton.vocabulary)
    for sentence in list(sentences(GRAMMAR, 6))[:200]:
        ids = automaton.vocabulary.ids(sentence)
        wanted = []
        for position, target in enumerate([*ids, end]):
            state = automaton.read(ids[:position])
            competing = [*automaton.next_tokens(state)]
            if position and automaton.accepts(state):
                competing.append(end)
            assert target in competing
            if len(competing) > 1:
                wanted.append((position, competing, target))
        for given in (sentence, ids):
            found = training_steps(automaton, given)
            steps = [(step.position, step.options.ids(end).tolist(), step.target) for step in found]
            assert steps == wanted


def test_the_end_may_have_another_row() -> None:
    *_, last = training_steps(AUTOMATON, ["is", "the", "ann"], end=1000)
    assert (last.position, last.target, last.options.may_end) == (3, 1000, True)


@pytest.mark.parametrize(
    ("target", "position", "message"),
    [
        (["the", "sees"], 1, r'sees cannot follow "the" \(token 2\)\.(.|\n)*Permitted here: NAME'),
        (["ann"], 0, "ann cannot begin a sentence"),
        (["is", "cyd"], 1, r'cyd cannot follow "is"(.|\n)*not in the vocabulary'),
        (["is", 99], 1, "token 2: there is no token 99"),
        (["is", "not"], 2, r'ends after "is not" \(2 tokens\).*Permitted: .*the'),
        ([], 0, 'ends after "" .*Permitted'),
    ],
)
def test_a_target_that_is_no_sentence_is_refused_with_the_place(
    target, position: int, message: str
) -> None:
    with pytest.raises(UngrammaticalTarget, match=message) as refused:
        training_steps(AUTOMATON, target)
    assert refused.value.position == position


def test_what_a_query_does_not_name_is_refused() -> None:
    names = AvailableTokens(
        AUTOMATON.vocabulary.ids(["bob"]), {AUTOMATON.vocabulary.kind_number("NAME")}
    )
    narrowed = NamedOnly(AUTOMATON, names)
    assert training_steps(narrowed, ["is", "bob"])
    with pytest.raises(UngrammaticalTarget, match=r"ann.*available"):
        training_steps(narrowed, ["is", "ann"])


def test_a_grammar_that_is_not_compiled_is_refused() -> None:
    with pytest.raises(SearchError, match=r"Grammar is neither an automaton nor .*exact\(grammar"):
        training_steps(GRAMMAR, ["is", "the", "ann"])


TEXTS = Texts.of([(1, 7, 8, 4, 9), (1, 7, 8, 5, 9), (2, 9), (2, 3, 9)])


def test_targets_over_sub_words_have_their_end() -> None:
    found = training_steps(TEXTS, (1, 7, 8, 5, 9))
    assert [(s.position, s.options.ids(None).tolist(), s.target) for s in found] == [
        (0, [1, 2], 1),
        (3, [4, 5], 5),
    ]
    for target, position, message in (
        ((1, 7, 5), 2, "id 5 at position 2 is not permitted there. Permitted: 8"),
        ((2, 9, 3), 2, "the end was read before id 3"),
        ((2,), 1, "it has 1 ids, and the end is not among them. Permitted after them: 3, 9"),
    ):
        with pytest.raises(UngrammaticalTarget, match=message) as refused:
            training_steps(TEXTS, target)
        assert refused.value.position == position


def test_the_loss_is_the_log_probability_that_a_search_gives() -> None:
    torch = pytest.importorskip("torch", reason="heads need PyTorch")
    from search.decoders import a_model, equity

    from grammax import Spans, decode
    from grammax.head.row_scores import negative_log_likelihood
    from grammax.search import WithHead

    decoder, layer = a_model(equity())
    head = Spans(layer)
    for source in range(5):
        (found,) = decode(WithHead(decoder, head), equity(), source, budget=30)
        steps = training_steps(equity(), found.ids)
        state, hidden = decoder.start(source), []
        for token in (*found.ids, None):
            hidden.append(decoder.hidden(state))
            if token is not None:
                state = decoder.step(state, (token,))
        loss = negative_log_likelihood(
            head,
            torch.stack([hidden[step.position] for step in steps]),
            [step.options for step in steps],
            torch.tensor([step.target for step in steps]),
        )
        assert -float(loss.sum().detach()) == pytest.approx(found.log_probability, abs=1e-4)
