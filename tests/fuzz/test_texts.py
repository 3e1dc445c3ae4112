"""Queries, logical forms and grammars: any text gets a result that keeps its promises, or an error
of grammax."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fuzz.given import fuzz, mutated
from hypothesis import strategies as st

import grammax
from grammax import Grammar
from grammax.automaton import BoundAutomaton
from grammax.errors import AutomatonError, GrammarError, GrammaxError
from grammax.grammar.sample import Sampler
from grammax.parser import Parser
from grammax.reading.parse import QueryNotice

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]
GRAMMARS = Path(__file__).parents[1] / "fixtures" / "grammars"


@pytest.fixture(scope="module")
def parser() -> Iterator[Parser]:
    with grammax.load("eqs") as made:
        yield made


def test_queries(parser: Parser) -> None:
    domain: Any = parser.domain
    queries = [*parser.samples]
    words = sorted({word for query in queries for word in query.split()})

    def check(query: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", QueryNotice)
            try:
                found = parser.parse(query)
            except GrammaxError:
                return
        assert domain.automaton(domain.exact).accepts(
            domain.automaton(domain.exact).read(found.tokens)
        )
        assert domain.read(found.lf) == found.tokens
        domain.completions(query, 5)

    fuzz(st.one_of(mutated(queries, words), st.text()), check)


def test_logical_forms(parser: Parser) -> None:
    domain: Any = parser.domain
    forms = [parser.parse(sample).lf for sample in parser.samples]
    tokens = [token for form in forms for token in form.replace("(", " ").replace(")", " ").split()]
    names = [*domain.vocabulary.tokens[::500], *tokens]

    def check(text: str) -> None:
        try:
            read = domain.read(text)
            domain.require_meaning(read)
        except GrammaxError:
            return
        assert domain.read(domain.text(read)) == read
        assert domain.paraphrase(read)
        try:
            assert parser.answers.answer(read, 3, 5.0).total >= 0
        except GrammaxError:
            return

    fuzz(st.one_of(mutated(forms, names), st.text()), check)


@pytest.mark.parametrize("notation", ["lark", "gbnf"])
def test_grammars(notation: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(GRAMMARS.glob("*.lark"))]
    texts = [text for text in texts if len(text) < 4_000]
    words = [
        "start: ",
        "%ignore ",
        "%import common.INT\n",
        "~2..3",
        "/[a-c]+/",
        "-> x",
        "A: ",
        "()",
    ]
    if notation == "gbnf":
        texts = [Grammar.read(text).to_gbnf() for text in texts]
        words = ["root ::= ", "[a-z]", "{2,3}", '"x"', "# c\n", "::="]

    def check(text: str) -> None:
        try:
            grammar = Grammar.read(text, notation=notation)
        except GrammarError:
            return
        automata: list[BoundAutomaton[Any]] = []
        for way in (grammax.superset, grammax.unrolled, grammax.exact):
            with suppress(AutomatonError):
                automata.append(way(grammar))
        try:
            sentence = Sampler(grammar).draw(Random(0))
            written = Grammar.read(grammar.to_lark())
        except GrammarError:
            return
        assert all(each.accepts(each.read(sentence)) for each in automata)
        again = grammax.glr(written)
        assert again.accepts(again.read(sentence))

    fuzz(st.one_of(mutated(texts, words), st.text()), check)
