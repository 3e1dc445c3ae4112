"""Each law catches an automaton that breaks it: a check that cannot fail proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from laws.assertions import (
    assert_accepts,
    assert_agree,
    assert_exact,
    assert_finishes,
    assert_no_dead_end,
    assert_superset,
    assert_takes_what_it_permits,
)
from laws.lark_parser import LarkReferee, assert_agrees_with_lark

from grammax import Grammar, Vocabulary, earley, lr, superset, unrolled
from grammax.automaton import BoundAutomaton, Dfa
from grammax.automaton.finite.engine import FiniteEngine

TEXT = 'start: "(" start ")" | "x"'
GRAMMAR = Grammar.read(TEXT)
OPEN, CLOSE, X = range(3)


def by_hand(arcs: tuple[dict[int, int], ...], final: set[int]) -> BoundAutomaton:
    """An automaton as given: not trimmed, so that it may be wrong."""
    dfa = Dfa(arcs, frozenset(final), is_trimmed=True)
    return BoundAutomaton(FiniteEngine(dfa, "by hand"), Vocabulary(GRAMMAR.kinds))


@contextmanager
def caught(message: str) -> Iterator[None]:
    with pytest.raises(AssertionError, match=message):
        yield


def test_a_forbidden_kind_is_caught() -> None:
    without_x = by_hand(({OPEN: 1, X: 3}, {OPEN: 1, X: 2}, {CLOSE: 2}, {}), {2, 3})
    assert_superset(without_x, earley(GRAMMAR), ["(", "("])
    without_x = by_hand(({OPEN: 1, X: 3}, {OPEN: 2, X: 3}, {OPEN: 2}, {CLOSE: 3}), {3})
    with caught(r"after \['\(', '\('\] by hand forbids \['\"x\"'\]"):
        assert_superset(without_x, earley(GRAMMAR), ["(", "(", "x"])


def test_a_sentence_that_is_not_accepted_is_caught() -> None:
    never_ends = by_hand(({OPEN: 0, X: 1}, {CLOSE: 2}, {CLOSE: 2}), {2})
    with caught("does not accept"):
        assert_superset(never_ends, earley(GRAMMAR), ["x"])
    with caught("stops at"):
        assert_accepts(never_ends, [("x",)])


def test_a_dead_end_is_caught() -> None:
    stuck_after_open = by_hand(({OPEN: 1, X: 2}, {OPEN: 1}, {}), {2})
    state = stuck_after_open.read(["("])
    with caught(r"stuck after \['\('\]"):
        assert_no_dead_end(stuck_after_open, ["("], state)


def test_a_wrong_distance_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    automaton = lr(GRAMMAR)
    state = automaton.read(["(", "("])
    right = type(automaton.engine).tokens_to_accept
    for wrong in (
        lambda engine, at: right(engine, at) + (at is state),
        lambda engine, at: right(engine, at) - (at is state),
    ):
        monkeypatch.setattr(type(automaton.engine), "tokens_to_accept", wrong)
        with caught("to acceptance, but after a token"):
            assert_no_dead_end(automaton, ["(", "("], state)
        with caught("part on the way"):
            assert_agree(automaton, earley(GRAMMAR), ["(", "("])
    monkeypatch.setattr(type(automaton.engine), "tokens_to_accept", lambda engine, at: 3)
    with pytest.raises((AssertionError, StopIteration)):
        assert_finishes(automaton, state)


def test_an_unlisted_token_that_passes_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    automaton = lr(GRAMMAR)
    listed = automaton.vocabulary.permitted({OPEN})
    monkeypatch.setattr(BoundAutomaton, "next_tokens", lambda self, state: listed)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        assert_takes_what_it_permits(automaton, [], automaton.start)


def test_a_listed_token_that_is_refused_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    automaton = lr(GRAMMAR)
    listed = automaton.vocabulary.permitted({OPEN, CLOSE, X})
    monkeypatch.setattr(BoundAutomaton, "next_tokens", lambda self, state: listed)
    with pytest.raises(Exception, match=r"\) can follow"):
        assert_takes_what_it_permits(automaton, [], automaton.start)


def test_a_superset_is_not_exact() -> None:
    for loose in (superset(GRAMMAR), unrolled(GRAMMAR, 0)):
        with caught(r"accepts \[.*\] and misses \[\]"):
            assert_exact(loose, GRAMMAR, 4)
    for exact in (lr(GRAMMAR), earley(GRAMMAR)):
        assert_exact(exact, GRAMMAR, 4)


def test_a_missing_sentence_is_not_exact() -> None:
    one_deep = by_hand(({OPEN: 1, X: 3}, {X: 2}, {CLOSE: 3}, {}), {3})
    assert_exact(one_deep, GRAMMAR, 4)
    with caught(r"accepts \[\] and misses \[\(0, 0, 2, 1, 1\)\]"):
        assert_exact(one_deep, GRAMMAR, 5)


def test_disagreement_is_caught() -> None:
    two_kinds = Grammar.read('start: "(" start ")" | "x" | "(" ")"')
    with caught(r"after \['\('\] earley permits"):
        assert_agree(earley(two_kinds), earley(GRAMMAR), ["(", "x", ")"])
    one_or_two, two = (Grammar.read(f'start: "y" | "x" {x}') for x in ('["x"]', '"x"'))
    with caught(r"part on \['x'\]"):
        assert_agree(earley(one_or_two), earley(two), ["x"])


def test_disagreement_with_lark_is_caught() -> None:
    referee = LarkReferee(TEXT, GRAMMAR)
    assert_agrees_with_lark(lr(GRAMMAR), referee, ["(", "x", ")"])
    with caught(r"after \['\(', 'x'\]"):
        assert_agrees_with_lark(superset(GRAMMAR), referee, ["(", "x", ")"])
