"""The rows of the output layer: composed or learnt, their scores are those of one matrix."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the rows need PyTorch")

from dataclasses import dataclass  # noqa: E402

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from torch import Tensor  # noqa: E402

from grammax import Vocabulary  # noqa: E402
from grammax.head import Options  # noqa: E402
from grammax.head.every_row import EveryRow  # noqa: E402
from grammax.model.choices import FEW, Choices, arrays, choices, with_tensors  # noqa: E402
from grammax.model.rows import ComposedRows, LearntRows, TrainableRows  # noqa: E402

torch.set_num_threads(1)
HIDDEN, SPELT = 7, 3


@dataclass(frozen=True)
class Batch:
    """Rows, and hidden vectors with options of their own."""

    rows: ComposedRows | LearntRows
    vocabulary: Vocabulary
    hidden: Tensor
    options: list[Options]
    targets: Tensor


def random_rows(
    vocabulary: Vocabulary, seen: list[int], composed: bool, seed: int
) -> TrainableRows:
    torch.manual_seed(seed)
    if composed:
        spelt = torch.randn(len(vocabulary) + 1, SPELT)
        rows: TrainableRows = ComposedRows(vocabulary, seen, HIDDEN, spelt)
    else:
        rows = LearntRows(vocabulary, HIDDEN)
    with torch.no_grad():
        for parameter in rows.parameters():
            parameter.copy_(torch.randn(parameter.shape))
    return rows.double()


def chosen(options: list[Options], targets: Tensor, tokens: int, few: int = FEW) -> Choices[Tensor]:
    """The choices as tensors; sets of more than `few` tokens are large."""
    found = choices(options, targets.tolist(), tokens, few)
    return with_tensors(found, map(torch.from_numpy, arrays(found)))


@st.composite
def batches(draw: st.DrawFn, composed: bool) -> Batch:
    """Kinds of 1 to 4 tokens in any layout, some seen; sets of kinds, with or without the end."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    kinds = {f"K{kind}": [f"t{kind}.{i}" for i in range(size)] for kind, size in enumerate(sizes)}
    vocabulary = Vocabulary(kinds, draw(st.permutations(range(len(sizes)))))
    seen = sorted(draw(st.sets(st.integers(0, len(vocabulary) - 1))))
    sets = st.sets(st.integers(0, len(sizes) - 1), min_size=1).map(vocabulary.permitted)
    options = draw(st.lists(st.builds(Options, sets, st.booleans()), min_size=1, max_size=5))
    rows = random_rows(vocabulary, seen, composed, draw(st.integers(0, 99)))
    hidden = torch.randn(len(options), HIDDEN, dtype=torch.float64).requires_grad_()
    end = len(vocabulary)
    targets = [
        draw(st.sampled_from([*choice.permitted, *([end] if choice.may_end else [])]))
        for choice in options
    ]
    return Batch(rows, vocabulary, hidden, options, torch.tensor(targets))


def through_every_row(batch: Batch) -> Tensor:
    """What each target losses, by the products of all rows of the matrix."""
    (group,) = EveryRow(batch.rows.layer()).scores_of(batch.hidden, batch.options)
    end = len(batch.vocabulary)
    losses = []
    for member, choice in enumerate(batch.options):
        ids = [*choice.permitted, *([end] if choice.may_end else [])]
        logs = group.values[member, ids].log_softmax(-1)
        losses.append(-logs[ids.index(int(batch.targets[member]))])
    return torch.stack(losses)


@pytest.mark.parametrize("composed", [True, False], ids=["composed", "learnt"])
@settings(max_examples=40)
@given(data=st.data())
def test_costs_and_gradients_are_those_of_every_row(composed: bool, data: st.DataObject) -> None:
    batch = data.draw(batches(composed))
    few = data.draw(st.sampled_from([0, 2, 4, FEW]), label="few")
    inputs = [batch.hidden, *batch.rows.parameters()]
    weights = torch.linspace(1, 2, len(batch.options), dtype=torch.float64)
    results = []
    for losses in (
        batch.rows.losses(
            batch.hidden, chosen(batch.options, batch.targets, len(batch.vocabulary), few)
        ),
        through_every_row(batch),
    ):
        gradients = torch.autograd.grad((losses * weights).sum(), inputs, allow_unused=True)
        results.append((losses, gradients))
    (losses, gradients), (other_costs, other_gradients) = results
    assert torch.allclose(losses, other_costs, atol=1e-10)
    for mine, theirs, of in zip(gradients, other_gradients, inputs, strict=True):
        zeros = torch.zeros_like(of)
        mine = zeros if mine is None else mine
        theirs = zeros if theirs is None else theirs
        assert torch.allclose(mine, theirs, atol=1e-9)


