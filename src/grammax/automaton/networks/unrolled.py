"""`UnrolledEngine`: for any grammar, exact to a nesting depth and a superset beyond it.

The paper (section 3) names this alternative to its superset paths: unroll the nesting k times. The
full automaton would be huge (over a million states for a grammar with 1,000 value types, five rules
that nest and k = 3), so states are created when they are first reached. A state is a set of
configurations: a node of a network and a stack of nodes to return to. Beyond depth k the stack does
not grow, and the end of a call continues after any call of the same rule, as in `superset`.

An ambiguous prefix may have more configurations than anybody can wait for. Where a state would have
more than `most_configurations`, its stacks are cut: it forgets all but a few frames, and the end of
a call whose frame was forgotten continues after any call of the same rule. Where even that is too
much, nothing is put on stacks any more. That is looser, still a superset, and has as many
configurations as there are nodes at most. `merged` counts these states. Before such a state,
`tokens_to_accept` does not know of its short cuts: so many tokens suffice, fewer may do.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import final

from grammax.automaton.networks.distances import Distances
from grammax.automaton.networks.network import build_networks
from grammax.automaton.networks.nodes import Call, Nodes
from grammax.automaton.protocol import KindSets, State
from grammax.errors import AutomatonError
from grammax.grammar.productions import Productions
from grammax.vocabulary.layout import bits_of

_MOST_CONFIGURATIONS = 1_000  # 20 ms for a state that is reached for the first time
_FRAMES_KEPT = (4, 1, 0)  # tried in turn


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


@final
class UnrolledEngine:
    """Networks as an engine that distinguishes `depth` nested calls.

    Nodes are the states of all networks, numbered. At most `remembered` states are cached; then the
    cache is cleared.
    """

    def __init__(
        self,
        productions: Productions,
        depth: int = 3,
        remembered: int = 1_000_000,
        most_configurations: int = _MOST_CONFIGURATIONS,
    ) -> None:
        if depth < 0:
            raise AutomatonError(f"the depth is {depth}; it counts nested rules and is 0 or more")
        self.name = f"unrolled({depth})"
        self.depth = depth
        self.kind_sets = KindSets()
        self.merged = 0
        self.remembered = remembered
        self._most = most_configurations
        self._states: dict[frozenset[Configuration], UnrolledState] = {}
        self._frames: dict[tuple[int, Frame | None, int, int | None], Frame] = {}
        self._unknown = Frame(-1, None, 0, None)  # a stack that was forgotten
        self._flat = Frame(-1, None, 0, None)  # the same, and calls are not recorded any more
        self._cut = frozenset((self._unknown, self._flat))
        self.productions = productions
        self._nodes = Nodes(build_networks(productions))
        self.start = self._state([(self._nodes.begin[productions.start], None)])

    @property
    def method(self) -> str | None:
        """What was merged, if anything."""
        return f"{self.merged} states with cut stacks" if self.merged else None

    def permitted(self, state: UnrolledState) -> int:
        if state.kind_set is None:
            arcs = self._nodes.arcs
            kinds = set().union(*(arcs[node] for node, _ in state.configurations))
            state.kind_set = self.kind_sets.number(bits_of(kinds))
        return state.kind_set

    def move(self, state: UnrolledState, kind: int) -> UnrolledState | None:
        if not self.kind_sets.bits(self.permitted(state)) >> kind & 1:
            return None  # decided without reading what may be thousands of configurations
        arcs = self._nodes.arcs
        reached = [
            (arcs[node][kind], stack) for node, stack in state.configurations if kind in arcs[node]
        ]
        target = state.moves[kind] = self._state(reached)
        return target

    def accepts(self, state: UnrolledState) -> bool:
        return any(map(self._is_end, state.configurations))

    def tokens_to_accept(self, state: UnrolledState) -> int:
        return min(map(self._distance, state.configurations))

    def where(self, state: UnrolledState) -> tuple[str, ...]:
        names, network = self.productions.names, self._nodes.network
        lines: dict[str, None] = {}
        for node, stack in state.configurations:
            calls = [names[network[node]]]
            while stack is not None and stack not in self._cut:
                calls.append(names[network[stack.after]])
                stack = stack.below
            lines[f"in {' in '.join(calls)}"] = None
        return tuple(sorted(lines, key=len))

    def likely_sets(self) -> Iterable[int]:
        """The kinds that may follow a node: its own, and those that its calls begin with."""
        nodes = self._nodes
        for node, calls in enumerate(nodes.calls):
            begun = (nodes.arcs[nodes.begin[call.callee]] for call in calls)
            yield bits_of(set().union(nodes.arcs[node], *begun))

    def _state(self, configurations: Iterable[Configuration]) -> UnrolledState:
        reached = list(configurations)
        key = self._closure(reached, self._most)
        if key is None:
            self.merged += 1
            key = self._cut_closure(reached)
        found = self._states.get(key)
        if found is None:
            if len(self._states) >= self.remembered:
                self._states, self.start.moves = {}, {}
            found = self._states.setdefault(key, UnrolledState(self, key))
        return found

    def _cut_closure(self, reached: list[Configuration]) -> frozenset[Configuration]:
        for kept in _FRAMES_KEPT:
            shorter = dict.fromkeys((node, self._shortened(stack, kept)) for node, stack in reached)
            key = self._closure(shorter, self._most)
            if key is not None:
                return key
        key = self._closure(dict.fromkeys((node, self._flat) for node, _ in reached))
        assert key is not None
        return key

    def _shortened(self, stack: Frame | None, kept: int) -> Frame | None:
        """The stack with `kept` frames, and what was below them forgotten."""
        frames: list[Frame] = []
        while stack is not None and stack not in self._cut and len(frames) < kept:
            frames.append(stack)
            stack = stack.below
        below = stack if stack is None or stack in self._cut else self._unknown
        for frame in reversed(frames):
            below = self._frame(frame.after, below, frame.depth, frame.entry)
        return below

    def _closure(
        self, configurations: Iterable[Configuration], most: int | None = None
    ) -> frozenset[Configuration] | None:
        """The configurations reached without a token, except nodes that have nothing to read.

        None if that takes more than `most` configurations.
        """
        nodes = self._nodes
        waiting = list(configurations)
        seen = set(waiting)
        found: list[Configuration] = []
        left: set[tuple[int, Frame]] = set()  # rules left for any call: the same for all their ends
        while waiting:
            node, stack = waiting.pop()
            if nodes.arcs[node] or self._is_end((node, stack)):
                found.append((node, stack))
            steps = [self._enter(node, stack, call) for call in nodes.calls[node]]
            if nodes.final[node] and stack is not None and (nodes.network[node], stack) not in left:
                steps += self._leave(node, stack)
                if stack in self._cut:
                    left.add((nodes.network[node], stack))
            for step in steps:
                if step not in seen:
                    seen.add(step)
                    waiting.append(step)
            if most is not None and len(seen) > most:
                return None
        return frozenset(found)

    def _is_end(self, configuration: Configuration) -> bool:
        node, stack = configuration
        if not self._nodes.final[node]:
            return False
        is_start = self._nodes.network[node] == self.productions.start
        return stack is None or (is_start and stack in self._cut)

    def _enter(self, node: int, stack: Frame | None, call: Call) -> Configuration:
        begin = self._nodes.begin[call.callee]
        if stack is self._flat:
            return begin, stack
        if self._is_deep(node, stack) and self._nodes.in_group(node, call.callee):
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
        symbol = self._nodes.network[node]
        if stack in self._cut:
            return [(after, stack) for after in self._nodes.after.get(symbol, ())]
        if not self._is_deep(node, stack):
            return [(stack.after, stack.below)]
        returns = self._nodes.after_in_group.get(symbol, ())
        steps: list[Configuration] = [(after, stack) for after in returns]
        if stack.entry == symbol:
            steps.append((stack.after, stack.below))
        return steps

    def _is_deep(self, node: int, stack: Frame | None) -> bool:
        """Whether the stack no longer records where calls of this node's group return to."""
        return (
            stack is not None
            and stack.entry is not None
            and self._nodes.in_group(node, stack.entry)
        )

    def _distance(self, configuration: Configuration) -> int:
        """The fewest tokens to acceptance: the sum over the calls in progress."""
        node, stack = configuration
        distances = self._distances
        total = 0
        while True:
            if stack is self._unknown:
                return total + distances.unknown[node]
            if stack is self._flat:
                return total + distances.flat[node]
            if stack is not None and stack.entry is not None and self._is_deep(node, stack):
                total += distances.below(stack.entry)[node]
            else:
                total += distances.by_depth[0 if stack is None else stack.depth][node]
            if stack is None:
                return total
            node, stack = stack.after, stack.below

    @cached_property
    def _distances(self) -> Distances:
        return Distances(self._nodes, self.depth)
