"""Vocabulary selection: which rows a query selects, what is missed, and the head over them."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the heads of PyTorch need it")

from grammax import Vocabulary  # noqa: E402
from grammax.head import HeadError, Options  # noqa: E402
from grammax.head.layer import OutputLayer  # noqa: E402
from grammax.head.selected import Selected, Selection  # noqa: E402
from grammax.vocabulary.rows import Rows  # noqa: E402

torch.set_num_threads(1)

FILMS = [f"film{n}" for n in range(40)]
VOCABULARY = Vocabulary({"FILM": FILMS, "IS": ["is", "not"], "YEAR": ["1999", "2001"]})
TOKENS, WIDTH = len(VOCABULARY), 6
IS = VOCABULARY.id("is")
PAIRS = [(["a", "word", f"w{n}"], [IS, n]) for n in range(30)] + [(["a", "hit"], [IS, 7])] * 5
SELECTION = Selection.from_pairs(PAIRS, VOCABULARY, large=10, per_word=3, common=1)
LAYER = OutputLayer(
    torch.randn(TOKENS + 1, WIDTH, generator=torch.Generator().manual_seed(0)),
    torch.zeros(TOKENS + 1),
    TOKENS,
)
HIDDEN = torch.randn(3, WIDTH, generator=torch.Generator().manual_seed(1))
EVERYTHING = Options(VOCABULARY.permitted({0, 1, 2}), may_end=True)


def test_a_word_selects_the_rows_that_it_is_beside_and_every_query_the_common_ones() -> None:
    assert SELECTION.kinds == {0}
    assert SELECTION.always == (7,)
    assert SELECTION.rows(["w3"]) == {3, 7}
    assert SELECTION.rows(["unheard", "of"]) == {7}
    assert SELECTION.rows([]) == {7}
    assert len(SELECTION.by_word["word"]) == 3
    assert IS not in SELECTION.rows(["word", "w3"])


def test_names_select_rows_that_training_never_saw() -> None:
    names = {35: [("city", "of", "men")], 36: [("city",), ("metropolis",)], IS: [("is",)]}
    named = Selection.from_pairs(PAIRS, VOCABULARY, names=names, large=10, common=0)
    assert named.rows(["city"]) == {35, 36}
    assert named.rows(["metropolis", "w3"]) == {36, 3}
    assert named.rows(["is"]) == frozenset()


def test_a_word_of_too_many_names_selects_none_by_them() -> None:
    vocabulary = Vocabulary({"FILM": [f"film{n}" for n in range(200)], "IS": ["is"]})
    names = {row: [("the", f"x{row}")] for row in range(200)}
    selection = Selection.from_pairs([], vocabulary, names=names, large=10)
    assert selection.rows(["the"]) == frozenset()
    assert selection.rows(["the", "x5"]) == {5}


def test_recall_counts_rows_of_large_kinds_alone() -> None:
    assert SELECTION.recall(PAIRS) == (35, 35)
    assert SELECTION.recall([(["w3"], [IS, 3, 4]), (["w5"], [IS])]) == (1, 2)
    assert SELECTION.recall([]) == (0, 0)


def test_probabilities_sum_to_one_over_what_is_selected_of_the_permitted() -> None:
    head = Selected.for_query(LAYER, SELECTION, ["w3", "w9"])
    ids = [3, 7, 9, *range(40, 44), TOKENS]
    for hidden in HIDDEN:
        scores = head.scores(hidden, EVERYTHING)
        assert scores.ids.tolist() == ids
        assert float(scores.log_softmax().exp().sum()) == pytest.approx(1, abs=1e-5)
        logs = LAYER.every_row(hidden)[ids].log_softmax(0)
        best = head.scores(hidden, EVERYTHING).best(99)
        expected = sorted(zip(ids, logs.tolist(), strict=True), key=lambda one: -one[1])
        assert [row for row, _ in best] == [row for row, _ in expected]
        assert [log for _, log in best] == pytest.approx([log for _, log in expected], abs=1e-5)
    (group,) = head.scores_of(HIDDEN, [EVERYTHING] * 3)
    assert [one[0][0] for one in group.best(1)] == [
        head.scores(hidden, EVERYTHING).best(1)[0][0] for hidden in HIDDEN
    ]


def test_options_without_a_large_kind_stay_and_narrowed_ones_are_narrowed_further() -> None:
    head = Selected.for_query(LAYER, SELECTION, ["w3"])
    small = Options(VOCABULARY.permitted({1, 2}))
    assert head.selected(small) is small
    narrowed = Options(VOCABULARY.permitted({0, 1}).narrowed([3, 4, 5, IS]))
    assert head.selected(narrowed).permitted.rows == (3, IS)
    words = Options(Rows.from_ids([1, 2]))
    assert head.selected(words) is words
    assert head.memory_bytes == SELECTION.memory_bytes > 0


def test_where_nothing_is_selected_all_that_is_permitted_competes() -> None:
    nothing = Selection.from_pairs([], VOCABULARY, large=10)
    films = Options(VOCABULARY.permitted({0}))
    assert Selected.for_query(LAYER, nothing, ["w3"]).scores(HIDDEN[0], films).size == len(FILMS)
    only = Options(VOCABULARY.permitted({0}).narrowed([20, 21]))
    assert Selected.for_query(LAYER, SELECTION, ["w3"]).scores(HIDDEN[0], only).size == 2


def test_gradients_flow_and_training_lowers_the_loss_also_of_a_target_that_is_not_selected() -> (
    None
):
    weight = LAYER.weight.clone().requires_grad_()
    layer = OutputLayer(weight, LAYER.bias, TOKENS)
    head = Selected.for_query(layer, SELECTION, ["w3"])
    hidden = HIDDEN.clone().requires_grad_()
    targets = torch.tensor([3, 25, TOKENS])  # film25 is not selected
    options = [EVERYTHING] * 3
    optimizer = torch.optim.SGD([weight], lr=0.5)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = head.loss(hidden, options, targets).mean()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 2
    assert hidden.grad is not None
    assert hidden.grad.abs().sum(1).gt(0).all()
    assert weight.grad is not None
    touched = weight.grad.abs().sum(1).gt(0).nonzero().flatten().tolist()
    assert touched == [3, 7, 25, *range(40, 44), TOKENS]


def test_a_layer_of_another_vocabulary_is_refused() -> None:
    layer = OutputLayer(torch.zeros(3, 2), torch.zeros(3), tokens=3)
    with pytest.raises(HeadError, match=r"vocabulary of 44 tokens.*rows for 3"):
        Selected.for_query(layer, SELECTION, [])
