"""A law: no reading has a number, a count, a time, a currency or a name that its query lacks."""

from __future__ import annotations

import re

import pytest

import grammax
from grammax.domains.eqs.domain import equity_search
from grammax.parser import Parser
from grammax.tables.domain import TableDomain
from grammax.tables.filling import filled

SOME = 1_500
MANY = 4_000
DIGITS = re.compile(r"\d")
ODD = (
    "companies",
    "market cap above 1.2.3",
    "the year MMXXIII in profits",
    "pe below ٣",
    f"revenue over {'9' * 40}",
    "sales on 2018-02-31",
    "pe between 10 and 5",
    "no banks no banks except banks",
    " ".join(str(number) for number in range(100)),
    "largest",
    "hello",
    "cheapest german stocks",
)


@pytest.fixture(scope="module")
def parser() -> Parser:
    return grammax.load("eqs")


def check(query: str, parser: Parser) -> None:
    domain = parser.domain
    assert isinstance(domain, TableDomain)
    parsed = parser.parse(query, offer=False)
    mentions = domain.mentions(query.lstrip())
    filled(parsed.tokens, mentions, domain.catalogue.fields)  # raises if something is invented
    if not mentions:
        assert not DIGITS.search(re.sub(r"\w*[A-Z_]\w*|\b0\b", "", parsed.lf)), parsed.lf


def queries(count: int) -> list[str]:
    domain = equity_search(seed=7, train=count, test=1, hard=0)
    return [pair.query for pair in domain.pairs("train")]


def test_generated_queries(parser: Parser) -> None:
    for query in queries(SOME):
        check(query, parser)


@pytest.mark.slow
def test_thousands_of_generated_queries(parser: Parser) -> None:
    for query in queries(MANY):
        check(query, parser)


@pytest.mark.parametrize("query", ODD)
def test_bad_input_is_read_or_refused_without_inventions(query: str, parser: Parser) -> None:
    check(query, parser)
