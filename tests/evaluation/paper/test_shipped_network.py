"""The network of the table that comes with equity search: as `make bench-network` trains it."""

from __future__ import annotations

import warnings
from statistics import fmean

import pytest

pytest.importorskip("torch", reason="the table is measured with PyTorch")

from grammax.automaton.walk import accepts_tokens
from grammax.domains import load_for_paper, shipped_bench_network
from grammax.evaluation.paper.network import (
    saw_all_rows,
    stored_network,
    stored_path,
    table_config,
)
from grammax.evaluation.paper.rows import BASELINE, FULL_CACHE, table_rows
from grammax.model.config import ModelConfig
from grammax.model.header import read_header
from grammax.reading.parse import QueryNotice

PATH = shipped_bench_network("eqs")
DOMAIN = load_for_paper("eqs")


def test_it_is_small_and_was_trained_as_the_table_asks() -> None:
    header = read_header(PATH)
    assert PATH.stat().st_size <= 4_000_000
    assert (header.domain, header.version) == ("eqs", DOMAIN.version)
    assert header.model == ModelConfig(decisions_only=False)
    assert header.training == table_config(DOMAIN)
    assert len(header.epochs) == header.training.epochs
    assert saw_all_rows(PATH)


def test_it_is_found_without_training(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("GRAMMAX_CACHE", str(tmp_path))
    assert stored_path(DOMAIN, None, PATH) == PATH


@pytest.mark.slow
def test_it_works_with_a_grammar_and_without() -> None:
    domain = DOMAIN
    rows = {row.name: row for row in table_rows(domain, stored_network(PATH, domain))}
    paper = domain.automaton("paper")
    pairs = [pair for pair in domain.pairs("test") if accepts_tokens(paper, pair.tokens)][:60]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", QueryNotice)
        exact = {
            name: fmean(domain.same(rows[name].parser.parse(q).tokens, t) for q, t in pairs)
            for name in (BASELINE, FULL_CACHE, "Spans, lr")
        }
    assert exact[BASELINE] > 0.8
    assert exact[FULL_CACHE] >= exact[BASELINE] - 0.02
    assert exact["Spans, lr"] > 0.9
