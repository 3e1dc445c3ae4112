"""Kinds and their tokens: spelt out, given, shared."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammax import Grammar, Vocabulary, earley, exact
from grammax.errors import GrammarError, VocabularyError
from grammax.grammar import read_tokens, split_kinds, token


def test_tokens_come_from_the_file_from_code_and_from_a_table(tmp_path: Path) -> None:
    text = 'start: SPELT GIVEN "literal"\nSPELT: "a" | "b"\n%declare GIVEN'
    (tmp_path / "g.lark").write_text(text)
    (tmp_path / "t.tsv").write_text("token\tkind\nNew York\tGIVEN\nKöln\tGIVEN\n")
    expected = {"SPELT": ("a", "b"), "GIVEN": ("New York", "Köln"), '"literal"': ("literal",)}
    from_table = Grammar.open(tmp_path / "g.lark", tmp_path / "t.tsv")
    from_code = Grammar.read(text, {"GIVEN": (token for token in ("New York", "Köln"))})
    assert dict(from_table.kinds) == dict(from_code.kinds) == expected
    assert from_table.problems == from_code.problems == ()


def test_given_tokens_go_before_those_in_the_file() -> None:
    grammar = Grammar.read('start: A\nA: "a"', {"A": ["b", "c", "b"]})
    assert grammar.kinds["A"] == ("b", "c")


def test_a_kind_may_be_made_of_others() -> None:
    text = 'start: PLACE | COUNTRY "!"\nPLACE: (COUNTRY | CITY) | "MOON"\nCITY: "PARIS" | "ROME"\n'
    spelt = Grammar.read(text + 'COUNTRY: "PERU" | "CHAD"')
    given = Grammar.read(text + "%declare COUNTRY", {"COUNTRY": ["PERU", "CHAD"]})
    for grammar in (spelt, given):
        automaton = earley(grammar)
        first = automaton.next_tokens(automaton.start)
        assert set(first.tokens) == {"PERU", "CHAD", "PARIS", "ROME", "MOON"}
        assert list(automaton.next_tokens(automaton.read(["CHAD"])).tokens) == ["!"]
        assert not automaton.next_tokens(automaton.read(["ROME"]))


def test_kinds_made_of_each_other_thousands_deep() -> None:
    chain = "".join(f'K{i}: K{i + 1} | K{i + 1} | "t{i}"\n' for i in range(3_000))
    grammar = Grammar.read("start: K0\n" + chain + 'K3000: "end"')
    assert len(grammar.kinds["K0"]) == 3_001


@pytest.mark.parametrize(
    ("definition", "why"),
    [
        ("A: /[0-9]+/", "it is /[0-9]+/"),
        ('A: "x" "y"', 'it is ("x" "y")'),
        ('A: "x"+', 'it is "x"+'),
        ("%declare A", "it is only declared"),
        ("%import common.INT -> A", "it is COMMON__DIGIT+"),
        ("A: B\nB: A", "it is B"),
    ],
)
def test_a_kind_without_tokens_stands_for_one_of_its_name(definition: str, why: str) -> None:
    grammar = Grammar.read(f"start: A\n{definition}")
    assert grammar.kinds["A"] == ("A",)
    (problem, *_) = [p for p in grammar.problems if p.code == "open-kind" and "kind A" in p.message]
    assert why in problem.message
    assert problem.severity == "warning"
    assert Grammar.read(f"start: A\n{definition}", {"A": ["1", "2"]}).kinds["A"] == ("1", "2")


def test_tokens_for_a_kind_that_is_not_there_are_a_warning() -> None:
    grammar = Grammar.read('start: "a"', {"COUNTRY": ["PERU"]})
    assert [problem.code for problem in grammar.problems] == ["unused-kind"]
    assert "COUNTRY" not in grammar.kinds


SPLITS = {
    "apart": ({"A": "ab", "B": "cd"}, {"A": "ab", "B": "cd"}, {}),
    "overlapping": (
        {"A": "abc", "B": "cd"},
        {"A∖B": "ab", "A∩B": "c", "B∖A": "d"},
        {"A": ("A∖B", "A∩B"), "B": ("A∩B", "B∖A")},
    ),
    "one within the other": (
        {"A": "abc", "B": "c"}, {"A∖B": "ab", "B": "c"}, {"A": ("A∖B", "B")},
    ),
    "the same": ({'"c"': "c", "B": "c"}, {"B": "c"}, {'"c"': ("B",)}),
    "a token twice in one kind": ({"A": "aab"}, {"A": "ab"}, {}),
}  # fmt: skip


@pytest.mark.parametrize("title", SPLITS)
def test_splitting(title: str) -> None:
    kinds, finer, made_of = SPLITS[title]
    found = split_kinds(kinds)
    assert found == ({kind: tuple(tokens) for kind, tokens in finer.items()}, made_of)


_overlapping = st.dictionaries(
    st.sampled_from("ABCD"), st.lists(st.sampled_from("stuvw"), min_size=1, unique=True)
)


@given(_overlapping)
def test_finer_kinds_are_disjoint_and_make_up_the_given_ones(kinds: dict[str, list[str]]) -> None:
    finer, made_of = split_kinds(kinds)
    Vocabulary(finer)  # refuses a token of two kinds
    for kind, tokens in kinds.items():
        parts = made_of.get(kind, (kind,))
        assert sorted(token for part in parts for token in finer[part]) == sorted(tokens)
    # No finer than the kinds can tell apart.
    owners = [tuple(k for k in kinds if tokens[0] in kinds[k]) for tokens in finer.values()]
    assert len(owners) == len(set(owners))


def test_a_grammar_tells_split_kinds_apart_and_says_so() -> None:
    grammar = Grammar.read(
        'start: COUNTRY "!" | BRAND "?"\nCOUNTRY: "PERU" | "CHAD"\nBRAND: "PERU" | "ACME"'
    )
    assert set(grammar.kinds) == {"COUNTRY∖BRAND", "COUNTRY∩BRAND", "BRAND∖COUNTRY", '"!"', '"?"'}
    automaton = earley(grammar)
    following = {
        token: set(automaton.next_tokens(automaton.read([token])).tokens)
        for token in ("PERU", "CHAD", "ACME")
    }
    assert following == {"PERU": {"!", "?"}, "CHAD": {"!"}, "ACME": {"?"}}
    problems = [p for p in grammar.problems if p.code == "overlapping-kinds"]
    assert [problem.location.line for problem in problems] == [2, 3]
    assert "shares tokens with others, such as 'PERU'" in problems[0].message
    assert "split into COUNTRY∩BRAND, COUNTRY∖BRAND" in problems[0].hint


def test_a_table_may_have_other_columns_empty_lines_and_tokens_with_spaces(tmp_path: Path) -> None:
    path = tmp_path / "tokens.tsv"
    path.write_text("name\tkind\ttoken\n-\tA\tgroup by\n\n-\tB\t日本\n-\tA\t  \n", "utf-8")
    assert read_tokens(path) == {"A": ("group by", "  "), "B": ("日本",)}


@pytest.mark.parametrize("name", ["tokens.csv", "tokens.CSV"])
def test_a_table_of_commas_may_quote(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text('token,kind\n"a,""b""",K\n"two\nlines",K\n')
    assert read_tokens(path) == {"K": ('a,"b"', "two\nlines")}


