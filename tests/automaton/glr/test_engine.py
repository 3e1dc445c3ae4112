"""`glr`: exact for any grammar, with shared stacks and a memory."""

from __future__ import annotations

import gc
from random import Random
from time import perf_counter

import pytest
from hypothesis import given
from laws.assertions import assert_agree, assert_exact, calls_in, reached
from laws.grammars import draws, random_grammars

from grammax import Grammar, earley, exact, glr
from grammax.automaton import BoundAutomaton
from grammax.automaton.glr.engine import GlrEngine
from grammax.grammar import Sampler
from grammax.vocabulary import Vocabulary

# Each needs something that plain LR parsing, or Tomita's own algorithm, does not have.
HARD = {
    "ambiguous": 'start: start start | start start start | "x"',
    "cycle": 'start: other | "x"\nother: start | "y"',
    "cycle through an empty rule": 'start: empty start empty | "x" start | "y"\nempty: "e" |',
    "hidden left recursion": 'start: empty start "a" | "b"\nempty: ',
    "hidden right recursion": 'start: "a" start empty | "b"\nempty: ',
    "all parts empty": 'start: a a a a a a\na: "x" | b\nb: a | ',
    "nested nothing": 'start: "(" start ")" start | ',
    "no look-ahead is enough": 'start: a "z" | b "w"\na: "x" a | "x"\nb: "x" b | "x"',
    "middle of a palindrome": 'start: "a" start "a" | "b" start "b" | "a" | "b" | ',
}
every_hard_grammar = pytest.mark.parametrize("text", HARD.values(), ids=HARD.keys())


@every_hard_grammar
def test_the_language_is_exact(text: str) -> None:
    grammar = Grammar.read(text)
    automaton = glr(grammar)
    assert_exact(automaton, grammar, 6)
    for prefix, _ in reached(automaton, depth=6, limit=60):
        assert_agree(automaton, earley(grammar), prefix)


def test_equal_sets_of_stacks_are_one_object() -> None:
    automaton = glr(Grammar.read('start: "(" start ")" | start "+" "x" | "x"'))
    assert automaton.read("((x") is automaton.read("((x")
    # A sum that was completed leaves the stacks that one operand leaves.
    assert automaton.read("(x+x+x") is automaton.read("(x+x")
    assert automaton.read("((x") != automaton.read("(x")


def test_a_finished_part_of_an_ambiguous_sentence_is_forgotten() -> None:
    """An ambiguous list, item by item: what follows is the same after each."""
    automaton = glr(Grammar.read('start: item*\nitem: sum ";"\nsum: sum "+" sum | "1"'))
    assert automaton.read("1+1+1;") is automaton.read("1;1+1;")


def test_exact_prefers_lr() -> None:
    assert exact(Grammar.read('start: start "x" | "x"')).name == "lr"
    not_lalr = Grammar.read(
        'start: "a" first "d" | "b" second "d" | "a" second "e" | "b" first "e"\n'
        'first: "c"\nsecond: "c"'
    )
    assert exact(not_lalr).name == "lr"
    assert exact(Grammar.read(HARD["ambiguous"])).name == "glr"


LISTS = {
    "right recursion": ('start: "x" start | "x"', ["x"]),
    "right recursion with commas": ('start: "x" rest\nrest: "," start | ";"', ["x", ","]),
    "left recursion": ('start: start "x" | "x"', ["x"]),
    "nesting": ('start: "x" start "y" | "z"', ["x"]),
    "a choice that never ends": (HARD["no look-ahead is enough"], ["x"]),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_step_costs_the_same_after_10_000_tokens(name: str) -> None:
    """All is asked at each step; were the stack walked each time, this would take minutes."""
    text, tokens = LISTS[name]
    automaton = glr(Grammar.read(text))
    begun, state = perf_counter(), automaton.start
    for token in tokens * (10_000 // len(tokens)):
        assert token in automaton.next_tokens(state)
        assert automaton.tokens_to_accept(state) >= 0
        state = automaton.pass_token(state, token)
    assert perf_counter() - begun < 5


def test_a_first_visit_costs_the_same_however_many_rules_begin_with_the_token() -> None:
    """Each of the rules that "a"~0..n becomes begins with "a"; most of them cannot begin here."""
    work = []
    for most in (200, 2000):
        automaton = glr(Grammar.read(f'start: "a"~0..{most}'))
        work.append(calls_in(lambda automaton=automaton: automaton.read("a" * 100)))
    assert work[1] < 1.1 * work[0]


def test_a_highly_ambiguous_sentence_takes_polynomial_time() -> None:
    """100 tokens have more parses than there are atoms; their stacks are shared."""
    automaton = glr(Grammar.read('start: start start | "x"'))
    begun = perf_counter()
    assert automaton.accepts(automaton.read("x" * 100))
    assert perf_counter() - begun < 5


def test_a_step_that_was_taken_before_asks_the_engine_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    automaton = glr(Grammar.read(HARD["ambiguous"]))
    ids = automaton.vocabulary.ids("xxx")
    permitted = automaton.next_tokens(automaton.read(ids))
    monkeypatch.delattr(GlrEngine, "move")
    monkeypatch.delattr(GlrEngine, "permitted")
    assert automaton.next_tokens(automaton.read(ids)) is permitted


@given(random_grammars())
def test_clearing_the_cache_changes_nothing(grammar: Grammar) -> None:
    """With room for a few stacks only, states outlive the cache and still compare as before."""
    forgetful = BoundAutomaton(
        GlrEngine(grammar.productions, remembered=5), Vocabulary(grammar.kinds)
    )
    slow = earley(grammar)
    for sentence in draws(grammar, 4):
        states = [forgetful.read(sentence[:place]) for place in range(len(sentence) + 1)]
        assert_agree(forgetful, slow, sentence)
        assert states == [forgetful.read(sentence[:place]) for place in range(len(sentence) + 1)]


def test_stacks_that_nobody_uses_are_freed() -> None:
    grammar = Grammar.read('start: "(" start ")" | "x" | "y" start')
    engine = GlrEngine(grammar.productions, remembered=100)
    automaton = BoundAutomaton(engine, Vocabulary(grammar.kinds))
    sampler, random = Sampler(grammar, {'start: "x"': 0.05}, max_depth=60), Random(1)
    for _ in range(200):
        automaton.read(sampler.draw(random))
    gc.collect()
    assert engine.stacks_in_use < 400


def test_a_state_tells_its_rules() -> None:
    automaton = glr(Grammar.read('start: "a" b | "a" "c" "d"\nb: "c" "e"'))
    state = automaton.read(["a", "c"])
    assert automaton.engine.where(state) == ('start: "a" "c" • "d"', 'b: "c" • "e"')
    assert automaton.engine.where(automaton.start) == ("the sentence: • start",)
    assert repr(automaton.start) == "GlrState(0 on 1 stacks)"
