"""The rows with heads that choose inside kinds of many tokens."""

from __future__ import annotations

from functools import cache

import pytest

torch = pytest.importorskip("torch", reason="the table is measured with PyTorch")

from evaluation.paper.small import a_trainer, small_domain, small_rows  # noqa: E402

from grammax.automaton.walk import accepts_tokens  # noqa: E402
from grammax.evaluation.paper.large_kinds import has_large_kinds  # noqa: E402
from grammax.evaluation.paper.measure import measure  # noqa: E402
from grammax.evaluation.paper.rows import TableRow, table_rows  # noqa: E402
from grammax.head.hierarchical import Hierarchical  # noqa: E402
from grammax.head.row_classes import row_classes  # noqa: E402
from grammax.head.selected import Selected  # noqa: E402

LARGE = 100  # tokens, in a domain of 2,000
PAIRS = small_domain().pairs("test")


@cache
def rows() -> tuple[TableRow, ...]:
    return table_rows(small_domain(), a_trainer().network, LARGE)


def test_they_come_last_where_a_kind_is_large() -> None:
    assert has_large_kinds(small_domain().vocabulary, LARGE)
    names = [row.name for row in rows()]
    assert names == [*(row.name for row in small_rows()), "Hierarchical, lr", "Selected, lr"]


def test_they_write_sentences_of_the_exact_grammar_with_fewer_rows() -> None:
    spans, hierarchical, selected = measure(small_domain(), rows()[-3:], PAIRS, 1)
    assert hierarchical.ungrammatical == selected.ungrammatical == 0
    assert 0 < hierarchical.multiplied < spans.multiplied
    assert 0 < selected.multiplied < spans.multiplied
    assert hierarchical.memory_mb > 0


def test_the_classes_are_fitted_to_the_network() -> None:
    head = rows()[-2].parser.head
    assert isinstance(head, Hierarchical)
    untrained = row_classes(head.layer, small_domain().vocabulary, LARGE)
    assert head.classes.of_kind == untrained.of_kind
    assert not torch.equal(head.classes.weight, untrained.weight)


def test_a_query_selects_what_its_words_name() -> None:
    parser = rows()[-1].parser
    head = parser.head
    assert isinstance(head, Selected)
    vocabulary, large = small_domain().vocabulary, head.selection.kinds
    kind_of = vocabulary.kinds_by_id
    for pair in PAIRS:
        decoded = parser.parse(pair.query)
        assert accepts_tokens(parser.automaton, decoded.tokens)
        words = parser.network.reader.read(pair.query).words
        chosen = {row for row in decoded.ids if kind_of[row] in large}
        # Where nothing that is permitted is selected, all of it is.
        here = {kind_of[row] for row in head.selection.rows(words)}
        assert {row for row in chosen if kind_of[row] in here} <= head.selection.rows(words)
