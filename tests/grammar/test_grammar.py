"""`Grammar`: a value, trimmed to what sentences use."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from grammax import Grammar
from grammax.errors import GrammarError


def test_rules_and_kinds_that_no_sentence_uses_are_left_out() -> None:
    grammar = Grammar.read('start: A\nlost: B C\nA: "a"\nB: "b"\nC: "c"')
    assert [str(rule) for rule in grammar.rules] == ["start: A"]
    assert dict(grammar.kinds) == {"A": ("a",)}
    assert {problem.severity for problem in grammar.problems} == {"warning"}


def test_kinds_are_numbered_as_in_a_vocabulary_of_them() -> None:
    grammar = Grammar.read('start: B A | start "+" start\nA: "a"\nB: "b"')
    productions = grammar.productions
    assert productions.kinds == 3
    assert productions.names == (*grammar.kinds, "start")
    assert {productions.show(rule) for rule in range(2)} == set(map(str, grammar.rules))
    assert productions.show(1, 1) == 'start: start • "+" start'
    assert productions.start == 3


def test_a_grammar_is_a_value() -> None:
    text = 'start: A "b"\nA: "a"'
    grammar = Grammar.read(text)
    assert grammar == Grammar.read(text)
    assert grammar != Grammar.read(text, {"A": ["x"]})
    with pytest.raises(FrozenInstanceError):
        grammar.start = "other"
    with pytest.raises(TypeError):
        grammar.kinds["A"] = ("x",)


def test_its_text_is_a_grammar_of_the_same_rules() -> None:
    grammar = Grammar.read('start: "(" start ")" | "x" "y"')
    again = Grammar.read(str(grammar).replace('\nstart: "x"', '\n | "x"'))
    assert [str(rule) for rule in again.rules] == [str(rule) for rule in grammar.rules]


def test_the_empty_sentence_alone_is_a_grammar() -> None:
    grammar = Grammar.read("start: ")
    assert grammar.kinds == {}
    assert grammar.productions.shortest_sentence([grammar.productions.start]) == []


def test_a_file_tells_its_name_in_errors(tmp_path: Path) -> None:
    path = tmp_path / "my.lark"
    path.write_text("\ufeffstart: thing", encoding="utf-8")
    with pytest.raises(GrammarError, match=r"my\.lark:1:8: error: the rule thing") as caught:
        Grammar.open(path)
    assert caught.value.problems[0].location.file == str(path)


def test_no_rules_from_python_is_an_empty_grammar() -> None:
    with pytest.raises(GrammarError, match="the grammar has no rules"):
        Grammar.from_rules({})
    with pytest.raises(GrammarError, match="the rule start produces no sentence"):
        Grammar.from_rules({"start": []})


def test_lists_nested_thousands_deep_are_an_error() -> None:
    deep: list[object] = ["A"]
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(GrammarError, match="nested too deeply"):
        Grammar.from_rules({"start": [deep]}, {"A": ["a"]})
