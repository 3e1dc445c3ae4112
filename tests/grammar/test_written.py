"""Grammars as text: what is written has the same language, for grammax and for other engines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from random import Random

import lark
import pytest
from hypothesis import given
from laws.grammars import FILES, draws, grammar_of, random_grammars

from grammax import Grammar
from grammax.automaton.compile import earley
from grammax.automaton.walk import accepts_tokens
from grammax.grammar import sentences

NOTATIONS = ("lark", "gbnf")
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def written(grammar: Grammar, notation: str) -> str:
    return grammar.to_lark() if notation == "lark" else grammar.to_gbnf(separator=None)


def reread(grammar: Grammar, notation: str) -> Grammar:
    return Grammar.read(written(grammar, notation), notation=notation)  # type: ignore[arg-type]


def damaged(sentence: tuple[str, ...], tokens: list[str], random: Random) -> tuple[str, ...]:
    """The sentence with one token replaced, removed or added."""
    index = random.randrange(len(sentence))
    other = random.choice(tokens)
    change = random.choice([(), (other,), (other, sentence[index])])
    return (*sentence[:index], *change, *sentence[index + 1 :])


@pytest.mark.parametrize("notation", NOTATIONS)
@given(grammar=random_grammars())
def test_what_is_written_is_read_as_the_same_language(notation: str, grammar: Grammar) -> None:
    again = reread(grammar, notation)
    assert set(sentences(again, 3)) == set(sentences(grammar, 3))


@pytest.mark.parametrize("notation", NOTATIONS)
@every_file
def test_grammars_of_the_repository_are_read_again(path: Path, notation: str) -> None:
    grammar = grammar_of(path)
    again = earley(reread(grammar, notation))
    for sentence in draws(grammar, 5):
        assert accepts_tokens(again, sentence)


def test_names_become_names_of_the_notation() -> None:
    rules = {
        "Liste∋x": [["A&B", "a.b"]],
        "a.b": ["A B"],
        "übung": ["Liste∋x"],
    }
    grammar = Grammar.from_rules(rules, {"A&B": ["ä", "ö"], "A B": ['"', "\n"]}, start="übung")
    assert grammar.to_lark() == (
        'start: liste_x\nliste_x: A_B a_b\nA_B: "ä" | "ö"\na_b: A_B_2\nA_B_2: "\\"" | "\\n"\n'
    )
    for notation in NOTATIONS:
        again = reread(grammar, notation)
        assert set(sentences(again, 4)) == set(sentences(grammar, 4))


# As characters


def texts_of(grammar: Grammar, most: int = 300) -> list[str]:
    return [" ".join(sentence) for sentence in islice(sentences(grammar, 5), most)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ('start: "a"? "b"* "c"?', "start: ("),
        ('start: x y x "c"\nx: "a"?\ny: ("b" y)?', "start: "),
        ('start: "a" start "b" |', "start: ("),
        ('start: start "a" | "b"', "start: "),
    ],
)
def test_only_the_first_token_has_no_separator(text: str, first: str) -> None:
    grammar = Grammar.read(text)
    characters = grammar.to_lark(" ")
    assert characters.startswith(first)
    parser = lark.Lark(characters, parser="earley", lexer="dynamic_complete")
    wanted = texts_of(grammar, 40)
    for sentence in wanted:
        parser.parse(sentence)
        for wrong in (" " + sentence, sentence + " ", sentence.replace(" ", "  ")):
            if wrong not in wanted:
                with pytest.raises(lark.exceptions.LarkError):
                    parser.parse(wrong)


@given(grammar=random_grammars())
def test_xgrammar_reads_the_same_language(grammar: Grammar) -> None:
    xgrammar = pytest.importorskip("xgrammar")
    compiler = xgrammar.GrammarCompiler(xgrammar.TokenizerInfo([]), max_threads=1)
    compiled = compiler.compile_grammar(grammar.to_gbnf())

    def accepts(text: str) -> bool:
        matcher = xgrammar.GrammarMatcher(compiled, terminate_without_stop_token=True)
        return matcher.accept_string(text) and matcher.is_terminated()

    assert_same(grammar, accepts)


def assert_same(grammar: Grammar, accepts) -> None:
    """Another engine accepts sentences of a grammar, and sentences that were damaged if it does."""
    exact = earley(grammar)
    tokens = [token for kind in grammar.kinds.values() for token in kind]
    random = Random(0)
    for sentence in islice(sentences(grammar, 5), 30):
        assert accepts(" ".join(sentence)) or not sentence
        if sentence:
            other = damaged(sentence, tokens, random)
            if other:
                assert accepts(" ".join(other)) == accepts_tokens(exact, other), other


@given(grammar=random_grammars())
def test_llguidance_reads_the_same_language(grammar: Grammar) -> None:
    llguidance = pytest.importorskip("llguidance")
    tokenizer = llguidance.LLTokenizer("byte")
    compiled = llguidance.LLMatcher.grammar_from_lark(grammar.to_lark(" "))

    def accepts(text: str) -> bool:
        matcher = llguidance.LLMatcher(tokenizer, compiled)
        assert not matcher.get_error(), matcher.get_error()
        data = text.encode()
        return matcher.try_consume_tokens(list(data)) == len(data) and matcher.is_accepting()

    assert_same(grammar, accepts)


def test_every_escape_survives() -> None:
    tokens = ["\x00", "\x1b", "\\", '"', "\u2028", "é", "日本", "\U0001f600", "a/b", "//", "#"]
    grammar = Grammar.from_rules({"start": ["KIND"]}, {"KIND": tokens})
    for notation in NOTATIONS:
        assert _tokens(reread(grammar, notation)) == sorted(tokens)
    assert json.dumps("\x1b")[1:-1] in grammar.to_lark()


def _tokens(grammar: Grammar) -> list[str]:
    kinds: Iterable[tuple[str, ...]] = grammar.kinds.values()
    return sorted(token for kind in kinds for token in kind)
