"""`FiniteEngine`: runs a `Dfa`, with one object per state and all moves precomputed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from grammax.automaton.finite.dfa import Dfa
from grammax.automaton.protocol import KindSets, State
from grammax.vocabulary.layout import bits_of


@final
class FiniteState(State):
    """State `number` of the automaton."""

    __slots__ = ("number",)

    def __init__(self, owner: FiniteEngine, number: int, kind_set: int) -> None:
        self.owner = owner
        self.number = number
        self.kind_set = kind_set
        self.moves = {}

    def __repr__(self) -> str:
        return f"FiniteState({self.number})"


@final
class FiniteEngine:
    """A `Dfa` as an engine: moves are table look-ups. `name` is the construction used."""

    def __init__(self, dfa: Dfa, name: str = "finite") -> None:
        self.name = name
        self.dfa = dfa = dfa.trimmed()
        self.kind_sets = KindSets()
        number = self.kind_sets.number
        states = [
            FiniteState(self, state, number(bits_of(out))) for state, out in enumerate(dfa.arcs)
        ]
        for state, out in zip(states, dfa.arcs, strict=True):
            state.moves = {kind: states[target] for kind, target in out.items()}
        self.states = tuple(states)
        self.start = states[0]

    def permitted(self, state: FiniteState) -> int:
        assert state.kind_set is not None
        return state.kind_set

    def move(self, state: FiniteState, kind: int) -> FiniteState | None:
        found = self.dfa.arcs[state.number].get(kind)
        return None if found is None else self.states[found]

    def accepts(self, state: FiniteState) -> bool:
        return state.number in self.dfa.final

    def tokens_to_accept(self, state: FiniteState) -> int:
        return self.dfa.distances[state.number]

    def where(self, state: FiniteState) -> tuple[str, ...]:
        return (f"in state {state.number} of {len(self.states)}",)

    def likely_sets(self) -> Iterable[int]:
        for state in self.states:
            yield self.kind_sets.bits(self.permitted(state))
