"""Lark's notation, read with places: what it means, and what is wrong with it."""

from __future__ import annotations

from importlib.resources import files

import pytest
from lark import Lark
from lark.lexer import PatternStr
from laws.assertions import reached
from laws.lark_parser import LarkReferee, assert_agrees_with_lark

from grammax import Grammar, earley
from grammax.errors import GrammarError, Location
from grammax.grammar.notation import read_notation

NOTATION = {
    "literals and kinds": 'start: "a" B "c"\nB: "x" | "y"',
    "alternatives on lines of their own": 'start: "a"\n     | "b"\n\n     | "c" "d"',
    "an empty alternative": 'start: "a" start "b"\n     |',
    "groups": 'start: "a" ("b" | "c" ("d" | "e")) "f"',
    "optional in brackets": 'start: ["a"] "b" ["c" ["d"]]',
    "optional with a mark": 'start: "a"? "b" ("c" "d")?',
    "any number": 'start: "a"* "b" ("c" "d" | "e")*',
    "once or more": 'start: "a"+ "b" ("c" "d" | "e")+',
    "a number of times": 'start: "a" ~ 3 "b" ("c" | "d") ~ 2',
    "between two numbers of times": 'start: "a"~0..2 "b"~1..3',
    "more times than are written out": 'start: "a"~2..60 "b"',
    "optional lists": 'start: ["a" ("," "a")*] ";"',
    "templates": 'start: pair{"a", b} pair{b, "c"}\npair{x, y}: x y | y\nb: "b"',
    "templates within templates": 'start: two{two{"a"}}\ntwo{x}: x x',
    "a template in a list": '_list{x}: x ("," x)*\nstart: _list{item} ";"\nitem: "a" | "b"',
    "marks that shape the tree": '?start: _a b c\n_a: "a"\n?b: "b" -> name\n!c: "c"\n',
    "marks in both orders": 'start: a b\n!?a: "a"\n?!b: "b"',
    "aliases": 'start: "a" -> one\n     | "b" "c" -> two\n     | -> three',
    "priorities": 'start: a B\na.2: "a"\nB.-1: "b"',
    "a rule that goes before another": 'start: a | b\na.2: "x" y\nb.1: "x" y\ny: "y"',
    "an else that two may have": 'start: "if" start ["else" start] | "x"',
    "ranges": 'start: DIGIT+\nDIGIT: "0".."9"',
    "case that does not matter": 'start: "select"i NAME\nNAME: "x"i',
    "comments": '// one\nstart: "a" // two\n # three\n   | "b" # four\n// five',
    "patterns": "start: /a+/ X /b\\/c/i\nX: /[0-9]+/",
    "imports": "%import common.INT\n%import common (NUMBER, WORD)\nstart: INT NUMBER WORD",
    "imports by another name": "%import common.INT -> COUNT\nstart: COUNT COUNT",
    "declarations": "start: A _B A\n%declare A _B",
    "ignored": 'start: "a" "b"\nWS: " "\n%ignore WS\n%ignore "x"\n%ignore /[ ]/',
    "a line that goes on after a backslash": 'start: "a" \\\n    "b"',
    "line ends of another system": 'start: "a"\r\n     | "b"\r\n// end\r\n',
    "names with figures and underscores": 'start: _a_1 B_2\n_a_1: "a"\nB_2: "b"',
}


@pytest.mark.parametrize("text", NOTATION.values(), ids=NOTATION)
def test_the_notation_means_what_it_means_to_lark(text: str) -> None:
    grammar = Grammar.read(text)
    referee, automaton = LarkReferee(text, grammar), earley(grammar)
    for prefix, _ in reached(automaton, depth=6, limit=40):
        assert_agrees_with_lark(automaton, referee, prefix)


@pytest.mark.parametrize("name", ["common", "lark", "python", "unicode"])
def test_all_that_lark_ships_is_read(name: str) -> None:
    text = files("lark.grammars").joinpath(f"{name}.lark").read_text("utf-8")
    draft = read_notation(text, f"{name}.lark")
    assert len(draft.rules) + len(draft.kinds) >= 2


ESCAPES = [
    r"\n", r"\t", r"\f", r"\r", r"\\", r"\"", r"\x41", r"\u00e9", r"\U0001f600", r"\.", r"\d+",
    r"\a", r"\0", r"\/", r"\\n", r"\\\"", r"it's", r"\'", "é", "New York", "日本",
    "👩‍👩‍👧", "//", "#",
]  # fmt: skip


@pytest.mark.parametrize("text", ESCAPES)
def test_a_token_is_spelt_as_lark_spells_it(text: str) -> None:
    grammar = f'start: "{text}"'
    ((token,),) = Grammar.read(grammar).kinds.values()
    (terminal,) = Lark(grammar, parser="lalr").terminals
    assert isinstance(terminal.pattern, PatternStr)
    assert token == terminal.pattern.value


