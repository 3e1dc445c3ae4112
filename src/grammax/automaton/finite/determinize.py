"""Subset construction (Rabin & Scott, 1959): nondeterministic → deterministic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grammax.errors import AutomatonError

_LARGEST = 500_000


def determinize(
    arcs: Sequence[Sequence[tuple[int, int]]], skips: Sequence[Sequence[int]], final: frozenset[int]
) -> tuple[tuple[Mapping[int, int], ...], frozenset[int]]:
    """The arcs and final states of a deterministic automaton; the start is state 0 in both.

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
        return found

    first = closure(0)
    number = {first: 0}
    order = [first]
    result: list[dict[int, int]] = []
    for subset in order:
        targets: dict[int, frozenset[int]] = {}
        for state in subset:
            for kind, target in arcs[state]:
                reached = closures[target] or closure(target)
                known = targets.get(kind)
                targets[kind] = reached if known is None or known == reached else known | reached
        out: dict[int, int] = {}
        for kind, reached in targets.items():
            found = number.get(reached)
            if found is None:
                found = number[reached] = len(order)
                order.append(reached)
                if found > _LARGEST:
                    raise AutomatonError(
                        f"the deterministic automaton would have more than {_LARGEST:,} states: "
                        f"late tokens depend on much earlier ones. Use `earley`, which builds none."
                    )
            out[kind] = found
        result.append(out)
    finals = frozenset(n for n, subset in enumerate(order) if not final.isdisjoint(subset))
    return tuple(result), finals
