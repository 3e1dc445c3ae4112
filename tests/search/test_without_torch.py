"""Searches need no PyTorch: here they run over a model of plain Python lists."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

from grammax import Grammar, lr
from grammax.head import Options
from grammax.head.rows import grouped
from grammax.search import OneByOne, WithHead, beam, decode, greedy
from grammax.search.protocol import Run

EQUITY = Path(__file__).parents[2] / "examples" / "equity.lark"


@dataclass(frozen=True)
class PlainScores:
    """Score by id."""

    values: dict[int, float]

    @property
    def size(self) -> int:
        return len(self.values)

    def best(self, count, among=None):
        total = log(sum(exp(value) for value in self.values.values()))
        rows = self.values if among is None else [i for span in among for i in range(*span)]
        ranked = sorted(rows, key=lambda row: -self.values[row])[:count]
        return [(row, self.values[row] - total) for row in ranked]


@dataclass(frozen=True)
class PlainGroup:
    members: Sequence[int]
    scores: list[PlainScores]

    def best(self, count):
        return [scores.best(count) for scores in self.scores]

    def member(self, row):
        return self.scores[row]


@dataclass(frozen=True)
class PlainHead:
    """The hidden "vector" is a number, and a row's score some function of it."""

    tokens: int
    memory_bytes = 0

    @property
    def end(self) -> int:
        return self.tokens

    def scores(self, hidden: int, options: Options) -> PlainScores:
        rows = [i for span in options.spans(self.end) for i in range(*span)]
        return PlainScores({row: (row * 7919 + hidden * 104729) % 101 / 25 for row in rows})

    def scores_of(self, hidden: list[int], options: Sequence[Options]) -> list[PlainGroup]:
        return [
            PlainGroup(members, [self.scores(hidden[m], choice) for m in members])
            for choice, members in grouped(options).items()
        ]


class PlainDecoder:
    def start(self, query: int) -> int:
        return query

    def step(self, state: int, run: Run) -> int:
        return (state * 31 + sum(run) + 1) % 1009

    def hidden(self, state: int) -> int:
        return state


def test_a_model_without_pytorch_can_be_searched() -> None:
    automaton = lr(Grammar.open(EQUITY))
    head, decoder = PlainHead(len(automaton.vocabulary)), PlainDecoder()
    for query in range(10):
        found = greedy(decoder, head, automaton, query, budget=25)
        assert automaton.accepts(automaton.read(found.ids))
        best = beam(OneByOne(decoder, list), head, automaton, query, width=4, budget=25)
        assert all(automaton.accepts(automaton.read(one.ids)) for one in best)
        (alone,) = beam(OneByOne(decoder, list), head, automaton, query, width=1, budget=25)
        assert alone.ids == found.ids
        assert decode(WithHead(decoder, head), automaton, query, budget=25) == [found]
        assert decode(WithHead(decoder, head), automaton, query, best=4, budget=25) == best


def test_searches_and_the_contract_of_heads_do_not_import_pytorch() -> None:
    code = (
        "import sys, grammax, grammax.search, grammax.head, grammax.head.rows\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
