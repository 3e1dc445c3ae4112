"""Sentences: drawn at random within bounds, or all of them in order."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.grammars import random_grammars

from grammax import Grammar, earley
from grammax.grammar import Sampler, sentences
from grammax.grammar.expand import Rule

NESTED = Grammar.read('start: "(" start ")" | "x"')


@given(random_grammars(), st.integers(0, 5), st.integers(0, 9))
def test_every_draw_ends_and_is_a_sentence(grammar: Grammar, seed: int, depth: int) -> None:
    automaton = earley(grammar)
    sampler = Sampler(grammar, max_depth=depth, max_tokens=30)
    for _ in range(5):
        assert automaton.accepts(automaton.read(sampler.draw(Random(seed))))


def test_the_same_seed_draws_the_same_sentences() -> None:
    sampler = Sampler(NESTED, max_depth=50)
    one, other = Random(7), Random(7)
    assert [sampler.draw(one) for _ in range(20)] == [sampler.draw(other) for _ in range(20)]
    assert len({sampler.draw(one) for _ in range(50)}) > 3


def test_rules_are_drawn_by_weight() -> None:
    grammar = Grammar.read('start: "rare" | "often"')
    weights = {'start: "rare"': 1, 'start: "often"': 9}
    sampler, random = Sampler(grammar, weights), Random(0)
    drawn = Counter(sampler.draw(random)[0] for _ in range(2_000))
    assert 100 < drawn["rare"] < 300


def test_weights_may_be_a_function_and_zero_means_never() -> None:
    def weight(rule: Rule) -> float:
        return 0 if '"x"' in rule.symbols else 1

    grammar = Grammar.read('start: "x" | "y" | "z"')
    sampler, random = Sampler(grammar, weight), Random(0)
    assert {sampler.draw(random) for _ in range(200)} == {("y",), ("z",)}


def test_a_rule_of_no_weight_is_drawn_where_nothing_else_ends() -> None:
    sampler = Sampler(NESTED, weights={'start: "x"': 0}, max_depth=5)
    assert sampler.draw(Random(0)) == tuple("((((x))))")


def test_tokens_of_a_kind_are_all_drawn() -> None:
    grammar = Grammar.from_rules({"start": [["K"]]}, {"K": ["a", "b", "c", "New York"]})
    sampler, random = Sampler(grammar), Random(0)
    assert {sampler.draw(random)[0] for _ in range(200)} == {"a", "b", "c", "New York"}


@pytest.mark.parametrize(
    "text", ['start: start start | "x"', 'start: "x"+', 'start: "x" start | "x"']
)
def test_long_sentences_stop_near_the_limit(text: str) -> None:
    sampler = Sampler(Grammar.read(text), max_depth=10**6, max_tokens=100)
    random = Random(0)
    assert max(len(sampler.draw(random)) for _ in range(200)) <= 101


def test_a_sentence_nested_10_000_deep_is_drawn() -> None:
    deep = Sampler(NESTED, weights={'start: "x"': 0}, max_depth=10_000, max_tokens=10**6)
    assert len(deep.draw(Random(0))) > 19_000


def test_all_sentences_are_enumerated_once_shorter_ones_first() -> None:
    grammar = Grammar.read('start: A | A start\nA: "a" | "b"')
    found = list(sentences(grammar, 3))
    assert len(found) == len(set(found)) == 2 + 4 + 8
    assert [len(sentence) for sentence in found] == sorted(len(sentence) for sentence in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('start: start "a" | "a"', ["a", "aa", "aaa"]),
        ('start: start | "a"', ["a"]),
        ("start: start start | ", [""]),
        ('start: b start b | "x"\nb: "y" | ', ["x", "xy", "yx", "xyy", "yxy", "yyx"]),
        ('start: "a"~4', []),
    ],
    ids=["left recursion", "a cycle", "only the empty sentence", "nullable", "all are longer"],
)
def test_enumeration_is_right_where_rules_are_awkward(text: str, expected: list[str]) -> None:
    found = ["".join(sentence) for sentence in sentences(Grammar.read(text), 3)]
    assert sorted(found) == sorted(expected)
