"""Graph-structured stacks (Tomita, 1985): the stacks of all ways to read a prefix, shared.

A `Node` is an item set and the nodes that may lie below it. Since no empty rule is reduced, the
nodes below were made by earlier tokens, so graphs have no cycles and equal graphs are one object.
What pushing a state on a node leads to is remembered in the node: a chain of reductions, such as
the end of a right-recursive list, is walked once and not again for each of its tokens (as Leo,
1991, in Earley's algorithm).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from threading import Lock
from typing import NamedTuple, final
from weakref import WeakValueDictionary

from grammax.automaton.glr.items import Heads, ItemSet, ItemSets

Tops = dict["Node", Heads]


@final
class Node:
    """An item set on other nodes. `tops` and `distances` are caches, by the item set pushed."""

    __slots__ = ("__weakref__", "_ancestors", "below", "distances", "top", "tops")

    def __init__(self, top: ItemSet, below: frozenset[Node]) -> None:
        self.top = top
        self.below = below
        self.tops: dict[ItemSet, Tops] = {}
        self.distances: dict[ItemSet, int] = {}
        self._ancestors: dict[int, tuple[Node, ...]] = {}

    def ancestors(self, steps: int) -> tuple[Node, ...]:
        """The nodes so many steps below this one."""
        if steps == 0:
            return (self,)
        found = self._ancestors.get(steps)
        if found is None:
            here: Iterable[Node] = (self,)
            for _ in range(steps):
                here = {node: None for above in here for node in above.below}
            found = self._ancestors[steps] = tuple(here)
        return found


class _Way(NamedTuple):
    """An item set on a node, `reached` tokens from where a search began."""

    node: Node
    top: ItemSet
    reached: int
    before: _Way | None


@final
class Stacks:
    """The nodes of an engine, interned as long as a state or a cache refers to them."""

    def __init__(self, sets: ItemSets) -> None:
        self.sets = sets
        self.made = 0
        self._nodes: WeakValueDictionary[tuple[ItemSet, frozenset[Node]], Node]
        self._nodes = WeakValueDictionary()
        self._lock = Lock()
        self.ground = Node(sets.start, frozenset())  # below the first node; never popped

    def node(self, top: ItemSet, below: frozenset[Node]) -> Node:
        """The node of an item set on these nodes."""
        key = top, below
        found = self._nodes.get(key)
        if found is None:
            with self._lock:
                found = self._nodes.get(key)
                if found is None:
                    found = self._nodes[key] = Node(top, below)
                    self.made += 1
        return found

    def push(self, node: Node, top: ItemSet) -> Tops:
        """The stacks that can read on, after all reductions: heads, by the node below them."""
        found = node.tops.get(top)
        if found is not None:
            return found
        waiting = [(node, top)]
        while waiting:
            here, pushed = waiting[-1]
            if pushed in here.tops:
                waiting.pop()
                continue
            heads, deeper = self.sets.pushed(here.top, pushed)
            parts: list[Tops] = [] if heads is None else [{here: heads}]
            unknown = False
            for below, reduced in self._reduced(here, deeper):
                known = below.tops.get(reduced)
                if known is None:
                    waiting.append((below, reduced))
                    unknown = True
                elif known:
                    parts.append(known)
            if not unknown:
                here.tops[pushed] = self.merged(parts)
                waiting.pop()
        return node.tops[top]

    def merged(self, parts: list[Tops]) -> Tops:
        """The stacks of all the parts; a part alone is shared, not copied."""
        if len(parts) == 1:
            return parts[0]
        result: Tops = {}
        for part in parts:
            for node, heads in part.items():
                known = result.get(node)
                result[node] = heads if known is None else self.sets.union(known, heads)
        return result

    def tokens_to_accept(self, tops: Iterable[tuple[Node, Heads]]) -> int:
        """The fewest tokens from any of these stacks to acceptance, by Dijkstra over completions.

        The distances on the shortest path are cached, so that the call after the next token has
        little to compute.
        """
        order = count()  # breaks ties, because nodes cannot be compared
        heap: list[tuple[int, int, Node | None, ItemSet | None, _Way | None]] = []
        best: dict[tuple[Node, ItemSet], int] = {}
        for node, heads in tops:
            for top in heads.sets:
                best[node, top] = 0
                heappush(heap, (0, next(order), node, top, None))
        while True:
            reached, _, here, pushed, before = heappop(heap)
            if here is None or pushed is None:
                break
            if reached > best[here, pushed]:
                continue
            way = _Way(here, pushed, reached, before)
            known = here.distances.get(pushed)
            if known is not None:
                heappush(heap, (reached + known, next(order), None, None, way))
                continue
            for tokens, pops, left in pushed.completions:
                total = reached + tokens
                if left is None:
                    heappush(heap, (total, next(order), None, None, way))
                    continue
                for below in here.ancestors(pops - 1):
                    after = below, self.sets.after(below.top, left)
                    if total < best.get(after, total + 1):
                        best[after] = total
                        heappush(heap, (total, next(order), *after, way))
        while before is not None:
            before.node.distances[before.top] = reached - before.reached
            before = before.before
        return reached

    def _reduced(
        self, node: Node, deeper: tuple[tuple[int, int], ...]
    ) -> Iterator[tuple[Node, ItemSet]]:
        """The nodes below a node that reductions lead to, and what they push there."""
        for pops, left in deeper:
            for below in node.ancestors(pops):
                yield below, self.sets.after(below.top, left)
