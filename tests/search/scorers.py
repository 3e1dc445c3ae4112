"""Scorers and a constraint for tests, without PyTorch: their scores are functions of the prefix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log

from grammax.errors import AutomatonError
from grammax.head import Options
from grammax.search import ListedScores
from grammax.vocabulary.rows import Rows


@dataclass(frozen=True)
class Prefixes:
    """The state is the source and the tokens so far; a row's score is a hash of them."""

    end: int | None
    spread: float = 3.0

    def start(self, source: int) -> tuple[int, ...]:
        return (source,)

    def advance(self, state: tuple[int, ...], token: int) -> tuple[int, ...]:
        return (*state, token)

    def score(self, state: tuple[int, ...], row: int) -> float:
        return (hash((*state, row)) % 1_000_003) / 1_000_003 * self.spread

    def scores(self, state: tuple[int, ...], options: Options) -> ListedScores:
        rows = options.ids(self.end).tolist()
        return ListedScores(rows, [self.score(state, row) for row in rows])


@dataclass(frozen=True)
class Texts:
    """A `Constraint` that permits some texts, each a tuple of ids that ends with the end's id."""

    texts: frozenset[tuple[int, ...]]
    size: int = 50
    knows_needed: bool = True

    @classmethod
    def of(cls, texts: Iterable[tuple[int, ...]], **settings) -> Texts:
        return cls(frozenset(texts), **settings)

    def start(self) -> tuple[int, ...]:
        return ()

    def rest(self, state: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [text[len(state) :] for text in self.texts if text[: len(state)] == state]

    def rows(self, state: tuple[int, ...]) -> Rows:
        return Rows.from_ids([rest[0] for rest in self.rest(state) if rest])

    def advance(self, state: tuple[int, ...], token: int) -> tuple[int, ...]:
        if token not in self.rows(state):
            raise AutomatonError(f"{token} may not follow {state}")
        return (*state, token)

    def forced(self, state: tuple[int, ...]) -> tuple[int, ...]:
        run: tuple[int, ...] = ()
        while self.rows(state).size == 1:
            (token,) = self.rows(state)
            run, state = (*run, token), (*state, token)
        return run

    def is_done(self, state: tuple[int, ...]) -> bool:
        return state in self.texts

    def needed(self, state: tuple[int, ...]) -> int | None:
        return min(map(len, self.rest(state))) if self.knows_needed else None


def text_probabilities(
    scorer: Prefixes, constraint: Texts, source: int, temperature: float = 1.0
) -> dict[tuple[int, ...], float]:
    """By the book: the softmax over the permitted ids at each step, multiplied along each text."""
    found = {}
    for text in constraint.texts:
        state, model, total = constraint.start(), scorer.start(source), 0.0
        for token in text:
            rows = list(constraint.rows(state))
            shares = [exp(scorer.score(model, row) / temperature) for row in rows]
            total += log(shares[rows.index(token)] / sum(shares))
            state, model = constraint.advance(state, token), scorer.advance(model, token)
        found[text] = exp(total)
    return found
