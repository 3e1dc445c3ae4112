"""What is wrong with a grammar, and what is only dubious: each with its place and a hint."""

from __future__ import annotations

from time import perf_counter

import pytest

from grammax import Grammar
from grammax.errors import GrammarError, Location

# text → (code, line, column, message, hint)
ERRORS = {
    "start: item\nitm: \"x\"": (
        "undefined", 1, 8, "the rule item is used in start but not defined", "Did you mean itm"),
    "start: COUNTRY\n": (
        "undefined", 1, 8, "the kind COUNTRY is used in start but not defined", "%declare COUNTRY"),
    "start: thing\n": ("undefined", 1, 8, "the rule thing is used", "quote it if it is a token"),
    'start: two{"a"}\ntwo{x}: x y': ("undefined", 2, 11, "the rule y is used in two", "Add a rule"),
    'start: "a"\nstart: "b"': (
        "defined-twice", 2, 1, "start is defined twice, first at g.lark:1:1", "Join the two"),
    'start: A\nA: "a"\nA: "b"': ("defined-twice", 3, 1, "A is defined twice", "rename one"),
    'start: start "a"': (
        "produces-nothing", 1, 1, "the rule start produces no sentence", "needs start again"),
    'start: b | "x"\nb: "(" c ")"\nc: b': (
        "produces-nothing", 2, 1, "the rule b produces no sentence", "needs c, which produces"),
}  # fmt: skip

WARNINGS = {
    'start: "a"\nb: "b"': ("unused", 2, "the rule b is never used"),
    'start: "a"\nt{x}: x': ("unused", 2, "the template t is never used"),
    'start: "a"\nb: c | "b"\nc: "c" b': (
        "unreachable",
        2,
        "only by rules that start never reaches",
    ),
    'start: "a"\nB: "b"': ("unused-kind", 2, "the kind B is unused"),
    'start: "a"\nb: B\nB: "b"': ("unused-kind", 3, "no rule that start reaches uses it"),
}


@pytest.mark.parametrize("text", ERRORS)
def test_an_error_has_a_place_and_a_hint(text: str) -> None:
    code, line, column, message, hint = ERRORS[text]
    with pytest.raises(GrammarError) as caught:
        Grammar.read(text, file="g.lark")
    problem = next(p for p in caught.value.problems if p.severity == "error")
    assert (problem.code, problem.location) == (code, Location("g.lark", line, column))
    assert message in problem.message
    assert hint in problem.hint


@pytest.mark.parametrize("text", WARNINGS)
def test_a_warning_leaves_a_grammar_that_can_be_used(text: str) -> None:
    code, line, message = WARNINGS[text]
    grammar = Grammar.read(text)
    found = {(p.code, p.location.line, p.severity) for p in grammar.problems}
    assert (code, line, "warning") in found
    assert any(message in problem.message for problem in grammar.problems)
    assert [str(rule) for rule in grammar.rules] == ['start: "a"']
    assert list(grammar.kinds) == ['"a"']


def test_a_kind_that_is_ignored_or_part_of_another_is_not_left_over() -> None:
    text = 'start: A\nA: B | "a"\nB: "b"\nWS: " "\n%ignore WS'
    assert Grammar.read(text).problems == ()


def test_all_errors_are_told_at_once_the_first_twenty_in_words() -> None:
    with pytest.raises(GrammarError, match=r"\.\.\. and 30 more$") as caught:
        Grammar.read("start: " + " ".join(f"missing{i}" for i in range(50)))
    assert len(caught.value.problems) == 50
    assert str(caught.value).count("not defined") == 20


def test_errors_come_before_warnings() -> None:
    with pytest.raises(GrammarError) as caught:
        Grammar.read('a: "x"\nunused: "y"\nmiddle: gone\nstart: a middle')
    assert [p.severity for p in caught.value.problems] == ["error"]
    with pytest.raises(GrammarError) as caught:
        Grammar.read('start: b\nunused: "y"\nb: b')
    assert [p.severity for p in caught.value.problems] == ["error", "error", "warning"]


def test_the_start_is_the_one_asked_for_else_start_else_the_first() -> None:
    text = 'first: "a" start\nstart: "b" second\nsecond: "c"'
    assert Grammar.read(text).start == "start"
    assert Grammar.read(text, start="second").start == "second"
    assert Grammar.read('one: "a" two\ntwo: "b"').start == "one"
    with pytest.raises(GrammarError, match=r"there is no rule secnd\n    Did you mean second"):
        Grammar.read(text, start="secnd")
    with pytest.raises(GrammarError, match="The rules are first, start, second"):
        Grammar.read(text, start="xyz")


def test_a_template_is_no_start() -> None:
    with pytest.raises(GrammarError, match="the grammar has no rules"):
        Grammar.read('t{x}: x "a"')


def test_thousands_of_undefined_names_among_thousands_of_rules() -> None:
    uses = " | ".join(f"rule_{i}x" for i in range(3_000))
    rules = "".join(f'rule_{i}: "a"\n' for i in range(3_000))
    begun = perf_counter()
    with pytest.raises(GrammarError, match=r"(?s)Did you mean .*and 2980 more") as caught:
        Grammar.read(f"start: {uses}\n{rules}")
    assert {p.severity for p in caught.value.problems} == {"error"}
    assert perf_counter() - begun < 20
