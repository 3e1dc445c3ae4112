"""`%import`, `%override`, `%extend`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from grammax import Grammar, earley, exact
from grammax.errors import GrammarError
from grammax.grammar.sample import sentences


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "values.lark").write_text(
        'value: number | "(" value ")" | _list{value}\n'
        '_list{item}: "[" item ("," item)* "]"\n'
        'number: SIGN? DIGIT\nSIGN: "-" | "+"\nDIGIT: "0" | "1"\nunused: "u"\n',
        encoding="utf-8",
    )
    return tmp_path


def language(folder: Path, text: str, length: int = 3) -> set[str]:
    path = folder / "main.lark"
    path.write_text(text, encoding="utf-8")
    return {"".join(sentence) for sentence in sentences(Grammar.open(path), length)}


def test_a_rule_comes_with_what_it_uses(folder: Path) -> None:
    text = "start: value\n%import .parts.values.value"
    values = {"0", "1", "-0", "-1", "+0", "+1"}
    brackets = {f"{a}{v}{b}" for a, b in ("()", "[]") for v in "01"}
    assert language(folder, text) == values | brackets
    grammar = Grammar.open(folder / "main.lark")
    assert "PARTS__VALUES__DIGIT" in grammar.kinds
    assert not any("unused" in rule.name for rule in grammar.rules)


def test_names_here_are_not_those_of_the_other_file(folder: Path) -> None:
    text = 'start: number value\nnumber: "n"\n%import .parts.values.number -> value'
    assert language(folder, text, 2) == {"n0", "n1"}


def test_several_names_and_templates_are_imported(folder: Path) -> None:
    text = "start: number _list{SIGN}\n%import .parts.values (number, _list, SIGN)"
    assert language(folder, text, 4) >= {"0[-]", "1[+]"}


def test_an_imported_rule_is_overridden_and_extended(folder: Path) -> None:
    base = "start: value\n%import .parts.values.value\n%import .parts.values.number -> number\n"
    text = base + '%import .parts.values.DIGIT\n%extend DIGIT: "2"\n%override value: "v" | DIGIT'
    assert language(folder, text) == {"v", "0", "1", "2"}
    assert language(folder, 'start: "a"\n%extend start: "b"') == {"a", "b"}


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("start: a\n%import .nowhere.a", 2, "no-import"),
        ("start: a\n%import common.NUMBERS -> A", 2, "no-import"),
        ("start: A\n%import A", 2, "no-import"),
        ('start: "a"\n\n%override other: "b"', 3, "nothing-to-change"),
        ('start: "a"\n%extend OTHER: "b"', 2, "nothing-to-change"),
        ("start: x\n%import .main.start -> x", 2, "import-cycle"),
    ],
)
def test_what_cannot_be_imported_is_refused_with_its_line(
    folder: Path, text: str, line: int, code: str
) -> None:
    (folder / "main.lark").write_text(text, encoding="utf-8")
    with pytest.raises(GrammarError) as caught:
        Grammar.open(folder / "main.lark")
    assert caught.value.problems[0].code == code
    assert caught.value.problems[0].location.line == line


@pytest.mark.parametrize("start", ["file_input", "single_input", "eval_input"])
def test_the_grammar_of_python_that_comes_with_lark_compiles(start: str) -> None:
    text = files("lark.grammars").joinpath("python.lark").read_text("utf-8")
    automaton = exact(Grammar.read(text, start=start))
    assert automaton.next_tokens(automaton.start).size > 10


def test_rules_of_a_bundled_grammar_are_imported() -> None:
    grammar = Grammar.read('start: "eval" test\n%import python.test')
    automaton, slow = exact(grammar), earley(grammar)
    prefix = ["eval", "not", "("]
    expected = slow.next_tokens(slow.read(prefix)).kinds
    assert set(automaton.next_tokens(automaton.read(prefix)).kinds) == set(expected)
