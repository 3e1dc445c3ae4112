"""Nondeterministic automata: built arc by arc, then determinized."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import final


@final
class NfaBuilder:
    """States are numbers; `start` is 0. Mutable until `Dfa.from_nfa` makes a value of it."""

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
        """From `source` a token of this kind leads to `target`."""
        self.arcs[source].append((kind, target))

    def skip(self, source: int, target: int) -> None:
        """`source` leads to `target` without a token."""
        if source != target:
            self.skips[source].append(target)

    def splice(
        self,
        arcs: Sequence[Mapping[int, int]],
        final: Collection[int],
        source: int,
        target: int,
    ) -> None:
        """From `source` every sentence of a deterministic automaton leads to `target`.

        Its states are copied and joined by skips, so that a loop inside it cannot leak into what
        surrounds it.
        """
        offset = len(self.arcs)
        self.arcs.extend([(kind, offset + state) for kind, state in out.items()] for out in arcs)
        self.skips.extend([] for _ in arcs)
        self.skips[source].append(offset)
        for state in final:
            self.skips[offset + state].append(target)