@pytest.mark.parametrize("members", [1, 20])
def test_a_kind_of_many_tokens_is_multiplied_in_whichever_order_is_fast(members: int) -> None:
    many = Vocabulary({"A": ["a"], "B": [f"b{i}" for i in range(1_000)]})
    rows = random_rows(many, [0, 3, 5], composed=True, seed=0)
    hidden = torch.randn(members, HIDDEN, dtype=torch.float64).requires_grad_()
    options = [Options(many.permitted({1}), may_end=False)] * members
    targets = torch.arange(1, members + 1)
    batch = Batch(rows, many, hidden, options, targets)
    losses, wanted = (
        rows.losses(hidden, chosen(options, targets, len(many))),
        through_every_row(batch),
    )
    assert torch.allclose(losses, wanted)
    (mine,) = torch.autograd.grad(losses.sum(), [hidden])
    (theirs,) = torch.autograd.grad(wanted.sum(), [hidden])
    assert torch.allclose(mine, theirs)


VOCABULARY = Vocabulary({"A": ["a1", "a2", "a3"], "B": ["b1", "b2"], "C": ["c"]}, [2, 0, 1])


def test_a_composed_row_is_its_kind_its_own_part_and_its_name() -> None:
    seen = VOCABULARY.ids(["a2", "b1"])
    rows = random_rows(VOCABULARY, seen, composed=True, seed=1)
    weight = rows.layer().weight.detach()
    a1, a2, a3, b1, b2 = (weight[VOCABULARY.id(t)] for t in ("a1", "a2", "a3", "b1", "b2"))
    learnt = slice(0, HIDDEN - SPELT)
    assert torch.equal(a1[learnt], a3[learnt])
    assert not torch.allclose(a1[learnt], a2[learnt])
    assert not torch.allclose(a1[learnt], b2[learnt])
    assert not torch.allclose(b1[learnt], b2[learnt])
    assert torch.equal(weight[:, HIDDEN - SPELT :], rows.spelt)


def test_unseen_tokens_of_a_kind_differ_by_their_names_alone() -> None:
    rows = random_rows(VOCABULARY, [], composed=True, seed=1)
    layer = rows.layer()
    a = VOCABULARY.ids(["a1", "a2", "a3"])
    hidden = torch.randn(HIDDEN, dtype=torch.float64)
    hidden[HIDDEN - SPELT :] = 0
    scores = layer.every_row(hidden)[a].tolist()
    assert scores == pytest.approx([scores[0]] * 3)


def test_nothing_as_large_as_the_vocabulary_is_learnt_where_rows_are_composed() -> None:
    many = Vocabulary({"A": [f"a{i}" for i in range(1_000)]})
    rows = random_rows(many, [3, 5], composed=True, seed=0)
    assert sum(parameter.numel() for parameter in rows.parameters()) < 100
    assert "spelt" not in rows.state_dict()


def test_the_end_has_a_row_after_the_last_token() -> None:
    for composed in (True, False):
        layer = random_rows(VOCABULARY, [0], composed, seed=0).layer()
        assert layer.end == len(VOCABULARY)
        assert layer.weight.shape == (len(VOCABULARY) + 1, HIDDEN)


def test_weights_that_change_change_the_costs() -> None:
    """What rows remember of permitted sets is where parts lie, never what they are."""
    rows = random_rows(VOCABULARY, [0, 1], composed=True, seed=0)
    hidden = torch.ones(1, HIDDEN, dtype=torch.float64)
    options = [Options(VOCABULARY.permitted({0, 2}), may_end=True)]
    targets = torch.tensor([VOCABULARY.id("a1")])
    before = rows.losses(hidden, chosen(options, targets, len(VOCABULARY)))
    with torch.no_grad():
        rows.kinds[VOCABULARY.kinds_by_id[VOCABULARY.id("a1")]] += 1
    assert rows.losses(hidden, chosen(options, targets, len(VOCABULARY))) < before
