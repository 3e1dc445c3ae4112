"""Output layers and options of every shape, for tests of heads; needs PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from hypothesis import strategies as st
from torch import Tensor

from grammax import Vocabulary
from grammax.head import Options
from grammax.head.cached_rows import CachedRows
from grammax.head.every_row import EveryRow
from grammax.head.gathered_rows import GatheredRows
from grammax.head.layer import OutputLayer
from grammax.head.masked_rows import MaskedRows
from grammax.head.spans import Spans

torch.set_num_threads(1)

HEADS = {
    "every_row": EveryRow,
    "masked_rows": MaskedRows,
    "gathered_rows": GatheredRows,
    "cached_rows": CachedRows,
    "spans": Spans,
}
UNDER_GRAMMAR = [name for name in HEADS if name != "every_row"]
WIDTH = 5


@dataclass(frozen=True)
class Batch:
    """A layer, and hidden vectors that each have options of their own and a target among them."""

    layer: OutputLayer
    hidden: Tensor  # (n, d)
    options: list[Options]
    targets: Tensor  # (n)


def a_layer(tokens: int, seed: int = 0, end: bool = True, width: int = WIDTH) -> OutputLayer:
    """Random weights; the model's own, so they take gradients."""
    generator = torch.Generator().manual_seed(seed)
    weight = torch.randn(tokens + end, width, generator=generator).requires_grad_()
    bias = torch.randn(tokens + end, generator=generator).requires_grad_()
    return OutputLayer(weight, bias, tokens)


def rows(options: Options, tokens: int) -> list[int]:
    """The ids that compete, by the book."""
    return [*options.permitted, *([tokens] if options.may_end else [])]


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Kinds of 1 to 4 tokens in any layout, sets of them, with or without the end."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=7))
    kinds = {f"K{kind}": [f"t{kind}.{i}" for i in range(size)] for kind, size in enumerate(sizes)}
    vocabulary = Vocabulary(kinds, draw(st.permutations(range(len(sizes)))))
    end = draw(st.booleans())
    sets = st.sets(st.integers(0, len(sizes) - 1), min_size=1).map(vocabulary.permitted)
    option = st.builds(Options, sets, st.booleans() if end else st.just(False))
    options = draw(st.lists(option, min_size=1, max_size=6))
    layer = a_layer(len(vocabulary), draw(st.integers(0, 99)), end)
    targets = [draw(st.sampled_from(rows(choice, len(vocabulary)))) for choice in options]
    hidden = torch.randn(len(options), WIDTH, generator=torch.Generator().manual_seed(7))
    return Batch(layer, hidden.requires_grad_(), options, torch.tensor(targets))
