"""Heads: what they choose, what they keep, and what they refuse."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the heads of PyTorch need it")

from head.layers import HEADS, UNDER_GRAMMAR, a_layer, rows  # noqa: E402
from torch import nn  # noqa: E402

from grammax import Vocabulary  # noqa: E402
from grammax.head import HeadError, NoEndRow, Options  # noqa: E402
from grammax.head.cached_rows import CachedRows  # noqa: E402
from grammax.head.layer import OutputLayer  # noqa: E402
from grammax.head.row_scores import negative_log_likelihood  # noqa: E402
from grammax.head.spans import Spans  # noqa: E402

VOCABULARY = Vocabulary({"A": ["a1", "a2", "a3"], "B": ["b"], "C": ["c1", "c2"], "D": ["d"]})
LAYER = a_layer(len(VOCABULARY))
HIDDEN = torch.randn(4, 5, generator=torch.Generator().manual_seed(3))
SETS = [{0, 2}, {3}, {0, 2}, {1, 2, 3}]
OPTIONS = [Options(VOCABULARY.permitted(s), n % 2 == 1) for n, s in enumerate(SETS)]


def truth(member: int) -> list[tuple[int, float]]:
    """Ids with log-probabilities among what competes, best first, by the book."""
    ids = rows(OPTIONS[member], len(VOCABULARY))
    logs = LAYER.every_row(HIDDEN[member])[ids].log_softmax(-1).tolist()
    return sorted(zip(ids, logs, strict=True), key=lambda pair: -pair[1])


@pytest.mark.parametrize("name", UNDER_GRAMMAR)
@pytest.mark.parametrize("count", [1, 2, 99])
def test_best_ids_come_with_log_probabilities_among_the_permitted(name: str, count: int) -> None:
    head = HEADS[name](LAYER)
    for member, options in enumerate(OPTIONS):
        best = head.scores(HIDDEN[member], options).best(count)
        want = truth(member)[:count]
        assert [row for row, _ in best] == [row for row, _ in want]
        assert [log for _, log in best] == pytest.approx([log for _, log in want], abs=1e-5)
    for group in head.scores_of(HIDDEN, OPTIONS):
        for member, best in zip(group.members, group.best(count), strict=True):
            assert [row for row, _ in best] == [row for row, _ in truth(member)[:count]]


@pytest.mark.parametrize("name", HEADS)
def test_a_narrowed_choice_keeps_its_log_probabilities(name: str) -> None:
    scores = HEADS[name](LAYER).scores(HIDDEN[0], OPTIONS[0])
    logs = dict(scores.best(99))
    narrowed = scores.best(99, among=[(1, 3), (4, 5)])
    assert {row for row, _ in narrowed} == {1, 2, 4}
    assert dict(narrowed) == pytest.approx({row: logs[row] for row in (1, 2, 4)}, abs=1e-5)


def test_every_row_gives_the_full_softmax() -> None:
    (group,) = HEADS["every_row"](LAYER).scores_of(HIDDEN, OPTIONS)
    full = LAYER.every_row(HIDDEN).log_softmax(-1).tolist()
    targets = torch.tensor([0, 1, 2, 7])
    assert group.log_probability(targets).tolist() == pytest.approx(
        [full[member][row] for member, row in enumerate(targets.tolist())], abs=1e-5
    )


def test_members_with_one_permitted_set_are_one_group() -> None:
    groups = Spans(LAYER).scores_of(HIDDEN, OPTIONS)
    assert [list(group.members) for group in groups] == [[0, 2], [1], [3]]


def test_only_the_cache_keeps_memory_and_gives_it_back() -> None:
    for name, make in HEADS.items():
        head = make(LAYER)
        head.scores_of(HIDDEN, OPTIONS)
        if name != "cached_rows":
            assert head.memory_bytes == 0
    cached = CachedRows(LAYER)
    cached.scores_of(HIDDEN, OPTIONS)
    head_rows = 5 + 2 + 5  # of the sets A C, D end, B C D end
    assert cached.memory_bytes == head_rows * (5 + 1) * 4
    cached.clear()
    assert cached.memory_bytes == 0


def test_spans_read_the_weights_where_they_lie() -> None:
    layer = a_layer(len(VOCABULARY))
    head, options = Spans(layer), OPTIONS[0]
    before = head.scores(HIDDEN[0], options).values
    with torch.no_grad():
        layer.bias.add_(1)
    assert torch.allclose(head.scores(HIDDEN[0], options).values, before + 1)


def test_spans_leave_rows_that_no_member_may_choose_without_gradient() -> None:
    layer = a_layer(len(VOCABULARY))
    targets = torch.tensor([0, 6, 1, 3])
    negative_log_likelihood(Spans(layer), HIDDEN, OPTIONS, targets).sum().backward()
    assert layer.weight.grad is not None
    assert layer.weight.grad.abs().sum(1).gt(0).all()
    layer = a_layer(len(VOCABULARY))
    negative_log_likelihood(Spans(layer), HIDDEN[:1], OPTIONS[:1], targets[:1]).sum().backward()
    assert layer.weight.grad is not None
    touched = layer.weight.grad.abs().sum(1).gt(0).nonzero().flatten().tolist()
    assert touched == rows(OPTIONS[0], len(VOCABULARY))


def test_spans_give_gradients_through_a_single_vector() -> None:
    hidden = HIDDEN[0].clone().requires_grad_()
    head = Spans(LAYER)
    head.scores(hidden, OPTIONS[0]).log_softmax()[0].backward()
    single = hidden.grad
    hidden = HIDDEN[:1].clone().requires_grad_()
    (group,) = head.scores_of(hidden, OPTIONS[:1])
    group.log_probability(torch.tensor([0])).sum().backward()
    assert single is not None
    assert hidden.grad is not None
    assert torch.allclose(single, hidden.grad[0], atol=1e-6)


@pytest.mark.parametrize("name", UNDER_GRAMMAR)
def test_without_a_row_for_the_end_a_choice_of_ending_is_refused(name: str) -> None:
    head = HEADS[name](a_layer(len(VOCABULARY), end=False))
    with pytest.raises(NoEndRow, match="one row more than the vocabulary"):
        head.scores(HIDDEN[1], OPTIONS[1])


def test_a_module_or_two_tensors_make_a_layer() -> None:
    linear = nn.Linear(5, 8)
    layer = OutputLayer.from_linear(linear, tokens=7)
    assert layer.weight is linear.weight
    assert layer.bias is linear.bias
    assert layer.end == 7
    assert OutputLayer.from_linear(nn.Linear(5, 7, bias=False), tokens=7).bias.tolist() == [0] * 7
    assert OutputLayer.from_linear(nn.Linear(5, 7), tokens=7).end is None


def test_a_layer_of_another_vocabulary_is_refused() -> None:
    with pytest.raises(HeadError, match=r"\(9, 5\).*7 tokens.*one more for the end"):
        OutputLayer.from_linear(nn.Linear(5, 9), tokens=7)
    with pytest.raises(HeadError, match=r"bias has shape \(3,\)"):
        OutputLayer(torch.zeros(7, 5), torch.zeros(3), tokens=7)


SCATTERED = Vocabulary.in_order(
    {"A": [f"a{i}" for i in range(6)], "B": [f"b{i}" for i in range(6)]},
    [name for i in range(6) for name in (f"a{i}", f"<{i}>", f"b{i}")],
)


@pytest.mark.parametrize("name", UNDER_GRAMMAR)
@pytest.mark.parametrize("end_row", [1, 10, 19])
def test_the_rows_of_a_model_that_exists_are_read_where_they_are(name: str, end_row: int) -> None:
    """Its tokens are scattered, its end is between them, and it has rows that nobody uses."""
    generator = torch.Generator().manual_seed(1)
    weight, bias = torch.randn(21, 5, generator=generator), torch.randn(21, generator=generator)
    layer = OutputLayer(weight, bias, len(SCATTERED), end_row)
    options = [Options(SCATTERED.permitted({0}), True), Options(SCATTERED.permitted({0, 1}))]
    for choice, hidden in zip(options, HIDDEN, strict=False):
        ids = sorted([*choice.permitted, *([end_row] if choice.may_end else [])])
        logs = (weight @ hidden + bias)[ids].log_softmax(-1)
        best = HEADS[name](layer).scores(hidden, choice).best(99)
        expected = sorted(zip(ids, logs.tolist(), strict=True), key=lambda pair: -pair[1])
        assert [row for row, _ in best] == [row for row, _ in expected]
        assert [log for _, log in best] == pytest.approx([log for _, log in expected], abs=1e-5)
    groups = HEADS[name](layer).scores_of(HIDDEN[:2], options)
    assert [group.best(1)[0][0][0] for group in groups] == [
        HEADS[name](layer).scores(hidden, choice).best(1)[0][0]
        for choice, hidden in zip(options, HIDDEN, strict=False)
    ]


def test_an_end_that_the_layer_does_not_have_is_refused() -> None:
    with pytest.raises(HeadError, match="the end is said to be row 21"):
        OutputLayer(torch.zeros(21, 5), torch.zeros(21), len(SCATTERED), 21)


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_the_best_token_is_the_one_with_the_best_score(name: str, dtype: torch.dtype) -> None:
    """In half precision the logarithms of different scores may be the same number."""
    values = torch.tensor([0.1 * (1 + n * torch.finfo(dtype).eps) for n in range(7)], dtype=dtype)
    layer = OutputLayer(torch.zeros(7, 5, dtype=dtype), values, 7)
    options = Options(VOCABULARY.permitted({0, 1, 2, 3}))
    hidden = torch.zeros(1, 5, dtype=dtype)
    scores = HEADS[name](layer).scores(hidden[0], options)
    assert scores.best(1)[0][0] == int(layer.bias.argmax())
    (group,) = HEADS[name](layer).scores_of(hidden, [options])
    assert group.best(1)[0][0][0] == int(layer.bias.argmax())


def test_the_cache_keeps_no_sets_of_single_queries() -> None:
    cached = CachedRows(LAYER)
    permitted = VOCABULARY.permitted({0, 2})
    for row in (0, 1, 2):
        cached.scores(HIDDEN[0], Options(permitted.narrowed([row, 4])))
    assert cached.memory_bytes == 0
