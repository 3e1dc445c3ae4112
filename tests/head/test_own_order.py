"""Layers of trained models: rows in another order, rows too many, rows missing, tied weights."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="layers need PyTorch")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from torch import nn  # noqa: E402

from grammax import (  # noqa: E402
    CachedRows,
    GatheredRows,
    Grammar,
    MaskedRows,
    OutputLayer,
    Spans,
    Vocabulary,
    lr,
    rows_in_order,
)
from grammax.head import HeadError, Options  # noqa: E402

torch.set_num_threads(1)
GRAMMAR = Grammar.read('film: "genre" "is" GENRE ["or" film]\nGENRE: "drama" | "comedy" | "noir"')
AUTOMATON = lr(GRAMMAR)
TOKENS = AUTOMATON.vocabulary.tokens
HEADS = (Spans, GatheredRows, CachedRows, MaskedRows)


def a_linear(rows: int, bias: bool = True) -> nn.Linear:
    torch.manual_seed(rows)
    return nn.Linear(4, rows, bias=bias)


@given(st.permutations([*TOKENS, "</s>", "<pad>", "other"]), st.booleans(), st.integers(0, 3))
def test_every_token_keeps_its_row_copied_or_scattered(mine, bias: bool, padding: int) -> None:
    linear = a_linear(len(mine) + padding, bias)
    copied = rows_in_order(linear, mine, AUTOMATON.vocabulary, end="</s>")
    kinds = {kind: AUTOMATON.vocabulary.tokens_of(kind) for kind in AUTOMATON.vocabulary.kinds}
    scattered = AUTOMATON.with_vocabulary(Vocabulary.in_order(kinds, mine))
    tied = OutputLayer.from_linear(linear, len(mine), end_row=mine.index("</s>"))
    hidden = torch.randn(4)
    wanted = dict(zip(mine, linear(hidden).tolist(), strict=False))
    for prefix in ([], ["genre", "is"], ["genre", "is", "noir"]):
        for automaton, layer in ((AUTOMATON, copied), (scattered, tied)):
            state = automaton.read(prefix)
            options = Options(automaton.next_tokens(state), len(prefix) == 3)
            names = [*automaton.vocabulary.tokens]
            for make in HEADS:
                best = make(layer).scores(hidden, options).best(9)
                found = ["</s>" if row == layer.end else names[row] for row, _ in best]
                competing = [*options.permitted.tokens, *(["</s>"] if options.may_end else [])]
                assert found == sorted(competing, key=lambda token: -wanted[token])


def test_a_copy_is_not_trained_with_the_model() -> None:
    linear = a_linear(len(TOKENS))
    layer = rows_in_order(linear, TOKENS, AUTOMATON.vocabulary)
    assert layer.end is None
    assert not layer.weight.requires_grad
    before = layer.weight.clone()
    with torch.no_grad():
        linear.weight.zero_()
    assert torch.equal(layer.weight, before)


def test_rows_of_removed_tokens_need_no_token() -> None:
    vocabulary = AUTOMATON.vocabulary.changed({"GENRE": ["epic"]}, removed=["drama"])
    mine = [token for token in vocabulary.tokens if token]
    layer = rows_in_order(a_linear(len(mine)), mine, vocabulary)
    assert layer.tokens == len(vocabulary) == len(mine) + 1


@pytest.mark.parametrize(
    ("tokens", "end", "message"),
    [
        (TOKENS[1:], None, "1 of the 6 tokens have no row in the trained layer: "),
        (["genres", *TOKENS[3:]], "</s>", r"of the 7 tokens have no row .*, .*'</s>'"),
        ([*TOKENS, "a", "b", "c"], None, "9 tokens are given for the 8 rows"),
        ([*TOKENS, "or"], None, "the token 'or' is given for two rows"),
        (TOKENS, "or", "the end 'or' is a token of the vocabulary"),
    ],
)
def test_tokens_that_do_not_fit_the_layer_are_refused(tokens, end, message: str) -> None:
    with pytest.raises(HeadError, match=message):
        rows_in_order(a_linear(8), tokens, AUTOMATON.vocabulary, end)


class _Quantised(nn.Linear):
    """A layer as a library for quantised weights makes it."""

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        return super().forward(hidden)


def _of_integers() -> nn.Linear:
    made = nn.Linear(4, 8)
    made.weight = nn.Parameter(made.weight.detach().to(torch.int8), requires_grad=False)
    return made


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        (nn.Sequential(a_linear(8)), "a Sequential, which"),
        (_Quantised(4, 8), "a _Quantised, which"),
        (_of_integers(), "with weights of torch.int8"),
    ],
)
def test_layers_whose_scores_are_not_of_plain_rows_are_refused(layer, message: str) -> None:
    with pytest.raises(HeadError, match=message):
        rows_in_order(layer, TOKENS, AUTOMATON.vocabulary)
    with pytest.raises(HeadError, match=message):
        OutputLayer.from_linear(layer, 8)


def test_the_nearest_name_is_proposed() -> None:
    mine = ["Genre", *(token for token in TOKENS if token != "genre")]
    with pytest.raises(HeadError, match=r"'genre'; did you mean Genre\?"):
        rows_in_order(a_linear(8), mine, AUTOMATON.vocabulary)
