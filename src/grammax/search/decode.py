"""`decode`: greedy or beam search for a model of one's own, given as a `Decoder`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from grammax.automaton.protocol import Automaton
from grammax.head.protocol import Candidate, Head, Options, Scores
from grammax.search.beam import beam
from grammax.search.greedy import greedy
from grammax.search.protocol import D, Decoder, OneByOne, Vector
from grammax.search.result import Decoded

Source = TypeVar("Source")


def decode(
    decoder: Decoder[Source, D, Vector],
    head: Head[Vector],
    automaton: Automaton[Any],
    source: Source,
    *,
    best: int = 1,
    budget: int = 200,
    decisions_only: bool = False,
) -> list[Decoded]:
    """The `best` sentences of a grammar for a source, best first, by a model of one's own.

    `decoder` has three methods: `start(source)`, `step(state, tokens)` and `hidden(state)`. `head`
    multiplies the hidden vector with the rows that the grammar permits. With `best=1` the search is
    greedy, otherwise a beam of that width. `budget` is the largest number of tokens, and
    `decisions_only` is as in `grammax.search.greedy`.

    >>> import grammax, torch
    >>> class Echo:
    ...     def start(self, source):
    ...         return torch.tensor(source)
    ...     def step(self, state, tokens):
    ...         return state
    ...     def hidden(self, state):
    ...         return state
    >>> grammar = grammax.Grammar.read('film: "genre" "is" GENRE\\nGENRE: "drama" | "comedy"')
    >>> automaton = grammax.lr(grammar)
    >>> layer = torch.nn.Linear(4, len(automaton.vocabulary), bias=False)
    >>> with torch.no_grad():
    ...     _ = layer.weight.copy_(torch.eye(4))
    >>> head = grammax.Spans(grammax.OutputLayer.from_linear(layer, len(automaton.vocabulary)))
    >>> source = [float(token == "comedy") for token in automaton.vocabulary.tokens]
    >>> [str(sentence) for sentence in grammax.decode(Echo(), head, automaton, source, best=2)]
    ['genre is comedy', 'genre is drama']
    """
    if best == 1:
        return [
            greedy(decoder, head, automaton, source, budget=budget, decisions_only=decisions_only)
        ]
    return beam(
        OneByOne(decoder, list),
        _EachAlone(head),
        automaton,
        source,
        width=best,
        budget=budget,
        decisions_only=decisions_only,
    )


class _EachAlone(Generic[Vector]):
    """A head that scores hidden vectors one by one, so it works with any array library."""

    memory_bytes = 0

    def __init__(self, head: Head[Vector]) -> None:
        self._head = head
        self.tokens, self.end = head.tokens, head.end

    def scores(self, hidden: list[Vector], options: Options) -> Scores:
        return self._head.scores(hidden[0], options)

    def scores_of(self, hidden: list[Vector], options: Sequence[Options]) -> list[_Single]:
        pairs = enumerate(zip(hidden, options, strict=True))
        return [_Single((member,), self._head.scores(*pair)) for member, pair in pairs]


class _Single(NamedTuple):
    """The scores of one member of a batch, as a `Group`."""

    members: tuple[int]
    scores: Scores

    def best(self, count: int) -> list[list[Candidate]]:
        return [self.scores.best(count)]

    def member(self, row: int) -> Scores:  # noqa: ARG002
        return self.scores
