"""Hierarchical softmax inside large kinds: a distribution, its best rows, its training."""

from __future__ import annotations

from math import sqrt

import pytest

torch = pytest.importorskip("torch", reason="the heads of PyTorch need it")

from grammax import Grammar, Vocabulary, lr  # noqa: E402
from grammax.head import NoEndRow, Options  # noqa: E402
from grammax.head.hierarchical import Hierarchical, fit_classes  # noqa: E402
from grammax.head.layer import OutputLayer  # noqa: E402
from grammax.head.row_classes import RowClasses, row_classes  # noqa: E402
from grammax.search import WithHead, decode  # noqa: E402

torch.set_num_threads(1)

NAMES = [f"n{n}" for n in range(130)]
PLACES = [f"p{n}" for n in range(60)]
VOCABULARY = Vocabulary({"NAME": NAMES, "IS": ["is", "not"], "PLACE": PLACES, "ONE": ["one"]})
NAME, IS, PLACE, ONE = range(4)
TOKENS, WIDTH = len(VOCABULARY), 6


def a_layer(end: bool = True, seed: int = 0) -> OutputLayer:
    random = torch.Generator().manual_seed(seed)
    weight = torch.randn(TOKENS + end, WIDTH, generator=random)
    return OutputLayer(weight, torch.randn(TOKENS + end, generator=random), TOKENS)


LAYER = a_layer()
CLASSES = row_classes(LAYER, VOCABULARY, large=50)
HEAD = Hierarchical(LAYER, CLASSES)
HIDDEN = torch.randn(5, WIDTH, generator=torch.Generator().manual_seed(3))
WHOLE = VOCABULARY.permitted({NAME, IS, PLACE})
OPTIONS = [
    Options(VOCABULARY.permitted({NAME})),
    Options(WHOLE, may_end=True),
    Options(VOCABULARY.permitted({IS, ONE}), may_end=True),
    Options(WHOLE.narrowed([3, 4, 77, 131, 150, 151]), may_end=True),
    Options(VOCABULARY.permitted({NAME}).narrowed([0, 128])),
]


def truth(hidden: torch.Tensor, options: Options) -> dict[int, float]:
    """The probability of each permitted row, by the book."""
    ids = options.ids(TOKENS).tolist()
    of = {row: int(CLASSES.of_row[row]) for row in ids}
    units = [row for row in ids if of[row] < 0]
    classes = sorted({number for number in of.values() if number >= 0})
    scores = [float(LAYER.weight[row] @ hidden + LAYER.bias[row]) for row in units]
    scores += [float(CLASSES.weight[c] @ hidden + CLASSES.bias[c]) for c in classes]
    chances = torch.tensor(scores).softmax(0).tolist()
    found = dict(zip(units, chances, strict=False))
    for number, chance in zip(classes, chances[len(units) :], strict=True):
        mine = [row for row in ids if of[row] == number]
        inner = (LAYER.weight[mine] @ hidden + LAYER.bias[mine]).softmax(0)
        found |= {row: chance * p for row, p in zip(mine, inner.tolist(), strict=True)}
    return found


def test_each_row_of_a_large_kind_has_one_class_and_classes_are_about_its_root() -> None:
    for kind, names in ((NAME, NAMES), (PLACE, PLACES)):
        start, stop = CLASSES.of_kind[kind]
        rows = torch.cat([CLASSES.rows(number) for number in range(start, stop)])
        first, last = VOCABULARY.span(kind)
        assert sorted(rows.tolist()) == list(range(first, last))
        assert all(
            len(CLASSES.rows(number)) <= sqrt(len(names)) + 1 for number in range(start, stop)
        )
        assert stop - start <= 2 * sqrt(len(names))
        for number in range(start, stop):
            assert (CLASSES.of_row[CLASSES.rows(number)] == number).all()
    assert CLASSES.of_row[[*range(*VOCABULARY.span(IS)), TOKENS]].tolist() == [-1] * 3


