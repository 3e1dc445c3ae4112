"""Searches under the constraints of `grammax.subwords`, canonical and in bytes."""

from __future__ import annotations

from functools import cache

import pytest

pytest.importorskip("tokenizers", reason="sub-words need a tokenizer")

from search.scorers import Prefixes
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from grammax import Grammar, Sampling, decode, lr, training_steps
from grammax.grammar.sample import sentences
from grammax.search import BudgetTooShort
from grammax.subwords import SubwordConstraint, constraint

GRAMMAR = Grammar.read(
    """
    search: "find" NAME ["and" NAME] | "find" "(" search ")"
    NAME: "drama" | "dramas" | "comedy" | "comic" | "noir"
    """
)
SENTENCES = {" ".join(sentence) for sentence in sentences(GRAMMAR, 7)}
MODEL = Prefixes(end=None)


@cache
def tokenizer() -> Tokenizer:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=280,
        special_tokens=["</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(sorted(SENTENCES), trainer)
    return made


@cache
def grammar(spelling: str) -> SubwordConstraint:
    return constraint(lr(GRAMMAR), tokenizer(), spelling=spelling, eos=0)


def text(ids: tuple[int, ...]) -> str:
    assert ids[-1] == 0
    assert 0 not in ids[:-1]
    return tokenizer().decode(list(ids))


def test_a_wide_beam_finds_every_sentence_once_where_spelling_is_canonical() -> None:
    found = decode(MODEL, grammar("canonical"), 1, best=400, budget=14)
    texts = [text(one.ids) for one in found]
    assert len(texts) == len(set(texts))
    spelled = {sentence: len(tokenizer().encode(sentence).ids) + 1 for sentence in SENTENCES}
    short = {sentence for sentence, length in spelled.items() if length <= 14}
    assert short <= set(texts)
    assert len(short) > 20
    automaton = lr(GRAMMAR)
    assert all(automaton.accepts(automaton.read(one.split())) for one in texts)


@pytest.mark.parametrize("spelling", ["canonical", "bytes"])
@pytest.mark.parametrize("budget", [5, 9, 30, 60])
def test_every_text_is_a_sentence_within_the_budget(spelling: str, budget: int) -> None:
    automaton = lr(GRAMMAR)
    try:
        searched = [decode(MODEL, grammar(spelling), source, budget=budget) for source in range(6)]
    except BudgetTooShort as short:
        least = grammar(spelling).needed(grammar(spelling).start())
        assert (short.needed, budget) == (least, 5)  # noqa: PT017
        return
    searched += [
        decode(MODEL, grammar(spelling), 7, best=4, budget=budget),
        decode(MODEL, grammar(spelling), 8, sampling=Sampling(8, 1.5, 0.95, 3), budget=budget),
    ]
    for one in (found for each in searched for found in each):
        assert len(one.ids) <= budget
        assert automaton.accepts(automaton.read(text(one.ids).split()))


def test_the_steps_of_a_target_are_its_choices() -> None:
    target = [*tokenizer().encode("find comedy and noir").ids, 0]
    steps = training_steps(grammar("canonical"), target)
    assert 2 <= len(steps) < len(target)
    assert all(target[step.position] == step.target in step.options.permitted for step in steps)
    assert all(len(step.options.permitted) > 1 for step in steps)
