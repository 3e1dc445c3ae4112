"""Grammars that are not LR(1): which rules, before what, and how to get there."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import assume, given
from laws.grammars import FOLDER, random_grammars

from grammax import Grammar, earley, lr
from grammax.errors import ConflictError, GrammarError

# text → (a shortest prefix, the token before which two ways fit, the ways)
CONFLICTS = {
    'start: start "+" start | "x"': (
        ("x", "+", "x"), "+",
        {'complete start: start "+" start', 'go on with start: start • "+" start'},
    ),
    'start: "if" "c" start | "if" "c" start "else" start | "x"': (
        ("if", "c", "if", "c", "x"), "else",
        {'complete start: "if" "c" start', 'go on with start: "if" "c" start • "else" start'},
    ),
    'start: a | b\na: "x"\nb: "x"': (("x",), "the end", {'complete a: "x"', 'complete b: "x"'}),
    'start: "a" start "a" | "a"': (
        ("a", "a"), "a", {'complete start: "a"', 'go on with start: "a" • start "a"'},
    ),
    'start: [a] "x"\na: "x" |': ((), "x", None),
}  # fmt: skip


@pytest.mark.parametrize("text", CONFLICTS)
def test_a_conflict_names_the_rules_and_a_shortest_prefix(text: str) -> None:
    prefix, ahead, actions = CONFLICTS[text]
    with pytest.raises(ConflictError) as caught:
        lr(Grammar.read(text, file="my.lark"))
    error = caught.value
    assert (error.prefix, error.lookahead) == (prefix, ahead)
    if actions is not None:
        assert set(error.actions) >= actions
    message = str(error)
    assert f"after {' '.join(prefix) or 'nothing'}, before {ahead}" in message
    assert all(action in message for action in error.actions)
    assert "`glr`" in message
    assert "`superset`" in message
    (problem,) = error.problems
    assert (problem.code, problem.location.file) == ("conflict", "my.lark")
    assert problem.location.line >= 1


@given(random_grammars())
def test_the_prefix_leads_to_the_conflict(grammar: Grammar) -> None:
    conflict = conflict_of(grammar)
    assume(conflict is not None)
    automaton = earley(grammar)
    state = automaton.read(conflict.prefix)
    if conflict.lookahead == "the end":
        assert automaton.accepts(state)
    else:
        assert conflict.lookahead in automaton.next_tokens(state)
    assert len(conflict.actions) >= 2


def conflict_of(grammar: Grammar) -> ConflictError | None:
    try:
        lr(grammar)
    except ConflictError as conflict:
        return conflict
    return None


def test_a_conflict_is_a_grammar_error() -> None:
    with pytest.raises(GrammarError, match="more conflicts"):
        lr(Grammar.open(FOLDER / "ambiguous.lark"))


def test_an_ambiguous_grammar_of_many_rules_is_refused_soon() -> None:
    operators = " | ".join(f'start "o{i}" start' for i in range(200))
    begun = perf_counter()
    with pytest.raises(ConflictError, match=r"not LR\(1\)"):
        lr(Grammar.read(f'start: {operators} | "x"'))
    assert perf_counter() - begun < 20
