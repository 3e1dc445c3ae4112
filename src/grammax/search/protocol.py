"""The interfaces of a model: `Decoder` for one query, `BatchDecoder` for a batch.

States are immutable values, like those of an automaton. A step reads a *run*: one token, or with
`decisions_only` a chosen token together with the forced ones that follow it. `hidden` is separate
from `step` so that work that only a choice needs, such as attention, is skipped where the next
token is forced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar, final

Query = TypeVar("Query")
Query_contra = TypeVar("Query_contra", contravariant=True)
D = TypeVar("D")
Vector = TypeVar("Vector")
Vector_co = TypeVar("Vector_co", covariant=True)
Stacked = TypeVar("Stacked")
Run = tuple[int, ...]


def runs(steps: Iterable[tuple[int, bool]], decisions_only: bool) -> list[Run]:
    """Group tokens, each marked as chosen or forced, into runs.

    With `decisions_only`, forced tokens before the first choice are in no run.

    >>> steps = [(7, False), (3, True), (8, False), (8, False), (4, True)]
    >>> runs(steps, decisions_only=True)
    [(3, 8, 8), (4,)]
    >>> runs(steps, decisions_only=False)
    [(7,), (3,), (8,), (8,), (4,)]
    """
    found: list[Run] = []
    for token, chosen in steps:
        if chosen or not decisions_only:
            found.append((token,))
        elif found:
            found[-1] += (token,)
    return found


class Decoder(Protocol[Query_contra, D, Vector_co]):
    """A model of the next token, for one query."""

    def start(self, query: Query_contra) -> D:
        """The state before the first token."""

    def step(self, state: D, run: Run) -> D:
        """The state after one more run."""

    def hidden(self, state: D) -> Vector_co:
        """The hidden vector that the head multiplies, (d)."""


class BatchDecoder(Protocol[Query_contra, D, Vector_co]):
    """A model of the next token for a batch of queries or beams; `D` is the state of the batch."""

    def start(self, queries: Sequence[Query_contra]) -> D:
        """The state before the first token; member i is query i."""

    def step(self, states: D, members: Sequence[int], runs: Sequence[Run]) -> D:
        """A new batch, whose member i is the old member `members[i]` after `runs[i]`.

        An old member may be used several times, or not at all: beams branch and end.
        """

    def hidden(self, states: D, members: Sequence[int]) -> Vector_co:
        """The hidden vectors of some of the members, (n, d)."""


@final
class OneByOne(Generic[Query, D, Vector, Stacked]):
    """A `BatchDecoder` that runs a `Decoder` on the members one by one.

    `stack` joins the hidden vectors to one array, like `np.stack` or `torch.stack`.
    """

    def __init__(
        self,
        decoder: Decoder[Query, D, Vector],
        stack: Callable[[list[Vector]], Stacked],
    ) -> None:
        self._decoder = decoder
        self._stack = stack

    def start(self, queries: Sequence[Query]) -> list[D]:
        """The states before the first token."""
        return [self._decoder.start(query) for query in queries]

    def step(self, states: list[D], members: Sequence[int], runs: Sequence[Run]) -> list[D]:
        """The states of `members`, each after its run."""
        pairs = zip(members, runs, strict=True)
        return [self._decoder.step(states[member], run) for member, run in pairs]

    def hidden(self, states: list[D], members: Sequence[int]) -> Stacked:
        """The hidden vectors of `members`, stacked."""
        return self._stack([self._decoder.hidden(states[member]) for member in members])