def test_rows_of_a_class_lie_closer_together_than_rows_of_the_kind() -> None:
    def spread(rows: torch.Tensor) -> float:
        vectors = LAYER.weight[rows]
        return float((vectors - vectors.mean(0)).square().sum(1).mean())

    start, stop = CLASSES.of_kind[NAME]
    inside = [spread(CLASSES.rows(number)) for number in range(start, stop)]
    assert sum(inside) / len(inside) < 0.8 * spread(torch.arange(len(NAMES)))


@pytest.mark.parametrize("member", range(5))
def test_probabilities_sum_to_one_over_what_is_permitted(member: int) -> None:
    options = OPTIONS[member]
    for number in (member, 0):
        ids, logs = HEAD.scores(HIDDEN[number], options).log_probabilities()
        expected = truth(HIDDEN[number], options)
        assert sorted(ids.tolist()) == options.ids(TOKENS).tolist()
        assert float(logs.exp().sum()) == pytest.approx(1, abs=1e-5)
        for row, value in zip(ids.tolist(), logs.exp().tolist(), strict=True):
            assert value == pytest.approx(expected[row], abs=1e-5)


@pytest.mark.parametrize("count", [1, 2, 7, 500])
@pytest.mark.parametrize("member", range(5))
def test_the_best_rows_are_those_of_brute_force(member: int, count: int) -> None:
    options = OPTIONS[member]
    for hidden in (*HIDDEN, *(8 * HIDDEN)):
        expected = sorted(truth(hidden, options).items(), key=lambda one: -one[1])[:count]
        best = HEAD.scores(hidden, options).best(count)
        assert len(best) == len(expected)
        chances = torch.tensor([log for _, log in best]).exp().tolist()
        assert chances == pytest.approx([chance for _, chance in expected], abs=1e-5)
        if count == 1:
            assert best[0][0] == expected[0][0]
    (group,) = HEAD.scores_of(HIDDEN, [options] * 5)
    for row, best in enumerate(group.best(count)):
        alone = HEAD.scores(HIDDEN[row], options).best(count)
        assert [log for _, log in best] == pytest.approx([log for _, log in alone], abs=1e-5)


def test_a_narrowed_choice_keeps_its_log_probabilities() -> None:
    expected = truth(HIDDEN[1], OPTIONS[1])
    best = HEAD.scores(HIDDEN[1], OPTIONS[1]).best(99, among=[(5, 9), (131, 132)])
    assert {row for row, _ in best} == {5, 6, 7, 8, 131}
    assert [row for row, _ in best] == sorted((row for row, _ in best), key=lambda r: -expected[r])
    assert (
        HEAD.scores(HIDDEN[1], OPTIONS[1]).best(2, among=[(5, 9)])
        == best[:0] + [one for one in best if one[0] < 9][:2]
    )


def test_few_vectors_are_multiplied_to_find_the_best_row() -> None:
    scores = HEAD.scores(8 * HIDDEN[0], OPTIONS[0])
    first = scores.size
    start, stop = CLASSES.of_kind[NAME]
    assert first == stop - start
    scores.best(1)
    assert first < scores.size < len(NAMES) / 2
    assert HEAD.memory_bytes < LAYER.weight.nbytes


