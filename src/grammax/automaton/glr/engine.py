"""`GlrEngine`: exact for every context-free grammar. Its states are sets of LR stacks.

All ways to read a prefix are followed at once, over the LR(0) graph: what a set of stacks can
shift is exactly what may come next, since every stack is a viable prefix. Reductions are done when
a token was read and do not wait for a look-ahead; stacks that can only be reduced are dropped, so
that prefixes that mean the same lead to the same state. States, stacks and the moves between them
are remembered: as with `lr`, a state visited before costs one look-up, and what is ambiguous costs
no more than what is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import final
from weakref import WeakValueDictionary

from grammax.automaton.glr.items import ItemSet, ItemSets
from grammax.automaton.glr.stacks import Node, Stacks, Tops
from grammax.automaton.protocol import KindSets, State
from grammax.grammar.productions import Productions


@final
class GlrState(State):
    """The stacks of all ways to read a prefix: what lies on top, by the node below it."""

    __slots__ = ("__weakref__", "distance", "tops")

    def __init__(self, owner: GlrEngine, tops: Tops) -> None:
        self.owner = owner
        self.tops = tops
        self.moves = {}
        self.kind_set = None
        self.distance: int | None = None

    def __repr__(self) -> str:
        on_top = sorted({one.number for heads in self.tops.values() for one in heads.sets})
        dots = " ..." if len(on_top) > 12 else ""
        return f"GlrState({' '.join(map(str, on_top[:12]))}{dots} on {len(self.tops)} stacks)"


@final
class GlrEngine:
    """Generalised LR as an engine. When `remembered` stacks were made, the cache is cleared."""

    def __init__(self, productions: Productions, remembered: int = 1_000_000) -> None:
        self.name = "glr"
        self.productions = productions
        self.kind_sets = KindSets()
        self.remembered = remembered
        self._sets = ItemSets(productions)
        self._stacks = Stacks(self._sets)
        # States die with the last reference, so equal states are one object even when some of
        # them are older than the last clearing of the cache.
        self._states: WeakValueDictionary[frozenset[tuple[int, int]], GlrState]
        self._states = WeakValueDictionary()
        self._lock = Lock()
        start = self._sets.heads(frozenset((self._sets.start,)))
        self.start = self._state({self._stacks.ground: start})

    @property
    def stacks_in_use(self) -> int:
        """The nodes of the stacks that a state or the cache refers to."""
        return len(self._stacks)

    def permitted(self, state: GlrState) -> int:
        if state.kind_set is None:
            bits = 0
            for heads in state.tops.values():
                bits |= heads.bits
            state.kind_set = self.kind_sets.number(bits)
        return state.kind_set

    def accepts(self, state: GlrState) -> bool:
        return any(heads.accepting for heads in state.tops.values())

    def move(self, state: GlrState, kind: int) -> GlrState | None:
        known = state.moves.get(kind)
        if known is not None:
            assert isinstance(known, GlrState)
            return known
        found: dict[ItemSet, list[Node]] = {}
        for node, heads in state.tops.items():
            for top in heads.that_take(kind):
                found.setdefault(top, []).append(node)
        if not found:
            return None
        stacks = self._stacks
        parts = [
            stacks.push(stacks.node(top, below), self._sets.after(top, kind))
            for top, below in found.items()
        ]
        if stacks.made > self.remembered:
            self._forget()
        after = state.moves[kind] = self._state(stacks.merged(parts))
        return after

    def tokens_to_accept(self, state: GlrState) -> int:
        if state.distance is None:
            state.distance = self._stacks.tokens_to_accept(state.tops.items())
        return state.distance

    def where(self, state: GlrState) -> tuple[str, ...]:
        lines: dict[str, None] = {}
        for heads in state.tops.values():
            for top in heads.sets:
                lines.update(dict.fromkeys(map(self._sets.show, top.kernel)))
        return tuple(lines)

    def likely_sets(self) -> Iterable[int]:
        """The kinds that may begin the rest of each rule, for every position of the dot.

        The table is built as sentences visit it, so its rows are not known yet.
        """
        for _, right in self.productions.rules:
            for dot in range(len(right)):
                yield self.productions.first_of(right[dot:])[0]

    def _state(self, tops: Tops) -> GlrState:
        key = frozenset([(node.number, heads.number) for node, heads in tops.items()])
        found = self._states.get(key)
        if found is None:
            with self._lock:
                found = self._states.get(key)
                if found is None:
                    found = self._states[key] = GlrState(self, tops)
        return found

    def _forget(self) -> None:
        """Clear the cache; states in use stay valid and compare equal as before."""
        self._stacks.made = 0
        self.start.moves = {}  # stacks refer to those below them only, so nothing else is kept
