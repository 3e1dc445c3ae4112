"""`SubsetEngine`: the superset of a large grammar, made deterministic only where it is visited.

The networks are joined to one nondeterministic automaton. A rule that is called from outside its
own group of recursive rules gets a copy for each call, as in `superset`, so that the end of the
call continues where it began. Where copies within copies would have more than `most_nodes`, the
rules with the largest copies are *shared* instead: they and their group have one copy, and the end
of a rule continues after any call of it. That is looser, and still a superset; `shared` names these
rules. A state is a set of nodes, created when it is first reached (subset construction on demand),
so the size of the deterministic automaton does not matter.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, final

from grammax.automaton.networks.network import Networks, build_networks
from grammax.automaton.protocol import KindSets, State
from grammax.grammar.productions import INFINITE, Productions
from grammax.vocabulary.layout import bits_of

_MOST_NODES = 20_000
# Rules whose copies have more nodes than this are shared; tried in turn until all fit.
_LARGEST_COPIES = (4096, 1024, 256, 64, 16, 4, 0)


@final
class SubsetState(State):
    """The nodes that a prefix can reach, of those that have an arc or are final."""

    __slots__ = ("nodes",)

    def __init__(self, owner: SubsetEngine, nodes: frozenset[int]) -> None:
        self.owner = owner
        self.nodes = nodes
        self.kind_set = None
        self.moves = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SubsetState) or self.owner is not other.owner:
            return NotImplemented
        return self.nodes == other.nodes

    def __hash__(self) -> int:
        return hash(self.nodes)

    def __repr__(self) -> str:
        return f"SubsetState({len(self.nodes)} nodes)"


@final
class SubsetEngine:
    """Networks joined to one automaton; at most `remembered` of its states are cached."""

    def __init__(
        self,
        productions: Productions,
        most_nodes: int = _MOST_NODES,
        remembered: int = 100_000,
        networks: Networks | None = None,
    ) -> None:
        self.name = "superset"
        self.productions = productions
        self.kind_sets = KindSets()
        self.remembered = remembered
        joined = _Joined(networks or build_networks(productions), most_nodes)
        self.shared = tuple(productions.names[symbol] for symbol in joined.shared)
        self._arcs, self._skips, self._final = joined.arcs, joined.skips, frozenset(joined.final)
        self._rules = joined.rules
        self._closures: dict[int, frozenset[int]] = {}
        self._states: dict[frozenset[int], SubsetState] = {}
        self.start = self._state([joined.start])

    @property
    def method(self) -> str:
        """How it was made: on demand, and what was shared."""
        rules = f"{len(self.shared)} rules shared" if self.shared else "exact where not nested"
        return f"on demand, {rules}"

    def permitted(self, state: SubsetState) -> int:
        if state.kind_set is None:
            kinds = set().union(*(self._arcs[node] for node in state.nodes))
            state.kind_set = self.kind_sets.number(bits_of(kinds))
        return state.kind_set

    def move(self, state: SubsetState, kind: int) -> SubsetState | None:
        arcs = self._arcs
        reached = {arcs[node][kind] for node in state.nodes if kind in arcs[node]}
        if not reached:
            return None
        target = state.moves[kind] = self._state(reached)
        return target

    def accepts(self, state: SubsetState) -> bool:
        return not self._final.isdisjoint(state.nodes)

    def tokens_to_accept(self, state: SubsetState) -> int:
        distances = self._distances
        return min(distances[node] for node in state.nodes)

    def where(self, state: SubsetState) -> tuple[str, ...]:
        names = Counter(self.productions.names[self._rules[node]] for node in state.nodes)
        return tuple(f"in {name}" for name, _ in names.most_common())

    def likely_sets(self) -> Iterable[int]:
        """The kinds that may begin the rest of each rule, for every position of the dot."""
        for _, right in self.productions.rules:
            for dot in range(len(right)):
                yield self.productions.first_of(right[dot:])[0]

    def _state(self, reached: Iterable[int]) -> SubsetState:
        closures = [self._closures.get(node) or self._closure(node) for node in reached]
        nodes = closures[0] if len(closures) == 1 else frozenset().union(*closures)
        found = self._states.get(nodes)
        if found is None:
            if len(self._states) >= self.remembered:
                self._states, self._closures, self.start.moves = {}, {}, {}
            found = self._states.setdefault(nodes, SubsetState(self, nodes))
        return found

    def _closure(self, node: int) -> frozenset[int]:
        """The nodes reached without a token, except those that only lead on."""
        seen, waiting = {node}, [node]
        while waiting:
            for target in self._skips[waiting.pop()]:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        found = frozenset(one for one in seen if self._arcs[one] or one in self._final)
        self._closures[node] = found
        return found

    @cached_property
    def _distances(self) -> list[int]:
        """For each node the fewest tokens to acceptance, by a search from the end."""
        into: list[list[tuple[int, int]]] = [[] for _ in self._arcs]
        for node, arcs in enumerate(self._arcs):
            for target in arcs.values():
                into[target].append((node, 1))
            for target in self._skips[node]:
                into[target].append((node, 0))
        distance = [INFINITE] * len(into)
        waiting = deque((0, node) for node in self._final)
        while waiting:
            reached, node = waiting.popleft()
            if reached >= distance[node]:
                continue
            distance[node] = reached
            for source, tokens in into[node]:
                if reached + tokens < distance[source]:
                    if tokens:
                        waiting.append((reached + 1, source))
                    else:
                        waiting.appendleft((reached, source))
        return distance


class _Call(NamedTuple):
    """A call of a symbol: the node where it begins, and the one where it continues."""

    callee: int
    here: int
    after: int


class _Joined:
    """Networks as one nondeterministic automaton, while it is built."""

    def __init__(self, networks: Networks, most_nodes: int) -> None:
        self._networks = networks
        self._kinds = networks.productions.kinds
        self.arcs: list[dict[int, int]] = []
        self.skips: list[list[int]] = []
        self.rules: list[int] = []  # the rule of each node
        self._within: dict[int, list[int]] = {}
        self._outside: dict[int, list[int]] = {}
        self._calls: Counter[int] = Counter()  # of each symbol, from other groups
        self._reached: dict[int, list[int]] = {}
        self._find_calls()
        self.shared = self._choose_shared(most_nodes)
        self._begins: dict[int, int] = {}  # of the networks that are shared
        self.start, self.final = self._join(networks.productions.start)

    def _join(self, entry: int) -> tuple[int, list[int]]:
        """Lay the networks of the entry and of all calls; its first node and its final ones."""
        begin, final, waiting = self._copy(entry, {})
        while waiting:
            callee, here, after = waiting.pop()
            begins = self._begins if callee in self.shared else {}
            inner, ends, calls = self._copy(callee, begins)
            waiting += calls
            self.skips[here].append(inner)
            for node in ends:
                self.skips[node].append(after)
        return begin, final

    def _copy(self, entry: int, begins: dict[int, int]) -> tuple[int, list[int], list[_Call]]:
        """The networks of an entry's group that it reaches, but for those that have begun already.

        Its first node, its final nodes, and the calls of other groups from the new networks.
        """
        networks = self._networks
        out: list[_Call] = []
        for symbol in self._lay(entry, begins):
            offset = begins[symbol]
            for state, arcs in enumerate(networks.by_symbol[symbol].arcs):
                here = offset + state
                for label, target in arcs.items():
                    callee = networks.callee(label)
                    if label < self._kinds:
                        self.arcs[here][label] = offset + target
                    elif networks.group_of[callee] == networks.group_of[symbol]:
                        self.skips[here].append(begins[callee])
                        for node in networks.by_symbol[callee].final:
                            self.skips[begins[callee] + node].append(offset + target)
                    else:
                        out.append(_Call(callee, here, offset + target))
        final = [begins[entry] + state for state in networks.by_symbol[entry].final]
        return begins[entry], final, out

    def _lay(self, entry: int, begins: dict[int, int]) -> list[int]:
        """Add nodes for a network and those of its group that it reaches; which are new."""
        if entry in begins:
            return []
        new = [symbol for symbol in self._members(entry) if symbol not in begins]
        for symbol in new:
            begins[symbol] = len(self.arcs)
            size = len(self._networks.by_symbol[symbol])
            self.arcs.extend({} for _ in range(size))
            self.skips.extend([] for _ in range(size))
            self.rules.extend([symbol] * size)
        return new

    def _members(self, entry: int) -> list[int]:
        """The symbols of an entry's group that it reaches by calls within the group."""
        found = self._reached.get(entry)
        if found is None:
            found = self._reached[entry] = [entry]
            seen = {entry}
            for symbol in found:
                for callee in self._within[symbol]:
                    if callee not in seen:
                        seen.add(callee)
                        found.append(callee)
        return found

    def _find_calls(self) -> None:
        """For each symbol the calls of its network: those within its group, and the others."""
        networks = self._networks
        for symbol, network in networks.by_symbol.items():
            called = [
                networks.callee(label)
                for arcs in network.arcs
                for label in arcs
                if label >= self._kinds
            ]
            group = networks.group_of[symbol]
            self._within[symbol] = [s for s in called if networks.group_of[s] == group]
            self._outside[symbol] = [s for s in called if networks.group_of[s] != group]
            self._calls.update(self._outside[symbol])

    def _choose_shared(self, most_nodes: int) -> tuple[int, ...]:
        """The rules to share, as few as it takes to stay within the number of nodes."""
        shared: tuple[int, ...] = ()
        start = self._networks.productions.start
        for largest in (INFINITE, *_LARGEST_COPIES):
            copies, alone = self._sizes(largest)
            shared = tuple(s for s in copies if copies[s] > largest and self._calls[s] > 0)
            together = {member for symbol in shared for member in self._members(symbol)}
            if copies[start] + sum(alone[member] for member in together) <= most_nodes:
                break
        return shared

    def _sizes(self, largest: int) -> tuple[dict[int, int], dict[int, int]]:
        """The nodes of a copy of each symbol that is called from outside, and of each network.

        Both count the copies for the calls of other groups, but for those of more than `largest`
        nodes, which are shared.
        """
        networks = self._networks
        entries = {networks.productions.start, *self._calls}
        copies: dict[int, int] = {}
        alone: dict[int, int] = {}
        for group in networks.productions.recursion:  # callees before callers
            members = [symbol for symbol in group if symbol in networks.by_symbol]
            for symbol in members:
                inner = (copies[callee] for callee in self._outside[symbol])
                own = sum(size for size in inner if size <= largest)
                alone[symbol] = len(networks.by_symbol[symbol]) + own
            for entry in entries.intersection(members):
                copies[entry] = sum(alone[member] for member in self._members(entry))
        return copies, alone
