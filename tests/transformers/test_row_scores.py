"""Every way to score permitted rows gives the scores of the whole layer."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grammax.transformers import RowScores, Scored
from grammax.transformers.compact import CompactRows
from grammax.transformers.recent import Recent
from grammax.vocabulary import Rows

SIZE, WIDTH = 97, 5
ROWS = st.sets(st.integers(0, SIZE - 1), min_size=1).map(sorted)


def as_full(scored: Scored, vectors: int) -> torch.Tensor:
    """Scores over all rows, -inf elsewhere."""
    if scored.ids is None:
        return scored.values
    full = torch.full((vectors, SIZE + 1), -inf)
    full.scatter_(1, scored.ids, scored.values)
    return full[:, :SIZE]


def check(head: RowScores, hidden: torch.Tensor, sets: list[Rows]) -> Scored:
    """The scores are those of the whole layer, masked."""
    logits = torch.nn.functional.linear(hidden, head.weight, head.bias)
    forbidden = torch.ones(len(sets), SIZE, dtype=torch.bool)
    for member, rows in enumerate(sets):
        forbidden[member, rows.ids.copy()] = False
    scored = head.scores(hidden, sets)
    expected = logits.masked_fill(forbidden, -inf)
    torch.testing.assert_close(as_full(scored, len(sets)), expected, rtol=1e-5, atol=1e-5)
    return scored


@given(
    st.lists(ROWS, min_size=1, max_size=6),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(0, 9),
)
def test_scores_are_those_of_the_whole_layer(
    sets: list[list[int]], with_bias: bool, shared: bool, is_cpu: bool, seed: int
) -> None:
    torch.manual_seed(seed)
    head = RowScores(torch.randn(SIZE, WIDTH), torch.randn(SIZE) if with_bias else None)
    head.is_cpu = head.compact.is_cpu = is_cpu  # else as on an accelerator
    made = [Rows.from_ids(ids) for ids in sets]
    if shared:
        made = [made[0]] * len(made)
    for _ in range(2):  # the second time from what is kept
        check(head, torch.randn(len(made), WIDTH), made)


@pytest.mark.parametrize(
    ("sets", "ids"),
    [
        ([Rows.from_spans([(3, 9)])], [[3, 4, 5, 6, 7, 8]]),
        ([Rows.from_ids([3, 90])], [[3, 90]]),
        ([Rows.from_ids([3, 90]), Rows.from_ids([4])], [[3, 90], [4, SIZE]]),
        ([Rows.from_spans([(0, 60)])], None),
        ([Rows.from_spans([(0, 60)]), Rows.from_ids([4])], None),
        ([Rows.from_ids(range(2 * n, 30 + 2 * n)) for n in range(9)], None),
    ],
)
def test_each_way_is_taken(sets: list[Rows], ids: object) -> None:
    head = RowScores(torch.randn(SIZE, WIDTH))
    scored = check(head, torch.randn(len(sets), WIDTH), sets)
    assert (None if scored.ids is None else scored.ids.tolist()) == ids
    assert head.compact.size == (3 if ids and len(ids) == 2 else 0)


def test_few_rows_of_a_large_compact_copy_are_copied_again(monkeypatch: pytest.MonkeyPatch) -> None:
    head = RowScores(torch.randn(SIZE, WIDTH))
    check(head, torch.randn(2, WIDTH), [Rows.from_ids(range(30)), Rows.from_ids([31, 33])])
    assert head.compact.size == 32
    monkeypatch.setattr(CompactRows, "product", None)
    check(head, torch.randn(2, WIDTH), [Rows.from_ids([50, 70]), Rows.from_ids([80])])
    assert head.compact.size == 32


def test_rows_are_copied_by_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grammax.transformers.row_scores.PIECE_BYTES", 4 * WIDTH * 7)
    head = RowScores(torch.randn(SIZE, WIDTH), torch.randn(SIZE))
    check(head, torch.randn(3, WIDTH), [Rows.from_ids(range(1, 61, 2))] * 3)


def test_a_compact_copy_grows_and_stops_at_its_limit() -> None:
    weight, bias = torch.randn(5000, WIDTH), torch.randn(5000)
    compact = CompactRows(weight, bias, limit=3000)
    hidden = torch.randn(2, WIDTH)
    sets = [Rows.from_spans([(start, start + 600)]) for start in range(0, 4500, 500)]
    added = [compact.add([rows]) for rows in sets]
    assert added == [True] * 5 + [False] * 4
    assert compact.size == 2600
    for rows in sets[:5]:
        expected = (hidden @ weight.T + bias)[:, rows.ids.copy()]
        found = compact.product(hidden)[:, compact.positions(rows).copy()]
        torch.testing.assert_close(found, expected)


def test_what_is_kept_of_a_set_is_not_that_of_a_later_one() -> None:
    """A set that is gone leaves its identity to others; the copy keeps sets alive."""
    recent: Recent[int] = Recent(3)
    for number in range(50):
        rows = Rows.from_ids(np.array([number]))
        assert recent.get(rows) is None
        recent.put(rows, number)
        assert recent.get(rows) == number
