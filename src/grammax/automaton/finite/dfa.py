"""Deterministic finite automata over kinds: union, inclusion and minimisation.

A `Dfa` is a value: partial (a missing arc means "not permitted") and trimmed (every state is
reachable and can reach acceptance, so there are no dead ends). `a <= b` tests whether every
sentence of `a` is a sentence of `b`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import final

from grammax.automaton.finite.determinize import Budget, determinize
from grammax.automaton.finite.minimize import minimal_blocks
from grammax.automaton.finite.nfa import NfaBuilder
from grammax.errors import AutomatonError
from grammax.grammar.productions import INFINITE

Arcs = tuple[Mapping[int, int], ...]


@final
@dataclass(frozen=True)
class Dfa:
    """`arcs[state][kind]` is the next state; state 0 is the start.

    >>> numbers = Dfa(({0: 1}, {0: 1}), frozenset({1}))  # one token of kind 0, or more
    >>> numbers.accepts([0, 0]), numbers.accepts([])
    (True, False)
    """

    arcs: Arcs
    final: frozenset[int]
    is_trimmed: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        count = len(self.arcs)
        for state, out in enumerate(self.arcs):
            if out and not 0 <= min(out.values()) <= max(out.values()) < count:
                raise AutomatonError(
                    f"state {state} goes to {max(out.values())}, but there are {count} states"
                )
        if not count or any(not 0 <= state < count for state in self.final):
            raise AutomatonError(f"a final state is not among the {count} states")

    @staticmethod
    def from_nfa(nfa: NfaBuilder, final: Iterable[int], budget: Budget | None = None) -> Dfa:
        """The deterministic automaton of the same language, trimmed; `TooLarge` if it is."""
        return Dfa(*determinize(nfa.arcs, nfa.skips, frozenset(final), budget)).trimmed()

    @staticmethod
    def nothing() -> Dfa:
        """The automaton that accepts no sentence at all."""
        return Dfa(({},), frozenset(), is_trimmed=True)

    def __len__(self) -> int:
        return len(self.arcs)

    @cached_property
    def distances(self) -> tuple[int, ...]:
        """For each state the fewest tokens to acceptance, INFINITE if it cannot be reached."""
        into: list[list[int]] = [[] for _ in self.arcs]
        for state, out in enumerate(self.arcs):
            for target in out.values():
                into[target].append(state)
        distance = [INFINITE] * len(self.arcs)
        waiting = deque(self.final)
        for state in self.final:
            distance[state] = 0
        while waiting:
            state = waiting.popleft()
            for source in into[state]:
                if distance[source] == INFINITE:
                    distance[source] = distance[state] + 1
                    waiting.append(source)
        return tuple(distance)

    @property
    def is_empty(self) -> bool:
        """Whether no sentence is accepted."""
        return self.distances[0] == INFINITE

    def accepts(self, kinds: Iterable[int]) -> bool:
        """Whether a sentence, as kinds, is accepted."""
        state: int | None = 0
        for kind in kinds:
            state = self.arcs[state].get(kind) if state is not None else None
        return state in self.final

    def trimmed(self) -> Dfa:
        """The automaton without unreachable states and dead ends, numbered breadth first."""
        if self.is_trimmed:
            return self
        alive = self.distances
        if alive[0] == INFINITE:
            return Dfa.nothing()
        number = {0: 0}
        order = [0]
        for state in order:
            for kind in sorted(self.arcs[state]):
                target = self.arcs[state][kind]
                if target not in number and alive[target] != INFINITE:
                    number[target] = len(order)
                    order.append(target)
        arcs = tuple(
            {kind: number[t] for kind, t in self.arcs[state].items() if alive[t] != INFINITE}
            for state in order
        )
        final = frozenset(number[state] for state in self.final if state in number)
        return Dfa(arcs, final, is_trimmed=True)

    def minimal(self) -> Dfa:
        """The smallest automaton of the same language; equal languages give equal values."""
        trimmed = self.trimmed()
        block_of = minimal_blocks(trimmed.arcs, trimmed.final)
        # The block of the start must be state 0; trimming renumbers the rest.
        number = {block_of[0]: 0}
        arcs: list[Mapping[int, int]] = [trimmed.arcs[0]]
        for state, block in enumerate(block_of):
            if block not in number:
                number[block] = len(arcs)
                arcs.append(trimmed.arcs[state])
        if len(arcs) == len(trimmed):
            return trimmed
        of = [number[block] for block in block_of]
        merged = tuple({kind: of[target] for kind, target in out.items()} for out in arcs)
        return Dfa(merged, frozenset(of[state] for state in trimmed.final)).trimmed()

    def __or__(self, other: Dfa) -> Dfa:
        """The union: the sentences of either."""
        number = {(0, 0): 0}
        order = [(0, 0)]
        arcs: list[dict[int, int]] = []
        for left, right in order:
            lefts = self.arcs[left] if left >= 0 else {}
            rights = other.arcs[right] if right >= 0 else {}
            out: dict[int, int] = {}
            for kind in lefts.keys() | rights.keys():
                pair = (lefts.get(kind, -1), rights.get(kind, -1))
                if pair not in number:
                    number[pair] = len(order)
                    order.append(pair)
                out[kind] = number[pair]
            arcs.append(out)
        final = {n for n, (a, b) in enumerate(order) if a in self.final or b in other.final}
        return Dfa(tuple(arcs), frozenset(final)).trimmed()

    def __le__(self, other: Dfa) -> bool:
        """Inclusion: whether every sentence of this automaton is a sentence of the other."""
        return self.counterexample(other) is None

    def counterexample(self, other: Dfa) -> tuple[int, ...] | None:
        """A shortest sentence of this automaton that the other does not accept, or None."""
        pairs: dict[tuple[int, int], tuple[tuple[int, int], int] | None] = {(0, 0): None}
        waiting = deque(pairs)
        while waiting:
            pair = waiting.popleft()
            mine, theirs = pair
            if mine in self.final and theirs not in other.final:
                return _path(pairs, pair)
            for kind, target in self.arcs[mine].items():
                if self.distances[target] == INFINITE:
                    continue
                step = (target, other.arcs[theirs].get(kind, -1) if theirs >= 0 else -1)
                if step not in pairs:
                    pairs[step] = (pair, kind)
                    waiting.append(step)
        return None

    def equivalent(self, other: Dfa) -> bool:
        """Whether both accept the same sentences."""
        return self <= other and other <= self


def _path(
    parents: Mapping[tuple[int, int], tuple[tuple[int, int], int] | None], last: tuple[int, int]
) -> tuple[int, ...]:
    kinds: list[int] = []
    step = parents[last]
    while step is not None:
        kinds.append(step[1])
        step = parents[step[0]]
    return tuple(reversed(kinds))