def test_gradients_reach_the_hidden_vectors_the_classes_and_the_rows_that_compete() -> None:
    layer = a_layer()
    layer.weight.requires_grad_()
    classes = row_classes(layer, VOCABULARY, large=50)
    for part in (classes.weight, classes.bias):
        part.requires_grad_()
    hidden = HIDDEN.clone().requires_grad_()
    targets = torch.tensor([17, TOKENS, 130, 151, 128])
    loss = Hierarchical(layer, classes).loss(hidden, OPTIONS, targets)
    expected = [
        -torch.tensor(truth(HIDDEN[n], OPTIONS[n])[int(t)]).log() for n, t in enumerate(targets)
    ]
    assert loss.tolist() == pytest.approx([float(each) for each in expected], abs=1e-4)
    loss.sum().backward()
    for part in (hidden, classes.weight, classes.bias):
        assert part.grad is not None
        assert part.grad.abs().sum() > 0
    assert layer.weight.grad is not None
    touched = layer.weight.grad.abs().sum(1).gt(0).nonzero().flatten().tolist()
    mates = classes.rows(int(classes.of_row[17])).tolist()
    assert {17, *mates} <= {*touched}
    assert len(touched) < TOKENS / 2


def test_training_the_classes_lowers_the_loss_and_leaves_the_rows() -> None:
    random = torch.Generator().manual_seed(5)
    hidden = torch.randn(120, WIDTH, generator=random)
    options = [OPTIONS[n % 2] for n in range(120)]
    targets = torch.tensor([int((LAYER.every_row(h)[list(range(130))]).argmax()) for h in hidden])
    before = LAYER.weight.clone()
    trained, losses = fit_classes(HEAD, hidden, options, targets, epochs=3)
    assert losses[-1] < losses[0] - 0.05
    assert len(losses) == 4
    assert torch.equal(LAYER.weight, before)
    assert torch.equal(HEAD.classes.weight, CLASSES.weight)
    assert not torch.equal(trained.classes.weight, CLASSES.weight)
    _, same = fit_classes(HEAD, hidden, options, targets, epochs=3)
    assert same == losses
    right = sum(
        trained.scores(h, OPTIONS[0]).best(1)[0][0] == int(t)
        for h, t in zip(hidden[::2], targets[::2], strict=True)
    )
    assert right > 36


def test_a_search_decodes_with_it() -> None:
    grammar = Grammar.read(
        f'query: "one" NAME+\nNAME: {" | ".join(f"{chr(34)}{n}{chr(34)}" for n in NAMES)}'
    )
    automaton = lr(grammar)
    random = torch.Generator().manual_seed(1)
    rows = len(automaton.vocabulary) + 1
    layer = OutputLayer(torch.randn(rows, WIDTH, generator=random), torch.zeros(rows), rows - 1)
    head = Hierarchical(layer, row_classes(layer, automaton.vocabulary, large=50))

    class Still:
        def start(self, query: torch.Tensor) -> torch.Tensor:
            return query

        def step(self, state: torch.Tensor, run: tuple[int, ...]) -> torch.Tensor:
            return state

        def hidden(self, state: torch.Tensor) -> torch.Tensor:
            return state

    scorer = WithHead(Still(), head)
    (greedy,) = decode(scorer, automaton, HIDDEN[0], budget=5)
    best = decode(scorer, automaton, HIDDEN[0], best=3, budget=5)
    assert all(automaton.accepts(automaton.read(each.tokens)) for each in (greedy, *best))
    assert sum(greedy.scored) < sum(greedy.permitted)


def test_without_a_row_for_the_end_a_choice_of_ending_is_refused() -> None:
    layer = a_layer(end=False)
    head = Hierarchical(layer, row_classes(layer, VOCABULARY, large=50))
    for options in (OPTIONS[1], OPTIONS[3]):
        with pytest.raises(NoEndRow):
            head.scores(HIDDEN[0], options)


def test_without_a_large_kind_every_row_is_its_own_class() -> None:
    none: RowClasses = row_classes(LAYER, VOCABULARY)
    assert none.of_kind == {}
    head = Hierarchical(LAYER, none)
    for hidden, options in zip(HIDDEN, OPTIONS, strict=True):
        ids = options.ids(TOKENS).tolist()
        logs = LAYER.every_row(hidden)[ids].log_softmax(0)
        best = head.scores(hidden, options).best(3)
        assert [row for row, _ in best] == [ids[at] for at in logs.topk(min(3, len(ids))).indices]
