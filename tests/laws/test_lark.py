"""Law 7: `lr`, `glr` and `earley` agree with each other, and with lark, after every prefix."""

from __future__ import annotations

from importlib.resources import files

import pytest
from laws.assertions import assert_agree, reached
from laws.grammars import FOLDER, draws
from laws.lark_parser import LarkReferee, assert_agrees_with_lark

from grammax import Grammar, earley, exact, glr, lr

OURS = dict.fromkeys(("arithmetic", "equity", "json", "lists", "sql"))
BUNDLED = {"lark": "start", "python": "eval_input"}


def text_of(name: str) -> str:
    if name in BUNDLED:
        return files("lark.grammars").joinpath(f"{name}.lark").read_text("utf-8")
    return (FOLDER / f"{name}.lark").read_text("utf-8")


@pytest.mark.parametrize("name", [*OURS, *BUNDLED])
def test_exact_automata_agree_with_lark_after_every_prefix(name: str) -> None:
    grammar = Grammar.read(text_of(name), start=BUNDLED.get(name))
    referee = LarkReferee(text_of(name), grammar)
    strict, general, slow = lr(grammar), glr(grammar), earley(grammar)
    sentences = draws(grammar, 10, max_depth=30)
    assert sum(map(len, sentences)) > 20
    for sentence in sentences:
        assert_agrees_with_lark(strict, referee, sentence)
        assert_agrees_with_lark(general, referee, sentence)
        assert_agree(strict, slow, sentence)


def test_python_is_read_as_lark_reads_it_with_its_priorities() -> None:
    """Not LR(1) without them: `match` and `case` are names, too."""
    grammar = Grammar.read(text_of("python"), start="file_input")
    referee, automaton = LarkReferee(text_of("python"), grammar), exact(grammar)
    assert automaton.name == "glr"
    sentences = draws(grammar, 10, max_depth=40)
    assert sum(map(len, sentences)) > 100
    for sentence in sentences:
        assert_agrees_with_lark(automaton, referee, sentence)


@pytest.mark.parametrize("name", OURS)
def test_exact_automata_agree_with_lark_on_all_short_prefixes(name: str) -> None:
    grammar = Grammar.read(text_of(name))
    referee = LarkReferee(text_of(name), grammar)
    strict, general, slow = lr(grammar), glr(grammar), earley(grammar)
    for prefix, _ in reached(strict, depth=4, limit=80):
        assert_agrees_with_lark(strict, referee, prefix)
        assert_agrees_with_lark(general, referee, prefix)
        assert_agree(strict, slow, prefix)
