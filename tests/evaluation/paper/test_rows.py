"""The rows of the table: which there are, and what they share."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="the table is measured with PyTorch")

from evaluation.paper.small import SMALL, a_trainer, small_rows
from model.networks import an_untrained
from model.tiny import OPEN, TINY

from grammax.evaluation.paper.rows import DecisionsOnly, table_rows
from grammax.head.cached_rows import CachedRows
from grammax.head.gathered_rows import GatheredRows

OF_PAPER = (
    "NSP-M", "NSP-G(500)", "NSP-G(10⁴)", "NSP-G(all)", "NSP-GC(500)", "NSP-GC(10⁴)", "NSP-GC(all)",
)  # fmt: skip


def test_the_rows_are_those_of_the_paper_then_spans_under_tighter_grammars() -> None:
    assert [(row.name, row.grammar) for row in small_rows()] == [
        ("NSP", None),
        *((name, "paper") for name in OF_PAPER),
        ("Spans, paper", "paper"),
        ("Spans, superset", "superset"),
        ("Spans, lr", "lr"),
    ]


def test_a_small_domain_without_the_paper_s_grammar_has_its_loosest_and_no_limits() -> None:
    for domain in (TINY, OPEN):
        rows = table_rows(domain, an_untrained(domain))
        assert [(row.name, row.grammar) for row in rows] == [
            ("NSP", None),
            *((name, "superset") for name in ("NSP-M", "NSP-G(all)", "NSP-GC(all)")),
            ("Spans, superset", "superset"),
            ("Spans, lr", "lr"),
        ]


def test_all_rows_share_one_network_and_one_matrix() -> None:
    assert {id(row.parser.network) for row in small_rows()} == {id(a_trainer().network)}
    assert len({row.parser.head.layer.weight.data_ptr() for row in small_rows()}) == 1


def test_limits_are_those_of_the_names() -> None:
    limits = {
        row.name: row.parser.head.limit
        for row in small_rows()
        if isinstance(row.parser.head, CachedRows | GatheredRows)
    }
    assert list(limits) == list(OF_PAPER[1:])
    assert list(limits.values()) == [500, 10_000, None] * 2


def test_a_network_of_decisions_only_is_refused() -> None:
    network = an_untrained(TINY, replace(SMALL, decisions_only=True))
    with pytest.raises(DecisionsOnly, match=r"works under one grammar alone.*--every-token"):
        table_rows(TINY, network)
