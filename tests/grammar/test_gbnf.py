"""GBNF: the notation of llama.cpp and xgrammar."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammax import Grammar
from grammax.errors import GrammarError
from grammax.grammar.expressions import Choice, TokenText
from grammax.grammar.gbnf import read_gbnf
from grammax.grammar.sample import sentences


def language(text: str, length: int = 3, words: str = "") -> set[str]:
    grammar = Grammar.read(text, notation="gbnf", vocabulary=list(words) or None)
    return {"".join(sentence) for sentence in sentences(grammar, length)}


READ = {
    'root ::= "a" | "b" "c"': {"a", "bc"},
    'root ::= ("a" | "b")? "c"': {"c", "ac", "bc"},
    'root ::= "a"* "b"+': {"b", "ab", "bb", "aab", "abb", "bbb"},
    'root ::= "a"{2}': {"aa"},
    'root ::= "a"{2,}': {"aa", "aaa"},
    'root ::= "a"{1,2} "b"': {"ab", "aab"},
    'root ::= "a"{,2} "b"': {"b", "ab", "aab"},
    'root ::= "" | "a"': {"", "a"},
    'item-list ::= "x"\nroot ::= item-list "y" # a comment\n': {"xy"},
    'root ::= "a" |\n  "b"\n  | "c"\nother ::= "d"': {"a", "b", "c"},
    r'root ::= "\n" | "\x41" | "\u00e9" | "\U0001F600" | "\"" | "\\"': {
        "\n", "A", "é", "😀", '"', "\\",
    },
    'root ::= ( "a"\n "b" )\n': {"ab"},
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_it_is_read_as_it_is_meant(text: str) -> None:
    assert language(text) == READ[text]


def test_a_class_of_characters_selects_tokens() -> None:
    assert language("root ::= [a-c]", 1, "abcd[]-") == {"a", "b", "c"}
    assert language("root ::= [^a-c]", 1, "abcd[") == {"d", "["}
    assert language(r"root ::= [\]\[\x41-]", 1, "A[]-b") == {"A", "[", "]", "-"}
    assert language("root ::= .", 1, "ab\n") == {"a", "b", "\n"}


def test_the_suffix_of_a_file_tells_its_notation(tmp_path: Path) -> None:
    for suffix in ("gbnf", "ebnf"):
        path = tmp_path / f"list.{suffix}"
        path.write_text('root ::= "x" root | "x"', encoding="utf-8")
        assert Grammar.open(path).start == "root"


REFUSED = {
    'root = "a"': (1, 6, "'=' cannot be read"),
    'root: "a"': (1, 5, "':' cannot be read"),
    'root ::= "a\n"': (1, 10, "cannot be read"),
    'root ::= ("a"': (1, 10, "not closed"),
    'root ::= "a")': (1, 13, "does not begin a rule"),
    'root ::= "a"\n* ::= "b"': (2, 3, "not expected"),
    'root ::= "a"{3,2}': (1, 13, "cannot be repeated"),
    'root ::= "a"{}': (1, 13, "cannot be repeated"),
    'root ::= "a"\n  (= "b")': (2, 3, "look-ahead"),
    "root ::= <[12]>": (1, 10, "'<' cannot be read"),
    'root ::= TagDispatch("a", b)': (1, 10, "TagDispatch(...) is not supported"),
    r'root ::= "\UFFFFFFFF"': (1, 10, "is not a character"),
    'root ::= "a"\n  "\\ud83d"': (2, 3, "half of a surrogate pair"),
    "root ::= other": (1, 10, "the rule other is used in root but not defined"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(text: str) -> None:
    line, column, message = REFUSED[text]
    with pytest.raises(GrammarError) as caught:
        Grammar.read(text, notation="gbnf")
    problem = caught.value.problems[0]
    assert message in problem.message
    assert (problem.location.line, problem.location.column) == (line, column)


def test_a_token_far_down_has_its_place() -> None:
    draft = read_gbnf("root ::= " + "\n | ".join(f'"t{i}"' for i in range(2_000)))
    assert isinstance(draft.rules[0].expression, Choice)
    last = draft.rules[0].expression.options[-1]
    assert isinstance(last, TokenText)
    assert (last.location.line, last.location.column) == (2_000, 4)


def test_groups_nested_too_deeply_are_an_error() -> None:
    with pytest.raises(GrammarError, match="nested too deeply"):
        Grammar.read(f'root ::= {"(" * 5000}"x"{")" * 5000}', notation="gbnf")
