"""`UnrolledEngine`: for any grammar, exact to a nesting depth and a superset beyond it.

The paper (section 3) names this alternative to its superset paths: unroll the nesting k times. The
full automaton would be huge (over a million states for a grammar with 1,000 value types, five rules
that nest and k = 3), so states are created when they are first reached. A state is a set of
configurations: a node of a network and a stack of nodes to return to. Beyond depth k the stack does
not grow, and the end of a call continues after any call of the same rule, as in `superset`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple, final

from grammax.automaton.networks.network import Networks, build_networks
from grammax.automaton.protocol import KindSets, State
from grammax.errors import AutomatonError
from grammax.grammar.productions import INFINITE, Productions


@final
class Frame:
    """A call in progress and the node to return to. `entry` is set for calls beyond the depth.

    An engine creates one object per stack, so comparing and hashing never walk down a stack.
    """

    __slots__ = ("after", "below", "depth", "entry")

    def __init__(self, after: int, below: Frame | None, depth: int, entry: int | None) -> None:
        self.after, self.below, self.depth, self.entry = after, below, depth, entry


Configuration = tuple[int, Frame | None]


@final
class UnrolledState(State):
    """The configurations that a prefix can reach."""

    __slots__ = ("configurations",)

    def __init__(self, owner: UnrolledEngine, configurations: frozenset[Configuration]) -> None:
        self.owner = owner
        self.configurations = configurations
        self.kind_set = None
        self.moves = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UnrolledState) or self.owner is not other.owner:
            return NotImplemented
        return self.configurations == other.configurations

    def __hash__(self) -> int:
        return hash(self.configurations)


class _Call(NamedTuple):
    callee: int
    nested: bool
    after: int


@final
class UnrolledEngine:
    """Networks as an engine that distinguishes `depth` nested calls.

    Nodes are the states of all networks, numbered. At most `remembered` states are cached; then the
    cache is cleared.
    """

    def __init__(
        self, productions: Productions, depth: int = 3, remembered: int = 1_000_000
    ) -> None:
        if depth < 0:
            raise AutomatonError(f"the depth is {depth}; it counts nested rules and is 0 or more")
        self.name = f"unrolled({depth})"
        self.depth = depth
        self.kind_sets = KindSets()
        self._remembered = remembered
        self._states: dict[frozenset[Configuration], UnrolledState] = {}
        self._frames: dict[tuple[int, Frame | None, int, int | None], Frame] = {}
        self.productions = productions
        self._add_networks(build_networks(productions))
        self.start = self._state([(self._begin[productions.start], None)])

    def _add_networks(self, networks: Networks) -> None:
        productions, group_of = networks.productions, networks.group_of
        self._shortest, self._names = productions.shortest, productions.names
        self._begin: dict[int, int] = {}
        self._network: list[int] = []
        self._arcs: list[dict[int, int]] = []
        self._calls: list[tuple[_Call, ...]] = []
        self._bits: list[int] = []
        self._final: list[bool] = []
        # The nodes at which a call of a symbol from within its own group continues.
        self._after: dict[int, list[int]] = {}
        for symbol, network in networks.by_symbol.items():
            offset = self._begin[symbol] = len(self._arcs)
            for state, out in enumerate(network.arcs):
                moved = {label: offset + target for label, target in out.items()}
                kinds = {k: target for k, target in moved.items() if k < productions.kinds}
                calls = tuple(
                    _Call(networks.callee(label), networks.is_nested(label), target)
                    for label, target in moved.items()
                    if label >= productions.kinds
                )
                for call in calls:
                    if group_of[call.callee] == group_of[symbol]:
                        self._after.setdefault(call.callee, []).append(call.after)
                self._network.append(symbol)
                self._arcs.append(kinds)
                self._calls.append(calls)
                self._bits.append(sum(1 << kind for kind in kinds))
                self._final.append(state in network.final)
        self._group = group_of

    def permitted(self, state: UnrolledState) -> int:
        if state.kind_set is None:
            bits = 0
            for node, _ in state.configurations:
                bits |= self._bits[node]
            state.kind_set = self.kind_sets.number(bits)
        return state.kind_set

    def move(self, state: UnrolledState, kind: int) -> UnrolledState | None:
        if not self.kind_sets.bits(self.permitted(state)) >> kind & 1:
            return None  # decided without reading what may be thousands of configurations
        reached = [
            (self._arcs[node][kind], stack)
            for node, stack in state.configurations
            if kind in self._arcs[node]
        ]
        target = state.moves[kind] = self._state(reached)
        return target

    def accepts(self, state: UnrolledState) -> bool:
        return any(stack is None and self._final[node] for node, stack in state.configurations)

    def tokens_to_accept(self, state: UnrolledState) -> int:
        return min(map(self._distance, state.configurations))

    def where(self, state: UnrolledState) -> tuple[str, ...]:
        lines: dict[str, None] = {}
        for node, stack in state.configurations:
            names = [self._names[self._network[node]]]
            while stack is not None:
                names.append(self._names[self._network[stack.after]])
                stack = stack.below
            lines[f"in {' in '.join(names)}"] = None
        return tuple(sorted(lines, key=len))

    def likely_sets(self) -> Iterable[int]:
        """The kinds that may follow a node: its own, and those that its calls begin with."""
        for node, calls in enumerate(self._calls):
            bits = self._bits[node]
            for call in calls:
                bits |= self._bits[self._begin[call.callee]]
            yield bits

    def _state(self, configurations: Iterable[Configuration]) -> UnrolledState:
        key = self._closure(configurations)
        found = self._states.get(key)
        if found is None:
            if len(self._states) >= self._remembered:
                self._states, self.start.moves = {}, {}
            found = self._states.setdefault(key, UnrolledState(self, key))
        return found

    def _closure(self, configurations: Iterable[Configuration]) -> frozenset[Configuration]:
        """The configurations reached without a token, except nodes that have nothing to read."""
        waiting = list(configurations)
        seen = set(waiting)
        found: list[Configuration] = []
        while waiting:
            node, stack = waiting.pop()
            if self._arcs[node] or (stack is None and self._final[node]):
                found.append((node, stack))
            steps = [self._enter(node, stack, call) for call in self._calls[node]]
            if self._final[node] and stack is not None:
                steps += self._leave(node, stack)
            for step in steps:
                if step not in seen:
                    seen.add(step)
                    waiting.append(step)
        return frozenset(found)

    def _enter(self, node: int, stack: Frame | None, call: _Call) -> Configuration:
        begin = self._begin[call.callee]
        if self._is_deep(node, stack) and self._same_group(node, call.callee):
            return begin, stack
        depth = 0 if stack is None else stack.depth
        if not call.nested:
            return begin, self._frame(call.after, stack, depth, None)
        if depth < self.depth:
            return begin, self._frame(call.after, stack, depth + 1, None)
        return begin, self._frame(call.after, stack, depth, call.callee)

    def _frame(self, after: int, below: Frame | None, depth: int, entry: int | None) -> Frame:
        key = after, below, depth, entry
        return self._frames.get(key) or self._frames.setdefault(key, Frame(*key))

    def _leave(self, node: int, stack: Frame) -> list[Configuration]:
        if not self._is_deep(node, stack):
            return [(stack.after, stack.below)]
        symbol = self._network[node]
        steps: list[Configuration] = [(after, stack) for after in self._after.get(symbol, ())]
        if stack.entry == symbol:
            steps.append((stack.after, stack.below))
        return steps

    def _is_deep(self, node: int, stack: Frame | None) -> bool:
        """Whether the stack no longer records where calls of this node's group return to."""
        return stack is not None and stack.entry is not None and self._same_group(node, stack.entry)

    def _same_group(self, node: int, symbol: int) -> bool:
        return self._group[self._network[node]] == self._group[symbol]

    def _distance(self, configuration: Configuration) -> int:
        """The fewest tokens to acceptance: the sum over the calls in progress."""
        node, stack = configuration
        by_depth, below = self._distances
        total = 0
        while True:
            if stack is not None and stack.entry is not None and self._is_deep(node, stack):
                total += below[stack.entry][node]
            else:
                total += by_depth[0 if stack is None else stack.depth][node]
            if stack is None:
                return total
            node, stack = stack.after, stack.below

    @cached_property
    def _distances(self) -> tuple[list[list[int]], dict[int, list[int]]]:
        """Distances from each node to the end of its network, by depth; beyond it, of its entry.

        A superset has short cuts, so a call may take fewer tokens than its rule derives. The costs
        of calls start from what the rules derive and are lowered to a fixed point, usually in two
        rounds.
        """
        nested = {call.callee for calls in self._calls for call in calls if call.nested}
        cost = {symbol: self._shortest[symbol] for symbol in self._begin}
        while True:
            below = {symbol: self._distances_below(symbol, cost) for symbol in nested}
            deeper = {symbol: below[symbol][self._begin[symbol]] for symbol in nested}
            distances = self._distances_above(cost, deeper)
            lower = {symbol: distances[begin] for symbol, begin in self._begin.items()}
            if lower == cost:
                break
            cost = lower
        by_depth = [distances]
        while len(by_depth) <= self.depth:
            deeper = {symbol: by_depth[0][self._begin[symbol]] for symbol in nested}
            by_depth.insert(0, self._settled(deeper))
        return by_depth, below

    def _settled(self, deeper: Mapping[int, int]) -> list[int]:
        """The distances at a depth, from the costs of nested calls one deeper."""
        cost = {symbol: self._shortest[symbol] for symbol in self._begin}
        while True:
            distances = self._distances_above(cost, deeper)
            lower = {symbol: distances[begin] for symbol, begin in self._begin.items()}
            if lower == cost:
                return distances
            cost = lower

    def _distances_above(self, cost: Mapping[int, int], deeper: Mapping[int, int]) -> list[int]:
        into: list[list[tuple[int, int]]] = [[] for _ in self._arcs]
        for node, arcs in enumerate(self._arcs):
            for target in arcs.values():
                into[target].append((node, 1))
            for call in self._calls[node]:
                tokens = deeper[call.callee] if call.nested else cost[call.callee]
                into[call.after].append((node, tokens))
        return _dijkstra(into, [node for node, final in enumerate(self._final) if final])

    def _distances_below(self, entry: int, cost: Mapping[int, int]) -> list[int]:
        """Distances from each node of a group to the end of `entry`, beyond the depth."""
        into: list[list[tuple[int, int]]] = [[] for _ in self._arcs]
        for node, arcs in enumerate(self._arcs):
            if not self._same_group(node, entry):
                continue
            for target in arcs.values():
                into[target].append((node, 1))
            for call in self._calls[node]:
                if self._same_group(node, call.callee):
                    into[self._begin[call.callee]].append((node, 0))
                else:
                    into[call.after].append((node, cost[call.callee]))
            if self._final[node]:
                for after in self._after.get(self._network[node], ()):
                    into[after].append((node, 0))
        ends = [p for p, final in enumerate(self._final) if final and self._network[p] == entry]
        return _dijkstra(into, ends)


def _dijkstra(into: list[list[tuple[int, int]]], ends: Iterable[int]) -> list[int]:
    distance = [INFINITE] * len(into)
    heap = [(0, node) for node in ends]
    for _, node in heap:
        distance[node] = 0
    while heap:
        reached, node = heappop(heap)
        if reached > distance[node]:
            continue
        for source, cost in into[node]:
            if reached + cost < distance[source]:
                distance[source] = reached + cost
                heappush(heap, (reached + cost, source))
    return distance
