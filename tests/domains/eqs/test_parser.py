"""`grammax.load("eqs")`: the shipped model, its answers, and many threads that ask it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from domains.eqs.market.samples import build_small
from domains.eqs.shared import some_queries

import grammax
from grammax.domains import shipped_model
from grammax.domains.eqs.market.store import open_market
from grammax.parser import Parsed, Parser
from grammax.tables.form.text import from_tokens, read

STEEL = "steel western europe not german"


@pytest.fixture(scope="module")
def eqs() -> Iterator[Parser]:
    with grammax.load("eqs") as parser:
        yield parser


def test_the_query_of_the_readme_is_parsed_as_shown(eqs: Parser) -> None:
    found = eqs.parse(STEEL)
    assert found.lf == (
        "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY))) "
        "(FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE)) "
        "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
    )
    assert read(found.lf) == from_tokens(found.tokens)
    assert found.words == tuple(STEEL.split())
    for token, words in [
        ("COU_GERMANY", {"german"}),
        ("COU_WESTERN_EUROPE", {"western", "europe"}),
        ("SEC_GICS_STEEL", {"steel"}),
    ]:
        said = set(found.words_of(found.tokens.index(token)))
        assert said
        assert said <= words


def test_a_question_is_answered_with_rows(
    eqs: Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build_small(tmp_path / "market.duckdb")
    monkeypatch.setattr("grammax.domains.eqs.market.store.market_path", lambda *_: path)
    query = "american firms"
    with Parser(eqs.domain, shipped_model("eqs")) as parser, open_market(path) as market:
        asked = parser.ask(query, rows=3)
        assert asked.parsed.lf == "(FLD_DOMICILE EQ enumValue(COU_UNITED_STATES))"
        assert asked.answer.rows == market.answer(read(asked.parsed.lf), 3).rows
        assert (len(asked.answer), asked.answer.more) == (3, True)
        assert {row[2] for row in asked.answer.token_rows} == {"COU_UNITED_STATES"}
        assert asked.seconds > 0
        assert 3 < len(parser.ask(query).answer) <= 20


def test_threads_that_share_a_parser_find_what_one_finds(eqs: Parser) -> None:
    queries = some_queries()
    assert len(queries) == 60
    fresh = Parser(eqs.domain, shipped_model("eqs"))  # which remembers nothing yet

    def parsed(parser: Parser) -> list[Parsed]:
        return [parser.parse(query) for query in queries]

    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(parsed, [fresh, fresh]))
    alone = parsed(eqs)
    for found in both:
        for one, other in zip(found, alone, strict=True):
            assert replace(one, seconds=other.seconds) == other


def test_a_parse_needs_no_pytorch() -> None:
    code = "import sys, grammax; grammax.load('eqs').parse('steel'); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
