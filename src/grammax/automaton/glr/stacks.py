"""Graph-structured stacks (Tomita, 1985): the stacks of all ways to read a prefix, shared.

A `Node` is an item set and the nodes that may lie below it. Since no empty rule is reduced, the
nodes below were made by earlier tokens, so graphs have no cycles and equal graphs are one object.
What pushing a state on a node leads to is remembered in the node: a chain of reductions, such as
the end of a right-recursive list, is walked once and not again for each of its tokens (as Leo,
1991, in Earley's algorithm).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from threading import Lock
from typing import final
from weakref import WeakValueDictionary

from grammax.automaton.glr.items import Heads, ItemSet, ItemSets
from grammax.grammar.productions import INFINITE

Tops = dict["Node", Heads]


@final
class Node:
    """An item set on other nodes. `tops` and `distances` are caches, by the item set pushed."""

    __slots__ = ("__weakref__", "_ancestors", "below", "distances", "number", "top", "tops")

    def __init__(self, number: int, top: ItemSet, below: tuple[Node, ...]) -> None:
        self.number = number
        self.top = top
        self.below = below
        self.tops: dict[ItemSet, Tops] = {}
        self.distances: dict[ItemSet, int] = {}
        self._ancestors: dict[int, tuple[Node, ...]] = {}

    def ancestors(self, steps: int) -> tuple[Node, ...]:
        """The nodes so many steps below this one."""
        node = self
        while steps > 1 and len(node.below) == 1:  # nearly always: one node lies on another
            node, steps = node.below[0], steps - 1
        if steps < 2:
            return node.below if steps else (node,)
        found = node._ancestors.get(steps)
        if found is None:
            here: Iterable[Node] = node.below
            for _ in range(steps - 1):
                here = {below: None for above in here for below in above.below}
            found = node._ancestors[steps] = tuple(here)
        return found


@dataclass(slots=True)
class _Way:
    """The search for the distance of an item set on a node: steps to take, the best so far.

    `step` is the one whose own distance is searched for now.
    """

    node: Node
    top: ItemSet
    steps: Iterator[tuple[int, Node, ItemSet | None]]
    step: tuple[int, Node, ItemSet | None] | None = None
    best: int = INFINITE


@final
class Stacks:
    """The nodes of an engine, interned as long as a state or a cache refers to them."""

    def __init__(self, sets: ItemSets) -> None:
        self.sets = sets
        self.made = 0
        # By numbers: keys that hold nodes would keep a stack until those above it were collected.
        self._nodes: WeakValueDictionary[tuple[int, frozenset[int]], Node] = WeakValueDictionary()
        self._numbers = count(1)
        self._lock = Lock()
        self.ground = Node(0, sets.start, ())  # below the first node; never popped

    def __len__(self) -> int:
        """The number of nodes that are in use."""
        return len(self._nodes)

    def node(self, top: ItemSet, below: Sequence[Node]) -> Node:
        """The node of an item set on these nodes."""
        key = top.number, frozenset([node.number for node in below])
        found = self._nodes.get(key)
        if found is None:
            with self._lock:
                found = self._nodes.get(key)
                if found is None:
                    found = self._nodes[key] = Node(next(self._numbers), top, tuple(below))
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
        """The fewest tokens from any of these stacks to acceptance."""
        return min(self._distance(node, top) for node, heads in tops for top in heads.sets)

    def _distance(self, node: Node, top: ItemSet) -> int:
        """The fewest tokens to acceptance with `top` on `node`.

        They complete a rule, and then what awaits it further down. Each distance is computed once:
        without that, two lists that end differently would be walked again after each token.
        """
        found = node.distances.get(top)
        if found is not None:
            return found
        waiting = [_Way(node, top, self._steps(node, top))]
        while waiting:
            way = waiting[-1]
            step = way.step or next(way.steps, None)
            if step is None or step[0] >= way.best:  # steps are sorted, so no later one is shorter
                way.node.distances[way.top] = way.best
                waiting.pop()
                continue
            tokens, below, after = step
            known = 0 if after is None else below.distances.get(after)
            if known is None:
                assert after is not None
                way.step = step
                waiting.append(_Way(below, after, self._steps(below, after)))
            else:
                way.step = None
                way.best = min(way.best, tokens + known)
        return node.distances[top]

    def _steps(self, node: Node, top: ItemSet) -> Iterator[tuple[int, Node, ItemSet | None]]:
        """Ways to complete a rule: the tokens they take, and what is pushed below; or the end."""
        for tokens, pops, left in self.sets.exits(node.top, top):
            if left is None:
                yield tokens, node, None
                continue
            for below in node.ancestors(pops - 1):
                yield tokens, below, self.sets.after(below.top, left)

    def _reduced(
        self, node: Node, deeper: tuple[tuple[int, int], ...]
    ) -> Iterator[tuple[Node, ItemSet]]:
        """The nodes below a node that reductions lead to, and what they push there."""
        for pops, left in deeper:
            for below in node.ancestors(pops):
                yield below, self.sets.after(below.top, left)
