"""Bad input is normal input: a clear error or a right answer, never a hang or a stack overflow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import grammax
from grammax import Grammar
from grammax.automaton import BoundAutomaton
from grammax.errors import (
    AutomatonError,
    ConflictError,
    ForeignState,
    GrammarError,
    TokenNotPermitted,
    UnknownToken,
    VocabularyError,
)
from grammax.grammar import read_tokens

WAYS: dict[str, Callable[[Grammar], BoundAutomaton]] = {
    "superset": grammax.superset,
    "unrolled": grammax.unrolled,
    "lr": grammax.lr,
    "glr": grammax.glr,
    "earley": grammax.earley,
}
every_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
# Deeper than Python calls; ten thousand would also show what grows with the square.
every_depth = pytest.mark.parametrize("deep", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])


@pytest.mark.parametrize("text", ["", "\n\n", "// nothing", "%declare A"])
def test_an_empty_grammar_says_what_to_write(text: str) -> None:
    with pytest.raises(GrammarError, match="the grammar has no rules"):
        Grammar.read(text)


@every_depth
@every_way
def test_nesting_thousands_deep(way: Callable[[Grammar], BoundAutomaton], deep: int) -> None:
    automaton = way(Grammar.read('c: "(" "NOT" c ")" | "x"'))
    state = automaton.read(["(", "NOT"] * deep)
    assert set(automaton.next_tokens(state).tokens) == {"(", "x"}
    exact = automaton.name in ("lr", "glr", "earley")
    assert automaton.tokens_to_accept(state) == deep + 1 if exact else True
    state = automaton.read([*["(", "NOT"] * deep, "x", *[")"] * deep])
    assert automaton.accepts(state)


@every_depth
@every_way
@pytest.mark.parametrize("rule", ['l: "x" l | "x"', 'l: l "x" | "x"'], ids=["right", "left"])
def test_lists_of_thousands_of_items(
    way: Callable[[Grammar], BoundAutomaton], rule: str, deep: int
) -> None:
    automaton = way(Grammar.read(rule))
    state = automaton.read(["x"] * deep)
    assert automaton.accepts(state)
    assert list(automaton.next_tokens(state).tokens) == ["x"]
    assert automaton.tokens_to_accept(state) == 0


@every_depth
@every_way
def test_thousands_of_rules(way: Callable[[Grammar], BoundAutomaton], deep: int) -> None:
    rules = {f"r{i}": [["OPEN", f"r{i + 1}", "CLOSE"], ["X"]] for i in range(deep)}
    rules[f"r{deep}"] = [["X"]]
    kinds = {"OPEN": ["("], "CLOSE": [")"], "X": ["x"]}
    automaton = way(Grammar.from_rules(rules, kinds))
    state = automaton.read(["("] * 50)
    assert set(automaton.next_tokens(state).tokens) == {"(", "x"}


@every_depth
@every_way
def test_thousands_of_alternatives_of_one_rule(
    way: Callable[[Grammar], BoundAutomaton], deep: int
) -> None:
    rules = {"start": [*([f"K{i}", "start"] for i in range(deep)), ["Z"]]}
    kinds = {**{f"K{i}": [f"t{i}"] for i in range(deep)}, "Z": ["z"]}
    automaton = way(Grammar.from_rules(rules, kinds))
    assert automaton.next_tokens(automaton.read(["t0", f"t{deep - 1}"])).size == deep + 1


def test_look_aheads_that_would_take_minutes_are_refused_at_once() -> None:
    many = 10_000
    rules = {"start": [*([f"K{i}", "start"] for i in range(many)), ["Z"], ["Z", "Z"]]}
    kinds = {**{f"K{i}": [f"t{i}"] for i in range(many)}, "Z": ["z"]}
    with pytest.raises(AutomatonError, match=r"LR tables .* are the limit.*`superset`"):
        grammax.lr(Grammar.from_rules(rules, kinds))


CYCLES = {
    "itself": 'a: a | "x"',
    "two rules": 'a: b | "x"\nb: a | "y"',
    "hidden left recursion": 'a: e a "x" | "y"\ne: ',
    "nullable everything": "a: b c\nb: a | \nc: b c | ",
    "ambiguous": 'a: a a | "x" | ',
}


@pytest.mark.parametrize("text", CYCLES.values(), ids=CYCLES.keys())
def test_cycles_are_read_by_all_but_lr_which_says_why_not(text: str) -> None:
    grammar = Grammar.read(text)
    for way in (grammax.superset, grammax.unrolled, grammax.glr, grammax.earley):
        automaton = way(grammar)
        assert automaton.tokens_to_accept(automaton.start) <= 1
    with pytest.raises(ConflictError, match=r"(?s)not LR\(1\): after .*`glr`") as caught:
        grammax.lr(grammar)
    assert len(caught.value.actions) > 1


@pytest.mark.parametrize("tokens", [4_500, pytest.param(45_000, marks=pytest.mark.slow)])
def test_a_long_line(tmp_path: Path, tokens: int) -> None:
    path = tmp_path / "long.lark"
    path.write_text("start: " + " | ".join(f'"token number {i}"' for i in range(tokens)))
    assert path.stat().st_size > 20 * tokens
    assert sum(map(len, Grammar.open(path).kinds.values())) == tokens


def test_what_is_wrong_in_a_megabyte_is_told_briefly() -> None:
    with pytest.raises(GrammarError) as caught:
        Grammar.read("start: " + "x" * 1_000_000 + " )")
    assert len(str(caught.value)) < 2_000


def test_parentheses_nested_too_deeply() -> None:
    with pytest.raises(GrammarError, match="nested too deeply"):
        Grammar.read("start: " + "(" * 20_000 + '"x"' + ")" * 20_000)


@every_way
def test_unicode_tokens_and_tokens_with_spaces(way: Callable[[Grammar], BoundAutomaton]) -> None:
    tokens = ["group by", "日本", "É", "👩‍👩‍👧", "مرحبا", "\n", '"', "\\"]
    automaton = way(Grammar.from_rules({"start": [["T", "T"]]}, {"T": tokens}))
    for token in tokens:
        assert automaton.accepts(automaton.read([token, token]))


@every_way
def test_a_token_that_is_not_in_the_vocabulary(way: Callable[[Grammar], BoundAutomaton]) -> None:
    automaton = way(Grammar.read('start: "FLD_DOMICILE" "EQ"'))
    with pytest.raises(TokenNotPermitted, match=r"FLD_DOMICLE is not in the vocabulary.*DOMICILE"):
        automaton.pass_token(automaton.start, "FLD_DOMICLE")
    for number in (-1, 2, 10**12):
        with pytest.raises(UnknownToken, match="ids are 0 to 1"):
            automaton.pass_token(automaton.start, number)


@every_way
def test_a_state_of_another_automaton(way: Callable[[Grammar], BoundAutomaton]) -> None:
    grammar = Grammar.read('start: "x"')
    automaton, other = way(grammar), way(grammar)
    for ask in (automaton.next_tokens, automaton.accepts, automaton.tokens_to_accept):
        with pytest.raises(ForeignState, match="not a state of this"):
            ask(other.start)
    for foreign in (other.start, 0, None, "x"):
        with pytest.raises(ForeignState):
            automaton.pass_token(foreign, "x")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"word\tsort\nx\tX\n", "it must name the columns"),
        (b"token\tkind\nx\n", ":2: a token and a kind are needed"),
        (b"token\tkind\n\xff\xfe\tX\n", "not UTF-8"),
    ],
)
def test_a_table_that_is_wrong_says_where(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "tokens.tsv"
    path.write_bytes(content)
    with pytest.raises(VocabularyError, match=message):
        read_tokens(path)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_tables_with_other_line_ends_and_a_mark(end: str, mark: str, tmp_path: Path) -> None:
    path = tmp_path / "tokens.tsv"
    path.write_bytes(
        (mark + end.join(["token\tkind\tnote", "group by\tK\t", "x\tK\ty", ""])).encode()
    )
    assert read_tokens(path) == {"K": ("group by", "x")}
    comma = tmp_path / "tokens.csv"
    comma.write_bytes((mark + end.join(["kind,token", 'K,"a,b"', "K,x", ""])).encode())
    assert read_tokens(comma) == {"K": ("a,b", "x")}


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "latin.lark"
    path.write_bytes('start: "é"'.encode("latin-1"))
    with pytest.raises(GrammarError, match="byte 8 is not UTF-8"):
        Grammar.open(path)