def test_a_table_that_only_names_its_columns_gives_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tokens.tsv"
    path.write_text("token\tkind\n")
    assert read_tokens(path) == {}


def test_a_field_of_a_megabyte(tmp_path: Path) -> None:
    long = "x" * 1_000_000
    (tmp_path / "t.tsv").write_text(f"token\tkind\n{long}\tK\n")
    assert read_tokens(tmp_path / "t.tsv") == {"K": (long,)}
    (tmp_path / "t.csv").write_text(f"token,kind\n{long},K\n")
    with pytest.raises(VocabularyError, match=r"t\.csv cannot be read as CSV.*a TSV file may do"):
        read_tokens(tmp_path / "t.csv")


def test_an_empty_list_for_a_declared_kind_is_an_error() -> None:
    with pytest.raises(GrammarError, match="the kind A is given an empty list") as caught:
        Grammar.read("start: A\n%declare A", {"A": []})
    assert caught.value.problems[0].location.line == 2
    assert Grammar.read('start: A\nA: "x"', {"A": []}).kinds["A"] == ("x",)


def test_a_kind_made_of_a_kind_that_is_not_there_is_an_error() -> None:
    with pytest.raises(GrammarError, match="the kind B is used in A but not defined"):
        Grammar.read('start: A\nA: B | "a"')


def test_a_long_list_of_tokens_becomes_one_kind() -> None:
    """Tokens that a rule lists and nothing else uses; the others stay kinds of their own."""
    listed = " | ".join(f'"t{i}"' for i in range(2_000))
    grammar = Grammar.read(f'start: item ("t7" item)*\nitem: {listed} | "(" start ")"')
    assert len(grammar.kinds) == 4
    assert len(grammar.kinds['item∋"t0"']) == 1_999
    assert grammar.kinds['"t7"'] == ("t7",)
    automaton = exact(grammar)
    state = automaton.read(["(", "t1999", "t7"])
    assert automaton.next_tokens(state).size == 2_001


def test_tokens_that_are_alternatives_of_the_same_rules_become_one_kind() -> None:
    words = [f'"t{i}"' for i in range(5_000)]
    text = f"start: first last\nfirst: {' | '.join(words)}\nlast: {' | '.join(words[3_000:])}"
    grammar = Grammar.read(text)
    assert [len(tokens) for tokens in grammar.kinds.values()] == [3_000, 2_000]
    automaton = exact(grammar)
    assert automaton.next_tokens(automaton.start).size == 5_000
    assert automaton.next_tokens(automaton.read(["t1"])).size == 2_000
    assert len(automaton.next_tokens(automaton.read(["t1"])).spans) == 1


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["a", 1], "1 is a int"),
        ([["a"]], "is a list"),
        ([""], "a token is empty"),
        (["\ud800"], "half of a surrogate pair"),
    ],
)
def test_what_is_no_token_is_refused_where_its_kind_is_declared(tokens, message: str) -> None:
    with pytest.raises(GrammarError, match=message) as caught:
        Grammar.read("start: A\n%declare A", {"A": tokens})
    (problem,) = caught.value.problems
    assert (problem.code, problem.location.line) == ("bad-token", 2)
    with pytest.raises(GrammarError, match=message):
        Grammar.from_rules({"start": [["A"]]}, {"A": tokens})


@pytest.mark.parametrize(
    ("text", "message"), [("", "a token is empty"), ("\ud800", "half of a surrogate")]
)
def test_a_token_of_python_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message) as caught:
        Grammar.from_rules({"start": [[token(text)]]})
    assert str(caught.value).encode()  # it can be printed