def test_definitions_keep_their_places() -> None:
    draft = read_notation('\nstart: first\n  | KIND\nfirst: "a"\nKIND: "b"', "my.lark")
    assert [(rule.name, rule.location) for rule in draft.rules] == [
        ("start", Location("my.lark", 2, 1)),
        ("first", Location("my.lark", 4, 1)),
    ]
    assert draft.kinds[0].location == Location("my.lark", 5, 1)
    assert str(draft.kinds[0].location) == "my.lark:5:1"


MISTAKES = {
    'start: "a': (1, 8, "syntax", 'stands in double quotes on one line, "like this"'),
    'start "a"': (1, 7, "syntax", "A definition is `name: alternatives`"),
    'start: ("a" | "b"\n': (1, 18, "syntax", "opened with `\\(` is not closed"),
    'start: ["a"\nb: "c"': (1, 12, "syntax", "opened with `\\[` is not closed"),
    'start: "a"\n\n  b "c"': (3, 5, "syntax", "A definition is"),
    'start: "a" )': (1, 12, "syntax", "starts on a line of its own"),
    'start: "a"?b\nb: "b"': (1, 11, "syntax", "starts on a line of its own"),
    'stärt: "a"': (1, 3, "syntax", "Names are ASCII"),
    'start: ""': (1, 8, "empty-token", "Leave it out"),
    'start: "a"\nb: "\\x4"': (2, 4, "bad-escape", r"Write a backslash as"),
    'start: "z".."a"': (1, 8, "bad-range", 'such as "0".."9"'),
    'start: "ab".."z"': (1, 8, "bad-range", "from one character"),
    'start: "a" ~ 3..2': (1, 14, "bad-repeat", "0 <= n <= m"),
    'start: "a" ~ 10001': (1, 14, "bad-repeat", "m <= 10000"),
    'start: "a"{2,3}': (1, 11, "syntax", r"`~ 2..3`"),
    'start ::= "a"': (1, 8, "syntax", "is GBNF"),
    'start = "a"': (1, 7, "syntax", "with one colon"),
    "start: [a-z]": (1, 10, "syntax", "is a pattern"),
    "start: [^a]": (1, 9, "syntax", "is a pattern"),
    'start: "a"\n | "\\ud800"': (2, 4, "bad-escape", "any character as itself"),
    "start: .": (1, 8, "syntax", "selects it from a vocabulary"),
    "start: 'a'": (1, 8, "syntax", "in double quotes"),
    'start: "a" "\ud800"': (1, 13, "not-utf-8", "surrogateescape"),
    "%override start: A": (1, 11, "nothing-to-change", "Import it first"),
    "%import other.rule\nstart: rule": (1, 15, "no-import", "looked for next to the file"),
    'start: "a"\n%declare small': (2, 10, "unsupported", "Only kinds"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_has_a_place_and_a_hint(text: str) -> None:
    line, column, code, hint = MISTAKES[text]
    with pytest.raises(GrammarError, match=hint) as caught:
        Grammar.read(text, file="my.lark")
    (problem,) = caught.value.problems
    assert (problem.code, problem.severity) == (code, "error")
    assert problem.location == Location("my.lark", line, column)
    assert str(caught.value).startswith(f"my.lark:{line}:{column}: error: ")


def test_the_place_is_shown_even_in_a_long_line() -> None:
    with pytest.raises(GrammarError) as caught:
        Grammar.read("start: " + "a " * 500 + "@" + " b" * 500)
    _, excerpt, caret, *_ = str(caught.value).split("\n")
    assert excerpt[caret.index("^")] == "@"
    assert len(excerpt) < 100


@pytest.mark.parametrize(
    "text",
    [
        "start: " + '"a" ' * 25_000,
        "start: A\nA: " + " | ".join(f'"t{i}"' for i in range(10_000)),
        'start: "x" // ' + "words " * 170_000,
        'start: "' + "a" * 1_000_000 + '"',
        "start: /" + "a" * 1_000_000 + "/",
        'start: "a"' + " " * 1_000_000 + '"b"',
        'start: "a"' + "\n" * 1_000_000 + '| "b"',
    ],
    ids=["a long rule", "a long kind", "comment", "token", "pattern", "spaces", "empty lines"],
)
def test_long_lines_are_read(text: str) -> None:
    assert Grammar.read(text).rules


@pytest.mark.parametrize(
    "text", ["start: " + "(" * 30_000, 'start: "' + "a" * 1_000_000, "start: " + "@" * 1_000_000]
)
def test_long_lines_that_are_wrong_make_short_errors(text: str) -> None:
    with pytest.raises(GrammarError) as caught:
        Grammar.read(text)
    assert len(str(caught.value)) < 1_000
