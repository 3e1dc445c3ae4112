"""A tiny recurrent decoder with random weights, alone and batched; needs PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain

import torch
from head.layers import a_layer
from laws.grammars import FOLDER
from torch import Tensor, nn

from grammax import Grammar, lr
from grammax.automaton import BoundAutomaton
from grammax.head.layer import OutputLayer
from grammax.search.protocol import Run

torch.set_num_threads(1)
WIDTH = 12
State = tuple[Tensor, Tensor]  # hidden and cell, (d) each; (n, d) each in a batch


class TinyDecoder:
    """An LSTM cell; a query is a number that seeds the first state. Counts its steps."""

    def __init__(self, tokens: int, seed: int = 0) -> None:
        torch.manual_seed(seed)
        self.cell = nn.LSTMCell(WIDTH, WIDTH).requires_grad_(False)
        self.embedding = torch.randn(tokens, WIDTH) * 2
        self.steps = 0

    def start(self, query: int) -> State:
        generator = torch.Generator().manual_seed(query)
        return torch.randn(WIDTH, generator=generator), torch.zeros(WIDTH)

    def step(self, state: State, run: Run) -> State:
        self.steps += 1
        return self.cell(self.embedding[list(run)].sum(0), state)

    def hidden(self, state: State) -> Tensor:
        return state[0] * 3


class TinyBatchDecoder:
    """The same for many at once."""

    def __init__(self, decoder: TinyDecoder) -> None:
        self.one = decoder

    def start(self, queries: Sequence[int]) -> State:
        hidden, cell = zip(*(self.one.start(query) for query in queries), strict=True)
        return torch.stack(hidden), torch.stack(cell)

    def step(self, states: State, members: Sequence[int], runs: Sequence[Run]) -> State:
        rows = torch.tensor(members)
        self.one.steps += len(runs)
        read = torch.stack([self.one.embedding[list(run)].sum(0) for run in runs])
        return self.one.cell(read, (states[0][rows], states[1][rows]))

    def hidden(self, states: State, members: Sequence[int]) -> Tensor:
        return states[0][torch.tensor(members)] * 3


def a_model(automaton: BoundAutomaton, seed: int = 0) -> tuple[TinyDecoder, OutputLayer]:
    """A decoder and an output layer with a row for the end."""
    tokens = len(automaton.vocabulary)
    return TinyDecoder(tokens, seed), a_layer(tokens, seed, width=WIDTH)


@cache
def equity() -> BoundAutomaton:
    """The exact automaton of `examples/equity.lark`."""
    return lr(Grammar.open(FOLDER.parents[2] / "examples" / "equity.lark"))


@torch.no_grad()
def by_the_book(
    automaton: BoundAutomaton, decoder: TinyDecoder, layer: OutputLayer, query: int, ids: list[int]
) -> tuple[float, float]:
    """The log-probability of a sentence under the grammar, and by the full softmax."""
    state, there = decoder.start(query), automaton.start
    under_grammar = full = 0.0
    for place, target in enumerate(chain(ids, [layer.end])):
        scores = layer.every_row(decoder.hidden(state))
        competing = list(automaton.next_tokens(there))
        if automaton.accepts(there) and place:
            competing.append(layer.end)
        under_grammar += float(scores[competing].log_softmax(-1)[competing.index(target)])
        full += float(scores.log_softmax(-1)[target])
        if target != layer.end:
            state, there = decoder.step(state, (target,)), automaton.pass_token(there, target)
    return under_grammar, full
