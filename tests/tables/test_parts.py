"""Logical forms taken apart and put together."""

from __future__ import annotations

import pytest
from domains.eqs.shared import eqs

from grammax.language.domain import Tokens

DOMAIN = eqs()


def parsed(text: str) -> Tokens:
    return tuple(text.split())


@pytest.mark.parametrize("split", DOMAIN.splits)
def test_what_was_taken_apart_is_put_together_again(split: str) -> None:
    for pair in DOMAIN.pairs(split):
        assert DOMAIN.joined(DOMAIN.parts(pair.tokens)) == pair.tokens


def test_parts_come_in_the_order_of_the_corpus_whatever_was_mentioned_first() -> None:
    form = parsed(
        "( AND ( NOT ( FLD_EXCHANGE EQ EXC_XNYS ) ) ( FLD_DOMICILE EQ COU_PERU ) "
        "( FLD_EQS_SECTOR EQ SEC_GICS_STEEL ) ( FLD_EPS GE 5 ) ( FLD_EPS LE 9 ) "
        "( top 3 FLD_MKT_CAP ) ( display FLD_EPS ( FY 2 0 1 9 ) ) "
        "( display FLD_CASH ( FY 2 0 1 9 ) ) ( display FLD_MKT_CAP DESC ) )"
    )
    parts = DOMAIN.parts(form)
    assert [part.role for part in parts] == [
        "not", "value", "value", "bound", "rank", "column", "sort",
    ]  # fmt: skip
    assert DOMAIN.joined(parts[::-1]) == form


@pytest.mark.parametrize(
    "both",
    [
        ("( top 3 FLD_MKT_CAP )", "( bottom 5 FLD_EPS )"),
        ("( display FLD_EPS ASC )", "( display FLD_CASH DESC )"),
        ("( FLD_DOMICILE EQ COU_PERU )", "( FLD_DOMICILE EQ COU_CHILE )"),
        ("( FLD_EPS GE 5 )", "( FLD_EPS GE 5 )"),
    ],
)
def test_what_does_not_go_together_is_not_joined(both: tuple[str, str]) -> None:
    parts = [part for text in both for part in DOMAIN.parts(parsed(text))]
    assert len(parts) == 2
    assert DOMAIN.joined(parts) is None
    assert DOMAIN.joined([]) is None
    assert DOMAIN.joined(parts[:1]) == parsed(both[0])
