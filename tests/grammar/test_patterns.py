"""Terminals by pattern: the tokens of a vocabulary that match them."""

from __future__ import annotations

import pytest

from grammax import Grammar, exact
from grammax.errors import GrammarError

WORDS = ["select", "SELECT", "Select", "selected", "12", "7", "-7", "x1", "from", "FROM", "ſelect"]


def kinds(text: str, words: list[str] = WORDS) -> dict[str, tuple[str, ...]]:
    return dict(Grammar.read(text, vocabulary=words).kinds)


def test_a_regular_expression_selects_what_it_matches_from_end_to_end() -> None:
    assert kinds("start: /[0-9]+/") == {"/[0-9]+/": ("12", "7")}
    assert kinds("start: NUMBER\nNUMBER: /-?[0-9]+/") == {"NUMBER": ("12", "7", "-7")}


def test_case_does_not_matter_where_the_grammar_says_so() -> None:
    assert set(kinds('start: "select"i')['"select"i']) >= {"select", "SELECT", "Select"}
    assert "selected" not in kinds('start: "select"i')['"select"i']
    assert kinds("start: KEY\nKEY: /fro[m]/i") == {"KEY": ("from", "FROM")}
    assert kinds('start: "select"') == {'"select"': ("select",)}


def test_terminals_are_made_of_terminals() -> None:
    text = 'start: NAME\nNAME: LETTER (LETTER | DIGIT)~1..3\nLETTER: "a".."z"\nDIGIT: /[0-9]/'
    assert kinds(text) == {"NAME": ("x1", "from")}
    text = 'start: VALUE\nVALUE: "-" GIVEN | "NULL" | "12"\n%declare GIVEN'
    grammar = Grammar.read(text, {"GIVEN": ["7", "8"]}, vocabulary=WORDS)
    assert set(grammar.kinds["VALUE"]) == {"-7", "NULL", "12"}


def test_a_token_that_two_terminals_match_is_both() -> None:
    grammar = Grammar.read('start: /[a-z]+/ "!" | "from" "?"', vocabulary=WORDS)
    automaton = exact(grammar)
    assert set(automaton.next_tokens(automaton.read(["from"])).tokens) == {"!", "?"}
    assert set(automaton.next_tokens(automaton.read(["select"])).tokens) == {"!"}


def test_imported_terminals_select_too() -> None:
    grammar = Grammar.read("start: INT\n%import common.INT", vocabulary=WORDS)
    assert grammar.kinds["INT"] == ("12", "7")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("start: A\nA: /(/", 2, "the tokens of A cannot be selected"),
        ("start: A\nA: /x/l", 2, "the flag l of /x/l is not supported"),
        ('start: A\nA: "b" B\nB: "c" A', 2, "is defined by itself"),
        ('start: A\nA: "b" B\n%declare B', 2, "the tokens of B are not given"),
        ("start: /nothing/", 1, "no token of the vocabulary matches /nothing/"),
        ('start: "x"\n | "nothing"i', 2, 'no token of the vocabulary matches "nothing"i'),
    ],
)
def test_a_pattern_that_selects_nothing_is_refused_with_its_line(
    text: str, line: int, message: str
) -> None:
    with pytest.raises(GrammarError) as caught:
        Grammar.read(text, vocabulary=WORDS)
    (problem,) = (p for p in caught.value.problems if p.severity == "error")
    assert problem.location.line == line
    assert message in problem.message


def test_without_a_vocabulary_case_is_as_written_and_a_warning_says_so() -> None:
    grammar = Grammar.read('start: "select"i KEY\nKEY: "from"i | "by"')
    assert dict(grammar.kinds) == {'"select"i': ("select",), "KEY": ("from", "by")}
    said = [problem.message for problem in grammar.problems]
    assert len(said) == 2
    assert all("in this case only" in message for message in said)
