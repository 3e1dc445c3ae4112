"""The model that comes with the package: its size, its accuracy, and the paper's queries."""

from __future__ import annotations

import pytest
from domains.eqs.shared import eqs

from grammax.domains import shipped_model
from grammax.runtime.parser import RuntimeParser
from grammax.tables.domain import TableDomain
from grammax.tables.form.text import from_tokens, read

AUTO = (
    "(AND (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_AUTOMOBILES_COMPONENTS)) "
    "(FLD_EXCHANGE EQ enumValue(EXC_XNYS)) (FLD_MKT_CAP(LAST QUARTER) GR 1 BILLION CUR_USD))"
)
PAPER = {
    "steel western europe not german": (
        "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY))) "
        "(FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE)) "
        "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))"
    ),
    "return on capital sp500": (
        "(AND (FLD_INDEX EQ enumValue(IDX_SP500)) (display FLD_RETURN_ON_CAP))"
    ),
    "Show me all auto firms traded in Nysex whose market cap last quarter was over $1 billion": (
        AUTO
    ),
    "auto nysex last quarter mcap > $1bn": AUTO,
    "Top 10 European non-German tech firms sorted by p/b ratio": (
        "(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY))) "
        "(FLD_DOMICILE EQ enumValue(COU_EUROPE)) "
        "(FLD_EQS_SECTOR EQ enumValue(SEC_GICS_INFORMATION_TECHNOLOGY)) "
        "(top 10 FLD_MKT_CAP) (display FLD_PB_RATIO DESC))"
    ),
}


@pytest.fixture(scope="module")
def domain() -> TableDomain:
    return eqs()


@pytest.fixture(scope="module")
def parser(domain: TableDomain) -> RuntimeParser:
    return RuntimeParser.load(shipped_model("eqs"), domain)


def test_the_model_is_small() -> None:
    assert shipped_model("eqs").stat().st_size <= 8_000_000


def test_the_model_is_past_the_paper_on_the_test_queries(
    domain: TableDomain, parser: RuntimeParser
) -> None:
    pairs = domain.pairs("test")
    found = [parser.parse(pair.query).tokens for pair in pairs]
    assert len(found) == 331
    assert all(domain.grammatical(tokens) and domain.well_typed(tokens) for tokens in found)
    right = sum(domain.same(f, p.tokens) for f, p in zip(found, pairs, strict=True))
    assert right / len(pairs) > 0.8067


@pytest.mark.parametrize("query", PAPER)
def test_queries_of_the_paper_are_understood(parser: RuntimeParser, query: str) -> None:
    assert from_tokens(parser.parse(query).tokens) == read(PAPER[query])
