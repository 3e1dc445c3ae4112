"""EBNF → plain rules: the same sentences, few rules, left recursion."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax import Grammar
from grammax.errors import GrammarError
from grammax.grammar import either, many, optional, sentences, some, token
from grammax.grammar.expressions import (
    Choice,
    Concatenation,
    Expression,
    Reference,
    Repeat,
    TokenText,
)

# title: (rules in, plain rules out)
EXPANSIONS = {
    "options become alternatives": (
        'start: "a" ["b"] "c"?',
        ['start: "a"', 'start: "a" "c"', 'start: "a" "b"', 'start: "a" "b" "c"'],
    ),
    "repetitions recur at the left": (
        'start: "a"* "b"+',
        ['"a"+: "a"', '"a"+: "a"+ "a"', '"b"+: "b"', '"b"+: "b"+ "b"',
         'start: "b"+', 'start: "a"+ "b"+'],
    ),
    "groups are multiplied out": (
        'start: ("a" | "b") ("c" | "d")',
        ['start: "a" "c"', 'start: "a" "d"', 'start: "b" "c"', 'start: "b" "d"'],
    ),
    "a repetition used twice is one rule": (
        'start: A* "b" A*\nA: "a"',
        ["A+: A", "A+: A+ A", 'start: "b"', 'start: "b" A+', 'start: A+ "b"', 'start: A+ "b" A+'],
    ),
    "a repetition of what may be empty repeats what is not": (
        'start: ("a" | )+',
        ['("a" | ())+: "a"', '("a" | ())+: ("a" | ())+ "a"', "start:", 'start: ("a" | ())+'],
    ),
    "an alternative given twice is kept once": ('start: "a" | "a" | "a"', ['start: "a"']),
    "a template becomes a rule for each use": (
        'start: two{"a"} two{B} two{"a"}\ntwo{x}: x x\nB: "b"',
        ['two{B}: B B', 'two{"a"}: "a" "a"', 'start: two{"a"} two{B} two{"a"}'],
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", EXPANSIONS)
def test_expansion(title: str) -> None:
    text, expected = EXPANSIONS[title]
    assert sorted(map(str, Grammar.read(text).rules)) == sorted(expected)


def test_many_options_in_a_row_do_not_multiply() -> None:
    grammar = Grammar.read("start: " + " ".join(f'["t{i}"]' for i in range(20)))
    assert len(grammar.rules) < 150
    assert ("t1", "t5", "t19") in set(sentences(Grammar.read(str_of(20, 3)), 3))


def str_of(options: int, kept: int) -> str:
    """Options in a row, of which a sentence of `kept` tokens is looked at."""
    assert kept < options
    return "start: " + " ".join(f'["t{i}"]' for i in range(options))


def test_a_long_repetition_is_a_chain_of_rules() -> None:
    grammar = Grammar.read('start: "a"~3..300 "b"')
    assert len(grammar.rules) < 1_000
    found = [len(sentence) - 1 for sentence in sentences(Grammar.read('start: "a"~3..55 "b"'), 99)]
    assert found == list(range(3, 56))


_leaves = st.one_of(st.sampled_from("ab").map(TokenText), st.just(Reference("K")))
_bounds = st.tuples(st.integers(0, 3), st.integers(0, 3) | st.none()).filter(
    lambda bounds: bounds[1] is None or bounds[0] <= bounds[1]
)
_expressions = st.recursive(
    _leaves,
    lambda parts: st.one_of(
        st.lists(parts, max_size=3).map(lambda found: Concatenation(tuple(found))),
        st.lists(parts, min_size=1, max_size=3).map(lambda found: Choice(tuple(found))),
        st.builds(lambda part, bounds: Repeat(part, *bounds), parts, _bounds),
    ),
    max_leaves=5,
)
LENGTH = 4


@given(st.lists(_expressions, min_size=1, max_size=2))
def test_expansion_keeps_the_language(parts: list[Expression]) -> None:
    grammar = Grammar.from_rules({"start": [parts]}, {"K": ["k"]})
    pattern = re.compile("".join(map(as_pattern, parts)))
    tokens = {token for tokens in grammar.kinds.values() for token in tokens}
    strings = (s for n in range(LENGTH + 1) for s in product(sorted(tokens), repeat=n))
    expected = {string for string in strings if pattern.fullmatch("".join(string))}
    assert set(sentences(grammar, LENGTH)) == expected


def as_pattern(expression: Expression) -> str:
    """The same language as a regular expression: the oracle."""
    match expression:
        case TokenText(text):
            return text
        case Reference(name):
            return name.lower()
        case Concatenation(parts):
            return "".join(map(as_pattern, parts))
        case Choice(options):
            return f"(?:{'|'.join(map(as_pattern, options))})"
        case Repeat(part, least, most):
            return f"(?:{as_pattern(part)}){{{least},{'' if most is None else most}}}"
    raise AssertionError(expression)


def test_python_values_and_text_make_the_same_grammar() -> None:
    text = Grammar.read('start: "(" (A | "x" B)+ [B] A* ")"\nA: "a"\nB: "b"')
    values = Grammar.from_rules(
        {
            "start": [
                [token("("), some(either("A", [token("x"), "B"])), optional("B"), many("A"),
                 token(")")]
            ]
        },
        {"A": ["a"], "B": ["b"]},
    )  # fmt: skip
    assert set(sentences(values, 6)) == set(sentences(text, 6))
    assert set(map(str, values.rules)) == set(map(str, text.rules))


def test_a_rule_given_as_a_string_says_how_it_is_given() -> None:
    with pytest.raises(TypeError, match=r"the rule start is the string 'A'.*such as \[\['A'\]\]"):
        Grammar.from_rules({"start": "A"}, {"A": ["a"]})
    with pytest.raises(TypeError, match="3 is a int; a part of a rule is the name"):
        Grammar.from_rules({"start": [["A", 3]]}, {"A": ["a"]})


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ('start: two{"a"}\ntwo{x, y}: x y', "template-arguments", "given 1 arguments and takes 2"),
        ('start: a{"a"}\na: "b"', "template-arguments", r"takes none \(no template\)"),
        ('start: t{"a"}\nt{x}: x [t{w{x}}]\nw{x}: x x', "template-without-end", "ever longer"),
        ('start: t{"a"}\nt{x}: [t{p{x, x}}]\np{x, y}: x y', "template-without-end", "ever new"),
    ],
)
def test_a_template_that_is_used_wrongly(text: str, code: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message) as caught:
        Grammar.read(text)
    assert caught.value.problems[0].code == code
    assert caught.value.problems[0].location.line > 0
