"""Nondeterministic automata: built arc by arc, then determinized."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import final


@final
class NfaBuilder:
    """A mutable nondeterministic automaton for `Dfa.from_nfa`. States are numbers, 0 the start."""

    def __init__(self) -> None:
        self.start = 0
        self.arcs: list[list[tuple[int, int]]] = [[]]
        self.skips: list[list[int]] = [[]]

    def state(self) -> int:
        """A new state."""
        self.arcs.append([])
        self.skips.append([])
        return len(self.arcs) - 1

    def arc(self, source: int, kind: int, target: int) -> None:
        """Add an arc: a token of this kind leads from `source` to `target`."""
        self.arcs[source].append((kind, target))

    def skip(self, source: int, target: int) -> None:
        """Add an empty arc: `source` leads to `target` without a token."""
        if source != target:
            self.skips[source].append(target)

    def splice(
        self,
        arcs: Sequence[Mapping[int, int]],
        final: Collection[int],
        source: int,
        target: int,
    ) -> None:
        """Insert a deterministic automaton: each of its sentences leads from `source` to `target`.

        Its states are copied and joined by empty arcs, so that loops inside the copy stay inside.
        """
        offset = len(self.arcs)
        self.arcs.extend([(kind, offset + state) for kind, state in out.items()] for out in arcs)
        self.skips.extend([] for _ in arcs)
        self.skips[source].append(offset)
        for state in final:
            self.skips[offset + state].append(target)
