"""The fewest tokens from a node to the end of its network, as `unrolled` sees it.

A superset has short cuts, so beyond the depth a call may take fewer tokens than its rule derives.
The costs of calls start from what the rules derive and are lowered to a fixed point, usually in two
rounds. What only few states need, the distances beyond the depth, is computed when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from heapq import heappop, heappush
from typing import final

from grammax.automaton.networks.nodes import Nodes
from grammax.grammar.productions import INFINITE

Into = list[list[tuple[int, int]]]  # for each node the nodes that lead to it, with tokens


@final
class Distances:
    """`by_depth[depth][node]` is the distance from a node to the end of its network."""

    def __init__(self, nodes: Nodes, depth: int) -> None:
        self._nodes = nodes
        self._below: dict[int, list[int]] = {}
        nested = {call.callee for calls in nodes.calls for call in calls if call.nested}
        shortest = nodes.productions.shortest
        self._cost = {symbol: shortest[symbol] for symbol in nodes.begin}
        while True:
            deeper = {symbol: self._through(symbol) for symbol in nested}
            distances = self._above(self._cost, deeper)
            lower = {symbol: distances[begin] for symbol, begin in nodes.begin.items()}
            if lower == self._cost:
                break
            self._cost = lower
        self.by_depth = [distances]
        while len(self.by_depth) <= depth:
            deeper = {symbol: self.by_depth[0][nodes.begin[symbol]] for symbol in nested}
            self.by_depth.insert(0, self._settled(deeper))
        self._deeper = deeper  # what nested calls cost at depth 0

    def below(self, entry: int) -> list[int]:
        """The distance from each node of a group to the end of `entry`, beyond the depth."""
        found = self._below.get(entry)
        if found is None:
            found = self._below[entry] = self._below_of(entry)
        return found

    @cached_property
    def unknown(self) -> list[int]:
        """The distance from each node to the end of the sentence, if it is unknown who called."""
        nodes = self._nodes
        cost = {symbol: self.by_depth[0][begin] for symbol, begin in nodes.begin.items()}
        into = self._into(cost, self._deeper)
        self._add_returns(into)
        return _dijkstra(into, self._ends_of(nodes.productions.start))

    @cached_property
    def flat(self) -> list[int]:
        """The same, if calls are not recorded either."""
        nodes = self._nodes
        into: Into = [[] for _ in range(len(nodes))]
        for node, arcs in enumerate(nodes.arcs):
            for target in set(arcs.values()):
                into[target].append((node, 1))
            for call in nodes.calls[node]:
                into[nodes.begin[call.callee]].append((node, 0))
        self._add_returns(into)
        return _dijkstra(into, self._ends_of(nodes.productions.start))

    def _add_returns(self, into: Into) -> None:
        """The end of a rule leads to where any call of it continues."""
        nodes = self._nodes
        for node, is_final in enumerate(nodes.final):
            for after in nodes.after.get(nodes.network[node], ()) if is_final else ():
                into[after].append((node, 0))

    def _ends_of(self, symbol: int) -> list[int]:
        nodes = self._nodes
        return [n for n, is_end in enumerate(nodes.final) if is_end and nodes.network[n] == symbol]

    def _settled(self, deeper: Mapping[int, int]) -> list[int]:
        """The distances at a depth, from the costs of nested calls one deeper."""
        begins = self._nodes.begin
        shortest = self._nodes.productions.shortest
        cost = {symbol: shortest[symbol] for symbol in begins}
        while True:
            distances = self._above(cost, deeper)
            lower = {symbol: distances[begin] for symbol, begin in begins.items()}
            if lower == cost:
                return distances
            cost = lower

    def _above(self, cost: Mapping[int, int], deeper: Mapping[int, int]) -> list[int]:
        into = self._into(cost, deeper)
        return _dijkstra(into, [node for node, is_end in enumerate(self._nodes.final) if is_end])

    def _into(self, cost: Mapping[int, int], deeper: Mapping[int, int]) -> Into:
        nodes = self._nodes
        into: Into = [[] for _ in range(len(nodes))]
        for node, arcs in enumerate(nodes.arcs):
            for target in set(arcs.values()):
                into[target].append((node, 1))
            for call in nodes.calls[node]:
                tokens = deeper[call.callee] if call.nested else cost[call.callee]
                into[call.after].append((node, tokens))
        return into

    def _through(self, symbol: int) -> int:
        """The tokens from the begin of a symbol to its end, beyond the depth.

        A search for less than the rule derives, which it cannot exceed: most rules are short, so
        it ends before it has seen much of a group that may have thousands.
        """
        nodes, cost = self._nodes, self._cost
        most = nodes.productions.shortest[symbol]
        best = {nodes.begin[symbol]: 0}
        heap = [(0, nodes.begin[symbol])]
        while heap:
            reached, node = heappop(heap)
            if reached > best[node]:
                continue
            if nodes.final[node] and nodes.network[node] == symbol:
                return reached
            steps = [(target, 1) for target in nodes.arcs[node].values()]
            for call in nodes.calls[node]:
                if nodes.in_group(node, call.callee):
                    steps.append((nodes.begin[call.callee], 0))
                else:
                    steps.append((call.after, cost[call.callee]))
            if nodes.final[node]:
                returns = nodes.after_in_group.get(nodes.network[node], ())
                steps += [(after, 0) for after in returns]
            for target, tokens in steps:
                total = reached + tokens
                if total < best.get(target, most):
                    best[target] = total
                    heappush(heap, (total, target))
        return most

    def _below_of(self, entry: int) -> list[int]:
        nodes = self._nodes
        into: Into = [[] for _ in range(len(nodes))]
        for node, arcs in enumerate(nodes.arcs):
            if not nodes.in_group(node, entry):
                continue
            for target in set(arcs.values()):
                into[target].append((node, 1))
            for call in nodes.calls[node]:
                if nodes.in_group(node, call.callee):
                    into[nodes.begin[call.callee]].append((node, 0))
                else:
                    into[call.after].append((node, self._cost[call.callee]))
            if nodes.final[node]:
                for after in nodes.after_in_group.get(nodes.network[node], ()):
                    into[after].append((node, 0))
        return _dijkstra(into, self._ends_of(entry))


def _dijkstra(into: Into, ends: Iterable[int]) -> list[int]:
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
