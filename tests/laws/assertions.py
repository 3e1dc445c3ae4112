"""The laws of an automaton as functions, so that any new one can be held to them.

A prefix is a sequence of tokens, as text, since automata may lay out their rows differently. Kinds
are compared by number, which depends on the grammar alone.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import pytest

from grammax import Grammar
from grammax.automaton import BoundAutomaton, State
from grammax.errors import TokenNotPermitted, UnknownToken
from grammax.grammar.productions import INFINITE
from grammax.grammar.sample import sentences_of_kinds

Prefix = tuple[str, ...]


def reached(automaton: BoundAutomaton, depth: int, limit: int) -> Iterator[tuple[Prefix, State]]:
    """Prefixes of at most `depth` tokens, one token a kind, shortest first, and their states."""
    return islice(_breadth_first(automaton, depth), limit)


def _breadth_first(automaton: BoundAutomaton, depth: int) -> Iterator[tuple[Prefix, State]]:
    waiting: deque[tuple[Prefix, State]] = deque([((), automaton.start)])
    while waiting:
        prefix, state = waiting.popleft()
        yield prefix, state
        if len(prefix) < depth:
            for token in one_token_a_kind(automaton, state):
                waiting.append(((*prefix, token), automaton.pass_token(state, token)))


def one_token_a_kind(automaton: BoundAutomaton, state: State) -> list[str]:
    """The first token of each kind that may come next."""
    vocabulary = automaton.vocabulary
    kinds = sorted(automaton.next_tokens(state).kind_numbers)
    return [vocabulary.tokens_of(kind)[0] for kind in kinds]


def assert_superset(loose: BoundAutomaton, exact: BoundAutomaton, prefix: Sequence[str]) -> None:
    """Law 1: what the exact automaton allows, before and after each token, the loose one allows."""
    here, there = loose.start, exact.start
    for place in range(len(prefix) + 1):
        lost = exact.next_tokens(there).kind_numbers - loose.next_tokens(here).kind_numbers
        names = [exact.vocabulary.kinds[kind] for kind in lost]
        assert not lost, f"after {prefix[:place]} {loose.name} forbids {names}"
        if exact.accepts(there):
            assert loose.accepts(here), f"{loose.name} does not accept {prefix[:place]}"
        if place < len(prefix):
            here = loose.pass_token(here, prefix[place])
            there = exact.pass_token(there, prefix[place])


def assert_takes_what_it_permits(
    automaton: BoundAutomaton, prefix: Sequence[str], state: State
) -> None:
    """Law 2: `pass_token` takes what `next_tokens` lists; all else raises and changes nothing."""
    permitted, accepted = automaton.next_tokens(state), automaton.accepts(state)
    listed = set(permitted)
    for row, token in enumerate(automaton.vocabulary.tokens):
        assert (row in permitted) == (token in permitted) == (row in listed), (
            f"after {prefix} `in` and iteration disagree on {token}"
        )
        if row in listed:
            after = automaton.pass_token(state, row)
            assert after == automaton.pass_token(state, token), f"{row} and {token} lead apart"
        else:
            _assert_refused(automaton, state, token)
            _assert_refused(automaton, state, row)
    _assert_refused(automaton, state, "a token of no grammar")
    for row in (-1, len(automaton.vocabulary)):
        with pytest.raises(UnknownToken):
            automaton.pass_token(state, row)
    assert automaton.next_tokens(state) is permitted, f"what may follow {prefix} changed"
    assert automaton.accepts(state) is accepted, f"acceptance after {prefix} changed"
    assert automaton.read(prefix) == state, f"the state after {prefix} changed"


def _assert_refused(automaton: BoundAutomaton, state: State, token: int | str) -> None:
    with pytest.raises(TokenNotPermitted) as refused:
        automaton.pass_token(state, token)
    text = token if isinstance(token, str) else automaton.vocabulary.tokens[token]
    assert refused.value.token == text
    assert refused.value.permitted is automaton.next_tokens(state)


def assert_no_dead_end(automaton: BoundAutomaton, prefix: Sequence[str], state: State) -> None:
    """Law 3: acceptance is as near as `tokens_to_accept` says, and no nearer."""
    least = automaton.tokens_to_accept(state)
    assert 0 <= least < INFINITE, f"{automaton.name} is stuck after {prefix}"
    assert (least == 0) == automaton.accepts(state), f"{automaton.name} after {prefix}: {least}"
    after = [
        automaton.tokens_to_accept(automaton.pass_token(state, token))
        for token in one_token_a_kind(automaton, state)
    ]
    if least:
        assert after, f"{automaton.name} permits nothing after {prefix}"
        assert min(after) == least - 1, (
            f"{automaton.name} after {prefix}: {least} to acceptance, but after a token {after}"
        )


def assert_finishes(automaton: BoundAutomaton, state: State) -> None:
    """Law 3, as a decoder with a budget uses it: go nearer at each step, and be there in time."""
    for left in range(automaton.tokens_to_accept(state), 0, -1):
        state = next(
            after
            for token in one_token_a_kind(automaton, state)
            for after in (automaton.pass_token(state, token),)
            if automaton.tokens_to_accept(after) < left
        )
        assert automaton.tokens_to_accept(state) == left - 1
    assert automaton.accepts(state)


def assert_agree(one: BoundAutomaton, other: BoundAutomaton, prefix: Sequence[str]) -> None:
    """Law 7: after every token of the prefix two exact automata say the same."""
    here, there = one.start, other.start
    for place in range(len(prefix) + 1):
        mine, theirs = one.next_tokens(here).kinds, other.next_tokens(there).kinds
        assert set(mine) == set(theirs), (
            f"after {prefix[:place]} {one.name} permits {mine}, {other.name} {theirs}"
        )
        assert one.accepts(here) == other.accepts(there), f"they part on {prefix[:place]}"
        assert one.tokens_to_accept(here) == other.tokens_to_accept(there), (
            f"they part on the way from {prefix[:place]} to acceptance"
        )
        if place < len(prefix):
            here = one.pass_token(here, prefix[place])
            there = other.pass_token(there, prefix[place])


def assert_accepts(automaton: BoundAutomaton, sentences: Iterable[Sequence[str]]) -> None:
    """Law 6: sentences of the grammar are sentences of the automaton."""
    for sentence in sentences:
        assert automaton.accepts(automaton.read(sentence)), f"{automaton.name} stops at {sentence}"


def assert_exact(automaton: BoundAutomaton, grammar: Grammar, length: int) -> None:
    """Law 6: the sentences of at most `length` tokens are those of the slow oracle, no others.

    So is, for each of their prefixes, the number of tokens that are missing.
    """
    expected = set(sentences_of_kinds(grammar, length))
    accepted = {kinds for kinds, state in _within(automaton, length) if automaton.accepts(state)}
    assert accepted == expected, (
        f"{automaton.name} accepts {sorted(accepted - expected)} and misses "
        f"{sorted(expected - accepted)}"
    )
    missing: dict[tuple[int, ...], int] = {}
    for sentence in expected:
        for place in range(len(sentence) + 1):
            known = missing.get(sentence[:place], INFINITE)
            missing[sentence[:place]] = min(known, len(sentence) - place)
    for kinds, state in _within(automaton, length):
        assert automaton.tokens_to_accept(state) == missing[kinds]


def _within(automaton: BoundAutomaton, length: int) -> Iterator[tuple[tuple[int, ...], State]]:
    """Prefixes, as kinds, that the automaton says can be completed within `length` tokens."""
    waiting: list[tuple[tuple[int, ...], State]] = [((), automaton.start)]
    vocabulary = automaton.vocabulary
    while waiting:
        kinds, state = waiting.pop()
        if len(kinds) + automaton.tokens_to_accept(state) > length:
            continue
        yield kinds, state
        if len(kinds) < length:
            for kind in automaton.next_tokens(state).kind_numbers:
                token = vocabulary.tokens_of(kind)[0]
                waiting.append(((*kinds, kind), automaton.pass_token(state, token)))


def calls_in(action: Callable[[], object]) -> int:
    """How many functions an action calls, in Python and in C: its work, whatever the machine."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(before)
    return calls
