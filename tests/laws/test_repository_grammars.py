"""The laws of every automaton, over the grammars in the repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from laws.assertions import (
    assert_accepts,
    assert_agree,
    assert_exact,
    assert_finishes,
    assert_no_dead_end,
    assert_superset,
    assert_takes_what_it_permits,
    reached,
)
from laws.grammars import FILES, automata_of, draws, every_file, grammar_of
from variants import THOROUGH

from grammax import earley

EXACT = ("lr", "glr", "earley")
NOT_LR = {"ambiguous", "nullable", "palindromes"}


def few(path: Path, count: int) -> int:
    """A grammar of the size of SQL costs twenty times as much, and is tried less."""
    return max(1, count // 20) if path.stem == "sql" else count


@every_file
def test_every_automaton_is_held_to_the_laws(path: Path) -> None:
    names = {automaton.name for automaton in automata_of(path)}
    assert names >= {"superset", "unrolled(0)", "unrolled(3)", "glr", "earley"}
    assert ("lr" in names) == (path.stem not in NOT_LR)


@every_file
def test_superset_keeps_every_exact_continuation(path: Path) -> None:
    exact = earley(grammar_of(path))
    prefixes = [prefix for prefix, _ in reached(exact, depth=4, limit=60)]
    for automaton in automata_of(path):
        for prefix in [*prefixes, *draws(grammar_of(path), few(path, 10), max_depth=20)]:
            assert_superset(automaton, exact, prefix)


@every_file
def test_next_tokens_are_exactly_what_pass_token_takes(path: Path) -> None:
    for automaton in automata_of(path):
        for prefix, state in reached(automaton, depth=3, limit=few(path, 40)):
            assert_takes_what_it_permits(automaton, prefix, state)
        sentence = max(draws(grammar_of(path), 5, max_depth=20), key=len)
        for place in range(0, len(sentence), 60 // few(path, 12)):
            prefix = sentence[:place]
            assert_takes_what_it_permits(automaton, prefix, automaton.read(prefix))


@every_file
def test_no_state_is_a_dead_end(path: Path) -> None:
    for automaton in automata_of(path):
        for prefix, state in reached(automaton, depth=4, limit=few(path, 40)):
            assert_no_dead_end(automaton, prefix, state)
            assert_finishes(automaton, state)
        sentence = max(draws(grammar_of(path), 5, max_depth=20), key=len)
        for place in range(0, len(sentence), 60 // few(path, 60)):
            state = automaton.read(sentence[:place])
            assert_no_dead_end(automaton, sentence[:place], state)


@every_file
def test_every_automaton_accepts_every_sentence(path: Path) -> None:
    sentences = draws(grammar_of(path), few(path, 60), max_depth=20)
    assert len(set(sentences)) > 2
    for automaton in automata_of(path):
        assert_accepts(automaton, sentences)


@every_file
def test_exact_automata_accept_nothing_else(path: Path) -> None:
    length = {"equity": 7, "sql": 3}.get(path.stem, 5)
    for automaton in automata_of(path):
        if automaton.name in EXACT:
            assert_exact(automaton, grammar_of(path), length)


@every_file
def test_exact_automata_agree_after_every_prefix(path: Path) -> None:
    *fast, slow = (a for name in EXACT for a in automata_of(path) if a.name == name)
    assert len(fast) == 2 - (path.stem in NOT_LR)
    for sentence in draws(grammar_of(path), 10, max_depth=20):
        for automaton in fast:
            assert_agree(automaton, slow, sentence)


@pytest.mark.slow
def test_the_laws_hold_all_along_sentences_of_sql() -> None:
    path = next(path for path in FILES if path.stem == "sql")
    exact = earley(grammar_of(path))
    for sentence in draws(grammar_of(path), 10 if THOROUGH else 1, max_depth=20):
        for automaton in automata_of(path):
            assert_superset(automaton, exact, sentence)
            for place in range(0, len(sentence), 3):
                state = automaton.read(sentence[:place])
                assert_no_dead_end(automaton, sentence[:place], state)
                assert_finishes(automaton, state)
