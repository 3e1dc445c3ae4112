"""`lr`: exact, with a persistent stack and a memory."""

from __future__ import annotations

from time import perf_counter

import pytest
from laws.assertions import assert_agree, assert_exact, reached

from grammax import Grammar, earley, lr
from grammax.automaton.lr.conflicts import find_conflicts
from grammax.automaton.lr.tables import lalr_tables

# The rest of the law that these are for: what a merged look-ahead lets through is not permitted.
MERGED = Grammar.read('start: "a" item "b" | "c" item "d"\nitem: "x" | item "y"')


def test_merged_look_aheads_let_nothing_through() -> None:
    """The state after `x` is one in the table, and its look-ahead holds both `b` and `d`."""
    automaton = lr(MERGED)
    assert set(automaton.next_tokens(automaton.read("ax")).tokens) == {"b", "y"}
    assert set(automaton.next_tokens(automaton.read("cx")).tokens) == {"d", "y"}
    tables = automaton.engine.tables
    (ahead,) = {
        bits for done in tables.reductions for rule, bits in done if "x" in tables.show(rule)
    }
    assert ahead.bit_count() > 2


def test_a_grammar_that_is_lr_1_but_not_lalr_1() -> None:
    grammar = Grammar.read(
        'start: "a" first "d" | "b" second "d" | "a" second "e" | "b" first "e"\n'
        'first: "c"\nsecond: "c"'
    )
    assert list(find_conflicts(lalr_tables(grammar.productions)))
    automaton = lr(grammar)
    assert automaton.engine.tables.method == "LR(1)"
    assert_exact(automaton, grammar, 3)
    for prefix, _ in reached(automaton, depth=3, limit=20):
        assert_agree(automaton, earley(grammar), prefix)


def test_most_grammars_need_no_more_than_lalr_1() -> None:
    assert lr(MERGED).engine.tables.method == "LALR(1)"


def test_equal_stacks_are_one_object() -> None:
    automaton = lr(Grammar.read('start: "(" start ")" | start "+" "x" | "x"'))
    assert automaton.read("((x") is automaton.read("((x")
    # A sum that was completed leaves the stack that one operand leaves.
    assert automaton.read("(x+x+x") is automaton.read("(x+x")
    assert automaton.read("((x") != automaton.read("(x")
    assert automaton.read("((x") != lr(MERGED).read("a")


def test_a_state_shows_the_top_of_its_stack() -> None:
    automaton = lr(Grammar.read('start: "(" start ")" | "x"'))
    assert repr(automaton.start) == "LrState(0)"
    assert repr(automaton.read("(" * 50)).startswith("LrState(... ")


LISTS = {
    "right recursion": ('start: "x" start | "x"', ["x"]),
    "right recursion with commas": ('start: "x" rest\nrest: "," start | ";"', ["x", ","]),
    "left recursion": ('start: start "x" | "x"', ["x"]),
    "nesting": ('start: "x" start "y" | "z"', ["x"]),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_step_costs_the_same_after_10_000_tokens(name: str) -> None:
    """All is asked at each step; were the stack walked each time, this would take minutes."""
    text, tokens = LISTS[name]
    automaton = lr(Grammar.read(text))
    begun, state = perf_counter(), automaton.start
    for token in tokens * (10_000 // len(tokens)):
        assert token in automaton.next_tokens(state)
        assert automaton.tokens_to_accept(state) >= 0
        state = automaton.pass_token(state, token)
    assert perf_counter() - begun < 5


def test_a_long_rule() -> None:
    automaton = lr(Grammar.read('start: "a"~3000 "b"'))
    state = automaton.read(["a"] * 3000)
    assert list(automaton.next_tokens(state).tokens) == ["b"]
    assert automaton.tokens_to_accept(automaton.start) == 3001


def test_distances_of_stacks_that_tie_are_found() -> None:
    """Many ways lead on from here, all as long; stacks themselves cannot be told larger."""
    options = " | ".join(f'"p" a{i} "q"' for i in range(9))
    rules = "".join(f'a{i}: "x{i}" | "y" a{i} "t{i}"\n' for i in range(9))
    automaton = lr(Grammar.read(f"start: {options}\n{rules}"))
    assert automaton.tokens_to_accept(automaton.read(["p", "y", "y"])) == 4
