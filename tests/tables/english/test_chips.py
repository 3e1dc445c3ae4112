"""Tokens as people see them."""

from __future__ import annotations

import pytest
from tables.searched import films

from grammax.domains.eqs.domain import load
from grammax.language.capabilities import Explainable
from grammax.language.filling import slot
from grammax.tables.domain import TableDomain
from grammax.tables.form.text import read, to_tokens


@pytest.fixture(scope="module")
def domain() -> TableDomain:
    return load()


def test_the_domain_can_be_talked_with(domain: TableDomain) -> None:
    assert isinstance(domain, Explainable)


def test_digits_in_the_parentheses_of_a_field_tell_a_time(domain: TableDomain) -> None:
    tokens = domain.read("(FLD_PRICE(2018 JUN 23) GR 1.5 BILLION CUR_USD)")
    chips = domain.chips(tokens)
    assert [chip.token for chip in chips] == list(tokens)
    roles = {(chip.label, chip.role) for chip in chips if chip.role != "bracket"}
    assert roles == {
        ("Share price", "field"), ("2", "time"), ("0", "time"), ("1", "time"), ("8", "time"),
        ("June", "time"), ("3", "time"), ("more than", "operator"), ("1", "number"),
        (".", "number"), ("5", "number"), ("billion", "unit"), ("US Dollar", "unit"),
    }  # fmt: skip


def test_depths_are_those_of_the_parentheses(domain: TableDomain) -> None:
    chips = domain.chips(domain.read("(NOT (FLD_INDEX EQ IDX_SP500))"))
    assert [chip.depth for chip in chips] == [0, 1, 1, 2, 2, 2, 1, 0]


def test_a_beginning_has_chips_too(domain: TableDomain) -> None:
    roles = [chip.role for chip in domain.chips(("(", "top", "1", "0", "FLD_MKT_CAP"))]
    assert roles == ["bracket", "rank", "number", "number", "field"]
    assert domain.chips(()) == []


def test_a_summary_has_chips(domain: TableDomain) -> None:
    text = "(AND (average FLD_PE_RATIO) (by FLD_DOMICILE) (by YEAR) (top 3 (count)))"
    chips = domain.chips(to_tokens(read(text)))
    assert [(chip.label, chip.role) for chip in chips if chip.role != "bracket"] == [
        ("all of", "connective"), ("average", "aggregate"), ("P/E ratio", "field"),
        ("by", "aggregate"), ("Country of domicile", "field"), ("by", "aggregate"),
        ("year", "time"), ("top", "rank"), ("3", "number"), ("how many", "aggregate"),
    ]  # fmt: skip


def test_a_ratio_and_a_change_have_chips(domain: TableDomain) -> None:
    text = (
        "(AND ((ratio FLD_MKT_CAP(2023) FLD_EPS) GR 2) ((change FLD_EPS(LAST 3 YEAR)) LS -5 PCT))"
    )
    chips = domain.chips(to_tokens(read(text)))
    roles = {(chip.label, chip.role) for chip in chips if chip.role != "bracket"}
    assert {("ratio of", "aggregate"), ("change in", "aggregate"), ("3", "time")} <= roles
    assert {("2", "time"), ("2", "number"), ("5", "number"), ("%", "unit")} <= roles


def test_what_a_query_fills_is_called_what_it_is(domain: TableDomain) -> None:
    tokens = (slot("TIME", 3), slot("AMOUNT", 0), slot("INTEGER", 15), "ZERO")
    assert [(chip.label, chip.role) for chip in domain.chips(tokens)] == [
        ("time", "time"), ("amount", "number"), ("count", "number"), ("zero", "number"),
    ]  # fmt: skip


def test_every_token_has_a_label_and_a_kind(domain: TableDomain) -> None:
    some = domain.vocabulary.tokens[::97]
    assert all(chip.label and chip.kind for chip in domain.chips(some))


def test_kinds_are_found_by_what_people_call_them(domain: TableDomain) -> None:
    assert domain.kind_named("Country") == "COUNTRY_VALUE"
    assert domain.kind_named("money  field") == "MONEY_FIELD"
    assert domain.kind_named("colour") is None


def test_a_text_is_a_value_in_quotes() -> None:
    domain = TableDomain(films())
    chips = domain.chips(domain.read('(FLD_TITLE CONTAINS "star wars")'))
    assert [(chip.label, chip.role) for chip in chips[1:4]] == [
        ("Title", "field"), ("contains", "operator"), ("“star wars”", "value"),
    ]  # fmt: skip
