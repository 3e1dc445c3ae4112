"""Subset construction (Rabin & Scott, 1959): nondeterministic → deterministic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grammax.errors import AutomatonError

_LARGEST = 500_000


class TooLarge(AutomatonError):
    """A deterministic automaton that would have too many states, or take too long."""


class Budget:
    """A number of steps, for one construction or for several; `TooLarge` when it is spent.

    What is spent of a budget `within` another is spent of both.
    """

    def __init__(self, steps: int, within: Budget | None = None) -> None:
        self._steps = self._left = steps
        self._within = within

    def spend(self, steps: int) -> None:
        """Take steps from the budget."""
        if self._within is not None:
            self._within.spend(steps)
        self._left -= steps
        if self._left < 0:
            raise TooLarge(
                f"the automaton takes more than {self._steps:,} steps: rules within rules are laid "
                f"out, or late tokens depend on much earlier ones"
            )


def determinize(
    arcs: Sequence[Sequence[tuple[int, int]]],
    skips: Sequence[Sequence[int]],
    final: frozenset[int],
    budget: Budget | None = None,
) -> tuple[tuple[Mapping[int, int], ...], frozenset[int]]:
    """The arcs and final states of a deterministic automaton; the start is state 0 in both.

    A step of the budget is an arc that is read or a state that is added to a subset.

    Subsets contain only states that have arcs or are final. The others add nothing, and without
    them most subsets of a grammar's automaton have one state.
    """
    closures: list[frozenset[int] | None] = [None] * len(arcs)

    def closure(state: int) -> frozenset[int]:
        found = closures[state]
        if found is None:
            seen, waiting = {state}, [state]
            while waiting:
                for target in skips[waiting.pop()]:
                    if target not in seen:
                        seen.add(target)
                        waiting.append(target)
            found = frozenset(s for s in seen if arcs[s] or s in final)
            closures[state] = found
            if budget is not None:
                budget.spend(len(seen))
        return found

    first = closure(0)
    number = {first: 0}
    order = [first]
    result: list[dict[int, int]] = []
    for subset in order:
        steps = 0
        targets: dict[int, frozenset[int]] = {}
        for state in subset:
            steps += len(arcs[state])
            for kind, target in arcs[state]:
                reached = closures[target] or closure(target)
                known = targets.get(kind)
                if known is None:
                    targets[kind] = reached
                elif known != reached:
                    targets[kind] = known | reached
                    steps += len(known) + len(reached)
        out: dict[int, int] = {}
        for kind, reached in targets.items():
            found = number.get(reached)
            if found is None:
                found = number[reached] = len(order)
                order.append(reached)
            out[kind] = found
        result.append(out)
        if len(order) > _LARGEST:
            raise TooLarge(
                f"the deterministic automaton would have more than {_LARGEST:,} states: late "
                f"tokens depend on much earlier ones"
            )
        if budget is not None:
            budget.spend(steps)
    finals = frozenset(n for n, subset in enumerate(order) if not final.isdisjoint(subset))
    return tuple(result), finals
