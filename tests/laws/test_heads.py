"""Law 4: every head gives, on the permitted ids, the scores that `every_row` gives."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the heads of PyTorch need it")

from head.layers import HEADS, UNDER_GRAMMAR, Batch, batches, rows  # noqa: E402
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from grammax.head.cached_rows import CachedRows  # noqa: E402
from grammax.head.gathered_rows import GatheredRows  # noqa: E402
from grammax.head.row_scores import negative_log_likelihood  # noqa: E402

LIMITED = {"gathered_rows": GatheredRows, "cached_rows": CachedRows}


def finite(scores, member=None) -> dict[int, float]:
    """Score by id, without what a mask took away."""
    values = scores.values if member is None else scores.values[member]
    pairs = zip(scores.ids.tolist(), values.tolist(), strict=True)
    return {row: value for row, value in pairs if value > -float("inf")}


def expected(batch: Batch, member: int) -> dict[int, float]:
    """The scores of the ids that compete, each a product of its own."""
    layer, vector = batch.layer, batch.hidden[member]
    ids = rows(batch.options[member], layer.tokens)
    return {row: (layer.weight[row] @ vector + layer.bias[row]).item() for row in ids}


@pytest.mark.parametrize("name", UNDER_GRAMMAR)
@given(batch=batches())
def test_single_scores_are_those_of_every_row(name: str, batch: Batch) -> None:
    head = HEADS[name](batch.layer)
    for member, options in enumerate(batch.options):
        scores = finite(head.scores(batch.hidden[member], options))
        assert scores == pytest.approx(expected(batch, member), abs=1e-5)


@pytest.mark.parametrize("name", UNDER_GRAMMAR)
@given(batch=batches())
def test_batched_scores_are_those_of_every_row(name: str, batch: Batch) -> None:
    groups = HEADS[name](batch.layer).scores_of(batch.hidden, batch.options)
    assert sorted(m for group in groups for m in group.members) == list(range(len(batch.options)))
    for group in groups:
        for row, member in enumerate(group.members):
            assert finite(group, row) == pytest.approx(expected(batch, member), abs=1e-5)


@given(batch=batches())
def test_every_row_scores_all_rows_whatever_is_permitted(batch: Batch) -> None:
    head, truth = HEADS["every_row"](batch.layer), batch.layer.every_row(batch.hidden)
    (group,) = head.scores_of(batch.hidden, batch.options)
    assert torch.equal(group.values, truth)
    assert group.ids.tolist() == list(range(len(batch.layer.bias)))
    for member, options in enumerate(batch.options):
        single = head.scores(batch.hidden[member], options)
        assert torch.allclose(single.values, truth[member], atol=1e-5)


@pytest.mark.parametrize("name", list(LIMITED))
@given(batch=batches(), limit=st.integers(0, 12))
def test_at_the_limit_all_rows_compete_below_it_the_permitted(
    name: str, batch: Batch, limit: int
) -> None:
    head = LIMITED[name](batch.layer, limit=limit)
    everything = batch.layer.every_row(batch.hidden)
    for group in head.scores_of(batch.hidden, batch.options):
        for row, member in enumerate(group.members):
            options = batch.options[member]
            want = expected(batch, member)
            if options.permitted.size >= limit:
                want = dict(enumerate(everything[member].tolist()))
            assert finite(group, row) == pytest.approx(want, abs=1e-5)
            single = head.scores(batch.hidden[member], options)
            assert finite(single) == pytest.approx(want, abs=1e-5)


@pytest.mark.parametrize("name", ["masked_rows", "gathered_rows"])
@given(batch=batches())
def test_gradients_through_spans_are_those_through_all_rows(name: str, batch: Batch) -> None:
    inputs = (batch.hidden, batch.layer.weight, batch.layer.bias)

    def run(head: str):
        arguments = (batch.hidden, batch.options, batch.targets)
        losses = negative_log_likelihood(HEADS[head](batch.layer), *arguments)
        weights = torch.arange(1.0, len(losses) + 1)  # so that members mixed up would show
        return losses, torch.autograd.grad((losses * weights).sum(), inputs)

    losses, gradients = run("spans")
    other_losses, other_gradients = run(name)
    assert torch.allclose(losses, other_losses, atol=1e-5)
    for mine, theirs in zip(gradients, other_gradients, strict=True):
        assert torch.allclose(mine, theirs, atol=1e-4)


@given(batch=batches())
def test_the_loss_is_the_cross_entropy_among_what_competes(batch: Batch) -> None:
    losses = negative_log_likelihood(
        HEADS["spans"](batch.layer), batch.hidden, batch.options, batch.targets
    )
    found = losses.tolist()
    for member, target in enumerate(batch.targets.tolist()):
        scores = expected(batch, member)
        total = torch.logsumexp(torch.tensor(list(scores.values())), 0)
        assert found[member] == pytest.approx(float(total) - scores[target], abs=1e-5)
