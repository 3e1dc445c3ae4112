"""A grammar with numbers for names, and the properties computed from its rules.

Symbols are integers: kinds first, numbered as in the vocabulary, then rules. Sets of kinds are the
bits of an int, which makes union and comparison one operation whatever the number of kinds.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import final

INFINITE = 1 << 60


@final
@dataclass(frozen=True)
class Productions:
    """`rules[i]` is (left-hand side, right-hand side); every symbol below `kinds` is a kind."""

    kinds: int
    names: tuple[str, ...]
    rules: tuple[tuple[int, tuple[int, ...]], ...]
    start: int

    @cached_property
    def rules_of(self) -> tuple[tuple[int, ...], ...]:
        """The rules of each symbol, by rule number; empty for a kind."""
        found: list[list[int]] = [[] for _ in self.names]
        for number, (left, _) in enumerate(self.rules):
            found[left].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def uses(self) -> tuple[tuple[int, ...], ...]:
        """For each symbol the rules that use it, one entry per use."""
        found: list[list[int]] = [[] for _ in self.names]
        for number, (_, right) in enumerate(self.rules):
            for symbol in right:
                found[symbol].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def nullable(self) -> frozenset[int]:
        """The rules that derive the empty string."""
        return self.deriving(())

    def deriving(self, symbols: Iterable[int]) -> frozenset[int]:
        """The symbols that derive a string of these symbols alone, these included."""
        missing = [len(right) for _, right in self.rules]
        found: set[int] = set()
        waiting = deque((*symbols, *(left for left, right in self.rules if not right)))
        while waiting:
            symbol = waiting.popleft()
            if symbol in found:
                continue
            found.add(symbol)
            for number in self.uses[symbol]:
                missing[number] -= 1
                if not missing[number]:
                    waiting.append(self.rules[number][0])
        return frozenset(found)

    @property
    def shortest(self) -> tuple[int, ...]:
        """The fewest tokens that each symbol derives, or INFINITE if it derives no sentence."""
        return self._shortest[0]

    def shortest_sentence(self, symbols: Iterable[int]) -> list[int]:
        """A shortest sentence, as kinds, that a sequence of symbols derives."""
        kinds: list[int] = []
        waiting = list(symbols)[::-1]
        while waiting:
            symbol = waiting.pop()
            if symbol < self.kinds:
                kinds.append(symbol)
            else:
                waiting.extend(reversed(self.rules[self._shortest[1][symbol]][1]))
        return kinds

    @cached_property
    def _shortest(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """For each symbol the fewest tokens and the rule that gives them (Knuth, 1977)."""
        by_rule = [-1] * len(self.names)
        best = [1] * self.kinds + [INFINITE] * (len(self.names) - self.kinds)
        missing = [len(right) for _, right in self.rules]
        heap = [(0, left, rule) for rule, (left, right) in enumerate(self.rules) if not right]
        heap += [(1, kind, -1) for kind in range(self.kinds)]
        heapq.heapify(heap)
        settled: set[int] = set()
        while heap:
            length, symbol, rule = heapq.heappop(heap)
            if symbol in settled:
                continue
            settled.add(symbol)
            best[symbol] = length
            by_rule[symbol] = rule
            for number in self.uses[symbol]:
                missing[number] -= 1
                if not missing[number]:
                    left, right = self.rules[number]
                    if left not in settled:
                        heapq.heappush(heap, (sum(best[s] for s in right), left, number))
        return tuple(best), tuple(by_rule)

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The kinds with which each symbol's strings can begin, as bits."""
        begins: list[list[int]] = [[] for _ in self.names]
        for left, right in self.rules:
            for symbol in right:
                begins[left].append(symbol)
                if symbol not in self.nullable:
                    break
        own = [1 << kind for kind in range(self.kinds)] + [0] * (len(self.names) - self.kinds)
        return tuple(closed(own, begins))

    @cached_property
    def recursion(self) -> tuple[tuple[int, ...], ...]:
        """Groups of mutually recursive rules, callees before callers."""
        calls = [
            [symbol for number in self.rules_of[left] for symbol in self.rules[number][1]]
            for left in range(len(self.names))
        ]
        return tuple(tuple(group) for group in components(calls) if group[0] >= self.kinds)

    def first_of(self, symbols: Iterable[int]) -> tuple[int, bool]:
        """The kinds with which a sequence can begin, and whether it can be empty."""
        bits = 0
        for symbol in symbols:
            bits |= self.first[symbol]
            if symbol not in self.nullable:
                return bits, False
        return bits, True

    def shortest_of(self, symbols: Iterable[int]) -> int:
        """The fewest tokens that a sequence derives."""
        return sum(self.shortest[symbol] for symbol in symbols)

    def shortest_rest(self, rule: int, dot: int) -> int:
        """The fewest tokens that a rule derives after its dot."""
        sums = self._rests.get(rule)
        if sums is None:
            right = self.rules[rule][1]
            backwards = accumulate((self.shortest[symbol] for symbol in reversed(right)), initial=0)
            sums = self._rests[rule] = tuple(backwards)[::-1]
        return sums[dot]

    @cached_property
    def _rests(self) -> dict[int, tuple[int, ...]]:
        return {}

    def show(self, rule: int, dot: int | None = None) -> str:
        """A rule as text, with a dot before the symbol that comes next."""
        left, right = self.rules[rule]
        words = [self.names[symbol] for symbol in right]
        if dot is not None:
            words.insert(dot, "•")
        return f"{self.names[left]}: {' '.join(words)}".rstrip()


def components(successors: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Strongly connected components, successors first (Tarjan, 1972), without recursion."""
    index = [0] * len(successors)
    low = [0] * len(successors)
    on_stack = [False] * len(successors)
    stack: list[int] = []
    counter = 0
    for root in range(len(successors)):
        if index[root]:
            continue
        work: list[tuple[int, Iterator[int]]] = []
        node = root
        while True:
            if not index[node]:
                counter += 1
                index[node] = low[node] = counter
                stack.append(node)
                on_stack[node] = True
                work.append((node, iter(successors[node])))
            node, rest = work[-1]
            for successor in rest:
                if not index[successor]:
                    node = successor
                    break
                if on_stack[successor]:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    at = _rindex(stack, node)
                    group = stack[at:]
                    del stack[at:]
                    for member in group:
                        on_stack[member] = False
                    yield group
                if not work:
                    break
                node = work[-1][0]


def _rindex(stack: list[int], node: int) -> int:
    at = len(stack) - 1
    while stack[at] != node:
        at -= 1
    return at


def closed(sets: Sequence[int], successors: Sequence[Sequence[int]]) -> list[int]:
    """Each node's set, as bits, united with the sets of all nodes that it leads to."""
    result = list(sets)
    for group in components(successors):
        joined = 0
        for node in group:
            joined |= result[node]
            for successor in successors[node]:
                joined |= result[successor]
        for node in group:
            result[node] = joined
    return result
